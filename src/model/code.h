// The code half of a unit: symbols, control flow, statements, calls. What a call *means* (locks, spawns) is decided when
// models are linked, by knowledge/.
//
// Values are numbered per function and assigned once: 0 .. parameterCount-1 are the parameters. All blocks, statements,
// edges, calls and arguments of a unit are in one table each; rows of a function are consecutive and in order, the first
// block of a function is its entry. Blocks that cannot be reached are left out.
//
// Claim   Statements over-approximate what the function does with pointers, calls and accessed memory, in program order.
// Misses  what inline assembly does (a Call with kAssembly), and values of floats and vectors (not pointers).
#pragma once

#include <cstdint>

#include "support/id.h"

namespace deadheat::model {

using StringId = Id<struct StringTag>;
using FunctionId = Id<struct FunctionTag>;
using SiteId = Id<struct SiteTag>;
using SymbolId = Id<struct SymbolTag>;
using BlockId = Id<struct BlockTag>;
using EdgeId = Id<struct EdgeTag>;
using StatementId = Id<struct StatementTag>;
using CallId = Id<struct CallTag>;
using ArgumentId = Id<struct ArgumentTag>;
using ValueId = Id<struct ValueTag>; // of one function

enum class SymbolKind : uint8_t { Function, Variable };

// Declared: another unit or a library has it. Weak: one of several equal or replaceable definitions (C++ inline
// functions, templates, vtables, __attribute__((weak)), tentative definitions).
enum class Linkage : uint8_t { Declared, WeakDeclared, External, Weak, Internal };

inline constexpr uint8_t kThreadLocal = 1;
inline constexpr uint8_t kConstant = 2;     // never written after its initialiser
inline constexpr uint8_t kAddressTaken = 4; // a function used otherwise than as a callee, in this unit
inline constexpr uint8_t kInterposable = 8; // default visibility in position-independent code

// A function or variable with static storage, as the linker sees it.
struct Symbol {
  StringId name;    // as the linker knows it
  StringId display; // as a person knows it
  StringId type;    // of a variable: its type; of a function: its signature in the words of the machine, `i32(ptr,ptr)`
  StringId file;
  uint32_t line = 0;
  SymbolKind kind = SymbolKind::Function;
  Linkage linkage = Linkage::Declared;
  uint8_t flags = 0;
  uint64_t size = 0;   // bytes of a variable
  FunctionId function; // its body, if it is a function defined here
  SymbolId aliasee;    // it is another name of that one
  bool operator==(const Symbol &) const = default;
};

// A pointer in the initialiser of a variable: tables of functions, vtables, linked static data.
struct Initialiser {
  SymbolId variable;
  uint64_t offset = 0;
  SymbolId target;
  int64_t addend = 0;
  uint64_t back = 0; // so many bytes before it stands its like in the first element of each array that it is in
  bool operator==(const Initialiser &) const = default;
};

// `derived` has `base` among its direct base classes. Names as debug info has them, with namespaces.
struct Inheritance {
  StringId derived;
  StringId base;
  bool operator==(const Inheritance &) const = default;
};

enum class Predicate : uint8_t { Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual, Unknown };

// Of atomics and fences; the values are those of abi/event.h.
enum class Order : uint8_t { Relaxed, Consume, Acquire, Release, AcquireRelease, Sequential };

enum class EdgeKind : uint8_t { Normal, Case, Default, Unwind };

struct Edge {
  uint32_t target = 0; // block, counted within the function
  EdgeKind kind = EdgeKind::Normal;
  int64_t value = 0; // of a Case
  bool operator==(const Edge &) const = default;
};

struct Block {
  StatementId firstStatement;
  uint32_t statementCount = 0;
  EdgeId firstEdge;
  uint32_t edgeCount = 0;
  bool operator==(const Block &) const = default;
};

enum class OperandKind : uint8_t { None, Value, Symbol, Number };

// None: not known, or not there. Number: a constant; null is 0.
struct Operand {
  OperandKind kind = OperandKind::None;
  int64_t index = 0; // ValueId, SymbolId, or the number itself

  static Operand value(ValueId id) { return {OperandKind::Value, id.value()}; }
  static Operand symbol(SymbolId id) { return {OperandKind::Symbol, id.value()}; }
  static Operand number(int64_t number) { return {OperandKind::Number, number}; }
  bool isValue() const { return kind == OperandKind::Value; }
  bool isSymbol() const { return kind == OperandKind::Symbol; }
  bool isNumber() const { return kind == OperandKind::Number; }
  ValueId value() const { return ValueId(static_cast<uint32_t>(index)); }
  SymbolId symbol() const { return SymbolId(static_cast<uint32_t>(index)); }
  bool operator==(const Operand &) const = default;
};

enum class StatementKind : uint8_t {
#define STATEMENT(name, sentence) name,
#include "model/statements.def"
};

// Everything from Call on may end a block; only a Call may also stand in the middle of one.
constexpr bool endsBlock(StatementKind kind) { return kind >= StatementKind::Call; }

// Of a Compute: it makes one number of several, as a division does and a remainder. 0: not, or not told.
inline constexpr int64_t kFolds = 1;

struct Statement {
  StatementKind kind = StatementKind::Stop;
  ValueId result = {}; // invalid: none
  Operand a = {};
  Operand b = {};
  int64_t number = 0;
  SiteId site = {};  // invalid: none
  SiteId other = {}; // of a Transfer, the read
  bool operator==(const Statement &) const = default;
};

inline constexpr uint8_t kVirtual = 1;   // callee is loaded from the vtable of argument 0, at byte `slot`
inline constexpr uint8_t kMayUnwind = 2; // an exception may come out
inline constexpr uint8_t kAssembly = 4;  // inline assembly: a gap
inline constexpr uint8_t kNoReturn = 8;

struct Call {
  Operand callee; // Symbol: direct; Value: through a pointer; None: assembly
  ArgumentId firstArgument;
  uint32_t argumentCount = 0;
  StringId
      type; // signature of the call, empty: the callee's own; of a virtual call: the static class of the object, where known
  StringId file;
  uint32_t line = 0;
  uint16_t column = 0;
  uint8_t flags = 0;
  uint32_t slot = 0; // bytes into the vtable
  bool operator==(const Call &) const = default;
};

struct Argument {
  Operand value;
  StringId path; // of a pointer: the words for what it points to (`x->lock`); empty: none
  bool operator==(const Argument &) const = default;
};

inline constexpr uint8_t kStartUp = 1;  // runs before main: a constructor of globals
inline constexpr uint8_t kShutDown = 2; // runs after main
inline constexpr uint8_t kVariadic = 4;
inline constexpr uint8_t kReduced =
    8; // library wrappers were inlined into its statements: some sites are other functions'
inline constexpr uint8_t kLibrary = 16; // defined in a system header: shown at the user's frame that led there

} // namespace deadheat::model
