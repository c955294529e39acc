// All that the engine knows of a program made by hand, up to the pairs, for tests.
#pragma once

#include "analyse/bottom_up.h"
#include "analyse/race/world.h"
#include "link/test_program.h"

namespace deadheat::analyse {

inline link::Operand v(link::ValueId id) { return link::Operand::value(id); }
inline link::Operand s(link::SymbolId id) { return link::Operand::symbol(id); }
inline link::Operand n(int64_t number) { return link::Operand::number(number); }

struct Analysed {
  template <typename... Builders> explicit Analysed(Builders &...units) : program(units...), environment(*program) {
    summarise(environment);
    world.emplace(gatherWorld(environment));
  }

  link::ThreadId thread(std::string_view entry) const {
    for (uint32_t i = 0; i < program->threads.list.size(); ++i)
      if (program->threads.list[link::ThreadId(i)].entries[0] == program.function(entry)) return link::ThreadId(i);
    return {};
  }

  link::TestProgram program;
  Environment environment;
  std::optional<World> world;
};

// A table of functions that each call one of the table, whichever.
struct Table {
  link::UnitBuilder unit{"table.c"};
  link::SymbolId table;
  explicit Table(uint32_t count) : table(unit.variable("table", 8 * count, link::Linkage::External, "void *[]")) {
    for (uint32_t i = 0; i < count; ++i) {
      link::SymbolId self = unit.define("f" + std::to_string(i), 1, "void(i64)");
      callAny(v(link::ValueId(0)));
      unit.ret();
      unit.flag(self, model::kAddressTaken);
      unit.initialise(table, 8 * i, self);
    }
  }
  void callAny(link::Operand which) {
    unit.branch(1, 2);
    unit.block();
    unit.call(v(unit.load(v(unit.index(s(table), which, 8)))), {n(0)}, "void(i64)");
    unit.jump(2);
    unit.block();
  }
};

} // namespace deadheat::analyse
