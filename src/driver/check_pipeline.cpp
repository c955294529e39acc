#include "driver/check_pipeline.h"

#include "config/config.h"
#include "driver/paths.h"

namespace deadheat::driver {
namespace {

void addGap(finding::Program &program, const char *kind, uint64_t count) {
  if (count != 0) program.gaps.push_back({kind, count});
}

finding::Program describe(const CheckModels &models) {
  finding::Program program;
  for (const link::Binary &binary : models.binaries)
    for (const model::LinkedUnit &linked : binary.units) {
      program.sites.early += linked.unit.sites.size();
      program.sites.late += linked.unit.late.size();
      for (const model::LateAccess &late : linked.unit.late) program.sites.mapped += model::isMapped(late.origin);
    }
  addGap(program, "unit-without-model", models.failed.size());
  addGap(program, "library-without-model", models.without.size());
  return program;
}

} // namespace

Expected<CheckResult> runCheck(const CheckRequest &request, Progress &progress) {
  // What users say of their own locks; a fault in it is told before anything is compiled.
  auto config = config::readConfig(request.config);
  if (!config) return std::unexpected(config.error());

  // Models, wherever they come from.
  auto models = gatherModels(request.inputs, progress);
  if (!models) return std::unexpected(models.error());

  CheckResult result{.models = std::move(*models), .findings = {}};
  result.findings.toolVersion = version();
  result.findings.program = describe(result.models);
  return result;
}

} // namespace deadheat::driver
