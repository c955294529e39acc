#include "driver/suppress_verb.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "driver/common_options.h"
#include "driver/finish.h"
#include "finding/explain.h"
#include "finding/store.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

struct Request {
  CommonOptions common;
  std::string id;
  std::string why;
};

// By its id or by the beginning of it, as far as that is not ambiguous.
Expected<finding::Finding> find(const Request &request) {
  auto store = finding::Store::openExisting(request.common.database);
  if (!store) return std::unexpected(store.error());
  auto known = store->load();
  if (!known) return std::unexpected(known.error());
  std::vector<finding::Finding> &list = known->list;
  std::erase_if(list, [&](const finding::Finding &each) { return !each.id.starts_with(request.id); });
  if (list.size() == 1) return std::move(list.front());
  return fail(request.id +
                  (list.empty() ? ": no finding has this id" : ": more than one finding has an id that begins so"),
              "deadheat report shows the ids");
}

// The last line of a file that a person wrote may lack its end.
bool endsInMidLine(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file && !(*file)->getBuffer().empty() && !(*file)->getBuffer().ends_with("\n");
}

Expected<void> append(const std::string &path, const std::string &line) {
  std::string text = (endsInMidLine(path) ? "\n" : "") + line + "\n";
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, llvm::sys::fs::CD_OpenAlways, llvm::sys::fs::FA_Write,
                           llvm::sys::fs::OF_Append);
  if (!error) {
    out << text;
    out.close();
    error = out.error();
    out.clear_error();
  }
  if (error) return fail(path + ": " + error.message(), "name a file that can be written after --suppressions");
  return {};
}

int suppress(const Request &request) {
  auto finding = find(request);
  if (!finding) return complain(finding.error().text());
  auto suppressions = loadSuppressions(request.common);
  bool fresh = !request.common.suppressions.empty() && !llvm::sys::fs::exists(request.common.suppressions);
  if (!suppressions && !fresh) return complain(suppressions.error().text());
  explain(*finding);
  std::string path = suppressionsPath(request.common), title = printable(finding->title);
  std::vector<finding::Finding> list = {*finding};
  if (suppressions) suppressions->apply(list);
  if (list[0].suppressed) {
    llvm::errs() << "deadheat: it was suppressed before, by " << printable(list[0].suppressedBy) << '\n';
    return kExitGood;
  }
  std::string remark = request.why.empty() ? finding->title : request.why;
  if (auto added = append(path, finding::suppressionLine(finding->id, remark)); !added)
    return complain(added.error().text());
  if (!request.common.quiet)
    llvm::errs() << "deadheat: suppressed " << finding->id << " (" << title << ") in " << printable(path) << '\n';
  return kExitGood;
}

} // namespace

int suppressVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("leave a finding out of the reports from now on", "deadheat suppress");
  app.add_option("ID", request.id, "the finding, or as much of its id as is needed")->required();
  app.add_option("--why", request.why, "the reason, for those who read the file")->option_text("TEXT");
  declareSuppressions(app, request.common);
  declareDatabase(app, request.common);
  declareTerminal(app, request.common);
  if (std::optional<int> status = parseArguments(app, arguments)) return *status;
  return suppress(request);
}

} // namespace deadheat::driver
