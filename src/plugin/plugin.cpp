// The pass plugin that clang loads: number and extract early, instrument late.
//
//   pipeline start   `sanitize_thread` on every function, so that the optimiser invents no access
//   early            number every access, extract the model (at -O1 and above that is after a first clean-up, which halves the code)
//   last             trace late accesses to early ones, make two bodies, store the model, cut debug info to the user's level
//
// It runs inside the user's compiler and never fails a compile: on an inner error it says so once, and the unit has no model.
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/raw_ostream.h"

#include "extract/unit.h"
#include "instrument/annotations.h"
#include "instrument/instrument.h"
#include "instrument/tail_calls.h"
#include "model/frame.h"
#include "plugin/embed.h"
#include "plugin/policy.h"

namespace deadheat::plugin {

namespace {

using llvm::Module;
using llvm::ModuleAnalysisManager;
using llvm::PreservedAnalyses;

constexpr char kDoneName[] = "deadheat.done";

// What one compile carries from its early to its late pass.
struct Compile {
  Policy policy = policyFromEnvironment();
  llvm::OptimizationLevel level = llvm::OptimizationLevel::O0;
  bool skip = false; // this module was instrumented before: bitcode of ours, compiled again
  model::Unit unit;
  ir::SiteIndex index;

  bool instruments(const Module &module) const {
    return policy.instrument && !skip && instrument::supportsTarget(module);
  }

  void store(Module &module, const std::string &frame) const {
    if (policy.modelDirectory.empty()) return embedInObject(module, frame);
    Expected<void> written = writeToDirectory(module, frame, policy.modelDirectory);
    if (!written)
      llvm::errs() << "deadheat: note: no model of " << module.getSourceFileName() << ": " << written.error().text()
                   << "\n";
  }
};

// What is left costs the rest of the pipeline nothing.
void dropCode(Module &module) {
  for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(llvm::PoisonValue::get(alias.getType()));
    alias.eraseFromParent();
  }
  for (llvm::GlobalIFunc &indirect : llvm::make_early_inc_range(module.ifuncs())) {
    indirect.replaceAllUsesWith(llvm::PoisonValue::get(indirect.getType()));
    indirect.eraseFromParent();
  }
  for (llvm::Function &function : module) {
    function.deleteBody();
    function.setComdat(nullptr);
  }
}

// Adds the attribute that keeps the optimiser from inventing accesses.
struct MarkPass : llvm::PassInfoMixin<MarkPass> {
  std::shared_ptr<Compile> compile;
  explicit MarkPass(std::shared_ptr<Compile> shared) : compile(std::move(shared)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    compile->skip = module.getNamedMetadata(kDoneName) != nullptr;
    if (!compile->instruments(module)) return PreservedAnalyses::all();
    for (llvm::Function &function : module)
      if (!function.isDeclaration()) function.addFnAttr(llvm::Attribute::SanitizeThread);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct EarlyPass : llvm::PassInfoMixin<EarlyPass> {
  std::shared_ptr<Compile> compile;
  explicit EarlyPass(std::shared_ptr<Compile> shared) : compile(std::move(shared)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (compile->skip) return PreservedAnalyses::all();
    compile->unit.optimisation = static_cast<uint8_t>(compile->level.getSpeedupLevel());
    auto &functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    extract::extractUnit(module, functions, compile->unit, compile->index);
    if (!compile->policy.modelOnly) return PreservedAnalyses::all();
    compile->store(module, model::encodeFrame(compile->unit));
    dropCode(module);
    compile->skip = true;
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct LatePass : llvm::PassInfoMixin<LatePass> {
  std::shared_ptr<Compile> compile;
  explicit LatePass(std::shared_ptr<Compile> shared) : compile(std::move(shared)) {}

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &analyses) {
    if (compile->skip) return PreservedAnalyses::all();
    module.getOrInsertNamedMetadata(kDoneName);
    if (compile->instruments(module))
      instrument(module, analyses);
    else if (compile->policy.extract)
      compile->store(module, model::encodeFrame(compile->unit));
    cutDebugInfo(module);
    if (compile->policy.verify && llvm::verifyModule(module, &llvm::errs()))
      llvm::report_fatal_error("deadheat: bad module");
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  void instrument(Module &module, ModuleAnalysisManager &analyses) {
    std::vector<instrument::LateFunction> functions = instrument::collectLate(module, compile->index, compile->unit);
    std::string frame = model::encodeFrame(compile->unit);
    instrument::makeAnnotationsOptional(module);
    instrument::keepFramesBelowLibrary(module);
    if (!functions.empty()) {
      instrument::Hooks hooks(module, compile->unit);
      instrument::instrumentModule(module, functions, hooks, analyses);
      hooks.emitNote(model::checksumOf(frame));
    }
    if (compile->policy.extract) compile->store(module, frame);
  }

  void cutDebugInfo(Module &module) const {
    if (compile->policy.debug == DebugLevel::None) llvm::StripDebugInfo(module);
    if (compile->policy.debug == DebugLevel::Lines) llvm::stripNonLineTableDebugInfo(module);
  }
};

void registerPasses(llvm::PassBuilder &builder) {
  auto compile = std::make_shared<Compile>();
  if (!compile->policy.extract && !compile->policy.instrument) return;
  builder.registerPipelineStartEPCallback([compile](llvm::ModulePassManager &passes, llvm::OptimizationLevel level) {
    compile->level = level;
    passes.addPass(MarkPass(compile));
  });
  builder.registerPipelineEarlySimplificationEPCallback(
      [compile](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(EarlyPass(compile)); });
  builder.registerOptimizerLastEPCallback(
      [compile](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(LatePass(compile)); });
}

} // namespace

} // namespace deadheat::plugin

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "deadheat", "0.1", deadheat::plugin::registerPasses};
}
