// Code that no compiler made, for tests: valid (model/validate_code.h), and otherwise without sense.
#pragma once

#include <random>

#include "model/unit.h"

namespace deadheat::model {

class RandomCode {
public:
  RandomCode(std::mt19937 &random, Unit &unit, uint32_t scale) : random_(random), unit_(unit), scale_(scale) {}

  void addSymbols() {
    for (uint32_t i = 0, end = below(scale_); i < end; ++i) {
      unit_.symbols.add({text("_Z1f"), text("f::"), text("i32"), text("file"), below(9999),
                         static_cast<SymbolKind>(below(2)), static_cast<Linkage>(below(5)),
                         static_cast<uint8_t>(below(16)), random_() >> below(32), FunctionId(), SymbolId()});
      if (i == 0) continue;
      unit_.symbols[SymbolId(i)].aliasee =
          below(4) || unit_.symbols[SymbolId(0)].aliasee.valid() ? SymbolId() : SymbolId(0);
      unit_.initialisers.push_back({SymbolId(below(i)), 64 + below(64), SymbolId(i), number(), below(64)});
      unit_.inheritance.push_back({text("struct d"), text("struct b")});
    }
  }

  // Gives a body to the function that is added next; all before it have theirs.
  void addBody(Function &function) {
    function.firstBlock = BlockId(size(unit_.blocks));
    function.blockCount = below(scale_);
    function.parameterCount = values_ = below(3);
    function.flags = static_cast<uint8_t>(below(32));
    blockCount_ = function.blockCount;
    for (uint32_t i = 0; i < function.blockCount; ++i) addBlock();
    function.valueCount = values_;
  }

private:
  template <typename Table> static uint32_t size(const Table &table) { return static_cast<uint32_t>(table.size()); }

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  int64_t number() {
    return static_cast<int64_t>((uint64_t(random_()) << 32 | random_()) >> below(64)) * (below(2) ? 1 : -1);
  }
  StringId text(const char *stem) { return unit_.strings.intern(stem + std::to_string(below(scale_))); }

  Operand operand() {
    switch (below(4)) {
    case 0: return values_ ? Operand::value(ValueId(below(values_))) : Operand();
    case 1: return unit_.symbols.empty() ? Operand() : Operand::symbol(SymbolId(below(size(unit_.symbols))));
    case 2: return Operand::number(number());
    default: return {};
    }
  }

  void addBlock() {
    Block block{StatementId(size(unit_.statements)), 0, EdgeId(size(unit_.edges)), 0};
    for (uint32_t i = 0, end = below(scale_); i < end; ++i) addStatement();
    block.edgeCount = addEnd();
    block.statementCount = size(unit_.statements) - block.firstStatement.value();
    unit_.blocks.add(block);
  }

  // Kinds from Copy to Call; a phi in the middle of a block becomes another kind.
  void addStatement() {
    Statement row;
    row.kind = static_cast<StatementKind>(below(static_cast<uint32_t>(StatementKind::Call) + 1));
    if (row.kind == StatementKind::Phi) row.kind = StatementKind::Copy;
    if (row.kind == StatementKind::Call) return addCall();
    row.a = operand();
    row.b = operand();
    row.number = below(6); // good for each kind that has a range
    if (!unit_.sites.empty() && below(2)) row.site = SiteId(below(size(unit_.sites)));
    if (row.site.valid() && below(2)) row.other = SiteId(below(size(unit_.sites)));
    if (below(2)) row.result = ValueId(values_++);
    unit_.statements.add(row);
  }

  void addCall() {
    Statement row;
    row.kind = StatementKind::Call;
    row.number = size(unit_.calls);
    Call call{operand(),
              ArgumentId(size(unit_.arguments)),
              below(3),
              text("i32"),
              text("file"),
              below(9999),
              static_cast<uint16_t>(below(99)),
              static_cast<uint8_t>(below(16)),
              below(64)};
    if (call.callee.isNumber()) call.callee = {};
    for (uint32_t i = 0; i < call.argumentCount; ++i)
      unit_.arguments.add({operand(), below(2) ? text("d->p") : StringId(0)});
    unit_.calls.add(call);
    if (below(2)) row.result = ValueId(values_++);
    unit_.statements.add(row);
  }

  uint32_t addEnd() {
    constexpr std::pair<StatementKind, uint32_t> kEnds[] = {{StatementKind::Return, 0},
                                                            {StatementKind::Branch, 2},
                                                            {StatementKind::Switch, 3},
                                                            {StatementKind::Jump, 1},
                                                            {StatementKind::Stop, 0}};
    auto [kind, edges] = kEnds[below(std::size(kEnds))];
    unit_.statements.add({kind, ValueId(), operand(), operand(), below(6), SiteId(), SiteId()});
    for (uint32_t i = 0; i < edges; ++i)
      unit_.edges.add({below(blockCount_), static_cast<EdgeKind>(below(4)), number()});
    return edges;
  }

  std::mt19937 &random_;
  Unit &unit_;
  uint32_t scale_;
  uint32_t values_ = 0;
  uint32_t blockCount_ = 0;
};

} // namespace deadheat::model
