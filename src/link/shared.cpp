#include "link/shared.h"

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
  // Variables, and what can be reached from them and from what threads are given: thread-local ones, too, whose addresses others get.
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
    return object.kind != ObjectKind::Variable || !(program_.variable(object.variable).flags & model::kConstant);
  }

  template <typename Visit> void forEachAccess(Visit visit) const {
    code_.forEachFunction([&](FuncId id) {
      code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.site.valid()) visit(id, statement.site, program_.pointsTo.of(id, statement.a));
        if (statement.other.valid()) visit(id, statement.other, program_.pointsTo.of(id, statement.b));
      });
    });
  }

  // Who waits until an object says something reads it, in the library.
  template <typename Visit> void forEachWait(Visit visit) const {
    code_.forEachFunction([&](FuncId id) {
      const UnitId unit = program_.function(id).unit;
      code_.forEachStatement(id, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
        if (statement.kind != model::StatementKind::Call) return;
        const model::Call &call = program_.unit(unit).calls[model::CallId(static_cast<uint32_t>(statement.number))];
        FuncId callee = code_.directCallee(unit, call);
        const knowledge::Row *row = callee.valid() ? program_.function(callee).known : nullptr;
        if (row && row->action == knowledge::Action::Wait)
          visit(id, program_.pointsTo.of(id, argumentOf(program_.unit(unit), call, row->object)));
      });
    });
  }

  void gatherThreads() {
    forEachAccess([&](FuncId function, model::SiteId, Location place) { addThreads(function, place); });
    forEachWait([&](FuncId function, Location place) { addThreads(function, place); });
  }

  // By class: nobody, one thread with one instance, or more.
  void addThreads(FuncId function, Location place) {
    if (!place.valid()) return;
    size_t id = program_.pointsTo.classOf(place.node).value();
    if (id >= accessing_.size()) accessing_.resize(id + 1, kNobody);
    for (ThreadId thread : program_.threads.executing[function]) {
      uint32_t one = program_.threads.list[thread].many ? kSeveral : thread.value();
      if (accessing_[id] != one) accessing_[id] = accessing_[id] == kNobody ? one : kSeveral;
      if (accessing_[id] == kSeveral) break;
    }
  }

  bool isShared(Location place) const {
    if (!place.valid() || !touches_[place.node.value()]) return false;
    return accessing_[program_.pointsTo.classOf(place.node).value()] == kSeveral;
  }

  static constexpr uint32_t kNobody = UINT32_MAX, kSeveral = UINT32_MAX - 1;

  Program &program_;
  Code code_;
  const std::vector<Entered> &entered_;
  std::vector<uint32_t> accessing_; // [class]: a thread, kNobody or kSeveral
  std::vector<bool> touches_;       // [node]
};

} // namespace

void findShared(Program &program, const std::vector<Entered> &entered) { Finder(program, entered).run(); }

} // namespace deadheat::link
