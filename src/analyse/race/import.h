// One function's names as the whole program calls them.
#pragma once

#include <optional>
#include <vector>

#include "analyse/race/world.h"

namespace deadheat::analyse {

class Import {
public:
  // `thread`: the function is its entry, and the formals are what its creator gave it.
  Import(World &world, link::FuncId function, link::ThreadId thread = {});

  Address address(Address local);
  Address path(Address local); // the same, as it is reached, though points-to may know which object that is
  HeldLock lock(const HeldLock &local);
  link::Location locationOf(Address inWorld) const;

private:
  Address base(NodeId local);
  Address make(NodeId local);
  Address some(link::Location points, bool folded, std::string_view text);
  std::optional<Address> handed(const Node &load);
  std::optional<Address> filledIn(const Summary &creator, model::StatementId start, const Node &load) const;
  static std::optional<Address> contentAt(const Summary &creator, model::StatementId start,
                                          llvm::function_ref<bool(Address)> isThere);
  link::Location variableOf(const Captured &captured) const;
  NodeId add(NodeId made, link::Location points, std::string_view text);
  Address madeOnce(link::Location location, link::Place place);
  Address resolved(Address inWorld);

  World &world_;
  const Summary &summary_;
  link::ThreadId thread_;
  std::vector<Address> memo_; // [node of the function]
};

} // namespace deadheat::analyse
