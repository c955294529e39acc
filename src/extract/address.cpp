#include "extract/address.h"

#include <algorithm>

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

// Adds one index of an address computation; the first one steps over whole objects of the source's type.
bool addIndex(const llvm::gep_type_iterator &position, bool isFirst, const llvm::DataLayout &layout, Address &address) {
  const llvm::Value *value = position.getOperand();
  const auto *constant = dyn_cast<llvm::ConstantInt>(value);
  if (llvm::StructType *record = position.getStructTypeOrNull()) {
    address.offset += static_cast<int64_t>(
        layout.getStructLayout(record)->getElementOffset(constant->getZExtValue()).getFixedValue());
    return true;
  }
  llvm::TypeSize stride = position.getSequentialElementStride(layout);
  if (stride.isScalable() || value->getType()->isVectorTy()) return false;
  if (!constant) {
    address.steps.push_back({value, 0, stride});
  } else if (isFirst && !position.getIndexedType()->isIntegerTy(8)) {
    if (!constant->isZero()) address.steps.push_back({nullptr, constant->getSExtValue(), stride});
  } else {
    address.offset += constant->getSExtValue() * static_cast<int64_t>(stride.getFixedValue());
  }
  return true;
}

// Intrinsics that return their argument.
bool isTransparent(const llvm::IntrinsicInst &intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
  case llvm::Intrinsic::threadlocal_address:
  case llvm::Intrinsic::launder_invariant_group:
  case llvm::Intrinsic::strip_invariant_group: return true;
  default: return false;
  }
}

// Moves `address` one computation towards its root; false: it is there.
bool climb(Address &address, const llvm::DataLayout &layout) {
  if (const auto *intrinsic = dyn_cast<llvm::IntrinsicInst>(address.base); intrinsic && isTransparent(*intrinsic)) {
    address.base = intrinsic->getArgOperand(0);
    return true;
  }
  const auto *element = dyn_cast<llvm::GEPOperator>(address.base);
  if (!element) return false;
  Address next = address;
  next.base = element->getPointerOperand();
  next.view = dyn_cast<llvm::StructType>(element->getSourceElementType());
  bool isFirst = true;
  for (auto position = llvm::gep_type_begin(element); position != llvm::gep_type_end(element); ++position) {
    if (!addIndex(position, isFirst, layout, next)) return false;
    isFirst = false;
  }
  address = std::move(next);
  return true;
}

} // namespace

llvm::SmallVector<Address, 4> decompose(const llvm::Value *pointer, const llvm::DataLayout &layout) {
  Address address;
  address.base = pointer;
  llvm::SmallVector<Address, 4> stages{address};
  while (climb(address, layout)) stages.push_back(address);
  std::reverse(stages.begin(), stages.end());
  return stages;
}

} // namespace deadheat::extract
