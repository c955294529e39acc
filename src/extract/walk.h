// From an object of the source, forwards through its type by byte offset, to the words for what is accessed there.
//
// Notation where the type does not tell: `[?]` an index that fits no array, `->@24` or `.@24` the part that begins at
// byte 24, `{a, b}` several bit fields of one word, or members of a union between which the access does not decide.
//
// Claim   A member is named only if the whole of the address is explained by the type; what is left over is shown as
// above. Cost    Linear in the nesting of the type, times the members of each record on the way.
#pragma once

#include <functional>
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"

#include "extract/address.h"
#include "extract/types.h"

namespace deadheat::extract {

// An expression of the source and its type, where known.
struct Expression {
  std::string text;
  const llvm::DIType *type = nullptr;
  bool isCompound = false; // needs parentheses before a postfix
};

// What an address is relative to: an object (a variable, or what a reference refers to), or what a pointer points to.
struct Base {
  Expression expression; // `type` is that of the object
  bool isPointer = false;
  int64_t offset = 0; // bytes of the object before what the address is relative to
};

// What is accessed there.
struct Extent {
  Wanted wanted;
  bool isRange = false;
  bool isVtable = false;
  uint64_t bits = ~uint64_t(0);                   // of the word that the source means
  const llvm::Instruction *instruction = nullptr; // whose own address it is, if it is one's
};

// How much of an access the words explain, from nothing to its last byte.
enum class Quality { Unknown, Inexact, Part, Exact };

struct Place {
  Expression expression;
  std::string holder; // the type that has the member, or the type of the whole
  std::string field;
  Quality quality = Quality::Unknown;
};

// The words for an index that is decided at run time.
using IndexText = std::function<Expression(const llvm::Value *)>;

Place walk(const Base &base, const Address &address, const Extent &extent, const IndexText &indexText);

// `text`, in parentheses where a postfix would bind to a part of it only.
std::string beforePostfix(const Expression &expression);

} // namespace deadheat::extract
