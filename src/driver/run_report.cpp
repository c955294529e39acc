#include "driver/run_report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace deadheat::driver {
namespace {

// Entries of the same file, made by processes that started at the same time, are one object.
struct Joined {
  const ObjectImage *image = nullptr;
  std::map<uint32_t, uint64_t> counts; // by slot
};

using FileKey = std::tuple<std::string, uint64_t, uint64_t, uint64_t>;

FileKey keyOf(const RunObject &object) {
  return {object.path, object.file.device, object.file.inode, object.file.modified};
}

// Counts by file and slot; what belongs to no file is returned as unknown.
class Join {
public:
  explicit Join(const std::vector<ObjectImage> &images) {
    for (const ObjectImage &image : images) {
      Joined &joined = files_[keyOf(image.object)];
      if (!joined.image) joined.image = &image;
      byBase_[image.object.base] = {image.object.slotCount, &joined};
    }
  }

  bool add(const AccessCount &access) {
    auto after = byBase_.upper_bound(access.id);
    if (after == byBase_.begin()) return false;
    const auto &[base, entry] = *std::prev(after);
    if (access.id - base >= entry.first) return false;
    entry.second->counts[access.id - base] += access.count;
    return true;
  }

  const std::map<FileKey, Joined> &files() const { return files_; }

private:
  std::map<FileKey, Joined> files_;
  std::map<uint32_t, std::pair<uint32_t, Joined *>> byBase_;
};

// What the file holds, whether it ran or not.
void addStatic(RunReport &report, ReportedObject &object, const ObjectModel &models) {
  for (const model::Unit *unit : models.units()) {
    ++object.units;
    object.late += unit->late.size();
    report.earlySites += unit->sites.size();
    for (const model::LateAccess &late : unit->late) ++report.origins[static_cast<size_t>(late.origin)].late;
  }
}

void addExecuted(RunReport &report, ReportedObject &object, const LatePlace &place, uint64_t count) {
  if (!place.unit) {
    report.unknown += count;
    return;
  }
  OriginCount &origin = report.origins[static_cast<size_t>(place.unit->late[place.late].origin)];
  ++origin.executed;
  origin.executions += count;
  ++object.executed;
  object.executions += count;
  report.accesses.push_back({report.objects.size(), place, count});
}

// Empty where the file cannot tell; the report says why.
ObjectModel loadFile(RunReport &report, const ObjectImage &image) {
  if (!image.missing.empty()) return report.missing.push_back(image.missing), ObjectModel();
  if (!image.damaged.empty()) return report.damaged.push_back(image.damaged), ObjectModel();
  auto loaded = ObjectModel::load(image, report.models);
  if (!loaded) return report.damaged.push_back(loaded.error().text()), ObjectModel();
  return std::move(*loaded);
}

void addFile(RunReport &report, const Joined &joined) {
  ReportedObject object{.path = joined.image->object.path};
  ObjectModel models = loadFile(report, *joined.image);
  addStatic(report, object, models);
  for (const auto &[slot, count] : joined.counts) addExecuted(report, object, models.find(slot), count);
  report.objects.push_back(std::move(object));
}

OriginCount sum(const std::array<OriginCount, kOrigins> &origins, size_t end) {
  OriginCount all;
  for (size_t origin = 0; origin != end; ++origin) {
    all.late += origins[origin].late;
    all.executed += origins[origin].executed;
    all.executions += origins[origin].executions;
  }
  return all;
}

} // namespace

OriginCount RunReport::total() const { return sum(origins, kOrigins); }
OriginCount RunReport::mapped() const { return sum(origins, static_cast<size_t>(model::Origin::Merged) + 1); }

RunReport makeReport(Recording recording, std::vector<ObjectImage> images, ModelPool models) {
  RunReport report;
  report.models = std::move(models);
  report.recording = std::move(recording);
  Join join(images);
  for (const RunThread &thread : report.recording.threads)
    for (const AccessCount &access : thread.accesses) {
      report.executions += access.count;
      if (!join.add(access)) report.unknown += access.count;
    }
  for (const auto &[key, joined] : join.files()) addFile(report, joined);
  return report;
}

} // namespace deadheat::driver
