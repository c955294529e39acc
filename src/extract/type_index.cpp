#include "extract/type_index.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "extract/types.h"

namespace deadheat::extract {

namespace {

// `class.leveldb::Status.12` -> `leveldb::Status`: the kind goes, and so does the number that keeps two of one name
// apart.
llvm::StringRef sourceName(llvm::StringRef name) {
  name = name.split('.').second;
  auto [stem, number] = name.rsplit('.');
  return !number.empty() && llvm::all_of(number, llvm::isDigit) ? stem : name;
}

std::string keyOf(const llvm::DICompositeType &record) {
  std::string name = record.getName().split('<').first.str(); // the optimiser's names have no template arguments
  for (const llvm::DIScope *scope = record.getScope(); scope; scope = scope->getScope()) {
    if (!llvm::isa<llvm::DINamespace, llvm::DICompositeType>(scope)) continue;
    name = (scope->getName().empty() ? "(anonymous namespace)" : scope->getName().split('<').first.str()) + "::" + name;
  }
  return name;
}

// What a lambda's call operator takes for its closure: the first step from `this` to a captured variable says how the optimiser calls it.
const llvm::StructType *viewOfObject(const llvm::Function &method) {
  if (method.isDeclaration() || method.arg_empty()) return nullptr;
  const llvm::Argument *object = method.getArg(method.hasStructRetAttr() ? 1 : 0);
  auto isObject = [&](const llvm::Value *pointer) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(pointer);
    return pointer == object || (load && llvm::any_of(object->users(), [&](const llvm::User *user) {
                                   const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
                                   return store && store->getPointerOperand() == load->getPointerOperand();
                                 }));
  };
  for (const llvm::Instruction &instruction : llvm::instructions(method))
    if (const auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
        step && isObject(step->getPointerOperand()))
      return llvm::dyn_cast<llvm::StructType>(step->getSourceElementType());
  return nullptr;
}

// The closure of a call operator; null: it is none.
const llvm::DICompositeType *closureOf(const llvm::Function &method) {
  const llvm::DISubprogram *subprogram = method.getSubprogram();
  const llvm::DISubroutineType *type = subprogram ? subprogram->getType() : nullptr;
  if (!type || subprogram->getName() != "operator()" || type->getTypeArray().size() < 2) return nullptr;
  const llvm::DIType *object = plainType(pointee(type->getTypeArray()[1]));
  return isClosure(object) ? recordOf(object) : nullptr;
}

} // namespace

void TypeIndex::build() {
  for (const llvm::Function &function : module_)
    if (const llvm::DICompositeType *closure = closureOf(function))
      if (const llvm::StructType *view = viewOfObject(function)) closures_.try_emplace(view, closure);
  isBuilt_ = true;
  llvm::DebugInfoFinder finder;
  finder.processModule(module_);
  for (const llvm::DIType *type : finder.types()) {
    const llvm::DICompositeType *record = recordOf(type);
    if (!record || record != type || record->getName().empty()) continue;
    all_.push_back(record);
    auto [entry, isNew] = records_.try_emplace(keyOf(*record), record);
    if (!isNew && entry->second != record) entry->second = nullptr;
  }
}

llvm::ArrayRef<const llvm::DICompositeType *> TypeIndex::records() {
  if (!isBuilt_) build();
  return all_;
}

const llvm::DIType *TypeIndex::findTagged(llvm::StringRef name) {
  if (!isBuilt_) build();
  std::string plain = name.str();
  if (name.starts_with("_ZTS")) plain = llvm::StringRef(llvm::demangle(name)).split(" for ").second.str();
  return plain.find('<') == std::string::npos ? records_.lookup(plain) : nullptr;
}

const llvm::DIType *TypeIndex::find(const llvm::Type *type) {
  const auto *record = llvm::dyn_cast_or_null<llvm::StructType>(type);
  if (!record || !record->hasName() || !record->isSized()) return nullptr;
  if (!isBuilt_) build();
  const llvm::DICompositeType *found = closures_.lookup(record);
  if (!found) found = records_.lookup(sourceName(record->getName()));
  uint64_t size = module_.getDataLayout().getTypeAllocSize(const_cast<llvm::StructType *>(record)).getFixedValue();
  return found && sizeInBytes(found) == size ? found : nullptr;
}

} // namespace deadheat::extract
