// A linked program made of units by hand, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "link/program.h"
#include "link/unit_builder.h"

namespace deadheat::link {

class TestProgram {
public:
  template <typename... Builders> explicit TestProgram(Builders &...builders) {
    std::vector<Binary> binaries(1);
    binaries[0] = {"program", unitsOf(builders...)};
    program_ = std::move(*linkProgram(std::move(binaries), table_, Options()));
  }

  explicit TestProgram(std::vector<Binary> binaries)
      : program_(std::move(*linkProgram(std::move(binaries), table_, Options()))) {}

  const Program *operator->() const { return &program_; }
  const Program &operator*() const { return program_; }

  FuncId function(std::string_view name) const {
    auto found = functionsNamed(program_, name);
    DEADHEAT_CHECK(found.size() == 1);
    return found[0];
  }

  Location at(std::string_view function_, ValueId value) const {
    return program_.pointsTo.of(function(function_), Operand::value(value));
  }

  // What the value may point to: `name` of a variable or function, `stack`, `heap`, `external`, `thread`, with `+offset`; sorted.
  std::vector<std::string> places(std::string_view function_, ValueId value) const {
    return places(at(function_, value));
  }
  std::vector<std::string> places(Location location) const {
    std::vector<std::string> words;
    for (const Place &place : program_.pointsTo.places(location).list) {
      std::string text = nameOf(program_.pointsTo.objects()[place.object]);
      if (place.offset != 0) text += "+" + std::to_string(place.offset);
      words.push_back(text);
    }
    std::ranges::sort(words);
    return words;
  }

  // Names of what the only call of `caller` to something through a pointer, or by name, may reach.
  std::vector<std::string> callees(std::string_view caller, uint32_t which = 0) const {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < program_.calls.sites.size(); ++i) {
      if (program_.calls.sites[CallSiteId(i)].caller != function(caller)) continue;
      if (which-- != 0) continue;
      for (FuncId callee : program_.calls.callees[CallSiteId(i)]) names.emplace_back(program_.function(callee).name);
    }
    std::ranges::sort(names);
    return names;
  }

private:
  std::string nameOf(const Object &object) const {
    static constexpr const char *kNames[] = {"stack", "heap", "", "", "external", "thread"};
    if (object.kind == ObjectKind::Variable) return std::string(program_.variable(object.variable).name);
    if (object.kind == ObjectKind::Function) return std::string(program_.function(object.function).name);
    return kNames[static_cast<size_t>(object.kind)];
  }

  knowledge::Table table_;
  Program program_;
};

using Names = std::vector<std::string>;

} // namespace deadheat::link
