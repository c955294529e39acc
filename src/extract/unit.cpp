#include "extract/unit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

#include "extract/body.h"
#include "extract/file_name.h"
#include "extract/initialisers.h"
#include "extract/path.h"
#include "extract/reduce.h"
#include "ir/access.h"
#include "ir/system_code.h"

namespace deadheat::extract {

namespace {

void describeUnit(const llvm::Module &module, model::Unit &unit) {
  unit.source = module.getSourceFileName();
  if (module.debug_compile_units_begin() == module.debug_compile_units_end()) return;
  const llvm::DICompileUnit *compile = *module.debug_compile_units_begin();
  unit.directory = compile->getDirectory().str();
  unit.producer = compile->getProducer().str();
}

model::Function describeFunction(const llvm::Function &function, model::Unit &unit) {
  model::Function row;
  row.name = unit.strings.intern(function.getName().str());
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  row.display = unit.strings.intern(llvm::demangle(function.getName()));
  row.file = unit.strings.intern(subprogram ? fileName(subprogram->getFile(), unit.directory) : "");
  row.line = subprogram ? subprogram->getLine() : 0;
  if (function.isVarArg()) row.flags |= model::kVariadic;
  if (ir::isLibraryFunction(function)) row.flags |= model::kLibrary;
  row.firstSite = model::SiteId(static_cast<uint32_t>(unit.sites.size()));
  return row;
}

// A call of the library whose bytes nobody counts here stays in the array or record that it is given. What a pointer leads to may be
// one of many.
bool isOpenCall(const ir::Access &access, const AccessPath &path) {
  if (!llvm::isa<llvm::CallBase>(access.instruction) || llvm::isa<llvm::IntrinsicInst>(access.instruction))
    return false;
  return path.bytes > 1 && (access.isText ? access.size == 1 : access.size == 0 && !path.isPointee);
}

model::Site describeSite(const ir::Access &access, model::FunctionId function, PathNamer &namer, model::Unit &unit) {
  model::Site site;
  site.function = function;
  site.kind = access.kind;
  site.size = access.size;
  site.file = unit.strings.intern("");
  if (const llvm::DILocation *location = access.instruction->getDebugLoc()) {
    site.file = unit.strings.intern(fileName(location->getFile(), unit.directory));
    site.line = location->getLine();
    site.column = static_cast<uint16_t>(location->getColumn());
  }
  ir::Access named = access;
  if (access.isText) named.size = 0; // it is more than its first byte
  AccessPath path = namer.name(named);
  if (isOpenCall(access, path)) site.size = path.bytes;
  site.path = unit.strings.intern(path.text);
  site.type = unit.strings.intern(path.type);
  site.field = unit.strings.intern(path.field);
  return site;
}

bool isCpp(const llvm::Module &module) {
  return llvm::any_of(module.debug_compile_units(), [](const llvm::DICompileUnit *unit) {
    return llvm::dwarf::isCPlusPlus(static_cast<llvm::dwarf::SourceLanguage>(unit->getSourceLanguage()));
  });
}

void numberAccesses(llvm::Module &module, TypeIndex &types, model::Unit &unit, ir::SiteIndex &index) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    model::FunctionId id = unit.functions.add(describeFunction(function, unit));
    PathNamer namer(function, types);
    for (const ir::Access &access : ir::accessesOf(function, ir::LibraryCalls::Include)) {
      model::SiteId site = unit.sites.add(describeSite(access, id, namer, unit));
      index.number(access, site);
    }
    unit.functions[id].siteCount = static_cast<uint32_t>(unit.sites.size()) - unit.functions[id].firstSite.value();
  }
}

void extractBodies(llvm::Module &module, SymbolTable &symbols, TypeIndex &types,
                   llvm::FunctionAnalysisManager &analyses, model::Unit &unit, const ir::SiteIndex &index) {
  std::vector<llvm::Function *> functions; // clones come and go at the end of the module's list
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  Reducer reducer(module, analyses, /*promotes=*/unit.optimisation == 0);
  for (uint32_t i = 0; i < functions.size(); ++i) {
    Reducer::Body body = reducer.bodyOf(*functions[i]);
    if (body.isReduced) unit.functions[model::FunctionId(i)].flags |= model::kReduced;
    extractBody(*body.function, model::FunctionId(i), body.isReduced, symbols, types, index, unit);
  }
}

void extractCode(llvm::Module &module, TypeIndex &types, llvm::FunctionAnalysisManager &analyses, model::Unit &unit,
                 const ir::SiteIndex &index) {
  SymbolTable symbols(unit);
  symbols.addDefinitions(module);
  markStartUp(module, symbols, unit);
  extractBodies(module, symbols, types, analyses, unit, index);
  extractInitialisers(module, symbols, unit);
  if (isCpp(module)) extractInheritance(types, unit);
}

} // namespace

void extractUnit(llvm::Module &module, llvm::FunctionAnalysisManager &analyses, model::Unit &unit,
                 ir::SiteIndex &index) {
  describeUnit(module, unit);
  TypeIndex types(module);
  numberAccesses(module, types, unit, index);
  extractCode(module, types, analyses, unit, index);
}

} // namespace deadheat::extract
