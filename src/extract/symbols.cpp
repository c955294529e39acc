#include "extract/symbols.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/raw_ostream.h"

#include "extract/file_name.h"
#include "extract/types.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

std::string typeText(const llvm::Type &type) {
  if (type.isPointerTy()) return "ptr";
  std::string text;
  llvm::raw_string_ostream out(text);
  type.print(out, /*IsForDebug=*/false, /*NoDetails=*/true);
  return text;
}

model::Linkage linkageOf(const llvm::GlobalValue &global) {
  using model::Linkage;
  if (global.hasExternalWeakLinkage()) return Linkage::WeakDeclared;
  if (global.isDeclaration()) return Linkage::Declared;
  if (global.hasLocalLinkage()) return Linkage::Internal;
  return global.isWeakForLinker() || global.hasAvailableExternallyLinkage() ? Linkage::Weak : Linkage::External;
}

// By anything but a call, an alias, or a list that LLVM keeps for itself (constructors, used symbols).
bool isAddressUse(const llvm::Use &use) {
  const llvm::User *user = use.getUser();
  if (const auto *call = dyn_cast<llvm::CallBase>(user)) return !call->isCallee(&use);
  if (llvm::isa<llvm::GlobalAlias, llvm::GlobalIFunc, llvm::BlockAddress>(user)) return false;
  if (const auto *global = dyn_cast<llvm::GlobalVariable>(user)) return !global->getName().starts_with("llvm.");
  return !llvm::isa<llvm::ConstantAggregate>(user) || llvm::any_of(user->uses(), isAddressUse);
}

uint8_t flagsOf(const llvm::GlobalValue &global) {
  uint8_t flags = 0;
  const auto *variable = dyn_cast<llvm::GlobalVariable>(&global);
  const auto *function = dyn_cast<llvm::Function>(&global);
  if (global.isThreadLocal()) flags |= model::kThreadLocal;
  if (variable && variable->isConstant()) flags |= model::kConstant;
  if (function && llvm::any_of(function->uses(), isAddressUse)) flags |= model::kAddressTaken;
  bool mayBeReplaced = !global.isDSOLocal() && global.hasDefaultVisibility() && !global.hasLocalLinkage();
  if (mayBeReplaced && !global.isDeclaration()) flags |= model::kInterposable;
  return flags;
}

bool mentionsPointers(const llvm::Constant &value) {
  if (llvm::isa<llvm::ConstantDataSequential, llvm::ConstantAggregateZero, llvm::ConstantInt, llvm::ConstantFP>(value))
    return false;
  return true;
}

// What LLVM keeps for itself, and constants that only hold data.
bool hasNoSymbol(const llvm::GlobalValue &global) {
  if (global.getName().starts_with("llvm.")) return true;
  const auto *variable = dyn_cast<llvm::GlobalVariable>(&global);
  return variable && variable->isConstant() && variable->hasPrivateLinkage() && variable->hasInitializer() &&
         !mentionsPointers(*variable->getInitializer());
}

// An array's with the number of its elements, which a declaration before the definition may have left open.
std::string objectType(const llvm::DIType *type, uint64_t size) {
  ArrayShape shape = arrayShape(type);
  if (shape.dimensions.empty()) return typeName(type);
  std::string text = typeName(shape.element);
  for (size_t i = 0; i < shape.dimensions.size(); ++i) {
    auto [stride, elements] = shape.dimensions[i];
    if (elements == 0 && i == 0 && stride != 0) elements = size / stride;
    text += "[" + (elements != 0 ? std::to_string(elements) : "") + "]";
  }
  return text;
}

} // namespace

std::string signatureOf(const llvm::FunctionType &type) {
  std::string text = typeText(*type.getReturnType()) + "(";
  const char *separator = "";
  for (const llvm::Type *parameter : type.params()) {
    text += separator + typeText(*parameter);
    separator = ",";
  }
  if (type.isVarArg()) text += std::string(separator) + "...";
  return text + ")";
}

void SymbolTable::addDefinitions(const llvm::Module &module) {
  uint32_t next = 0;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    if (auto id = of(function)) unit_.symbols[*id].function = model::FunctionId(next);
    ++next;
  }
  for (const llvm::GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration()) of(variable);
  for (const llvm::GlobalAlias &alias : module.aliases()) of(alias);
  for (const llvm::GlobalIFunc &chosen : module.ifuncs()) of(chosen);
  addVersions(module);
}

// `.symver run_2, run@@V2`: who calls `run` calls run_2, unless a version is asked for.
void SymbolTable::addVersions(const llvm::Module &module) {
  llvm::SmallVector<llvm::StringRef, 8> lines;
  llvm::StringRef(module.getModuleInlineAsm()).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    line = line.trim();
    if (!line.consume_front(".symver")) continue;
    auto [name, versioned] = line.split(',');
    auto [known, version] = versioned.trim().split("@@");
    const llvm::GlobalValue *global = version.empty() ? nullptr : module.getNamedValue(name.trim());
    std::optional<model::SymbolId> aliasee = global && !global->isDeclaration() ? of(*global) : std::nullopt;
    if (!aliasee) continue;
    model::Symbol row = unit_.symbols[*aliasee];
    row.name = unit_.strings.intern(known);
    row.display = unit_.strings.intern(llvm::demangle(known));
    row.function = {};
    row.aliasee = *aliasee;
    unit_.symbols.add(row);
  }
}

std::optional<model::SymbolId> SymbolTable::of(const llvm::GlobalValue &global) {
  if (auto found = ids_.find(&global); found != ids_.end()) return found->second;
  if (hasNoSymbol(global)) return std::nullopt;
  model::SymbolId id = add(global);
  ids_[&global] = id;
  return id;
}

model::SymbolId SymbolTable::add(const llvm::GlobalValue &global) {
  model::Symbol row;
  row.name = unit_.strings.intern(global.getName());
  row.display = unit_.strings.intern(llvm::demangle(global.getName()));
  row.file = row.type = unit_.strings.intern("");
  row.linkage = linkageOf(global);
  row.flags = flagsOf(global);
  row.kind =
      llvm::isa<llvm::FunctionType>(global.getValueType()) ? model::SymbolKind::Function : model::SymbolKind::Variable;
  if (const auto *type = dyn_cast<llvm::FunctionType>(global.getValueType()))
    row.type = unit_.strings.intern(signatureOf(*type));
  if (const auto *function = dyn_cast<llvm::Function>(&global)) describe(*function, row);
  if (const auto *variable = dyn_cast<llvm::GlobalVariable>(&global)) describe(*variable, row);
  if (const auto *alias = dyn_cast<llvm::GlobalAlias>(&global))
    if (const llvm::GlobalObject *object = alias->getAliaseeObject())
      if (auto aliasee = of(*object)) row.aliasee = *aliasee;
  return unit_.symbols.add(row);
}

void SymbolTable::describe(const llvm::Function &function, model::Symbol &row) {
  const llvm::DISubprogram *subprogram = function.getSubprogram();
  if (!subprogram || function.isDeclaration()) return;
  row.file = unit_.strings.intern(fileName(subprogram->getFile(), unit_.directory));
  row.line = subprogram->getLine();
}

void SymbolTable::describe(const llvm::GlobalVariable &variable, model::Symbol &row) {
  llvm::Type *type = variable.getValueType();
  if (type->isSized()) row.size = variable.getParent()->getDataLayout().getTypeAllocSize(type).getFixedValue();
  llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
  variable.getDebugInfo(infos);
  if (infos.empty()) return;
  const llvm::DIGlobalVariable &info = *infos[0]->getVariable();
  row.display = unit_.strings.intern(scopePrefix(info.getScope()) + info.getName().str());
  row.type = unit_.strings.intern(objectType(info.getType(), row.size));
  row.file = unit_.strings.intern(fileName(info.getFile(), unit_.directory));
  row.line = info.getLine();
}

} // namespace deadheat::extract
