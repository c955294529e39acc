#include "trace/file.h"

#include <random>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/file.h"

namespace deadheat::trace {
namespace {

constexpr ProcessNumber kProcess(1);
constexpr ThreadNumber kThread(2);

class TraceFile : public testing::Test {
protected:
  TraceFile() : path_(testing::TempDir() + "deadheat-trace-" + std::to_string(getpid())) {}
  ~TraceFile() override { unlink(path_.c_str()); }

  // Three records of words and their frame.
  uint64_t write(uint64_t limit = 0) {
    auto writer = TraceWriter::create(path_, limit);
    writer->command({"./p", "an argument"});
    writer->object(object_);
    for (uint64_t part = 0; part != 3; ++part) writer->words(kProcess, kThread, chunk(part));
    writer->ended(kProcess, kThread);
    writer->finish();
    stopped_ = writer->stopped();
    return writer->bytes();
  }

  static std::vector<uint64_t> chunk(uint64_t part) {
    std::mt19937_64 random(part);
    std::vector<uint64_t> words(40'000);
    for (uint64_t &word : words) word = random() % 1000;
    return words;
  }

  std::string bytes() { return (*readFile(path_))->getBuffer().str(); }

  struct Content {
    std::vector<std::string> command;
    std::vector<TraceObject> objects;
    std::vector<std::vector<uint64_t>> words;
    size_t ended = 0, losses = 0;
    uint64_t damaged = 0;
    bool complete = false;
  };
  static Content contentOf(const std::string &bytes) {
    Content content;
    auto reader = TraceReader::read(llvm::MemoryBuffer::getMemBufferCopy(bytes), "test");
    if (!reader) return content;
    for (TraceRecord record; reader->next(record);) {
      if (record.kind == RecordKind::Command) content.command = record.command;
      if (record.kind == RecordKind::Object) content.objects.push_back(record.object);
      if (record.kind == RecordKind::Words) content.words.push_back(record.words);
      content.ended += record.kind == RecordKind::Ended;
      content.losses += record.afterLoss;
    }
    content.damaged = reader->damagedRecords();
    content.complete = reader->complete();
    return content;
  }

  std::string path_, stopped_;
  TraceObject object_{"/bin/p", {1, 2, 3}, 10, 20, 30, 40, {1, 2, 3}, {4, 5}};
};

TEST_F(TraceFile, ReturnsWhatWasWritten) {
  write();
  Content content = contentOf(bytes());
  EXPECT_EQ(content.command, (std::vector<std::string>{"./p", "an argument"}));
  EXPECT_EQ(content.objects, std::vector{object_});
  EXPECT_EQ(content.words, (std::vector{chunk(0), chunk(1), chunk(2)}));
  EXPECT_EQ(content.ended, 1u);
  EXPECT_TRUE(content.complete);
  EXPECT_EQ(content.damaged + content.losses, 0u);
}

TEST_F(TraceFile, GivesWhatIsWholeWhereverItIsCutOff) {
  write();
  std::string all = bytes();
  for (size_t size = 16; size < all.size(); size += 997) {
    Content content = contentOf(all.substr(0, size));
    EXPECT_FALSE(content.complete) << size;
    for (size_t index = 0; index != content.words.size(); ++index) EXPECT_EQ(content.words[index], chunk(index));
  }
}

TEST_F(TraceFile, PassesOverADamagedRecordAndMarksWhatFollows) {
  write();
  std::string all = bytes();
  all[all.size() / 2] ^= 0x10; // in the second of three records of words
  Content content = contentOf(all);
  EXPECT_EQ(content.words, (std::vector{chunk(0), chunk(2)}));
  EXPECT_EQ(content.damaged, 1u);
  EXPECT_EQ(content.losses, 1u);
  EXPECT_TRUE(content.complete);
}

TEST_F(TraceFile, SurvivesAnyOneBitThatIsWrong) {
  write();
  std::string all = bytes();
  std::mt19937_64 random(3);
  for (int round = 0; round != 300; ++round) {
    std::string damaged = all;
    damaged[16 + random() % (all.size() - 16)] ^= static_cast<char>(1 << random() % 8);
    Content content = contentOf(damaged);
    EXPECT_GE(content.words.size(), 2u);
  }
}

TEST_F(TraceFile, StopsAtItsLimitWithOneNoteAndStaysReadable) {
  uint64_t whole = write();
  uint64_t part = write(whole / 2);
  EXPECT_LE(part, whole / 2);
  EXPECT_NE(stopped_.find("--max-log"), std::string::npos);
  Content content = contentOf(bytes());
  EXPECT_GE(content.words.size(), 1u);
  EXPECT_EQ(content.damaged, 0u);
  EXPECT_FALSE(content.complete);
}

TEST_F(TraceFile, StopsAtAFullDisk) {
  auto writer = TraceWriter::create("/dev/full", 0);
  ASSERT_TRUE(writer);
  writer->words(kProcess, kThread, chunk(0));
  EXPECT_NE(writer->stopped().find("No space left"), std::string::npos);
}

TEST_F(TraceFile, IsNotTakenForATraceIfItIsNone) {
  auto reader = TraceReader::read(llvm::MemoryBuffer::getMemBufferCopy("#!/bin/sh\necho hello\n"), "script");
  ASSERT_FALSE(reader);
  EXPECT_NE(reader.error().text().find("script: it is no trace"), std::string::npos);
}

} // namespace
} // namespace deadheat::trace
