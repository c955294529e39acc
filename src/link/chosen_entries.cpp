#include "link/chosen_entries.h"

#include <algorithm>
#include <map>
#include <span>

#include "llvm/ADT/SetVector.h"

#include "link/definitions.h"

namespace deadheat::link {

namespace {

using model::Operand;
using model::StatementKind;

constexpr size_t kMaxLibrary = 32; // functions of the library between the thread's entry and what was chosen

class Record {
public:
  Record(const Code &code, FuncId function) : code_(code), function_(function), definitions_(code, function) {}

  // What is stored at `place`, if it is one thing that was made by a call.
  Operand madeFor(Operand place) const {
    Operand made;
    unsigned count = 0;
    forEachStore([&](Operand into, Operand what) {
      if (!isAt(into, place) || !isMadeByCall(what)) return;
      made = what;
      ++count;
    });
    return count == 1 ? made : Operand();
  }

  // The vtable that is stored last, and the bytes into it: that of the class itself comes after those of its bases.
  std::pair<Operand, int64_t> vtableOf(Operand object) const {
    std::pair<Operand, int64_t> last;
    forEachStore([&](Operand into, Operand what) {
      if (placeOf(into) == std::pair(object, int64_t(0))) last = placeOf(what);
    });
    return last;
  }

  // The only function that is stored into the object, and the rest of what is, if that can be all its arguments.
  Chosen functionIn(Operand object) const {
    std::map<int64_t, Operand> fields; // by offset
    Chosen chosen;
    int64_t offsetOfIt = 0;
    unsigned count = 0;
    forEachStore([&](Operand into, Operand what) {
      auto [base, offset] = placeOf(into);
      if (base != object) return;
      fields[offset] = what;
      FuncId function = functionOf(what);
      if (!function.valid()) return;
      chosen.function = function;
      offsetOfIt = offset;
      ++count;
    });
    if (count != 1) return {};
    fields.erase(0); // its vtable
    auto it = fields.find(offsetOfIt);
    if (it != fields.begin() && fields.size() == 1 + parametersOf(chosen.function))
      chosen.argument = handedThrough(std::prev(it)->second);
    return chosen;
  }

private:
  template <typename Visit> void forEachStore(Visit visit) const {
    code_.forEachStatement(function_, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind == StatementKind::Store)
        visit(definitions_.strip(statement.a), definitions_.strip(statement.b));
    });
  }

  // Also by way of a helper of the library that gives back a part of what it gets: `_M_ptr()`.
  bool isAt(Operand into, Operand place) const {
    if (into == place) return true;
    if (!isMadeByCall(into)) return false;
    const model::Unit &unit = code_.unitOf(function_);
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(definitions_.of(into.value())->number))];
    FuncId callee = code_.directCallee(code_.function(function_).unit, call);
    return callee.valid() && (code_.function(callee).flags & model::kLibrary) != 0 && call.argumentCount == 1 &&
           definitions_.strip(unit.arguments[call.firstArgument].value) == place;
  }

  bool isMadeByCall(Operand operand) const {
    const model::Statement *made = operand.isValue() ? definitions_.of(operand.value()) : nullptr;
    return made && made->kind == StatementKind::Call;
  }

  // std::ref(x) and std::cref(x) are x.
  Operand handedThrough(Operand operand) const {
    const model::Statement *made = operand.isValue() ? definitions_.of(operand.value()) : nullptr;
    if (!made || made->kind != StatementKind::Call) return operand;
    const model::Unit &unit = code_.unitOf(function_);
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(made->number))];
    FuncId callee = code_.directCallee(code_.function(function_).unit, call);
    if (!callee.valid() || call.argumentCount != 1) return operand;
    llvm::StringRef name = code_.function(callee).name;
    return name.starts_with("_ZSt3refI") || name.starts_with("_ZSt4crefI") ? unit.arguments[call.firstArgument].value
                                                                           : operand;
  }

  FuncId functionOf(Operand operand) const {
    return operand.isSymbol() ? code_.symbols.target(code_.function(function_).unit, operand.symbol()).function
                              : FuncId();
  }

  uint32_t parametersOf(FuncId id) const { return code_.function(id).external() ? 0 : code_.bodyOf(id).parameterCount; }

  std::pair<Operand, int64_t> placeOf(Operand place) const {
    int64_t offset = 0;
    while (place.isValue()) {
      const model::Statement *made = definitions_.of(place.value());
      if (!made || made->kind != StatementKind::Field) break;
      offset += made->number;
      place = definitions_.strip(made->a);
    }
    return {place, offset};
  }

  const Code &code_;
  FuncId function_;
  Definitions definitions_;
};

// visit(callees) for every call of the function.
template <typename Visit> void forEachCall(const Code &code, const CallGraph &graph, FuncId function, Visit visit) {
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != StatementKind::Call) return;
    model::CallId call(static_cast<uint32_t>(statement.number));
    visit(graph.callees[graph.site(code.function(function).unit, call)]);
  });
}

// Down the library's calls from `entry`: some call goes to `chosen`, and to others.
bool isOneOfSeveral(const Code &code, const CallGraph &graph, FuncId entry, FuncId chosen) {
  llvm::SmallSetVector<uint32_t, 16> open;
  open.insert(entry.value());
  bool isFound = false;
  for (size_t i = 0; i < open.size() && i < kMaxLibrary && !isFound; ++i)
    forEachCall(code, graph, FuncId(open[i]), [&](std::span<const FuncId> callees) {
      isFound |= callees.size() > 1 && std::ranges::binary_search(callees, chosen);
      for (FuncId callee : callees)
        if ((code.function(callee).flags & model::kLibrary) != 0) open.insert(callee.value());
    });
  return isFound;
}

} // namespace

// What the start at hand hands over; none: it does not say.
static Operand recordOf(const Code &code, const CallSite &site, const Record &made, int record) {
  const model::Unit &unit = code.unit(site.unit);
  Operand pointer = argumentOf(unit, unit.calls[site.call], record);
  return pointer.isValue() ? made.madeFor(pointer) : Operand();
}

FuncId entryOfRecord(const Code &code, const CallGraph &graph, CallSiteId start, int record, uint32_t slot) {
  const CallSite &site = graph.sites[start];
  if (!site.caller.valid()) return {};
  Record made(code, site.caller);
  Operand object = recordOf(code, site, made, record);
  auto [table, offset] = object.isValue() ? made.vtableOf(object) : std::pair<Operand, int64_t>();
  if (!table.isSymbol()) return {};
  const model::Unit &unit = code.unit(site.unit);
  for (const model::Initialiser &row : unit.initialisers)
    if (row.variable == table.symbol() && row.offset == static_cast<uint64_t>(offset) + slot)
      return code.symbols.target(site.unit, row.target).function;
  return {};
}

Chosen chosenEntry(const Code &code, const CallGraph &graph, CallSiteId start, FuncId entry, int record) {
  const CallSite &site = graph.sites[start];
  if (!site.caller.valid()) return {};
  Record made(code, site.caller);
  Operand object = recordOf(code, site, made, record);
  Chosen chosen = object.isValue() ? made.functionIn(object) : Chosen();
  return chosen.function.valid() && isOneOfSeveral(code, graph, entry, chosen.function) ? chosen : Chosen();
}

} // namespace deadheat::link
