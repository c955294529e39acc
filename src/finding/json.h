// findings.json, schema 1: writing and reading (docs/formats/findings.md).
//
// Claim   parseFindings(text of toJson(f)) == f. Any other text is Findings or an Error that says where it is wrong; fields that the
//         schema does not have are passed over, fields that are absent have their defaults, except id, kind and level.
// Assumes texts are UTF-8; what is not is written with replacement characters.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/JSON.h"

#include "finding/finding.h"
#include "support/error.h"

namespace deadheat::finding {

inline constexpr int kSchema = 1;

llvm::json::Object toJson(const Finding &finding);
llvm::json::Object toJson(const Program &program);

// One line, as the store and the cache have it.
std::string textOf(const Finding &finding);

// `extra` has fields beyond the schema, for the top of the document.
llvm::json::Object toJson(const Findings &findings, llvm::json::Object extra = {});

// A field beyond the schema that is too large for a tree: `write` writes its value.
struct LargeField {
  std::string key; // empty: there is none
  std::function<void(llvm::json::OStream &)> write;
};

// The text of toJson(), finding by finding, on all cores: of a kernel there are too many for one tree.
void writeJson(llvm::raw_ostream &out, const Findings &findings, llvm::json::Object extra = {}, unsigned indent = 0,
               const LargeField &large = {});

// `name` is what errors call the text.
Expected<Findings> parseFindings(std::string_view text, const std::string &name);
Expected<Finding> parseFinding(std::string_view text, const std::string &name);
Expected<Program> parseProgram(std::string_view text, const std::string &name);

// Many texts of one finding each, on all cores; of errors, the first.
Expected<std::vector<Finding>> parseEach(const std::vector<std::string_view> &texts, const std::string &name);

} // namespace deadheat::finding
