#include "instrument/carried.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "abi/note.h"
#include "instrument/hooks.h"

namespace deadheat::instrument {

using model::AccessKind;

namespace {

// By address: reads that no write carries yet.
using Waiting = llvm::SmallDenseMap<const llvm::Value *, llvm::SmallVector<size_t, 2>, 16>;

bool mayMeetOthers(const llvm::Instruction &instruction) {
  if (instruction.isAtomic()) return true;
  if (!llvm::isa<llvm::CallBase>(instruction)) return false;
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return !intrinsic || (!intrinsic->isAssumeLikeIntrinsic() && !intrinsic->doesNotAccessMemory());
}

bool isWord(const ir::Access &access, AccessKind kind) {
  return access.kind == kind && !access.mask && access.size != 0 && access.size <= abi::kSlotLongestUpdate;
}

void carry(llvm::ArrayRef<ir::Access> accesses, size_t index, Waiting &waiting, std::vector<size_t> &carriers) {
  const ir::Access &access = accesses[index];
  if (isWord(access, AccessKind::Read)) waiting[access.address].push_back(index);
  if (!isWord(access, AccessKind::Write) || mayChangeNothing(access)) return;
  auto reads = waiting.find(access.address);
  if (reads == waiting.end()) return;
  for (size_t read : reads->second)
    if (accesses[read].size == access.size) carriers[read] = index;
  waiting.erase(reads);
}

} // namespace

std::vector<size_t> carriersOf(llvm::Function &function, llvm::ArrayRef<ir::Access> accesses) {
  std::vector<size_t> carriers(accesses.size(), kNotCarried);
  size_t next = 0;
  for (llvm::BasicBlock &block : function) {
    Waiting waiting;
    for (llvm::Instruction &instruction : block) {
      if (mayMeetOthers(instruction)) waiting.clear();
      for (; next != accesses.size() && accesses[next].instruction == &instruction; ++next)
        carry(accesses, next, waiting, carriers);
    }
  }
  return carriers;
}

} // namespace deadheat::instrument
