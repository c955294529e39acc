#include "driver/run_comparison.h"

#include "llvm/Support/FormatVariadic.h"

#include "support/text_table.h"

namespace deadheat::driver {
namespace {

constexpr const char *kNames[] = {
#define SAMPLER(name, text, rule, growth, oneIn, sentence) text,
#include "abi/samplers.def"
};

llvm::StringRef nameOf(size_t index) { return kNames[static_cast<size_t>(abi::Sampler::ThreadAdaptive) + index]; }

std::string percent(uint64_t part, uint64_t whole) {
  if (whole == 0) return "-";
  return llvm::formatv("{0:f1} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole)).str();
}

} // namespace

void printComparison(llvm::raw_ostream &out, const detect::ComparisonResult &result) {
  const uint64_t races = result.rare + result.frequent;
  out << "deadheat: " << races << (races == 1 ? " race" : " races") << " in " << result.accesses
      << " accesses, of which " << result.rare << " rare; what each sampler would have told and found:\n";
  using enum TextTable::Align;
  TextTable table({Left, Right, Right, Right, Right});
  table.add({"sampler", "accesses", "races", "rare", "frequent"});
  for (size_t index = 0; index != abi::kCompared; ++index) {
    const detect::SamplerResult &each = result.samplers[index];
    table.add({nameOf(index).str(), percent(each.accesses, result.accesses), percent(each.rare + each.frequent, races),
               percent(each.rare, result.rare), percent(each.frequent, result.frequent)});
  }
  table.print(out, "  ");
}

llvm::json::Object comparisonJson(const detect::ComparisonResult &result) {
  llvm::json::Array rows;
  for (size_t index = 0; index != abi::kCompared; ++index) {
    const detect::SamplerResult &each = result.samplers[index];
    rows.push_back(llvm::json::Object{
        {"name", nameOf(index)}, {"accesses", each.accesses}, {"rare", each.rare}, {"frequent", each.frequent}});
  }
  return llvm::json::Object{{"accesses", result.accesses},
                            {"rare", result.rare},
                            {"frequent", result.frequent},
                            {"samplers", std::move(rows)}};
}

} // namespace deadheat::driver
