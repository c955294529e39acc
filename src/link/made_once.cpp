#include "link/made_once.h"

#include <algorithm>

#include "link/pointer_types.h"

namespace deadheat::link {

std::vector<bool> findMadeByOneCall(const ThreadInput &input, const Often &often) {
  const IdTable<ObjectId, Object> &objects = input.pointsTo.objects();
  std::vector<bool> once(objects.size(), false);
  for (uint32_t i = 0; i < objects.size(); ++i) {
    const Object &object = objects[ObjectId(i)];
    once[i] = object.kind == ObjectKind::Heap && object.call.valid() && often.site(object.call, input.calls) == 1;
  }
  return once;
}

// It calls through a pointer to a member, and to find out what that means looks into what it takes for a vtable.
static bool callsMember(const Code &code, FuncId function) {
  const model::Unit &unit = code.unitOf(function);
  const Definitions definitions(code, function);
  bool isFound = false;
  code.forEachStatement(function, [&](model::BlockId, model::StatementId, const model::Statement &statement) {
    if (statement.kind != model::StatementKind::Call) return;
    const model::Call &call = unit.calls[model::CallId(static_cast<uint32_t>(statement.number))];
    isFound = isFound || memberPointer(definitions, call.callee).isValue();
  });
  return isFound;
}

// Pointers that an index steps, where they stand at first.
static std::vector<Location> steppedPointers(const ThreadInput &input, const std::vector<bool> &isConcerned) {
  std::vector<Location> stepped = input.pointsTo.walking();
  const Code &code = input.code;
  for (uint32_t f = 0; f < code.symbols.functions.size(); ++f) {
    if (code.function(FuncId(f)).external()) continue;
    const size_t before = stepped.size();
    code.forEachStatement(FuncId(f), [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind == model::StatementKind::Index) stepped.push_back(input.pointsTo.of(FuncId(f), statement.a));
    });
    if (stepped.size() == before + 1 && callsMember(code, FuncId(f))) stepped.pop_back();
  }
  std::erase_if(stepped, [&](Location at) { return !at.valid() || !isConcerned[at.node.value()]; });
  std::ranges::sort(stepped);
  stepped.erase(std::ranges::unique(stepped).begin(), stepped.end());
  return stepped;
}

std::vector<bool> findMadeOnce(const ThreadInput &input, std::vector<bool> once) {
  if (std::ranges::find(once, true) == once.end()) return once;
  std::vector<bool> isClassStepped(input.pointsTo.nodeCount(), false); // [class]: who knows which object of it
  for (Location at : steppedPointers(input, input.pointsTo.mayPointTo(once))) {
    Places places = input.pointsTo.places(at);
    if (!places.complete) isClassStepped[input.pointsTo.classOf(at.node).value()] = true;
    for (const Place &place : places.list)
      if (place.offset == 0 || place.offset == kAnyOffset) once[place.object.value()] = false;
  }
  for (uint32_t i = 0; i < once.size(); ++i)
    if (once[i]) once[i] = !isClassStepped[input.pointsTo.classOf(input.pointsTo.object(ObjectId(i)).node).value()];
  return once;
}

} // namespace deadheat::link
