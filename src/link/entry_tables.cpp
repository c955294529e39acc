#include "link/entry_tables.h"

#include <algorithm>
#include <map>

#include "link/definitions.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

constexpr int kMaxSteps = 8; // from a place in an element back to the table

class Reader {
public:
  Reader(const Code &code, const CallSite &site)
      : code_(code), site_(site), definitions_(code, site.caller), loops_(findLoops(code, site.caller)) {}

  // Around the start is one loop, and no other around that.
  bool isInOneLoop() const {
    const uint32_t loop = loops_.innermost[blockOf(site_.block)];
    return loop != Loops::kNone && loops_.outermost[blockOf(site_.block)] == loop;
  }

  // The table of which each round has another element at `place`; none: it is no such place.
  Operand tableOf(Operand place) const {
    for (int steps = 0; steps < kMaxSteps; ++steps) {
      const Statement *made = madeBy(place);
      if (!made) return {};
      if (made->kind == StatementKind::Index) return isCounter(made->b) ? definitions_.strip(made->a) : Operand();
      if (made->kind == StatementKind::Phi) return walkedTable(definitions_.strip(place));
      if (made->kind != StatementKind::Field) return {};
      place = made->a;
    }
    return {};
  }

  const Statement *madeBy(Operand operand) const {
    operand = definitions_.strip(operand);
    return operand.isValue() ? definitions_.of(operand.value()) : nullptr;
  }

  // How often each function is in the table.
  std::map<FuncId, int> contentOf(Operand table) const {
    std::map<FuncId, int> content;
    if (table.isSymbol()) addInitial(table, content);
    const Statement *made = madeBy(table);
    if (!made || made->kind != StatementKind::Stack) return content;
    code_.forEachStatement(site_.caller, [&](model::BlockId, model::StatementId, const Statement &statement) {
      if (statement.kind != StatementKind::Transfer && statement.kind != StatementKind::Store) return;
      Operand into = definitions_.strip(statement.a);
      for (const Statement *part = madeBy(into); part && part->kind == StatementKind::Field; part = madeBy(into))
        into = definitions_.strip(part->a);
      const Operand what = definitions_.strip(statement.b);
      if (into != table || !what.isSymbol()) return;
      if (statement.kind == StatementKind::Transfer)
        addInitial(what, content);
      else if (FuncId function = code_.symbols.target(site_.unit, what.symbol()).function; function.valid())
        ++content[function];
    });
    return content;
  }

private:
  uint32_t blockOf(model::BlockId block) const { return code_.blockOf(site_.caller, block); }

  bool isOfLoop(Operand phi) const {
    const model::StatementId made = definitions_.statementOf(phi.value());
    return loops_.innermost[code_.blockOf(site_.caller, made)] == loops_.innermost[blockOf(site_.block)];
  }

  // Each round has another number: `i = i + 1`.
  bool isCounter(Operand index) const {
    index = definitions_.strip(index);
    const Statement *made = madeBy(index);
    if (!made || made->kind != StatementKind::Phi || !isOfLoop(index)) return false;
    return isMovedOn(index, [&](const Statement &step) {
      return step.kind == StatementKind::Compute && definitions_.strip(step.a) == index && step.b.isNumber() &&
             step.b.index != 0;
    });
  }

  // `for (p = table; p->run; ++p)`: where it begins.
  Operand walkedTable(Operand phi) const {
    Operand table;
    if (!isOfLoop(phi)) return {};
    const bool walks = isMovedOn(phi, [&](const Statement &step) {
      return (step.kind == StatementKind::Field || step.kind == StatementKind::Index) &&
             definitions_.strip(step.a) == phi && step.number != 0;
    });
    definitions_.forEachSource(phi.value(), [&](Operand source) {
      source = definitions_.strip(source);
      const Statement *made = madeBy(source);
      if (source.isSymbol() || (made && made->kind == StatementKind::Stack)) table = source;
    });
    return walks ? table : Operand();
  }

  // Of what comes into the Phi one is a step from itself, and one comes from before the loop.
  template <typename IsStep> bool isMovedOn(Operand phi, IsStep isStep) const {
    int steps = 0, sources = 0;
    definitions_.forEachSource(phi.value(), [&](Operand source) {
      const Statement *made = madeBy(source);
      ++sources;
      if (made && isStep(*made)) ++steps;
    });
    return steps == sources - 1 && steps > 0;
  }

  void addInitial(Operand table, std::map<FuncId, int> &content) const {
    const Target target = code_.symbols.target(site_.unit, table.symbol());
    if (!target.variable.valid()) return;
    const Variable &variable = code_.symbols.variables[target.variable];
    for (const model::Initialiser &row : code_.unit(variable.unit).initialisers)
      if (row.variable == variable.symbol)
        if (FuncId function = code_.symbols.target(variable.unit, row.target).function; function.valid())
          ++content[function];
  }

  const Code &code_;
  const CallSite &site_;
  Definitions definitions_;
  Loops loops_;
};

} // namespace

std::vector<FuncId> startedOnceEach(const Code &code, const CallSite &site, int entry) {
  const model::Unit &unit = code.unit(site.unit);
  const Operand function = argumentOf(unit, unit.calls[site.call], entry);
  if (!function.isValue()) return {};
  const Reader reader(code, site);
  const Statement *read = reader.madeBy(function);
  if (!read || read->kind != StatementKind::Load || !reader.isInOneLoop()) return {};
  const Operand table = reader.tableOf(read->a);
  std::vector<FuncId> found;
  for (const auto &[target, count] : reader.contentOf(table))
    if (count == 1) found.push_back(target);
  return found;
}

} // namespace deadheat::link
