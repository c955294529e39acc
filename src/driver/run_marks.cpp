#include "driver/run_marks.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "llvm/Support/raw_ostream.h"

#include "confirm/targets.h"
#include "driver/candidates.h"
#include "driver/check_pipeline.h"
#include "driver/program_models.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

using abi::Mark;
using abi::MarkKind;
using Marks = std::vector<Mark>;

void tellWithout(const char *option, const Error &error) {
  llvm::errs() << "deadheat: note: " << option << " does nothing: " << printable(error.text()) << '\n';
}

bool isPlain(model::AccessKind kind) {
  using enum model::AccessKind;
  return kind == Read || kind == Write || kind == RangeRead || kind == RangeWrite;
}

using Sites = std::set<std::pair<link::UnitId, model::SiteId>>;

// All that it stands for is one thread's alone, or guarded.
bool isSafe(const link::Program &program, const Sites &guarded, link::UnitId unit, const model::LateAccess &late) {
  const model::Unit &model = program.unit(unit);
  for (uint32_t at = late.first; at != late.first + late.count; ++at)
    if (program.isShared(unit, model.lateSites[at]) && !guarded.contains({unit, model.lateSites[at]})) return false;
  return late.count != 0 && isPlain(late.kind);
}

Expected<Marks> pruned(const RunRequest &request, const std::string &path) {
  CheckRequest check;
  check.inputs.files = {path};
  check.inputs.jobs = check.jobs = request.common.jobs;
  check.config = request.common.config;
  std::optional<knowledge::Table> table;
  Progress progress(false);
  auto linked = linkChecked(check, table, progress);
  if (!linked) return std::unexpected(linked.error());
  const Sites guarded = analyse::RaceEngine(linked->program, {request.common.jobs}).guarded();
  Marks marks;
  for (uint32_t unit = 0; unit != linked->program.units.size(); ++unit) {
    const model::LinkedUnit &row = linked->program.units[unit];
    for (uint32_t late = 0; late != row.unit.late.size(); ++late)
      if (isSafe(linked->program, guarded, link::UnitId(unit), row.unit.late[model::LateId(late)]))
        marks.push_back({row.checksum, late, MarkKind::Pruned});
  }
  return marks;
}

Expected<Marks> steered(const RunRequest &request, const ProgramModels &models) {
  auto stored = storedFindings(request.common);
  if (!stored) return std::unexpected(stored.error());
  if (stored->list.empty()) return fail("the store has no findings", "run deadheat check first");
  confirm::TargetIndex index(models.units);
  Marks marks;
  for (const finding::Finding &finding : stored->list)
    for (const finding::Access &access : finding.accesses)
      for (const abi::Target &target : index.targetsOf(access.site, 0))
        if (target.function != abi::kNoFunction) marks.push_back({target.checksum, target.function, MarkKind::Steered});
  return marks;
}

void add(const char *option, Expected<Marks> more, Marks &marks) {
  if (more)
    marks.insert(marks.end(), more->begin(), more->end());
  else
    tellWithout(option, more.error());
}

bool writeAll(int file, const Marks &marks) {
  const abi::MarksHeader header{abi::kMarksMagic, marks.size()};
  const auto bytes = static_cast<ssize_t>(marks.size() * sizeof(Mark));
  return write(file, &header, sizeof(header)) == sizeof(header) && write(file, marks.data(), bytes) == bytes;
}

} // namespace

RunMarks RunMarks::create(const RunRequest &request) {
  if (!request.prune && !request.steer) return {};
  Marks marks;
  auto models = programModels(request.command.front());
  if (!models) {
    tellWithout(request.prune ? "--prune" : "--steer", models.error());
    return {};
  }
  if (request.prune) add("--prune", pruned(request, models->path), marks);
  if (request.steer) add("--steer", steered(request, *models), marks);
  auto key = [](const Mark &mark) { return std::tuple(mark.checksum, mark.kind, mark.slot); };
  std::ranges::sort(marks, {}, key);
  auto repeated = std::ranges::unique(marks, {}, key);
  marks.erase(repeated.begin(), repeated.end());
  const int file = memfd_create("deadheat-marks", MFD_CLOEXEC);
  RunMarks made(file);
  if (file >= 0 && !writeAll(file, marks)) return {};
  return made;
}

RunMarks::RunMarks(RunMarks &&other) noexcept : file_(std::exchange(other.file_, -1)) {}

RunMarks::~RunMarks() {
  if (file_ >= 0) close(file_);
}

std::string RunMarks::path() const {
  return file_ < 0 ? std::string() : "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
}

} // namespace deadheat::driver
