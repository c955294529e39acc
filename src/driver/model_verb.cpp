#include "driver/model_verb.h"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "llvm/Support/raw_ostream.h"

#include "driver/load_models.h"
#include "driver/model_text.h"

namespace deadheat::driver {
namespace {

constexpr int kGood = 0;
constexpr int kBadInput = 2;

struct Request {
  std::vector<std::string> paths;
  bool summary = false;
  bool sites = false;
  bool late = false;
  bool code = false;
  bool symbols = false;
};

int complain(const std::string &text) {
  llvm::errs() << "deadheat: error: " << text << '\n';
  return kBadInput;
}

// Everything is read before anything is printed: a reader of the text never takes a part for the whole.
int dump(const Request &request) {
  std::vector<model::LinkedUnit> units;
  for (const std::string &path : request.paths) {
    auto more = loadModels(path);
    if (!more) return complain(more.error().text());
    std::ranges::move(*more, std::back_inserter(units));
  }
  bool all = !request.summary && !request.sites && !request.late && !request.code && !request.symbols;
  printModel(
      llvm::outs(), units,
      {.sites = all || request.sites, .late = all || request.late, .code = request.code, .symbols = request.symbols});
  llvm::outs().flush();
  if (!llvm::outs().has_error()) return kGood;
  std::string why = llvm::outs().error().message();
  llvm::outs().clear_error();
  return complain("the text could not be written: " + why);
}

void declare(CLI::App &app, Request &request) {
  app.require_subcommand(1);
  CLI::App *dumping = app.add_subcommand("dump", "print models as text");
  dumping->add_option("FILE", request.paths, "programs, libraries, objects, archives, model files or model directories")
      ->required();
  dumping->add_flag("--summary", request.summary, "only what each unit is and how much it holds");
  dumping->add_flag("--sites", request.sites, "of each function, only the accesses that the source makes");
  dumping->add_flag("--late", request.late, "of each function, only the accesses that the optimiser left");
  dumping->add_flag("--code", request.code, "of each function, only its statements");
  dumping->add_flag("--symbols", request.symbols, "only functions, variables, initial values and classes");
}

} // namespace

int modelVerb(const std::vector<std::string> &arguments) {
  Request request;
  CLI::App app("the model that a program carries: its functions and the places where they access memory",
               "deadheat model");
  declare(app, request);
  try {
    // CLI11 takes the arguments from the back.
    app.parse(std::vector(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &help) {
    return app.exit(help);
  } catch (const CLI::ParseError &error) {
    return complain(std::string(error.what()) + " (deadheat model --help)");
  }
  return dump(request);
}

} // namespace deadheat::driver
