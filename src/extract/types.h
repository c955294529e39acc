// Questions about types in debug info.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace deadheat::extract {

// Without typedefs, const, volatile, atomic and the like.
const llvm::DIType *plainType(const llvm::DIType *type);

// The type pointed or referred to, or null for what does neither.
const llvm::DIType *pointee(const llvm::DIType *type);
bool isReference(const llvm::DIType *type);
// The class of a lambda.
bool isClosure(const llvm::DIType *type);

uint64_t sizeInBytes(const llvm::DIType *type);

// `struct stats`, `ns::Queue`, `unsigned int`; the nearest typedef names what has no name of its own. Empty: it has no
// name.
std::string typeName(const llvm::DIType *type);

// Of a record without one: `static struct { int ready; int row[16]; } table;` is a `struct {ready, row}`. Two with the same members are one type.
std::string nameByMembers(const llvm::DICompositeType &record);

// `ns::Class::` for what is declared there; empty in C, and what has no name is left out.
std::string scopePrefix(const llvm::DIScope *scope);

// The struct, class or union whose members are known, else null.
const llvm::DICompositeType *recordOf(const llvm::DIType *type);

// An array's elements, one dimension after the other: how far an index steps, and how many it may take (0: unknown).
struct Dimension {
  uint64_t stride;
  uint64_t count;
};
struct ArrayShape {
  const llvm::DIType *element = nullptr; // null: no array
  llvm::SmallVector<Dimension, 2> dimensions;
};
ArrayShape arrayShape(const llvm::DIType *type);

// What is looked for in a record: so many bytes (0: unknown), of a kind that the machine tells apart.
enum class Form { Integer, Float, Pointer };
struct Wanted {
  uint64_t size = 0;
  Form form = Form::Integer;
};

// The members and base classes of `record` that cover byte `offset` and fit `wanted` best: one, or several of a union,
// in order. A last member that is an array of no or one element covers all that follows it: C's idiom for a tail of
// unknown length.
llvm::SmallVector<const llvm::DIDerivedType *, 1> membersAt(const llvm::DICompositeType &record, uint64_t offset,
                                                            const Wanted &wanted);

} // namespace deadheat::extract
