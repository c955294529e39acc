#include "extract/wrappers.h"

#include <cstdlib>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstrTypes.h"

#include "ir/system_code.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

constexpr llvm::StringRef kSynchronisation[] = {"pthread_",
                                                "sem_",
                                                "mtx_",
                                                "cnd_",
                                                "thrd_",
                                                "call_once",
                                                "syscall",
                                                "_ZNSt6thread15_M_start_thread",
                                                "_ZNSt6thread4join",
                                                "_ZNSt6thread6detach",
                                                "_ZNSt18condition_variable",
                                                "_ZNSt28__atomic_futex_unsigned_base"};

// With a loop of tries inside: they are understood whole.
constexpr llvm::StringRef kLeftAsTheyAre[] = {"_ZSt4lockI",
                                              "_ZSt8try_lockI",
                                              "_ZNSt18__atomic_semaphore10_M_acquireEv",
                                              "_ZNSt18__atomic_semaphore14_M_try_acquireEv",
                                              "_ZNSt18__atomic_semaphore10_M_releaseEl",
                                              "_ZSt23__atomic_wait_address_vI",
                                              "_ZSt26__atomic_wait_address_bareI",
                                              "_ZNSt13__future_base13_State_baseV213_M_set_resultE",
                                              "_ZNSt5latch",
                                              "_ZNKSt5latch",
                                              "_ZNSt7barrierI",
                                              "_ZNKSt7barrierI"};

// They return two pointers at once, which a model tells apart only where they are put together.
constexpr llvm::StringRef kPairs[] = {"_ZNSt13__future_base14_S_task_setterI"};

constexpr unsigned kMaxLibrary = 400; // instructions of a wrapper
constexpr unsigned kMaxInline = 40;

bool startsWithAny(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> list) {
  return llvm::any_of(list, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

// Itanium's names for the complete and base object's constructors and destructors: ...C1E..., ...D2Ev.
bool isConstructorOrDestructor(llvm::StringRef name) {
  if (!name.starts_with("_ZN")) return false;
  for (llvm::StringRef part : {"C1E", "C2E", "D1E", "D2E"})
    if (name.contains(part)) return true;
  return false;
}

bool isSmallInline(const llvm::Function &function) {
  return function.hasLinkOnceLinkage() && function.getInstructionCount() <= kMaxInline;
}

// A program's own lock, by its name. Parameters do not count: libstdc++ has a _Lock_policy.
bool isNamedLock(const llvm::Function &function) {
  auto mentionsLock = [](llvm::StringRef name) {
    return name.contains_insensitive("lock") || name.contains_insensitive("mutex");
  };
  std::string name = function.getName().str();
  if (!mentionsLock(name)) return false;
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str())) return true; // C
  char *scope = demangler.getFunctionDeclContextName(nullptr, nullptr);
  char *base = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string path = std::string(scope ? scope : "") + "::" + (base ? base : "");
  std::free(scope);
  std::free(base);
  return mentionsLock(path) && !llvm::StringRef(path).starts_with("std::");
}

bool isSynchronisation(const llvm::Function &function) {
  if (function.isIntrinsic()) return false;
  if (Wrappers::isLeftAsItIs(function)) return true;
  if (function.isDeclaration() && startsWithAny(function.getName(), kSynchronisation)) return true;
  return !function.hasLinkOnceLinkage() && isNamedLock(function) && !ir::isLibraryFunction(function);
}

} // namespace

bool Wrappers::isLeftAsItIs(const llvm::Function &function) {
  return startsWithAny(function.getName(), kLeftAsTheyAre);
}

Wrappers::Wrappers(llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (isSynchronisation(function)) visitCallers(function);
  while (!pending_.empty()) visitCallers(*pending_.pop_back_val());
  for (const llvm::Function &function : module)
    if (startsWithAny(function.getName(), kPairs)) visitCallersOfPair(function);
}

void Wrappers::visitCallersOfPair(const llvm::Function &pair) {
  wrappers_.insert(&pair);
  for (const llvm::User *user : pair.users())
    if (const auto *call = dyn_cast<llvm::CallBase>(user)) callers_.insert(call->getFunction());
}

void Wrappers::visitCallers(const llvm::Function &callee) {
  bool isWrapper = wrappers_.contains(&callee);
  for (const llvm::Use &use : callee.uses()) {
    const auto *call = dyn_cast<llvm::CallBase>(use.getUser());
    if (!call || !call->isCallee(&use)) continue;
    const llvm::Function &caller = *call->getFunction();
    bool isLibrary = ir::isLibraryFunction(caller) && caller.getInstructionCount() <= kMaxLibrary;
    bool isInline = !isLibrary && isSmallInline(caller);
    bool isGuard = isInline && isConstructorOrDestructor(caller.getName());
    bool isNewWrapper = (isLibrary || isGuard) && !isLeftAsItIs(caller);
    if (isNewWrapper) wrappers_.insert(&caller);
    if (isWrapper && !isNewWrapper) callers_.insert(&caller);
    if ((isLibrary || isInline) && reaching_.insert(&caller).second) pending_.push_back(&caller);
  }
}

} // namespace deadheat::extract
