#include "instrument/carried.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

#include "abi/note.h"
#include "instrument/hooks.h"

namespace deadheat::instrument {

using model::AccessKind;

namespace {

constexpr size_t kMostSources = 16;

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

// What the address was computed from in its block, itself included; empty: from too much.
llvm::SmallPtrSet<const llvm::Instruction *, kMostSources> sourcesOf(const ir::Access &access) {
  llvm::SmallPtrSet<const llvm::Instruction *, kMostSources> sources;
  llvm::SmallVector<const llvm::Value *, kMostSources> open = {access.address};
  while (!open.empty()) {
    const auto *source = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
    if (!source || source->getParent() != access.instruction->getParent() || llvm::isa<llvm::PHINode>(source)) continue;
    if (!sources.insert(source).second) continue;
    if (sources.size() == kMostSources) return {};
    open.append(source->value_op_begin(), source->value_op_end());
  }
  return sources;
}

// Where code is not optimised, values go through variables of the function.
bool isReadOfVariable(const llvm::Instruction &instruction) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && llvm::isa<llvm::AllocaInst>(load->getPointerOperand());
}

// What was read led to this access: its hook must come before that of the access.
void dropWhatLedTo(llvm::ArrayRef<ir::Access> accesses, const ir::Access &access, Waiting &waiting) {
  if (waiting.empty() || !llvm::isa<llvm::Instruction>(access.address)) return;
  const auto sources = sourcesOf(access);
  auto led = [&](size_t read) {
    const llvm::Instruction &loaded = *accesses[read].instruction;
    return sources.empty() || llvm::any_of(sources, [&](const llvm::Instruction *source) {
             return source == &loaded || (isReadOfVariable(*source) && loaded.comesBefore(source));
           });
  };
  for (auto &[address, reads] : waiting) llvm::erase_if(reads, led);
}

void carry(llvm::ArrayRef<ir::Access> accesses, size_t index, Waiting &waiting, std::vector<size_t> &carriers) {
  const ir::Access &access = accesses[index];
  dropWhatLedTo(accesses, access, waiting);
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
