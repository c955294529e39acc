// Every history of test/histories is found exactly what it expects: no more, no less.
#include <filesystem>

#include <gtest/gtest.h>

#include "detect/detector.h"
#include "support/file.h"
#include "trace/history.h"
#include "trace/merge.h"

namespace deadheat::detect {
namespace {

namespace fs = std::filesystem;

constexpr char kFolder[] = DEADHEAT_FORMATS "/../histories";

std::vector<std::string> historyFiles() {
  std::vector<std::string> files;
  for (const fs::directory_entry &entry : fs::directory_iterator(kFolder))
    files.push_back(entry.path().stem().string());
  std::ranges::sort(files);
  return files;
}

Detection detect(const trace::History &history) {
  Detector detector(history.shapes, {});
  trace::Merger merger;
  auto apply = [&](const trace::Event &event) { detector.apply(event); };
  for (const auto &[thread, words] : history.lines) {
    merger.add(thread, words);
    merger.drain(apply);
  }
  merger.finish(apply);
  return detector.finish();
}

// A call is labelled by its line, as its place is that line's number.
std::string label(const trace::History &history, const Detection &detection, uint32_t access) {
  bool isCall = (access & kCallBit) != 0;
  auto line = isCall ? static_cast<uint32_t>(detection.calls[access & ~kCallBit].place) : access;
  return history.labels.at(line);
}

std::set<trace::LabelPair> labels(const trace::History &history, const Detection &detection,
                                  const std::vector<Race> &races) {
  std::set<trace::LabelPair> all;
  for (const Race &race : races) {
    std::string first = label(history, detection, race.earlier.access),
                second = label(history, detection, race.later.access);
    all.insert(std::minmax(first, second));
  }
  return all;
}

trace::Expectation foundIn(const trace::History &history, const Detection &detection) {
  trace::Expectation found;
  found.races = labels(history, detection, detection.observed);
  std::vector<Race> handed, others;
  for (const Race &race : detection.predicted) (race.handedOver ? handed : others).push_back(race);
  found.predicted = labels(history, detection, others);
  found.handed = labels(history, detection, handed);
  for (const trace::LabelPair &pair : found.races) found.predicted.erase(pair), found.handed.erase(pair);
  for (const Deadlock &deadlock : detection.deadlocks) {
    std::set<std::string> locks;
    for (const LockEdge &edge : deadlock.cycle) locks.insert(history.names.at(detection.locks[edge.wants].address));
    (deadlock.byOneThread ? found.crossed : found.deadlocks).insert(locks);
  }
  return found;
}

void addLocks(std::string &all, const char *what, const std::set<std::set<std::string>> &cycles) {
  for (const auto &locks : cycles) {
    all += what;
    for (const std::string &lock : locks) all += " " + lock;
    all += "\n";
  }
}

std::string text(const trace::Expectation &expectation) {
  std::string all;
  for (const auto &[first, second] : expectation.races) all += "race " + first + " " + second + "\n";
  for (const auto &[first, second] : expectation.predicted) all += "predicted " + first + " " + second + "\n";
  for (const auto &[first, second] : expectation.handed) all += "handed " + first + " " + second + "\n";
  addLocks(all, "deadlock", expectation.deadlocks);
  addLocks(all, "crossed", expectation.crossed);
  return all;
}

class HistoryFile : public testing::TestWithParam<std::string> {};

TEST_P(HistoryFile, IsJudgedAsItSays) {
  std::string path = std::string(kFolder) + "/" + GetParam() + ".history";
  auto file = readFile(path);
  ASSERT_TRUE(file) << file.error().text();
  auto history = trace::parseHistory((*file)->getBuffer(), path);
  ASSERT_TRUE(history) << history.error().text();
  ASSERT_TRUE(history->expects) << "it does not say what shall be found";
  EXPECT_EQ(text(foundIn(*history, detect(*history))), text(history->expected));
}

INSTANTIATE_TEST_SUITE_P(All, HistoryFile, testing::ValuesIn(historyFiles()),
                         [](const auto &parameter) { return parameter.param; });

} // namespace
} // namespace deadheat::detect
