#include "analyse/flag/conditions.h"

#include <algorithm>
#include <bit>
#include <span>

#include "analyse/flag/reader.h"
#include "link/components.h"

namespace deadheat::analyse {

using link::FuncId;
using model::Statement;
using model::StatementId;
using model::StatementKind;

static bool isWrite(StatementKind kind) {
  return kind == StatementKind::Store || kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate ||
         kind == StatementKind::Transfer || kind == StatementKind::Fill;
}

// Facts of one function, from block to block.
class ConditionFlow {
public:
  ConditionFlow(const Conditions &all, FuncId function) : all_(all), reader_(all.program_, function) {}

  Conditions::Rows run() {
    uint32_t count = reader_.blockCount();
    rows_.blocks.resize(count);
    for (uint32_t block = 0; block < count; ++block) {
      reader_.forEach(block, [&](StatementId id) { findWrites(id); });
      for (uint32_t i = 0; i < reader_.block(block).edgeCount; ++i)
        if (std::optional<FlagId> flag = flagTested(reader_.testAt(block, i)))
          insertSorted(rows_.asked, {*flag, block});
    }
    if (rows_.asked.empty() && rows_.writes.empty()) return std::move(rows_);
    findLoops();
    rows_.blocks[0].emplace();
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t block = 0; block < count; ++block)
        if (rows_.blocks[block]) changed |= leave(block);
    }
    return std::move(rows_);
  }

  // What the statements from `first` to before `last` change.
  static void apply(const Conditions::Rows &rows, StatementId first, StatementId last, Conditions::Point &point) {
    for (auto write = std::ranges::lower_bound(rows.writes, first, {}, &Conditions::Write::statement);
         write != rows.writes.end() && write->statement < last; ++write) {
      insertSorted(point.written, write->flag);
      point.facts.erase(write->flag);
      if (write->fact) point.facts.set(write->flag, *write->fact);
    }
  }

private:
  std::optional<FlagId> flagTested(const std::optional<FlagReader::Test> &test) const {
    auto id = test ? all_.ids_.find(test->seen.flag) : all_.ids_.end();
    return id == all_.ids_.end() ? std::nullopt : std::optional(id->second);
  }

  void findWrites(StatementId id) {
    const Statement &statement = reader_.at(id);
    std::optional<Flag> place = isWrite(statement.kind) ? reader_.place(statement.a) : std::nullopt;
    if (!place) return findWritesInside(id, statement);
    bool isRange = statement.kind == StatementKind::Transfer || statement.kind == StatementKind::Fill;
    bool isPart = isRange || statement.kind == StatementKind::AtomicUpdate;
    int64_t bytes = isRange ? statement.number : 1;
    findUnlike(id, *place, bytes);
    for (auto row = all_.ids_.lower_bound({place->variable, {}, place->offset, INT64_MIN}); row != all_.ids_.end();
         ++row) {
      const Flag &flag = row->first;
      if (flag.variable != place->variable || (bytes >= 0 && flag.offset >= place->offset + bytes)) break;
      std::optional<int64_t> mask = isPart ? std::nullopt : reader_.maskStored(statement);
      if (mask && isUntouched(flag, *mask)) continue;
      rows_.writes.push_back(
          {row->second, id, isPart ? std::nullopt : factStored(flag, statement, mask), isPart || flag.seenBy != 0});
    }
  }

  // What others are compared with.
  void findUnlike(StatementId id, const Flag &place, int64_t bytes) {
    for (auto row = all_.likes_.lower_bound({place.variable, place.offset}); row != all_.likes_.end(); ++row) {
      const auto &[variable, offset] = row->first;
      if (variable != place.variable || (bytes >= 0 && offset >= place.offset + bytes)) return;
      for (FlagId flag : row->second) rows_.writes.push_back({flag, id, std::nullopt, true});
    }
  }

  // Whatever is written there is not known any more.
  void findWritesInside(StatementId id, const Statement &statement) {
    std::optional<Flag> place = isWrite(statement.kind) ? reader_.insideParameter(statement.a) : std::nullopt;
    if (!place) return;
    bool isRange = statement.kind == StatementKind::Transfer || statement.kind == StatementKind::Fill;
    auto row = all_.ids_.lower_bound({.function = place->function, .offset = place->offset, .seenBy = INT64_MIN});
    for (; row != all_.ids_.end() && row->first.function == place->function && row->first.offset == place->offset;
         ++row)
      if (row->first.inside == place->inside || (isRange && row->first.inside >= place->inside))
        rows_.writes.push_back({row->second, id, std::nullopt, true});
  }

  // `x &= ~4` and `x |= 4` leave `x & 8` as it was: the fewer bits of the number are those that change.
  static bool isUntouched(const Flag &flag, int64_t mask) {
    auto bits = static_cast<uint64_t>(mask);
    uint64_t touched = std::popcount(bits) <= 32 ? bits : ~bits;
    return flag.seenBy != 0 && (static_cast<uint64_t>(flag.seenBy) & touched) == 0;
  }

  std::optional<Fact> factStored(const Flag &flag, const Statement &statement, std::optional<int64_t> mask) const {
    if (flag.like.valid() && reader_.makesAlike(flag, statement)) return Fact{false, 0};
    if (flag.like.valid()) return statement.b.isNumber() ? std::optional(kUnset) : std::nullopt;
    if (flag.seenBy == 0 && statement.b.isNumber()) return Fact{true, statement.b.index};
    if (!mask || flag.seenBy == 0) return std::nullopt;
    if (std::popcount(static_cast<uint64_t>(*mask)) <= 32) return Fact{false, 0};
    return (flag.seenBy & *mask) == 0 ? std::optional(kUnset) : std::nullopt;
  }

  void findLoops() {
    std::vector<std::vector<uint32_t>> next(reader_.blockCount());
    for (uint32_t block = 0; block < next.size(); ++block)
      for (uint32_t i = 0; i < reader_.block(block).edgeCount; ++i)
        next[block].push_back(reader_.edge(block, i).target);
    rows_.loopOf =
        link::findComponents(reader_.blockCount(), [&](uint32_t block) { return std::span(next[block]); }).of;
  }

  bool leave(uint32_t block) {
    const model::Block &row = reader_.block(block);
    Conditions::Point point = *rows_.blocks[block];
    apply(rows_, row.firstStatement, StatementId(row.firstStatement.value() + row.statementCount), point);
    bool changed = false;
    for (uint32_t i = 0; i < row.edgeCount; ++i) {
      Conditions::Point next = point;
      assume(block, i, next);
      changed |= enter(reader_.edge(block, i).target, std::move(next));
    }
    return changed;
  }

  // What was tested last counts: a callee may have changed what was known before.
  void assume(uint32_t block, uint32_t edge, Conditions::Point &point) const {
    std::optional<FlagReader::Test> test = reader_.testAt(block, edge);
    std::optional<FlagId> flag = flagTested(test);
    if (!flag) return;
    point.facts.set(*flag, test->fact);
    if (test->fact == kUnset) insertSorted(point.unset, *flag);
  }

  bool enter(uint32_t block, Conditions::Point point) {
    std::optional<Conditions::Point> &known = rows_.blocks[block];
    if (!known) {
      known = std::move(point);
      return true;
    }
    bool changed = meetWith(known->facts, point.facts);
    size_t before = known->written.size();
    for (FlagId flag : point.written) insertSorted(known->written, flag);
    changed |= std::erase_if(known->unset, [&](FlagId flag) { return !containsSorted(point.unset, flag); }) != 0;
    return changed || known->written.size() != before;
  }

  const Conditions &all_;
  FlagReader reader_;
  Conditions::Rows rows_;
};

FlagId Conditions::intern(const Flag &flag, bool isTold) {
  auto [place, isNew] = ids_.try_emplace(flag, FlagId(static_cast<uint32_t>(flags_.size())));
  if (isNew) {
    flags_.add(flag);
    bool isVariable = flag.variable.valid();
    traits_.add({.isThreadLocal = isVariable && (program_.variable(flag.variable).flags & model::kThreadLocal) != 0});
    if (flag.like.valid()) likes_[{flag.like, flag.likeOffset}].push_back(place->second);
  }
  traits_[place->second].isTold |= isTold;
  return place->second;
}

std::optional<FlagId> Conditions::find(const Flag &flag) const {
  auto known = ids_.find(flag);
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

// What a parameter points to: only where it may be the number that a thread was started with.
bool Conditions::isUseful(const Flag &flag) const {
  if (flag.inside == Flag::kItself) return true;
  return std::ranges::any_of(program_.threads.executing[flag.function], [&](link::ThreadId id) {
    return containsSorted(program_.threads.list[id].numbers, flag.inside);
  });
}

void Conditions::collectTests(FuncId function) {
  FlagReader reader(program_, function);
  for (uint32_t block = 0; block < reader.blockCount(); ++block)
    for (uint32_t i = 0; i < reader.block(block).edgeCount; ++i)
      if (std::optional<FlagReader::Test> test = reader.testAt(block, i); test && isUseful(test->seen.flag))
        intern(test->seen.flag, test->seen.isTold);
}

bool Conditions::isAskedInLoop(const Rows &rows, FlagId flag, uint32_t block) {
  auto first = std::ranges::lower_bound(rows.asked, Asked{flag, 0});
  for (; first != rows.asked.end() && first->flag == flag; ++first)
    if (rows.loopOf[first->block] == rows.loopOf[block]) return true;
  return false;
}

bool Conditions::isAsked(const Rows &rows, FlagId flag) {
  auto first = std::ranges::lower_bound(rows.asked, Asked{flag, 0});
  return first != rows.asked.end() && first->flag == flag;
}

// Who sets a flag and resets it again keeps others out meanwhile, and who sets it to what it computes counts with it.
void Conditions::judgeWrites(FuncId function, const Rows &rows) {
  for (const Write &write : rows.writes) {
    if (write.isPart) continue;
    Traits &traits = traits_[write.flag];
    if (!write.isReset()) {
      traits.isSetWhereUnset |= isFoundUnset(write.flag, function, write.statement);
      continue;
    }
    bool isSetToo = std::ranges::any_of(rows.writes, [&](const Write &other) {
      return other.flag == write.flag && !other.isPart && other.fact != write.fact;
    });
    traits.isSetOtherwise |= isSetToo;
    traits.isReset |= isSetToo;
  }
}

// On all ways to the statement, and not to ask again after it.
bool Conditions::isFoundUnset(FlagId flag, FuncId function, StatementId statement) const {
  const Rows *rows = rowsOf(function);
  if (!rows) return false;
  Facts facts = at(function, statement).facts;
  const Fact *before = facts.find(flag);
  // Who makes them equal where they are changes nothing.
  const bool isUnset = flags_[flag].like.valid() ? isAsked(*rows, flag) : before && *before == kUnset;
  return isUnset && !isAskedInLoop(*rows, flag, blockOf(function, statement));
}

// `if (!ready) prepare();`, and prepare sets it, to a number or to what it has made.
void Conditions::judgeCallees(FuncId function) {
  auto callers = program_.calls.callers[function];
  auto isWhereUnset = [&](FlagId flag) {
    return !callers.empty() && std::ranges::all_of(callers, [&](link::CallSiteId id) {
      const link::CallSite &site = program_.calls.sites[id];
      return site.caller.valid() && program_.calls.callees[id].size() == 1 &&
             isFoundUnset(flag, site.caller, site.statement);
    });
  };
  for (const Write &write : writes(function)) {
    if (write.isPart || write.isReset() || isFoundUnset(write.flag, function, write.statement)) continue;
    Traits &traits = traits_[write.flag];
    if (isWhereUnset(write.flag))
      traits.isSetWhereUnset = true;
    else
      traits.isSetOtherwise |= !write.fact;
  }
}

// What was done is to be done again where others have another wish meanwhile.
void Conditions::judgeWishes() {
  const link::Threads &threads = program_.threads;
  auto are = [&](const auto &found, link::ThreadKind kind) {
    return std::ranges::all_of(found, [&](link::ThreadId thread) { return threads.list[thread].kind == kind; });
  };
  for (const auto &[wish, flags] : likes_)
    for (FlagId flag : flags)
      for (const auto &[function, write] : writers(flag))
        traits_[flag].isSetOtherwise |=
            write.isPart && !(are(threads.executing[function], link::ThreadKind::Main) &&
                              are(threads.liveAt(function, write.statement), link::ThreadKind::Signal));
}

Conditions::Conditions(const link::Program &program)
    : program_(program), rowOf_(program.symbols.functions.size(), 0), rows_(1) {
  auto forEachBody = [&](auto visit) {
    for (uint32_t i = 0; i < program.symbols.functions.size(); ++i)
      if (!program.function(FuncId(i)).external()) visit(FuncId(i));
  };
  forEachBody([&](FuncId function) { collectTests(function); });
  forEachBody([&](FuncId function) {
    Rows rows = ConditionFlow(*this, function).run();
    if (rows.asked.empty() && rows.writes.empty()) return;
    rowOf_[function.value()] = static_cast<uint32_t>(rows_.size());
    rows_.push_back(std::move(rows));
    judgeWrites(function, rows_.back());
  });
  writers_.resize(flags_.size());
  forEachBody([&](FuncId function) {
    for (const Write &write : writes(function)) writers_[write.flag.value()].push_back({function, write});
  });
  forEachBody([&](FuncId function) { judgeCallees(function); });
  judgeWishes();
}

const Conditions::Rows *Conditions::rowsOf(FuncId function) const {
  uint32_t row = rowOf_[function.value()];
  return row == 0 ? nullptr : &rows_[row];
}

uint32_t Conditions::blockOf(FuncId function, StatementId statement) const {
  const model::Function &body = program_.bodyOf(function);
  const model::Unit &unit = program_.unitOf(function);
  uint32_t low = 0, high = body.blockCount;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    bool isBefore = statement < unit.blocks[model::BlockId(body.firstBlock.value() + middle)].firstStatement;
    (isBefore ? high : low) = middle;
  }
  return low;
}

Conditions::Point Conditions::at(FuncId function, StatementId statement) const {
  const Rows *rows = rowsOf(function);
  if (!rows) return {};
  uint32_t block = blockOf(function, statement);
  if (!rows->blocks[block]) return {};
  Point point = *rows->blocks[block];
  model::BlockId id(program_.bodyOf(function).firstBlock.value() + block);
  ConditionFlow::apply(*rows, program_.unitOf(function).blocks[id].firstStatement, statement, point);
  return point;
}

std::optional<Facts> Conditions::knownAt(const Facts &onEntry, FuncId function, StatementId statement) const {
  if (!rowsOf(function)) return onEntry;
  Point here = at(function, statement);
  for (const auto &[flag, fact] : onEntry.rows()) {
    if (containsSorted(here.written, flag)) continue;
    const Fact *known = here.facts.find(flag);
    if (known && contradict(*known, fact)) return std::nullopt;
    if (!known || !known->equal) here.facts.set(flag, fact);
  }
  return std::move(here.facts);
}

Spans Conditions::spansAt(FuncId function, StatementId statement) const {
  Spans found;
  const Rows *rows = rowsOf(function);
  if (!rows) return found;
  Point here = at(function, statement);
  for (const auto &[flag, fact] : here.facts.rows()) {
    if (isThreadLocal(flag) || isParameter(flag)) continue;
    bool isOwn = fact.equal && fact.number != 0 && containsSorted(here.written, flag);
    if (fact == kUnset && isOnce(flag) && !isAskedInLoop(*rows, flag, blockOf(function, statement)))
      found.push_back({flag, false});
    else if (isOwn && isBusy(flag))
      found.push_back({flag, true});
  }
  for (FlagId flag : here.unset) {
    if (isThreadLocal(flag) || isParameter(flag) || !isOnce(flag)) continue;
    if (!isAskedInLoop(*rows, flag, blockOf(function, statement))) insertSorted(found, {.flag = flag, .isPast = true});
  }
  return found;
}

bool Conditions::isAskedAt(FlagId flag, FuncId function, StatementId statement) const {
  const Rows *rows = rowsOf(function);
  return rows && containsSorted(rows->asked, {flag, blockOf(function, statement)});
}

Facts Conditions::handedTo(FuncId callee, link::CallSiteId site, const Facts &known) const {
  Facts facts;
  const link::CallSite &row = program_.calls.sites[site];
  const model::Call &call = program_.unit(row.unit).calls[row.call];
  auto flag = ids_.lower_bound({.function = callee, .offset = INT64_MIN, .seenBy = INT64_MIN});
  for (; flag != ids_.end() && flag->first.function == callee; ++flag) {
    auto number = static_cast<uint32_t>(flag->first.offset);
    if (flag->first.seenBy != 0 || flag->first.inside != Flag::kItself || number >= call.argumentCount) continue;
    const model::Operand &value =
        program_.unit(row.unit).arguments[model::ArgumentId(call.firstArgument.value() + number)].value;
    if (value.isNumber()) facts.set(flag->second, {true, value.index});
    auto own = value.isValue() ? ids_.find({.function = row.caller, .offset = value.value().value()}) : ids_.end();
    if (own == ids_.end()) continue;
    if (const Fact *fact = known.find(own->second)) facts.set(flag->second, *fact);
  }
  return facts;
}

std::span<const Conditions::Write> Conditions::writes(FuncId function) const {
  const Rows *rows = rowsOf(function);
  return rows ? std::span<const Write>(rows->writes) : std::span<const Write>();
}

} // namespace deadheat::analyse
