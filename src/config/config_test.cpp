#include "config/config.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deadheat::config {
namespace {

using namespace knowledge;
using testing::StartsWith;

Table tableOf(const std::string &text) {
  auto config = parseConfig(text, "deadheat.toml");
  EXPECT_TRUE(config.has_value()) << (config ? "" : config.error().text());
  return config.value_or(Config{}).table(Program::Hosted);
}

std::string errorOf(const std::string &text) {
  auto config = parseConfig(text, "deadheat.toml");
  EXPECT_FALSE(config.has_value()) << text;
  return config ? "" : config.error().text();
}

TEST(Config, ALockHasAFunctionThatTakesItAndOneThatGivesItBack) {
  Table table = tableOf(R"(
[[lock]]
acquire = "my_lock"
release = ["my_unlock", "my_unlock_all"]
try = "my_trylock"
success = "zero"
argument = 1
kind = "spin"
)");
  const Row *acquire = table.find("my_lock"), *attempt = table.find("my_trylock"),
            *release = table.find("my_unlock_all");
  ASSERT_TRUE(acquire && attempt && release);
  EXPECT_EQ(acquire->action, Action::Acquire);
  EXPECT_EQ(acquire->object, 1);
  EXPECT_EQ(acquire->kind, Kind::Spin);
  EXPECT_FALSE(acquire->has(kTry));
  EXPECT_EQ(attempt->success, Success::Zero);
  EXPECT_TRUE(attempt->has(kTry));
  EXPECT_EQ(release->action, Action::Release);
}

TEST(Config, AReadWriteLockHasSharedFunctions) {
  Table table =
      tableOf("[[lock]]\nacquire='w'\nrelease='uw'\nacquire_shared='r'\nrelease_shared='ur'\nkind='rwlock'\n");
  EXPECT_EQ(table.find("r")->mode, Mode::Shared);
  EXPECT_EQ(table.find("ur")->mode, Mode::Shared);
  EXPECT_EQ(table.find("w")->mode, Mode::Exclusive);
}

TEST(Config, AThreadHasAnEntryAndPerhapsAHandle) {
  Table table = tableOf("[[thread]]\ncreate='go'\nentry=1\nargument=2\nhandle='result'\njoin='wait_for'\n");
  EXPECT_EQ(table.find("go")->entry, 1);
  EXPECT_EQ(table.find("go")->argument, 2);
  EXPECT_EQ(table.find("go")->object, kResult);
  EXPECT_EQ(table.find("wait_for")->action, Action::Join);
  EXPECT_TRUE(tableOf("[[thread]]\ncreate='go'\nentry=1\nhandle=0\n").find("go")->has(kByAddress));
}

TEST(Config, AllocatorsCallbacksAndFunctions) {
  Table table = tableOf("[[allocator]]\nallocate='get*'\nfree='put'\n[[callback]]\nfunction='each'\nentry=1\n"
                        "[functions]\nno_return=['die']\nblocks='nap'\n");
  EXPECT_EQ(table.find("get_two")->action, Action::Allocate);
  EXPECT_EQ(table.find("put")->action, Action::Free);
  EXPECT_EQ(table.find("each")->action, Action::Calls);
  EXPECT_EQ(table.find("die")->action, Action::NoReturn);
  EXPECT_EQ(table.find("nap")->action, Action::Blocks);
}

TEST(Config, TheKindOfProgramChoosesTheBuiltInRows) {
  EXPECT_NE(tableOf("[program]\nkind='linux'\n").find("mutex_lock"), nullptr);
  EXPECT_EQ(tableOf("[program]\nkind='hosted'\n").find("mutex_lock"), nullptr);
}

TEST(Config, AnErrorIsOneLineThatBeginsWithFileAndLine) {
  EXPECT_THAT(errorOf("[[lock]\n"), StartsWith("deadheat.toml:1: "));
  EXPECT_THAT(errorOf("\n[[lock]]\nacquire='a'\nrelaese='b'\n"),
              StartsWith("deadheat.toml:4: `relaese` is not known in `lock`"));
  EXPECT_THAT(errorOf("[[lock]]\nacquire='a'\n"), StartsWith("deadheat.toml:1: `lock` has no `release`"));
  EXPECT_THAT(errorOf("[[lock]]\nacquire='a'\nrelease=7\n"),
              StartsWith("deadheat.toml:3: `release` of `lock` is not the name of a function"));
  EXPECT_THAT(errorOf("[[lock]]\nacquire='a'\nrelease='b'\nkind='spinn'\n"),
              StartsWith("deadheat.toml:4: `kind` of `lock` is not one of mutex, recursive, spin"));
  EXPECT_THAT(errorOf("[[lock]]\nacquire='a'\nrelease='b'\nargument=-1\n"),
              StartsWith("deadheat.toml:4: `argument` of `lock` is not the number of an argument"));
  EXPECT_THAT(errorOf("[locks]\n"), StartsWith("deadheat.toml:1: `locks` is not known: known are [[lock]]"));
  EXPECT_THAT(errorOf("[lock]\nacquire='a'\n"), StartsWith("deadheat.toml:1: `lock` is not a section"));
  EXPECT_THAT(errorOf("[[thread]]\ncreate='a'\n"), StartsWith("deadheat.toml:1: `thread` has no `entry`"));
  EXPECT_EQ(errorOf("[[lock]]\nacquire=1\n").find('\n'), std::string::npos);
}

TEST(Config, OfSeveralFaultsTheFirstInTheFileIsTold) {
  EXPECT_THAT(errorOf("[zzz]\n[aaa]\n"), StartsWith("deadheat.toml:1: `zzz`"));
}

// A seeded walk through damaged texts: each is a Config, or one line that names the file.
TEST(Config, AnyTextIsAConfigOrAnError) {
  const std::string good = "[[lock]]\nacquire = ['a', \"b*\"]\nrelease = 'c'\nargument = 2\nkind = 'spin'\n"
                           "[[thread]]\ncreate='go'\nentry=1\nmany=true\n[functions]\nblocks='nap'\n";
  std::mt19937 random(1);
  for (int round = 0; round < 5000; ++round) {
    std::string text = good;
    for (int change = random() % 4; change >= 0; --change) {
      size_t at = random() % text.size();
      if (random() % 2)
        text[at] = static_cast<char>(random());
      else
        text.erase(at, random() % 9);
    }
    if (auto config = parseConfig(text, "x.toml"); !config) {
      EXPECT_THAT(config.error().text(), StartsWith("x.toml:"));
      EXPECT_EQ(config.error().text().find('\n'), std::string::npos) << text;
    }
  }
}

} // namespace
} // namespace deadheat::config
