#include "driver/run_arena.h"

#include "abi/event.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace deadheat::driver {
namespace {

// The writing end, as a process would have it.
class Writer {
public:
  explicit Writer(const std::string &path) {
    int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    memory_ = mmap(nullptr, sizeof(abi::Arena), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
  }
  ~Writer() { munmap(memory_, sizeof(abi::Arena)); }
  abi::Arena &arena() { return *static_cast<abi::Arena *>(memory_); }

  abi::Ring &claim(uint64_t owner) {
    uint32_t index = abi::claimRing(arena().claims, owner);
    arena().claims[index].ticket = ++arena().header.tickets;
    return arena().rings[index];
  }

private:
  void *memory_;
};

void tell(abi::Ring &ring, uint32_t id, int times) {
  for (int time = 0; time != times; ++time) {
    ring.words[ring.head % abi::kRingWords] = abi::accessWord(0x1000, id);
    abi::storeRelease(ring.head, ring.head + 1);
  }
}

// Remembers what it was handed.
struct Memory : trace::EventSink {
  void words(trace::ProcessNumber process, trace::ThreadNumber thread, std::span<const uint64_t> words) override {
    auto &all = told[{process.value(), thread.value()}];
    all.insert(all.end(), words.begin(), words.end());
  }
  void ended(trace::ProcessNumber process, trace::ThreadNumber thread) override {
    ends.push_back({process.value(), thread.value()});
  }

  using Key = std::pair<uint32_t, uint32_t>;
  std::map<Key, std::vector<uint64_t>> told;
  std::vector<Key> ends;
};

uint64_t ourselves() { return abi::makeOwner(getpid(), gettid()); }

// A process id that nobody has, since its process has ended and was asked for.
uint64_t nobody() {
  pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return abi::makeOwner(child, child);
}

uint64_t sum(const RunThread &thread) {
  uint64_t all = 0;
  for (const AccessCount &access : thread.accesses) all += access.count;
  return all;
}

class RunArenas : public testing::Test {
protected:
  Memory sink;
  Expected<RunArena> arena = RunArena::create(sink);
  Writer writer{arena->path()};
};

TEST_F(RunArenas, CountWhatADeadThreadLeftInItsRing) {
  tell(writer.claim(nobody()), 5, 70);
  arena->drain();
  arena->reclaim();
  EXPECT_EQ(writer.arena().claims[0].owner, 0u);
  Recording recording = arena->finish();
  ASSERT_EQ(recording.threads.size(), 1u);
  EXPECT_EQ(sum(recording.threads[0]), 70u);
  EXPECT_EQ(recording.losses.stillRunning, 0u);
}

TEST_F(RunArenas, LeaveALiveThreadItsRing) {
  tell(writer.claim(ourselves()), 5, 70);
  arena->drain();
  arena->reclaim();
  EXPECT_EQ(writer.arena().claims[0].owner, ourselves());
  Recording recording = arena->finish();
  EXPECT_EQ(sum(recording.threads.at(0)), 70u);
  EXPECT_EQ(recording.losses.stillRunning, 1u);
}

TEST_F(RunArenas, TakeTheOlderRingOfOneThreadIdForItsPredecessors) {
  tell(writer.claim(ourselves()), 5, 1);
  tell(writer.claim(ourselves()), 5, 2);
  arena->drain();
  arena->reclaim();
  EXPECT_EQ(writer.arena().claims[0].owner, 0u);
  EXPECT_EQ(writer.arena().claims[1].owner, ourselves());
  Recording recording = arena->finish();
  ASSERT_EQ(recording.threads.size(), 2u);
  EXPECT_EQ(sum(recording.threads[0]), 1u);
  EXPECT_EQ(sum(recording.threads[1]), 2u);
}

TEST_F(RunArenas, FreeAClaimWhoseThreadDiedBeforeItsRingWasReady) {
  abi::claimRing(writer.arena().claims, nobody());
  arena->drain();
  arena->reclaim();
  EXPECT_EQ(writer.arena().claims[0].owner, 0u);
  EXPECT_TRUE(arena->finish().threads.empty());
}

TEST_F(RunArenas, SurviveRingsFullOfNonsense) {
  abi::Ring &ring = writer.claim(nobody());
  ring.head = 12345678901234;
  for (uint64_t &word : ring.words) word = ~0ull;
  writer.arena().header.objects = 0xffffffff;
  arena->drain();
  EXPECT_TRUE(arena->newObjects().empty());
  EXPECT_EQ(arena->finish().losses.damagedRings, 1u);
}

TEST_F(RunArenas, ShowAnObjectOnceItIsEntered) {
  writer.arena().header.objects = 2;
  abi::ObjectEntry &second = writer.arena().objects[1];
  second.base = 7;
  std::strcpy(second.path, "/second");
  second.ready = 1;
  std::vector<RunObject> found = arena->newObjects();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, "/second");
  writer.arena().objects[0].ready = 1;
  EXPECT_EQ(arena->newObjects().size(), 1u);
  EXPECT_TRUE(arena->newObjects().empty());
}

TEST_F(RunArenas, HandTheSinkWholeChunksAndTheEndOfAThread) {
  abi::Ring &ring = writer.claim(nobody());
  ring.process = 3;
  ring.thread = 2;
  ring.head = ring.tail = abi::kRingWords - 1; // an event across the end of the ring
  ring.words[abi::kRingWords - 1] = abi::eventWord(abi::EventKind::Range, 0);
  ring.words[0] = 11;
  ring.words[1] = 12;
  ring.head += 3;
  arena->drain();
  EXPECT_TRUE(sink.ends.empty());
  arena->reclaim();
  EXPECT_EQ(sink.told[Memory::Key(3, 2)], (std::vector<uint64_t>{abi::eventWord(abi::EventKind::Range, 0), 11, 12}));
  EXPECT_EQ(sink.ends, std::vector<Memory::Key>{Memory::Key(3, 2)});
}

TEST_F(RunArenas, HaveNoNameInAnyDirectory) {
  struct stat status = {};
  ASSERT_EQ(stat(arena->path().c_str(), &status), 0);
  EXPECT_EQ(status.st_nlink, 0u);
}

} // namespace
} // namespace deadheat::driver
