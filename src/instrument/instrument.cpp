#include "instrument/instrument.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/TargetParser/Triple.h"

#include "instrument/bodies.h"
#include "instrument/loops.h"
#include "instrument/one_body.h"
#include "instrument/stack_marks.h"

namespace deadheat::instrument {

bool supportsTarget(const llvm::Module &module) {
  llvm::Triple triple(module.getTargetTriple());
  return triple.isOSLinux() && triple.isOSBinFormatELF() && triple.getArch() == llvm::Triple::x86_64 && !triple.isX32();
}

void instrumentModule(llvm::Module &module, const std::vector<LateFunction> &functions, const Hooks &hooks,
                      llvm::ModuleAnalysisManager &analyses) {
  auto &perFunction = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  const bool depthMatters = llvm::any_of(functions, [](auto &late) { return comparesStackDepth(*late.function); });
  for (const LateFunction &late : functions) {
    if (depthMatters || late.function->hasOptNone() || !canCopy(*late.function)) {
      askInOneBody(late, hooks);
      continue;
    }
    std::vector<LoopCheck> checks;
    if (canCross(*late.function)) {
      auto &loops = perFunction.getResult<llvm::LoopAnalysis>(*late.function);
      auto &evolution = perFunction.getResult<llvm::ScalarEvolutionAnalysis>(*late.function);
      checks = chooseLoopChecks(late, loops, evolution);
    }
    perFunction.clear(*late.function, late.function->getName()); // a forgotten analysis would watch values that change
    makeTwoBodies(late, checks, hooks);
  }
}

} // namespace deadheat::instrument
