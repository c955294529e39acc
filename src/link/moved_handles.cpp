#include "link/moved_handles.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "link/definitions.h"
#include "link/field_names.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::Statement;
using model::StatementKind;

// What a place may hold.
enum Content : uint8_t { kEmpty = 0, kStarted = 1, kOld = 2, kAnything = kStarted | kOld };

using Key = std::tuple<bool, uint32_t, int64_t>; // a value or a symbol, its number, bytes from there
using State = std::map<Key, uint8_t>;            // places that were written

class Moves {
public:
  Moves(const Code &code, FuncId function, const std::vector<StartInto> &starts)
      : unit_(code.unitOf(function)), body_(code.bodyOf(function)), definitions_(code, function), starts_(starts),
        atEntry_(body_.blockCount), isReached_(body_.blockCount) {}

  // The state just before the statement, which is in the block.
  State stateAt(uint32_t block, model::StatementId statement) {
    isReached_[0] = true;
    std::vector<uint32_t> pending{0};
    while (!pending.empty()) {
      const uint32_t b = pending.back();
      pending.pop_back();
      const model::Block &row = blockAt(b);
      State state = atEntry_[b];
      passUpTo(row, model::StatementId(row.firstStatement.value() + row.statementCount), state);
      for (uint32_t e = 0; e < row.edgeCount; ++e) {
        const uint32_t target = unit_.edges[model::EdgeId(row.firstEdge.value() + e)].target;
        if (merge(target, state)) pending.push_back(target);
      }
    }
    State state = atEntry_[block];
    passUpTo(blockAt(block), statement, state);
    return state;
  }

  std::optional<Key> keyOf(Operand address) const {
    const Origin origin = originOf(definitions_, address);
    if (origin.indexed || (!origin.base.isValue() && !origin.base.isSymbol())) return std::nullopt;
    return Key{origin.base.isValue(), origin.base.index, origin.offset};
  }

  uint8_t contentOf(const State &state, const Key &key) const {
    auto known = state.find(key);
    if (known == state.end()) known = state.find(wholeOf(key));
    if (known != state.end()) return known->second;
    return isOwn(key) ? kEmpty : kOld;
  }

  // A variable of the function's own.
  bool isOwn(const Key &key) const {
    return std::get<0>(key) && definitions_.isStack(Operand::value(model::ValueId(std::get<1>(key))));
  }

private:
  static constexpr int64_t kWhole = std::numeric_limits<int64_t>::min();

  // What was given to others.
  static Key wholeOf(const Key &key) { return {std::get<0>(key), std::get<1>(key), kWhole}; }

  static void giveAway(const Key &key, State &state) {
    std::erase_if(state, [&](const auto &each) { return wholeOf(each.first) == wholeOf(key); });
    state[wholeOf(key)] = kAnything;
  }

  const model::Block &blockAt(uint32_t b) const { return unit_.blocks[model::BlockId(body_.firstBlock.value() + b)]; }

  bool merge(uint32_t target, const State &state) {
    State &known = atEntry_[target];
    bool isNew = !isReached_[target];
    isReached_[target] = true;
    if (isNew) known = state;
    State merged = known;
    for (const auto &[key, content] : state) merged[key] = contentOf(known, key) | content;
    for (const auto &[key, content] : known) merged[key] = content | contentOf(state, key);
    isNew |= merged != known;
    known = std::move(merged);
    return isNew;
  }

  void passUpTo(const model::Block &row, model::StatementId end, State &state) {
    for (uint32_t s = row.firstStatement.value(); s < end.value(); ++s) pass(model::StatementId(s), state);
  }

  void pass(model::StatementId id, State &state) {
    const Statement &statement = unit_.statements[id];
    if (statement.kind == StatementKind::Call) return passCall(id, statement, state);
    if (statement.kind == StatementKind::Load && statement.result.valid()) {
      if (std::optional<Key> from = keyOf(statement.a)) loaded_[statement.result.value()] |= contentOf(state, *from);
    } else if (statement.kind == StatementKind::Store) {
      if (std::optional<Key> to = keyOf(statement.a)) state[*to] = valueOf(statement.b);
    } else if (statement.kind == StatementKind::Transfer) {
      std::optional<Key> to = keyOf(statement.a), from = keyOf(statement.b);
      if (to) state[*to] = from ? contentOf(state, *from) : uint8_t(kAnything);
    }
  }

  void passCall(model::StatementId id, const Statement &statement, State &state) {
    const model::Call &call = unit_.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    for (uint32_t i = 0; i < call.argumentCount; ++i)
      if (std::optional<Key> given = keyOf(argumentOf(unit_, call, static_cast<int>(i))); given && isOwn(*given))
        giveAway(*given, state);
    for (const StartInto &start : starts_)
      if (start.statement == id)
        if (std::optional<Key> into = keyOf(start.handle)) state[*into] = kStarted;
  }

  uint8_t valueOf(Operand value) const {
    value = definitions_.strip(value);
    if (value.isNumber()) return kEmpty;
    auto known = value.isValue() ? loaded_.find(value.value().value()) : loaded_.end();
    return known == loaded_.end() ? uint8_t(kAnything) : known->second;
  }

  const model::Unit &unit_;
  const model::Function &body_;
  Definitions definitions_;
  const std::vector<StartInto> &starts_;
  std::vector<State> atEntry_;
  std::vector<bool> isReached_;
  std::map<uint32_t, uint8_t> loaded_; // [value]
};

} // namespace

bool joinsNothingNew(const Code &code, const CallSite &join, Operand handle, const std::vector<StartInto> &starts) {
  if (starts.empty()) return false;
  Moves moves(code, join.caller, starts);
  const std::optional<Key> key = moves.keyOf(handle);
  if (!key || !moves.isOwn(*key)) return false;
  const State state = moves.stateAt(code.blockOf(join.caller, join.statement), join.statement);
  const uint8_t content = moves.contentOf(state, *key);
  if (content == kEmpty) return true;
  auto isReplaced = [&](const auto &each) { return !moves.isOwn(each.first) && (each.second & kStarted) != 0; };
  return content == kOld && std::ranges::any_of(state, isReplaced);
}

} // namespace deadheat::link
