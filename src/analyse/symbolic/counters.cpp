#include "analyse/symbolic/counters.h"

#include <algorithm>

#include "link/definitions.h"

namespace deadheat::analyse {

using model::Operand;
using model::Statement;
using model::StatementId;
using model::StatementKind;
using model::ValueId;

static constexpr size_t kMaxNumbers = 12; // values that one number is computed from

// What a number is computed from, itself first, back to what was read.
static std::vector<ValueId> numbersIn(const link::Definitions &definitions, Operand number) {
  std::vector<ValueId> found;
  auto add = [&](const Operand &source) {
    if (source.isValue() && found.size() < kMaxNumbers && std::ranges::find(found, source.value()) == found.end())
      found.push_back(source.value());
  };
  add(number);
  for (size_t i = 0; i < found.size(); ++i) {
    const Statement *made = definitions.of(found[i]);
    if (!made || (made->kind != StatementKind::Copy && made->kind != StatementKind::Compute)) continue;
    add(made->a);
    add(made->b);
  }
  return found;
}

namespace {

// One function's, before anybody asks whether a lock is held.
class Search {
public:
  Search(const link::Program &program, link::FuncId function)
      : code_{program.units, program.symbols}, function_(function), unit_(program.unitOf(function)),
        definitions_(code_, function) {}

  std::map<StatementId, CounterMove> moves() const {
    std::map<StatementId, CounterMove> found;
    std::map<model::StringId, bool> isStepped; // nothing but steps
    code_.forEachStatement(function_, [&](model::BlockId, StatementId id, const Statement &statement) {
      if (statement.kind != StatementKind::Store || !statement.site.valid()) return;
      const model::StringId place = pathOf(statement);
      CounterMove move{readOf(place, statement.b), isStep(place, statement.b)};
      isStepped.try_emplace(place, true).first->second &= move.isStep;
      if (place != model::StringId(0) && !move.read.empty()) found.emplace(id, std::move(move));
    });
    for (auto &[id, move] : found) move.isStep = isStepped.at(pathOf(unit_.statements[id]));
    return found;
  }

  // visit(statement, element): each that reads or writes a chosen element, or a member of one.
  template <typename Visit> void forEachElement(StatementKind kind, Visit visit) const {
    code_.forEachStatement(function_, [&](model::BlockId, StatementId, const Statement &statement) {
      if (statement.kind != kind) return;
      Operand address = definitions_.strip(statement.a);
      const Statement *made = address.isValue() ? definitions_.of(address.value()) : nullptr;
      if (made && made->kind == StatementKind::Field && made->a.isValue())
        made = definitions_.of(definitions_.strip(made->a).value());
      link::Element element = made ? link::elementOf(code_, code_.function(function_).unit, *made) : link::Element{};
      if (element.index.isValue()) visit(statement, element);
    });
  }

  // By which of the moves the number comes about.
  const CounterMove *moveOf(const std::map<StatementId, CounterMove> &moves, Operand number) const {
    for (ValueId value : numbersIn(definitions_, number))
      for (const auto &[id, move] : moves) {
        const Statement *read = definitions_.of(value);
        const bool isRead = read && read->kind == StatementKind::Load && read->site.valid() &&
                            pathOf(*read) == pathOf(unit_.statements[id]);
        if (isRead) return &move;
      }
    return nullptr;
  }

  std::vector<ValueId> numbersOf(Operand number) const { return numbersIn(definitions_, number); }

  bool isDirect(Operand number) const {
    number = definitions_.strip(number);
    const Statement *made = number.isValue() ? definitions_.of(number.value()) : nullptr;
    return made && made->kind == StatementKind::Load;
  }

private:
  model::StringId pathOf(const Statement &access) const { return unit_.sites[access.site].path; }

  bool isReadOf(model::StringId place, ValueId value) const {
    const Statement *made = definitions_.of(value);
    return made && made->kind == StatementKind::Load && made->site.valid() && pathOf(*made) == place;
  }

  // Also where it comes back by one of two ways: `head = head + 1 < size ? head + 1 : 0`.
  std::vector<ValueId> readOf(model::StringId place, Operand stored) const {
    std::vector<ValueId> found;
    auto addFrom = [&](Operand number) {
      for (ValueId value : numbersIn(definitions_, number))
        if (definitions_.strip(number) != Operand::value(value) && isReadOf(place, value)) found.push_back(value);
    };
    stored = definitions_.strip(stored);
    if (!stored.isValue() || !definitions_.forEachSource(stored.value(), addFrom)) addFrom(stored);
    return found;
  }

  bool isStep(model::StringId place, Operand stored) const {
    stored = definitions_.strip(stored);
    const Statement *made = stored.isValue() ? definitions_.of(stored.value()) : nullptr;
    if (!made || made->kind != StatementKind::Compute || !made->b.isNumber()) return false;
    const Operand from = definitions_.strip(made->a);
    return (made->b.index == 1 || made->b.index == -1) && from.isValue() && isReadOf(place, from.value());
  }

  link::Code code_;
  link::FuncId function_;
  const model::Unit &unit_;
  link::Definitions definitions_;
};

} // namespace

Counters::Counters(const link::Program &program, link::FuncId function) {
  Search search(program, function);
  moves_ = search.moves();
  search.forEachElement(StatementKind::Load, [&](const Statement &read, const link::Element &element) {
    if (read.result.valid()) reads_[read.result] = {element.array, element.index, search.numbersOf(element.index)};
  });
}

Rings::Rings(const link::Program &program) : program_(program) {
  link::Code code{program.units, program.symbols};
  code.forEachFunction([&](link::FuncId function) {
    if (code.function(function).external()) return;
    Search search(program, function);
    const std::map<StatementId, CounterMove> moves = search.moves();
    if (moves.empty()) return;
    search.forEachElement(StatementKind::Store, [&](const Statement &, const link::Element &element) {
      const CounterMove *move = search.moveOf(moves, element.index);
      const link::Location array = program.pointsTo.of(function, element.array);
      if (move && array.valid() && !(move->isStep && search.isDirect(element.index)))
        rings_.insert(program.pointsTo.classOf(array.node));
    });
  });
}

bool Rings::contains(link::FuncId function, Operand array) const {
  const link::Location location = program_.pointsTo.of(function, array);
  return location.valid() && rings_.contains(program_.pointsTo.classOf(location.node));
}

} // namespace deadheat::analyse
