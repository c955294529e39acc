#include "link/made_once.h"

#include <algorithm>

namespace deadheat::link {

static std::vector<bool> madeByOneCall(const ThreadInput &input, const Often &often) {
  const IdTable<ObjectId, Object> &objects = input.pointsTo.objects();
  std::vector<bool> once(objects.size(), false);
  for (uint32_t i = 0; i < objects.size(); ++i) {
    const Object &object = objects[ObjectId(i)];
    once[i] = object.kind == ObjectKind::Heap && object.call.valid() && often.site(object.call, input.calls) == 1;
  }
  return once;
}

// Pointers that an index steps, where they stand at first.
static std::vector<Location> steppedPointers(const ThreadInput &input, const std::vector<bool> &isConcerned) {
  std::vector<Location> stepped = input.pointsTo.walking();
  const Code &code = input.code;
  for (uint32_t f = 0; f < code.symbols.functions.size(); ++f) {
    if (code.function(FuncId(f)).external()) continue;
    code.forEachStatement(FuncId(f), [&](model::BlockId, model::StatementId, const model::Statement &statement) {
      if (statement.kind == model::StatementKind::Index) stepped.push_back(input.pointsTo.of(FuncId(f), statement.a));
    });
  }
  std::erase_if(stepped, [&](Location at) { return !at.valid() || !isConcerned[at.node.value()]; });
  std::ranges::sort(stepped);
  stepped.erase(std::ranges::unique(stepped).begin(), stepped.end());
  return stepped;
}

std::vector<bool> findMadeOnce(const ThreadInput &input, const Often &often) {
  std::vector<bool> once = madeByOneCall(input, often);
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
