#include "analyse/domain/writers.h"

#include <algorithm>

#include "link/lists.h"

namespace deadheat::analyse {

using model::StatementKind;

static bool isStore(StatementKind kind) {
  return kind == StatementKind::Store || kind == StatementKind::AtomicStore || kind == StatementKind::AtomicUpdate;
}

Writers::Writers(const link::Program &program) : program_(program) {
  const link::Code code{program.units, program.symbols};
  code.forEachFunction([&](link::FuncId function) {
    if (program.threads.executing[function].empty()) return;
    const link::ThreadId by = onlyOne(function);
    code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (isStore(statement.kind)) add(program.pointsTo.of(function, statement.a), by);
    });
  });
}

// Which executes the function, in one instance; invalid: several do.
link::ThreadId Writers::onlyOne(link::FuncId function) const {
  const auto executing = program_.threads.executing[function];
  return executing.size() == 1 && !program_.threads.list[executing[0]].many ? executing[0] : link::ThreadId();
}

void Writers::add(link::Location place, link::ThreadId by) {
  if (!place.valid()) return;
  const uint32_t number = program_.pointsTo.classOf(place.node).value();
  if (number >= stores_.size()) stores_.resize(number + 1);
  Stores &stores = stores_[number];
  if (stores.isAnywhere) return;
  const Stored stored{place, by};
  const auto at = std::ranges::lower_bound(stores.list, stored);
  if (at != stores.list.end() && *at == stored) return;
  stores.isAnywhere = stores.list.size() == kMaxPlaces;
  if (!stores.isAnywhere) stores.list.insert(at, stored);
}

bool Writers::mayChange(link::FuncId reader, link::Location place) const {
  if (!place.valid()) return false;
  const uint32_t number = program_.pointsTo.classOf(place.node).value();
  if (number >= stores_.size()) return false;
  const link::ThreadId own = onlyOne(reader);
  return stores_[number].isAnywhere || std::ranges::any_of(stores_[number].list, [&](const Stored &stored) {
           return (!stored.by.valid() || stored.by != own) && program_.pointsTo.mayAlias(stored.place, place);
         });
}

} // namespace deadheat::analyse
