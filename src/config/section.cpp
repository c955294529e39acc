#include "config/section.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "knowledge/sync_api.h"
#include "support/text_table.h"

namespace deadheat::config {

static constexpr int64_t kMostArguments = 100; // an index beyond is a slip

void Faults::add(const toml::source_region &where, const std::string &what, const std::string &hint) {
  if (first_ && place_ <= where.begin) return;
  place_ = where.begin;
  first_ = Error{file_ + ":" + std::to_string(where.begin.line) + ": " + printable(what), hint};
}

const toml::node *Section::take(const std::string &key) {
  asked_.insert(key);
  return table_.get(key);
}

void Section::fault(const toml::node &node, const std::string &key, const std::string &what) {
  faults_.add(node.source(), "`" + key + "` of `" + std::string(name_) + "` is not " + what,
              "see docs/user/configuration.md");
}

std::vector<std::string> Section::names(const std::string &key) {
  const toml::node *node = take(key);
  if (!node) return {};
  std::vector<std::string> list;
  auto addText = [&](const toml::node &element) {
    auto text = element.value_exact<std::string>();
    if (!text || text->empty() || *text == "*") return fault(element, key, "the name of a function");
    list.push_back(std::move(*text));
  };
  if (const toml::array *several = node->as_array())
    for (const toml::node &element : *several) addText(element);
  else
    addText(*node);
  return list;
}

signed char Section::argument(const char *key, signed char other) {
  const toml::node *node = take(key);
  if (!node) return other;
  auto index = node->value_exact<int64_t>();
  if (index && *index >= 0 && *index < kMostArguments) return static_cast<signed char>(*index);
  fault(*node, key, "the number of an argument (the first is 0)");
  return other;
}

signed char Section::place(const char *key, signed char other) {
  const toml::node *node = take(key);
  if (node && node->value_exact<std::string>() == "result") return knowledge::kResult;
  return argument(key, other);
}

bool Section::flag(const char *key) {
  const toml::node *node = take(key);
  if (!node) return false;
  if (!node->is_boolean()) fault(*node, key, "true or false");
  return node->value_or(false);
}

std::optional<size_t> Section::choiceAmong(const char *key, std::span<const std::string_view> known) {
  const toml::node *node = take(key);
  if (!node) return std::nullopt;
  std::string text = node->value_exact<std::string>().value_or("");
  auto found = llvm::find(known, text);
  if (found != known.end()) return found - known.begin();
  fault(*node, key, "one of " + llvm::join(known, ", "));
  return std::nullopt;
}

void Section::finish() {
  constexpr char kHint[] = "see docs/user/configuration.md";
  bool others = false;
  for (const auto &[key, node] : table_) {
    if (asked_.contains(key.str())) continue;
    others = true;
    faults_.add(key.source(), "`" + std::string(key.str()) + "` is not known in `" + std::string(name_) + "`", kHint);
  }
  if (others) return;
  for (const std::vector<const char *> &oneOf : demands_)
    if (llvm::none_of(oneOf, [&](const char *key) { return table_.contains(key); }))
      faults_.add(table_.source(), "`" + std::string(name_) + "` has no `" + oneOf.front() + "`", kHint);
}

} // namespace deadheat::config
