// Random findings with every field in use, for tests that must hold for all of them.
#pragma once

#include <random>

#include "finding/finding.h"
#include "finding/names.h"

namespace deadheat::finding {

class RandomFinding {
public:
  explicit RandomFinding(uint32_t seed) : random_(seed) {}

  Findings findings() {
    Findings all;
    all.toolVersion = word();
    all.program = program();
    for (uint32_t count = below(9); count != 0; --count) all.list.push_back(finding());
    return all;
  }

private:
  uint32_t below(uint32_t limit) { return random_() % limit; }
  bool maybe() { return below(2) == 0; }

  std::string word() {
    static constexpr const char *kWords[] = {"x->lock",   "f",        "a.c",      "w\xc3\xa4rter",
                                             "quote\"\\", "<b>&amp;", "tab\there"};
    return kWords[below(std::size(kWords))];
  }

  Place place() {
    if (below(4) == 0) return {};
    return {maybe() ? "src/a.c" : "src/b.c", below(4) + 1, below(3)};
  }

  std::vector<Frame> frames() {
    std::vector<Frame> all;
    for (uint32_t count = below(3); count != 0; --count) all.push_back({word(), place()});
    return all;
  }

  std::vector<std::string> words() {
    std::vector<std::string> all;
    for (uint32_t count = below(3); count != 0; --count) all.push_back(word());
    return all;
  }

  Access access() {
    return {place(), word(), maybe() ? "read" : "write",       word(),  word(), maybe(), place(),
            words(), word(), maybe() ? word() : std::string(), frames()};
  }

  CycleEdge edge() { return {word(), word(), place(), word(), word(), maybe(), place(), place(), word(), frames()}; }

  Level level() { return static_cast<Level>(below(std::size(kLevels))); }

  Evidence evidence() {
    Evidence one{
        .level = level(), .by = word(), .detail = word(), .schedule = word(), .runs = below(9), .hits = below(9)};
    if (maybe()) one.seed = UINT64_C(0xfedcba9876543210) + below(100);
    if (maybe()) one.harm = Harm{word(), word()};
    if (maybe()) one.probability = Probability{0.5, 0.25, 0.75};
    if (maybe()) one.steps = {word(), word()};
    return one;
  }

  Finding finding() {
    Finding one;
    one.kind = static_cast<Kind>(below(std::size(kKinds)));
    one.level = level();
    one.score = below(40) / 4.0;
    one.title = word();
    one.variable = word();
    one.allocatedAt = place();
    if (one.kind == Kind::Deadlock)
      one.cycle = {edge(), edge()};
    else
      one.accesses = {access(), access()};
    one.votes = words();
    if (maybe()) one.demotions = {{word(), word()}};
    if (maybe()) one.evidence = {evidence(), evidence()};
    if (maybe()) one.notClimbed = NotClimbed{word(), word()};
    one.why = word();
    one.fix = word();
    one.suppressed = maybe();
    if (one.suppressed) one.suppressedBy = word();
    one.baselined = maybe();
    return one;
  }

  Program program() {
    Program one;
    one.command = words();
    if (maybe()) one.exit = static_cast<int>(below(256));
    if (!one.exit) one.signal = static_cast<int>(below(32));
    one.shared = below(100);
    one.threads = {{word(), place(), maybe()}};
    one.locks = {{word(), word()}};
    one.gaps = {{word(), below(7)}};
    one.sites = {below(9), below(9), below(9)};
    return one;
  }

  std::mt19937 random_;
};

inline Findings randomFindings(uint32_t seed) { return RandomFinding(seed).findings(); }

} // namespace deadheat::finding
