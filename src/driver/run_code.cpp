#include "driver/run_code.h"

#include "model/counting.h"
#include "model/late_sites.h"

namespace deadheat::driver {
namespace {

using Form = trace::AccessShape::Form;

// In the order of model::AccessKind.
constexpr Form kForms[] = {Form::Read,       Form::Write,       Form::Read,         Form::Write,
                           Form::AtomicRead, Form::AtomicWrite, Form::AtomicUpdate, Form::Fence};
static_assert(std::size(kForms) == static_cast<size_t>(model::AccessKind::Fence) + 1);

template <typename Map> auto below(const Map &map, uint64_t id) {
  auto after = map.upper_bound(static_cast<uint32_t>(id));
  return after == map.begin() ? nullptr : std::prev(after)->second;
}

} // namespace

void RunCode::add(const ObjectImage &image, ModelPool &models) {
  auto loaded = image.missing.empty() ? ObjectModel::load(image, models) : Expected<ObjectModel>(ObjectModel());
  objects_.push_back(std::make_unique<Object>(Object{image.object, loaded ? std::move(*loaded) : ObjectModel()}));
  const Object &added = *objects_.back();
  byAccess_[added.object.base] = &added;
  byFunction_[added.object.functionBase] = &added;
  std::vector<trace::AccessShape> shapes(added.object.slotCount);
  std::map<const model::Unit *, model::Counting> counting;
  for (uint32_t slot = 0; slot != shapes.size(); ++slot)
    if (LatePlace place = added.models.find(slot); place.unit) {
      const model::LateAccess &late = place.unit->late[place.late];
      shapes[slot] = {kForms[static_cast<size_t>(late.kind)], late.size};
      if (!model::readsToo(*place.unit, late)) continue;
      shapes[slot].form = Form::Update;
      shapes[slot].counts = counting.try_emplace(place.unit, *place.unit).first->second.only(late);
    }
  shapes_.add(added.object.base, shapes);
}

LatePlace RunCode::access(uint32_t id) const {
  const Object *object = below(byAccess_, id);
  return object ? object->models.find(id - object->object.base) : LatePlace();
}

FunctionPlace RunCode::function(uint64_t id) const {
  const Object *object = id <= UINT32_MAX ? below(byFunction_, id) : nullptr;
  return object ? object->models.findFunction(id - object->object.functionBase) : FunctionPlace();
}

std::string RunCode::path(uint32_t base) const {
  auto found = byAccess_.find(base);
  return found == byAccess_.end() ? std::string() : found->second->object.path;
}

} // namespace deadheat::driver
