#include "driver/model_text.h"

#include <array>
#include <map>

#include "llvm/ADT/StringExtras.h"

#include "driver/code_text.h"
#include "model/names.h"
#include "support/text_table.h"

namespace deadheat::driver {
namespace {

using namespace model;
using Align = TextTable::Align;

std::string number(uint64_t value) { return std::to_string(value); }

std::string plural(uint64_t count, std::string_view noun, std::string_view ending = "s") {
  std::string text = number(count) + " " + std::string(noun);
  return count == 1 ? text : text + std::string(ending);
}

struct Totals {
  uint64_t functions = 0;
  uint64_t sites = 0;
  uint64_t late = 0;
  std::array<uint64_t, std::size(kOriginNames)> byOrigin = {};

  void add(const Unit &unit) {
    functions += unit.functions.size();
    sites += unit.sites.size();
    late += unit.late.size();
    for (const LateAccess &access : unit.late) ++byOrigin[static_cast<size_t>(access.origin)];
  }

  std::string text() const {
    std::string line =
        plural(functions, "function") + ", " + plural(sites, "site") + ", " + plural(late, "late access", "es");
    const char *separator = ": ";
    for (size_t i = 0; i < byOrigin.size(); ++i) {
      if (byOrigin[i] == 0) continue;
      line += separator + number(byOrigin[i]) + " " + std::string(kOriginNames[i]);
      separator = ", ";
    }
    return line;
  }
};

class UnitPrinter {
public:
  UnitPrinter(llvm::raw_ostream &out, const LinkedUnit &linked, const ModelTextOptions &options)
      : out_(out), linked_(linked), unit_(linked.unit), options_(options) {
    for (uint32_t i = 0; i < unit_.late.size(); ++i) lateOf_[unit_.late[LateId(i)].function].push_back(LateId(i));
  }

  void print() const {
    printTitle();
    if (options_.symbols) printSymbols(out_, unit_);
    if (!options_.sites && !options_.late && !options_.code) return;
    for (uint32_t i = 0; i < unit_.functions.size(); ++i) printFunction(FunctionId(i));
  }

private:
  std::string text(StringId id) const { return std::string(unit_.strings[id]); }

  void printTitle() const {
    out_ << "unit " << printable(unit_.source) << '\n';
    out_ << "  built by " << printable(unit_.producer) << " -O" << unsigned(unit_.optimisation) << " in "
         << printable(unit_.directory) << '\n';
    out_ << "  checksum " << llvm::utohexstr(linked_.checksum, /*LowerCase=*/true, /*Width=*/16) << '\n';
    Totals totals;
    totals.add(unit_);
    out_ << "  " << totals.text() << '\n';
  }

  void printFunction(FunctionId id) const {
    const Function &function = unit_.functions[id];
    std::string name = text(function.name), display = text(function.display);
    out_ << "\n  function " << printable(display.empty() ? name : display) << "  " << printable(text(function.file))
         << ':' << function.line;
    if (!display.empty() && display != name) out_ << "  " << printable(name);
    out_ << '\n';
    if (options_.sites) printSites(function);
    if (options_.code) printCode(out_, unit_, function);
    if (options_.late) printLate(id);
  }

  void printSites(const Function &function) const {
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Left, Align::Right, Align::Left, Align::Left});
    for (uint32_t i = 0; i < function.siteCount; ++i) {
      SiteId id(function.firstSite.value() + i);
      const Site &site = unit_.sites[id];
      table.add({"site", number(id.value()), location(site, function), std::string(name(site.kind)),
                 size(site.kind, site.size), text(site.path), member(site)});
    }
    table.print(out_, "    ");
  }

  void printLate(FunctionId function) const {
    auto found = lateOf_.find(function);
    if (found == lateOf_.end()) return;
    TextTable table({Align::Left, Align::Right, Align::Left, Align::Right, Align::Left, Align::Left});
    for (LateId id : found->second) {
      const LateAccess &late = unit_.late[id];
      table.add({"late", number(id.value()), std::string(name(late.kind)), size(late.kind, late.size),
                 std::string(name(late.origin)), sites(late)});
    }
    table.print(out_, "    ");
  }

  // The file only where it is not the function's own: a macro or a header.
  std::string location(const Site &site, const Function &function) const {
    std::string place = number(site.line) + ":" + number(site.column);
    return site.file == function.file ? place : text(site.file) + ":" + place;
  }

  static std::string size(AccessKind kind, uint32_t bytes) {
    if (kind == AccessKind::Fence) return "-";
    return bytes ? number(bytes) : "?";
  }

  std::string member(const Site &site) const {
    std::string type = text(site.type), field = text(site.field);
    return field.empty() ? type : type + "." + field;
  }

  std::string sites(const LateAccess &late) const {
    std::string list;
    for (uint32_t i = 0; i < late.count; ++i) list += (i ? " " : "") + number(unit_.lateSites[late.first + i].value());
    return list;
  }

  llvm::raw_ostream &out_;
  const LinkedUnit &linked_;
  const Unit &unit_;
  const ModelTextOptions &options_;
  std::map<FunctionId, std::vector<LateId>> lateOf_;
};

} // namespace

void printModel(llvm::raw_ostream &out, std::span<const LinkedUnit> units, const ModelTextOptions &options) {
  Totals totals;
  for (const LinkedUnit &linked : units) {
    UnitPrinter(out, linked, options).print();
    totals.add(linked.unit);
    out << '\n';
  }
  out << "total: " << plural(units.size(), "unit") << ", " << totals.text() << '\n';
}

} // namespace deadheat::driver
