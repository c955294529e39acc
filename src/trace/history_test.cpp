#include "trace/history.h"

#include <gtest/gtest.h>

#include "trace/merge.h"

namespace deadheat::trace {
namespace {

TEST(History, GivesEventsThatMergeInTheOrderOfItsLines) {
  auto history = parseHistory("T1 fork T2\nT2 lock m\nT2 write x #a\nT2 unlock m\nT1 lock m\nT1 join T2\n", "test");
  ASSERT_TRUE(history) << history.error().text();
  Merger merger;
  std::vector<uint32_t> threads;
  for (const auto &[thread, words] : history->lines) {
    merger.add(thread, words);
    merger.drain([&](const Event &event) { threads.push_back(event.thread.value()); });
  }
  EXPECT_EQ(threads, (std::vector<uint32_t>{1, 2, 2, 2, 1, 2, 1}));
  EXPECT_EQ(merger.gaps().total(), 0u);
  EXPECT_EQ(history->labels.at(3), "a");
  EXPECT_EQ(history->shapes[3].form, AccessShape::Form::Write);
}

TEST(History, ReadsWhatShallBeFound) {
  auto history = parseHistory("# expect: race w@b r@a\n# expect: deadlock m n\n# a comment\n", "test");
  ASSERT_TRUE(history);
  EXPECT_TRUE(history->expected.races.contains({"a", "b"}));
  EXPECT_TRUE(history->expected.deadlocks.contains({"m", "n"}));
}

TEST(History, RefusesWhatItCannotReadAndNamesTheLine) {
  for (const char *text : {"T1 frobnicate x", "write x", "T0 write x", "T1 write", "T1 load x sometimes",
                           "T1 wait love x", "T1 write x+5000", "# expect: race w@a", "# expect: miracles"}) {
    auto history = parseHistory(std::string("T1 write y\n") + text, "h");
    ASSERT_FALSE(history) << text;
    EXPECT_TRUE(history.error().what.starts_with("h:2: ")) << history.error().what;
  }
}

} // namespace
} // namespace deadheat::trace
