// One unit with something of everything, for tests. The frozen files of test/formats hold it: it may grow only with the
// format version.
#pragma once

#include <initializer_list>

#include "model/unit.h"

namespace deadheat::model {

inline void addSampleSymbols(Unit &unit) {
  auto text = [&](const char *words) { return unit.strings.intern(words); };
  StringId file = text("queue.c"), none(0);
  SymbolId push = unit.symbols.add({text("push"), text("push"), text("i32(ptr,i32)"), file, 12, SymbolKind::Function,
                                    Linkage::External, kAddressTaken, 0, FunctionId(0), SymbolId()});
  unit.symbols.add({text("_ZN5queue5drainEv"), text("queue::drain()"), text("void(ptr)"), text("queue.h"), 40,
                    SymbolKind::Function, Linkage::Weak, kInterposable, 0, FunctionId(1), SymbolId()});
  unit.symbols.add({text("pthread_mutex_lock"), text("pthread_mutex_lock"), text("i32(ptr)"), none, 0,
                    SymbolKind::Function, Linkage::Declared, 0, 0, FunctionId(), SymbolId()});
  SymbolId table = unit.symbols.add({text("actions"), text("actions"), text("struct action[]"), file, 3,
                                     SymbolKind::Variable, Linkage::Internal, kConstant, 32, FunctionId(), SymbolId()});
  unit.symbols.add({text("insert"), text("insert"), text("i32(ptr,i32)"), none, 0, SymbolKind::Function,
                    Linkage::External, 0, 0, FunctionId(), push});
  unit.initialisers = {{table, 8, push, 0}, {table, 24, table, -4, 8}};
  unit.inheritance = {{text("bounded_queue"), text("queue")}};
}

// push: locks, may fail, writes, calls through a pointer. drain: a switch, a loop with a phi, an exception.
inline void addSampleCode(Unit &unit) {
  using Kind = StatementKind;
  auto value = [](uint32_t id) { return Operand::value(ValueId(id)); };
  auto block = [&](std::initializer_list<Statement> statements, std::initializer_list<Edge> edges) {
    unit.blocks.add({StatementId(static_cast<uint32_t>(unit.statements.size())),
                     static_cast<uint32_t>(statements.size()), EdgeId(static_cast<uint32_t>(unit.edges.size())),
                     static_cast<uint32_t>(edges.size())});
    for (const Statement &statement : statements) unit.statements.add(statement);
    for (const Edge &edge : edges) unit.edges.add(edge);
  };
  auto arguments = [&](std::initializer_list<Argument> list) {
    ArgumentId first(static_cast<uint32_t>(unit.arguments.size()));
    for (const Argument &argument : list) unit.arguments.add(argument);
    return first;
  };
  StringId file = unit.strings.intern("queue.c"), none(0);
  Operand nothing, zero = Operand::number(0);

  unit.calls.add({Operand::symbol(SymbolId(2)), arguments({{value(2), unit.strings.intern("q->lock")}}), 1, none, file,
                  13, 3, 0, 0});
  unit.calls.add({value(5), arguments({{value(0), none}, {Operand::number(-7), none}}), 2,
                  unit.strings.intern("void(ptr,i64)"), file, 16, 3, kVirtual | kMayUnwind, 16});
  unit.calls.add({nothing, arguments({}), 0, none, file, 17, 3, kAssembly, 0});
  block({{Kind::Field, ValueId(2), value(0), nothing, 40, SiteId(), SiteId()},
         {Kind::Call, ValueId(3), nothing, nothing, 0, SiteId(), SiteId()},
         {Kind::Branch, ValueId(), value(3), zero, int64_t(Predicate::Equal), SiteId(), SiteId()}},
        {{1, EdgeKind::Normal, 0}, {2, EdgeKind::Normal, 0}});
  block({{Kind::Load, ValueId(4), value(0), nothing, 0, SiteId(0), SiteId()},
         {Kind::Compute, ValueId(6), value(4), Operand::number(1), 0, SiteId(), SiteId()},
         {Kind::Store, ValueId(), value(0), value(6), 1, SiteId(1), SiteId()},
         {Kind::AtomicLoad, ValueId(5), Operand::symbol(SymbolId(3)), nothing, int64_t(Order::Acquire), SiteId(2),
          SiteId()},
         {Kind::Call, ValueId(), nothing, nothing, 1, SiteId(), SiteId()}},
        {{2, EdgeKind::Normal, 0}, {3, EdgeKind::Unwind, 0}});
  block({{Kind::Call, ValueId(), nothing, nothing, 2, SiteId(), SiteId()},
         {Kind::Return, ValueId(), zero, nothing, 0, SiteId(), SiteId()}},
        {});
  block({{Kind::Stop, ValueId(), nothing, nothing, 0, SiteId(), SiteId()}}, {});
  Function &first = unit.functions[FunctionId(0)];
  first.firstBlock = BlockId(0), first.blockCount = 4, first.parameterCount = 2, first.valueCount = 7;
  first.flags = kReduced;

  block({{Kind::Switch, ValueId(), value(0), nothing, 0, SiteId(), SiteId()}},
        {{1, EdgeKind::Default, 0}, {1, EdgeKind::Case, INT64_MIN}, {1, EdgeKind::Case, INT64_MAX}});
  block({{Kind::Phi, ValueId(1), value(0), nothing, 0, SiteId(), SiteId()},
         {Kind::Phi, ValueId(1), value(2), nothing, 1, SiteId(), SiteId()},
         {Kind::Index, ValueId(2), value(1), value(0), 64, SiteId(), SiteId()},
         {Kind::Transfer, ValueId(), value(2), value(1), 64, SiteId(5), SiteId(4)},
         {Kind::Jump, ValueId(), nothing, nothing, 0, SiteId(), SiteId()}},
        {{1, EdgeKind::Normal, 0}});
  Function &second = unit.functions[FunctionId(1)];
  second.firstBlock = BlockId(4), second.blockCount = 2, second.parameterCount = 1, second.valueCount = 3;
}

inline Unit sampleUnit() {
  Unit unit;
  unit.source = "queue.c";
  unit.directory = "/src/queue";
  unit.producer = "clang version 19.1.7";
  unit.optimisation = 2;
  StringId file = unit.strings.intern("queue.c"), header = unit.strings.intern("queue.h");
  StringId push = unit.strings.intern("push"), type = unit.strings.intern("struct queue");
  StringId tailPath = unit.strings.intern("q->tail"), tail = unit.strings.intern("tail");
  FunctionId first = unit.functions.add({push, push, file, 12, SiteId(0), 4});
  FunctionId second = unit.functions.add(
      {unit.strings.intern("_ZN5queue5drainEv"), unit.strings.intern("queue::drain()"), header, 40, SiteId(4), 4});
  unit.sites.add({first, file, 14, 9, AccessKind::Read, 4, tailPath, type, tail});
  unit.sites.add({first, file, 15, 11, AccessKind::Write, 4, tailPath, type, tail});
  unit.sites.add({first, header, 7, 3, AccessKind::AtomicUpdate, 8, unit.strings.intern("q->count"), type,
                  unit.strings.intern("count")});
  unit.sites.add({first, header, 8, 3, AccessKind::Fence, 0, StringId(0), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 41, 5, AccessKind::RangeRead, 0, unit.strings.intern("*source"), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 41, 5, AccessKind::RangeWrite, 64, unit.strings.intern("q->ring[]"), type, StringId(0)});
  unit.sites.add(
      {second, header, 42, 5, AccessKind::AtomicRead, 1, unit.strings.intern("closed"), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 43, 5, AccessKind::AtomicWrite, 1, unit.strings.intern("closed"), StringId(0), StringId(0)});
  unit.lateSites = {SiteId(0), SiteId(1), SiteId(4), SiteId(5), SiteId(7)};
  unit.late.add({first, AccessKind::Read, Origin::Metadata, 4, 0, 1});
  unit.late.add({first, AccessKind::Write, Origin::Location, 4, 1, 1});
  unit.late.add({second, AccessKind::RangeRead, Origin::Merged, 0, 2, 2});
  unit.late.add({second, AccessKind::AtomicWrite, Origin::Line, 1, 4, 1});
  unit.late.add({second, AccessKind::Read, Origin::NoLocation, 8, 5, 0});
  unit.late.add({second, AccessKind::Read, Origin::LineZero, 8, 5, 0});
  unit.late.add({second, AccessKind::Write, Origin::NoEarlySite, 8, 5, 0});
  unit.inlinedCalls = {{first, 12, 3, 0}, {second, 40, 7, 1}, {FunctionId(), 9, 1, 0}};
  unit.lateInlined = {0, 1, 2, 0, 3, 0, 2};
  unit.functionSlots = {second, first};
  addSampleSymbols(unit);
  addSampleCode(unit);
  return unit;
}

} // namespace deadheat::model
