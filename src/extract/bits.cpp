#include "extract/bits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

namespace deadheat::extract {

using llvm::dyn_cast;
using namespace llvm::PatternMatch;

namespace {

constexpr uint64_t kAllBits = ~uint64_t(0);

uint64_t lowBits(unsigned count) { return count >= 64 ? kAllBits : (uint64_t(1) << count) - 1; }

// `word & keep`, and the result goes, around a new field, back into the same memory.
bool isKeptAroundField(const llvm::Instruction &masked, const llvm::Value *memory) {
  return llvm::any_of(masked.users(), [&](const llvm::User *user) {
    if (!match(user, m_Or(m_Value(), m_Value()))) return false;
    return llvm::any_of(user->users(), [&](const llvm::User *last) {
      const auto *store = dyn_cast<llvm::StoreInst>(last);
      return store && store->getPointerOperand() == memory;
    });
  });
}

// The bits of a word of `width` bits that `user` looks at.
uint64_t usedBy(const llvm::User &user, const llvm::LoadInst &load, unsigned width) {
  uint64_t all = lowBits(width);
  const llvm::APInt *constant = nullptr, *second = nullptr;
  if (match(&user, m_And(m_Specific(&load), m_APInt(constant)))) {
    uint64_t mask = constant->getZExtValue();
    return isKeptAroundField(llvm::cast<llvm::Instruction>(user), load.getPointerOperand()) ? all & ~mask : mask;
  }
  if (match(&user, m_LShr(m_Specific(&load), m_APInt(constant)))) {
    unsigned shift = static_cast<unsigned>(constant->getZExtValue());
    if (user.hasOneUse() && match(*user.user_begin(), m_And(m_Value(), m_APInt(second))))
      return (second->getZExtValue() << shift) & all;
    return all & ~lowBits(shift);
  }
  if (match(&user, m_AShr(m_Specific(&load), m_APInt(constant))))
    return all & ~lowBits(static_cast<unsigned>(constant->getZExtValue()));
  if (match(&user, m_Shl(m_Specific(&load), m_APInt(constant))) && user.hasOneUse() &&
      match(*user.user_begin(), m_AShr(m_Value(), m_APInt(second)))) {
    unsigned left = static_cast<unsigned>(constant->getZExtValue()),
             right = static_cast<unsigned>(second->getZExtValue());
    return right >= left && right < width ? lowBits(width - right) << (right - left) : all;
  }
  if (match(&user, m_Trunc(m_Specific(&load)))) return lowBits(user.getType()->getScalarSizeInBits());
  return all;
}

uint64_t bitsOfLoad(const llvm::LoadInst &load) {
  unsigned width = load.getType()->getScalarSizeInBits();
  uint64_t bits = 0;
  for (const llvm::User *user : load.users()) bits |= usedBy(*user, load, width);
  return bits;
}

// `(word & keep) | field`: what is kept does not change.
uint64_t bitsOfStore(const llvm::StoreInst &store) {
  const llvm::APInt *keep = nullptr;
  unsigned width = store.getValueOperand()->getType()->getScalarSizeInBits();
  if (match(store.getValueOperand(),
            m_c_Or(m_And(m_Load(m_Specific(store.getPointerOperand())), m_APInt(keep)), m_Value())))
    return lowBits(width) & ~keep->getZExtValue();
  return kAllBits;
}

} // namespace

uint64_t touchedBits(const llvm::Instruction &instruction) {
  const auto *load = dyn_cast<llvm::LoadInst>(&instruction);
  const auto *store = dyn_cast<llvm::StoreInst>(&instruction);
  if (!load && !store) return kAllBits;
  llvm::Type *word = load ? load->getType() : store->getValueOperand()->getType();
  if (!word->isIntegerTy() || word->getIntegerBitWidth() > 64) return kAllBits;
  return load ? bitsOfLoad(*load) : bitsOfStore(*store);
}

} // namespace deadheat::extract
