#include "analyse/symbolic/given.h"

#include <algorithm>

namespace deadheat::analyse {

// By others than those who are seen to call it.
static bool isEnteredOtherwise(const link::Program &program, link::FuncId function) {
  const auto &threads = program.threads.list;
  if (threads.empty() || threads[link::ThreadId(0)].kind != link::ThreadKind::Main) return true;
  return std::ranges::any_of(threads, [&](const link::Thread &thread) {
    return std::ranges::find(thread.entries, function) != thread.entries.end();
  });
}

std::optional<std::set<int64_t>> numbersGiven(const link::Program &program, link::FuncId function, uint32_t parameter) {
  if (isEnteredOtherwise(program, function)) return std::nullopt;
  link::Code code{program.units, program.symbols};
  std::set<int64_t> numbers;
  for (link::CallSiteId id : program.calls.callers[function]) {
    const link::CallSite &site = program.calls.sites[id];
    const model::Unit &unit = program.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    if (code.directCallee(site.unit, call) != function) return std::nullopt;
    model::Operand given = link::argumentOf(unit, call, static_cast<int>(parameter));
    if (!given.isNumber()) return std::nullopt;
    numbers.insert(given.index);
    if (numbers.size() > kMaxGiven) return std::nullopt;
  }
  if (numbers.empty()) return std::nullopt;
  return numbers;
}

GivenFunctions functionsGiven(const link::Program &program, link::FuncId function) {
  GivenFunctions rows;
  if (isEnteredOtherwise(program, function)) return rows;
  link::Code code{program.units, program.symbols};
  for (link::CallSiteId id : program.calls.callers[function]) {
    const link::CallSite &site = program.calls.sites[id];
    const model::Unit &unit = program.unit(site.unit);
    const model::Call &call = unit.calls[site.call];
    if (code.directCallee(site.unit, call) != function) return {};
    auto &row = rows.emplace_back();
    for (uint32_t i = 0; i < call.argumentCount; ++i)
      if (model::Operand given = link::argumentOf(unit, call, static_cast<int>(i)); given.isSymbol())
        if (link::FuncId named = program.symbols.target(site.unit, given.symbol()).function; named.valid())
          row[i] = named;
  }
  return rows;
}

} // namespace deadheat::analyse
