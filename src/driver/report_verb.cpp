#include "driver/report_verb.h"

#include "driver/common_options.h"
#include "driver/finish.h"
#include "finding/collect.h"
#include "finding/store.h"

namespace deadheat::driver {
namespace {

struct Request {
  CommonOptions common;
  std::optional<finding::Level> least;
};

void declare(CLI::App &app, Request &request) {
  declareLevel(app, "--level", request.least, "lowest level to show")->option_text("LEVEL");
  declareCommon(app, request.common, std::nullopt);
}

int report(const Request &request) {
  auto store = finding::Store::openExisting(request.common.database);
  if (!store) return complain(store.error().text());
  auto findings = store->load();
  if (!findings) return complain(findings.error().text());
  if (request.least) {
    std::erase_if(findings->list, [&](const finding::Finding &each) { return each.level < *request.least; });
    rank(findings->list);
  }
  return finish(*findings, request.common, {.verb = "report", .store = false, .most = SIZE_MAX});
}

} // namespace

int reportVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("show all findings that are known, with their evidence", "deadheat report");
  declare(app, request);
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  return report(request);
}

} // namespace deadheat::driver
