// The program model of one translation unit, in memory: what extract fills and every reader gets.
//
// Strings are interned per unit: StringId(0) is the empty string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "llvm/ADT/StringMap.h"

#include "model/code.h"
#include "support/id.h"

namespace deadheat::model {

using LateId = Id<struct LateTag>; // a late access of this unit: its slot

enum class AccessKind : uint8_t { Read, Write, RangeRead, RangeWrite, AtomicRead, AtomicWrite, AtomicUpdate, Fence };

// How a late access was traced back to early sites. The first four have sites, the rest have none.
//
//   Metadata     the optimiser kept the number that the early access was given
//   Location     same function, line, column and direction
//   Line         same function, line and direction: the column was lost
//   Merged       line lost too: all accesses of that direction and size in the same innermost scope
//   NoLocation   the optimiser left no location
//   LineZero     a location without a line, and no candidates in its scope
//   NoEarlySite  a location at which nothing was accessed early
enum class Origin : uint8_t { Metadata, Location, Line, Merged, NoLocation, LineZero, NoEarlySite };

constexpr bool isMapped(Origin origin) { return origin <= Origin::Merged; }

struct Function {
  StringId name;    // as the linker knows it
  StringId display; // as a person knows it
  StringId file;
  uint32_t line = 0;
  SiteId firstSite = SiteId(0); // its sites are consecutive
  uint32_t siteCount = 0;
  BlockId firstBlock = BlockId(0); // its blocks are consecutive
  uint32_t blockCount = 0;
  uint32_t parameterCount = 0;
  uint32_t valueCount = 0;
  uint8_t flags = 0;

  bool operator==(const Function &) const = default;
};

struct Site {
  FunctionId function;
  StringId file;
  uint32_t line = 0;
  uint16_t column = 0;
  AccessKind kind = AccessKind::Read;
  uint32_t size = 0; // bytes; 0: known only at run time
  StringId path;     // d->priv->stats.rx_p
  StringId type;     // of the object that holds the field
  StringId field;

  bool operator==(const Site &) const = default;
};

struct LateAccess {
  FunctionId function; // the one it was compiled into
  AccessKind kind = AccessKind::Read;
  Origin origin = Origin::NoEarlySite;
  uint32_t size = 0;
  uint32_t first = 0; // its sites are lateSites[first .. first + count - 1], sorted, unique
  uint32_t count = 0;

  bool operator==(const LateAccess &) const = default;
};

// A call in whose place the callee's code stands, and the call in whose place the caller's code stands itself.
struct InlinedCall {
  FunctionId caller; // invalid: not a function of the unit
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t outer = 0; // of Unit::inlinedCalls, from 1; 0: the caller is what was compiled

  bool operator==(const InlinedCall &) const = default;
};

class StringTable {
public:
  StringTable() { intern(""); }
  StringTable(const StringTable &) = default;
  StringTable &operator=(const StringTable &) = default;
  // LLVM's map does not say that it moves without throwing; a vector of units would copy them all whenever it grows.
  StringTable(StringTable &&) noexcept = default;
  StringTable &operator=(StringTable &&) noexcept = default;
  StringId intern(std::string_view text);
  std::string_view operator[](StringId id) const { return table_[id]; }
  bool contains(StringId id) const { return table_.contains(id); }
  size_t size() const { return table_.size(); }
  bool operator==(const StringTable &other) const { return table_ == other.table_; }

private:
  IdTable<StringId, std::string> table_;
  llvm::StringMap<StringId> ids_;
};

struct Unit {
  std::string source;    // as given to the compiler
  std::string directory; // in which the compiler ran
  std::string producer;  // compiler and version
  uint8_t optimisation = 0;
  StringTable strings;
  IdTable<FunctionId, Function> functions;
  IdTable<SiteId, Site> sites;
  IdTable<LateId, LateAccess> late;
  std::vector<SiteId> lateSites;
  std::vector<InlinedCall> inlinedCalls; // each after its outer one
  std::vector<uint32_t> lateInlined;     // [late]: of inlinedCalls, from 1; 0: none, or not known. Empty: all 0
  std::vector<FunctionId> functionSlots; // slot -> function
  IdTable<SymbolId, Symbol> symbols;
  std::vector<Initialiser> initialisers; // by variable
  std::vector<Inheritance> inheritance;
  IdTable<BlockId, Block> blocks;
  IdTable<EdgeId, Edge> edges;
  IdTable<StatementId, Statement> statements;
  IdTable<CallId, Call> calls;
  IdTable<ArgumentId, Argument> arguments;

  bool operator==(const Unit &) const = default;
};
static_assert(std::is_nothrow_move_constructible_v<Unit>);

} // namespace deadheat::model
