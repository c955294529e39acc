// One name space for the units of a program, as the linker and the loader make it.
//
// Claim   Every symbol of every unit has one target. Equal names of other than Internal linkage have the same target: the
//         first External definition in the order of the inputs, else the first Weak one, else a function or variable that
//         no unit defines. Binaries come executable first, as interposition goes, so a library's own definition yields to
//         the executable's. What a plugin defines, it means itself.
// Assumes units of one binary are those that were linked into it; symbol versions do not tell equal names apart.
// Cost    one hash lookup per symbol.
// Misses  bodies of Weak duplicates that were not chosen are not analysed; -Bsymbolic and hidden duplicates across binaries
//         are told apart only where the unit says so (no kInterposable).
#pragma once

#include <string_view>
#include <vector>

#include "knowledge/table.h"
#include "link/gaps.h"
#include "link/ids.h"
#include "model/frame.h"
#include "model/unit.h"

namespace deadheat::link {

// An executable or a shared library, with the units linked into it, in link order.
struct Binary {
  std::string name;
  std::vector<model::LinkedUnit> units;
  bool plugin = false; // a library that the program opens by name: what it exports is found by dlsym
};

// Texts belong to the units.
struct Function {
  std::string_view name;    // as the linker knows it
  std::string_view display; // as a person knows it
  std::string_view signature;
  std::string_view file;
  uint32_t line = 0;
  UnitId unit;            // of its body; of an external function: the first that declares it
  model::FunctionId body; // invalid: external
  uint32_t parameterCount = 0;
  uint32_t valueCount = 0;
  uint32_t firstValue = 0; // its values are numbered from here in the program
  uint8_t flags = 0;       // kStartUp, kShutDown, kVariadic, kReduced, kLibrary
  bool addressTaken = false;
  bool visible = false;                  // other binaries can call it by name
  bool lookedUp = false;                 // a plugin exports it
  const knowledge::Row *known = nullptr; // what a call of it does; belongs to the knowledge table

  bool external() const { return !body.valid(); }
};

struct Variable {
  std::string_view name;
  std::string_view display;
  std::string_view type;
  std::string_view file;
  uint32_t line = 0;
  UnitId unit;
  model::SymbolId symbol;
  uint64_t size = 0;
  uint8_t flags = 0; // kThreadLocal, kConstant
  bool defined = false;
  bool lookedUp = false; // a plugin exports it
};

// What a symbol stands for: one of the two is valid.
struct Target {
  FuncId function;
  GlobalId variable;
  bool operator==(const Target &) const = default;
};

struct Symbols {
  IdTable<FuncId, Function> functions;
  IdTable<GlobalId, Variable> variables;
  std::vector<std::vector<Target>> targets; // [unit][symbol]
  std::vector<std::vector<FuncId>> bodies;  // [unit][function]: whose body it is; invalid: a duplicate not chosen
  uint32_t valueCount = 0;

  Target target(UnitId unit, model::SymbolId symbol) const { return targets[unit.value()][symbol.value()]; }
  FuncId function(UnitId unit, model::FunctionId body) const { return bodies[unit.value()][body.value()]; }
};

// The row of a function stands for the whole of it, unless it only says how it is called or left: then its body counts.
bool replacesBody(const knowledge::Row &row);

// `binaryOf` says which binary each unit is of; binaries are numbered as the loader searches them. `plugins` says which of these
// are plugins; those that it does not reach are none.
Symbols resolveSymbols(const std::vector<model::LinkedUnit> &units, const std::vector<uint32_t> &binaryOf,
                       const knowledge::Table &table, Gaps &gaps, const std::vector<bool> &plugins = {});

} // namespace deadheat::link
