#include "extract/first_member.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"

#include "extract/types.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

constexpr unsigned kMaxDepth = 6;

// Functions of the system, which debug info does not describe where they are called.
struct Row {
  llvm::StringRef prefix;
  llvm::StringRef type; // of what their first argument points to
};
constexpr Row kTable[] = {{"pthread_mutex_", "pthread_mutex_t"},
                          {"pthread_rwlock_", "pthread_rwlock_t"},
                          {"pthread_spin_", "pthread_spinlock_t"},
                          {"pthread_cond_", "pthread_cond_t"},
                          {"pthread_barrier_", "pthread_barrier_t"},
                          {"pthread_once", "pthread_once_t"},
                          {"sem_", "sem_t"},
                          {"mtx_", "mtx_t"},
                          {"cnd_", "cnd_t"}};

// By its own name or that of any typedef on the way to it.
bool isCalled(const llvm::DIType *type, llvm::StringRef wanted) {
  if (typeName(type) == wanted || typeName(plainType(type)) == wanted) return true;
  while (const auto *derived = dyn_cast<llvm::DIDerivedType>(type)) {
    if (derived->getTag() == llvm::dwarf::DW_TAG_typedef && derived->getName() == wanted) return true;
    if (plainType(derived) == derived || !derived->getBaseType()) return false;
    type = derived->getBaseType();
  }
  return false;
}

const llvm::DIDerivedType *firstMember(const llvm::DICompositeType &record) {
  for (const llvm::DINode *node : record.getElements()) {
    const auto *member = dyn_cast<llvm::DIDerivedType>(node);
    bool isPart =
        member && !member->isStaticMember() &&
        (member->getTag() == llvm::dwarf::DW_TAG_member || member->getTag() == llvm::dwarf::DW_TAG_inheritance);
    if (isPart && member->getOffsetInBits() == 0 && member->getBaseType()) return member;
  }
  return nullptr;
}

} // namespace

std::string wantedType(const llvm::CallBase &call, unsigned index) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee) return {};
  const llvm::DISubprogram *subprogram = callee->getSubprogram();
  if (subprogram && subprogram->getType() && !call.hasStructRetAttr()) {
    llvm::DITypeRefArray types = subprogram->getType()->getTypeArray();
    const llvm::DIType *type = types && index + 1 < types.size() ? pointee(types[index + 1]) : nullptr;
    if (type) return typeName(type);
  }
  if (index != 0) return {};
  const Row *row = llvm::find_if(kTable, [&](const Row &one) { return callee->getName().starts_with(one.prefix); });
  return row == std::end(kTable) ? std::string() : row->type.str();
}

std::string pathToFirst(const llvm::DIType *object, llvm::StringRef wanted) {
  std::string path;
  bool isLibrary = false;
  for (unsigned depth = 0; object && depth < kMaxDepth; ++depth) {
    if (isCalled(object, wanted)) return path;
    const llvm::DICompositeType *record = recordOf(object);
    const llvm::DIDerivedType *member = record ? firstMember(*record) : nullptr;
    if (!member) return {};
    isLibrary |= llvm::StringRef(typeName(object)).starts_with("std::");
    if (!isLibrary && !member->getName().empty()) path += (path.empty() ? "" : ".") + member->getName().str();
    object = member->getBaseType();
  }
  return {};
}

} // namespace deadheat::extract
