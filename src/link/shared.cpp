#include "link/shared.h"

#include <set>

#include "link/set_pool.h"

namespace deadheat::link {

namespace {

class Finder {
public:
  Finder(Program &program, const std::vector<Entered> &entered)
      : program_(program), code_{program.units, program.symbols}, entered_(entered) {}

  void run() {
    for (const model::LinkedUnit &linked : program_.units)
      program_.shared.emplace_back(linked.unit.sites.size(), false);
    touches_ = program_.pointsTo.mayPointTo(escaping());
    gatherThreads();
    forEachAccess([&](FuncId function, model::SiteId site, Location place) {
      if (!isShared(place)) return;
      std::vector<bool> &marks = program_.shared[program_.function(function).unit.value()];
      program_.sharedCount += !marks[site.value()];
      marks[site.value()] = true;
    });
  }

private:
  // Variables, and what can be reached from them and from what threads are given.
  std::vector<bool> escaping() const {
    const PointsTo &pointsTo = program_.pointsTo;
    std::vector<Location> roots;
    for (uint32_t i = 0; i < program_.symbols.variables.size(); ++i)
      if (!(program_.variable(GlobalId(i)).flags & model::kThreadLocal))
        roots.push_back(pointsTo.variable(GlobalId(i)));
    for (const Entered &row : entered_) roots.push_back(row.argument);
    for (const Thread &thread : program_.threads.list)
      if (thread.kind == ThreadKind::Outside)
        for (FuncId entry : thread.entries)
          for (uint32_t p = 0; p < program_.function(entry).parameterCount; ++p)
            roots.push_back(pointsTo.of(entry, model::Operand::value(model::ValueId(p))));
    std::vector<bool> reached = pointsTo.reachable(roots);
    std::vector<bool> objects(pointsTo.objects().size(), false);
    for (uint32_t i = 0; i < objects.size(); ++i)
      objects[i] = reached[pointsTo.object(ObjectId(i)).node.value()] && holdsData(pointsTo.objects()[ObjectId(i)]);
    return objects;
  }

  bool holdsData(const Object &object) const {
    if (object.kind == ObjectKind::Function || object.kind == ObjectKind::Thread) return false;
    return object.kind != ObjectKind::Variable ||
           !(program_.variable(object.variable).flags & (model::kThreadLocal | model::kConstant));
  }

  template <typename Visit> void forEachAccess(Visit visit) const {
    code_.forEachFunction([&](FuncId id) {
      code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.site.valid()) visit(id, statement.site, program_.pointsTo.of(id, statement.a));
        if (statement.other.valid()) visit(id, statement.other, program_.pointsTo.of(id, statement.b));
      });
    });
  }

  // By class: who accesses it.
  void gatherThreads() {
    const auto &executing = program_.threads.executing;
    forEachAccess([&](FuncId function, model::SiteId, Location place) {
      if (!place.valid()) return;
      size_t id = program_.pointsTo.classOf(place.node).value();
      if (id >= accessing_.size()) accessing_.resize(id + 1, SetPool::kEmpty);
      accessing_[id] = pool_.unite(accessing_[id], setOf(executing.setOf[function.value()]));
    });
  }

  SetPool::Set setOf(uint32_t executingSet) {
    if (known_.empty()) known_.assign(program_.threads.executing.sets.size(), kUnknown);
    if (known_[executingSet] == kUnknown) {
      known_[executingSet] = SetPool::kEmpty;
      for (ThreadId thread : program_.threads.executing.sets[executingSet])
        known_[executingSet] = pool_.unite(known_[executingSet], pool_.single(thread.value()));
    }
    return known_[executingSet];
  }

  bool isShared(Location place) const {
    if (!place.valid() || !touches_[place.node.value()]) return false;
    auto threads = pool_[accessing_[program_.pointsTo.classOf(place.node).value()]];
    return threads.size() > 1 || (threads.size() == 1 && program_.threads.list[ThreadId(threads[0])].many);
  }

  static constexpr SetPool::Set kUnknown = UINT32_MAX;

  Program &program_;
  Code code_;
  const std::vector<Entered> &entered_;
  SetPool pool_;
  std::vector<SetPool::Set> known_;     // [executing set]
  std::vector<SetPool::Set> accessing_; // [class]
  std::vector<bool> touches_;           // [node]
};

} // namespace

void findShared(Program &program, const std::vector<Entered> &entered) { Finder(program, entered).run(); }

} // namespace deadheat::link
