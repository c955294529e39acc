// A schedule as text: what to run, at what to aim, and every decision that was out of the usual. A person can read it, paste it into a
// bug report, edit it; `deadheat replay` takes it back. docs/formats/schedule.md is normative.
//
// Claim   parse(print(schedule)) == schedule, comments aside. A file that is not a schedule is an Error that names the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "confirm/direction.h"
#include "support/error.h"

namespace deadheat::confirm {

struct Schedule {
  std::string finding = {};              // its id
  std::vector<std::string> command = {}; // to be run in `directory`
  std::string directory = {};
  Direction direction = {};            // strategy and seed: how it was found; decisions: how to repeat it
  std::vector<std::string> notes = {}; // per decision: where it was, for people; may be shorter

  bool operator==(const Schedule &other) const;
};

std::string print(const Schedule &schedule);
Expected<Schedule> parseSchedule(std::string_view text, const std::string &source);

std::string_view name(abi::StrategyId strategy);
std::optional<abi::StrategyId> strategyNamed(std::string_view name);

} // namespace deadheat::confirm
