// Says in the words of the source what an access touches: `d->priv->stats.rx_p`, field `rx_p` of `struct stats`.
//
// Works backwards from the address through loads, field offsets and calls to a variable that debug info names, then forwards
// through the variable's type by byte offset, so it depends on no IR type.
//
// Assumes full debug info. Without it, a path is empty.
// Cost    Each value of a function is described once.
// Misses  Values that the optimiser left without a name (shown as `?`), paths longer than kMaxDepth loads.
#pragma once

#include <string>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

#include "ir/access.h"

namespace deadheat::extract {

struct AccessPath {
  std::string text;
  std::string type;  // of the object that holds the field
  std::string field; // empty: no field
};

class PathNamer {
public:
  explicit PathNamer(const llvm::Function &function);

  AccessPath name(const ir::Access &access);

private:
  // An expression of the source and its type, where known.
  struct Expression {
    std::string text;
    const llvm::DIType *type = nullptr;
  };
  // base + constant + index * stride. At most one index per address is kept; more make the path inexact (`[?]`).
  struct Address {
    const llvm::Value *base = nullptr;
    int64_t offset = 0;
    const llvm::Value *index = nullptr;
    uint64_t stride = 0;
  };
  struct Place {
    Expression expression;
    std::string holder;
    std::string field;
  };

  Expression valueOf(const llvm::Value *value, unsigned depth);
  Expression describe(const llvm::Value *value, unsigned depth);
  Expression variableOf(const llvm::Value *value) const;
  Place placeOf(const llvm::Value *pointer, uint64_t size, unsigned depth);
  Place baseOf(const Address &address, bool &throughPointer, unsigned depth);
  Address split(const llvm::Value *pointer) const;
  void descend(Place &place, Address &address, uint64_t size, bool throughPointer, unsigned depth);
  std::string indexText(const Address &address, uint64_t element, int64_t &rest, unsigned depth);

  const llvm::DataLayout &layout_;
  llvm::DenseMap<const llvm::Value *, Expression> memory_;
};

} // namespace deadheat::extract
