#include "link/last_words.h"

#include <algorithm>
#include <string_view>

#include "link/direct_callers.h"
#include "link/loops.h"

namespace deadheat::link {

namespace {

using model::StatementKind;

constexpr int kMaxDepth = 3; // of calls to what ends a thread

class Finder {
public:
  Finder(const Code &code, const CallGraph &sites)
      : code_(code), sites_(sites),
        found_{std::vector<bool>(sites.sites.size(), false), std::vector<bool>(code.symbols.functions.size(), false)} {}

  LastWords run() {
    findThreadEnds();
    for (int depth = 0; depth < kMaxDepth; ++depth)
      code_.forEachFunction([&](FuncId id) {
        if (!code_.function(id).external() && !endsThread_[id.value()]) found_.dies[id.value()] = dies(id);
      });
    code_.forEachFunction([&](FuncId id) {
      if (!code_.function(id).external()) judge(id);
    });
    return std::move(found_);
  }

private:
  const model::Block &block(FuncId id, uint32_t b) const {
    return code_.unitOf(id).blocks[model::BlockId(code_.bodyOf(id).firstBlock.value() + b)];
  }
  // Counted from the end.
  const model::Statement *last(FuncId id, uint32_t b, uint32_t back) const {
    const model::Block &row = block(id, b);
    if (row.statementCount <= back) return nullptr;
    return &code_.unitOf(id).statements[model::StatementId(row.firstStatement.value() + row.statementCount - 1 - back)];
  }
  bool endsWith(FuncId id, uint32_t b, StatementKind kind) const {
    const model::Statement *end = last(id, b, 0);
    return end && end->kind == kind;
  }

  void judge(FuncId id) {
    const model::Function &body = code_.bodyOf(id);
    std::vector<uint32_t> ends;
    for (uint32_t b = 0; b < body.blockCount; ++b)
      if (endsWith(id, b, StatementKind::Stop)) ends.push_back(b);
    if (ends.empty()) return;
    if (!found_.dies[id.value()] && !findComingBack(id)[0]) return;
    for (uint32_t b : ends)
      if (const model::Statement *before = last(id, b, 1); before && before->kind == StatementKind::Call)
        mark(id, *before);
  }

  // Blocks from which the function may return, or go round for ever.
  std::vector<bool> findComingBack(FuncId id) const {
    Loops loops = findLoops(code_, id);
    return findLeadingTo(id, [&](uint32_t b) { return endsWith(id, b, StatementKind::Return) || loops.repeats(b); });
  }

  bool dies(FuncId id) const {
    uint32_t count = code_.bodyOf(id).blockCount;
    bool isDeath = count > 0;
    for (uint32_t b = 0; b < count && isDeath; ++b) {
      if (endsWith(id, b, StatementKind::Return)) isDeath = false;
      if (endsWith(id, b, StatementKind::Stop)) isDeath = isEnd(id, last(id, b, 1));
    }
    if (!isDeath) return false;
    std::vector<bool> ends = findLeadingTo(id, [&](uint32_t b) { return endsWith(id, b, StatementKind::Stop); });
    return std::ranges::find(ends, false) == ends.end();
  }

  // What a function does last is no orderly end of the program or of a thread.
  bool isEnd(FuncId id, const model::Statement *before) const {
    static constexpr std::string_view kAborts[] = {"abort", "__assert_fail", "__assert_perror_fail",
                                                   "__stack_chk_fail"};
    static constexpr std::string_view kExits[] = {"exit", "_exit", "_Exit", "quick_exit"};
    if (!before || before->kind != StatementKind::Call) return false;
    const model::Unit &unit = code_.unitOf(id);
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(before->number))];
    FuncId callee = code_.directCallee(code_.function(id).unit, call);
    if (!callee.valid()) return false;
    const Function &function = code_.function(callee);
    if (std::ranges::find(kAborts, function.name) != std::end(kAborts)) return true;
    if (std::ranges::find(kExits, function.name) != std::end(kExits) && call.argumentCount > 0) {
      const model::Operand &status = unit.arguments[call.firstArgument].value;
      return status.isNumber() && status.index != 0;
    }
    if (function.external()) return false;
    return (call.flags & model::kNoReturn) == 0 || found_.dies[callee.value()];
  }

  template <typename Holds> std::vector<bool> findLeadingTo(FuncId id, Holds holds) const {
    const model::Function &body = code_.bodyOf(id);
    std::vector<std::vector<uint32_t>> before(body.blockCount);
    std::vector<bool> found(body.blockCount, false);
    std::vector<uint32_t> pending;
    for (uint32_t b = 0; b < body.blockCount; ++b) {
      const model::Block &row = block(id, b);
      for (uint32_t e = 0; e < row.edgeCount; ++e)
        before[code_.unitOf(id).edges[model::EdgeId(row.firstEdge.value() + e)].target].push_back(b);
      found[b] = holds(b);
      if (found[b]) pending.push_back(b);
    }
    while (!pending.empty()) {
      uint32_t b = pending.back();
      pending.pop_back();
      for (uint32_t from : before[b])
        if (!found[from]) {
          found[from] = true;
          pending.push_back(from);
        }
    }
    return found;
  }

  void mark(FuncId id, const model::Statement &statement) {
    UnitId unit = code_.function(id).unit;
    model::CallId call(static_cast<uint32_t>(statement.number));
    FuncId callee = code_.directCallee(unit, code_.unit(unit).calls[call]);
    if (!callee.valid() || code_.function(callee).external() || code_.function(callee).known) return;
    if (!endsThread_[callee.value()]) found_.calls[sites_.site(unit, call).value()] = true;
  }

  // Those that call, within a few steps, what ends a thread or a way through it but not the program.
  void findThreadEnds() {
    static constexpr std::string_view kEnds[] = {"pthread_exit", "thrd_exit", "longjmp", "siglongjmp", "__cxa_throw"};
    std::vector<FuncId> ends;
    code_.forEachFunction([&](FuncId id) {
      if (std::ranges::find(kEnds, code_.function(id).name) != std::end(kEnds)) ends.push_back(id);
    });
    endsThread_ = callersWithin(directCallers(code_, sites_), std::move(ends), kMaxDepth);
  }

  const Code &code_;
  const CallGraph &sites_;
  std::vector<bool> endsThread_; // [function]
  LastWords found_;
};

} // namespace

LastWords findLastWords(const Code &code, const CallGraph &sites) { return Finder(code, sites).run(); }

} // namespace deadheat::link
