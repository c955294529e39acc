#include "driver/run_arena.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "abi/event.h"
#include "support/file_limit.h"

namespace deadheat::driver {
namespace {

bool isAlive(uint64_t owner) {
  long result = syscall(SYS_tgkill, abi::ownerPid(owner), abi::ownerTid(owner), 0);
  return result == 0 || errno != ESRCH;
}

// Alive, and not merely waiting for its parent to ask for its status.
bool isRunning(uint64_t owner) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(abi::ownerPid(owner)) + "/stat");
  if (!status) return false;
  llvm::StringRef state = (*status)->getBuffer().rsplit(')').second.ltrim(); // the name before may hold anything
  return !state.starts_with("Z") && !state.starts_with("X");
}

// Makes the file as large as the arena, of which the fixed part has room for certain; false and errno if it cannot be.
bool reserve(int file) {
  FileSizeSignalIgnored guard;
  int problem = ftruncate(file, sizeof(abi::Arena)) == 0 ? posix_fallocate(file, 0, abi::kArenaFixedBytes) : errno;
  errno = problem;
  return problem == 0;
}

// A file without a name, in memory or else in a directory.
int createFile(const std::string &directory) {
  if (directory.empty()) return memfd_create("deadheat", MFD_CLOEXEC);
  std::string path = directory + "/deadheat-XXXXXX";
  int file = mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0) unlink(path.c_str());
  return file;
}

abi::Arena *mapArena(int file) {
  void *address = mmap(nullptr, sizeof(abi::Arena), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return address == MAP_FAILED ? nullptr : static_cast<abi::Arena *>(address);
}

void initialise(abi::ArenaHeader &header) {
  struct stat status = {};
  header.pidNamespace = stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
  header.version = abi::kArenaVersion;
  header.nextId = header.nextFunction = 1;
  header.reader = static_cast<uint32_t>(getpid());
  header.stretch = abi::kUnstretched;
  header.magic = abi::kArenaMagic;
}

} // namespace

Expected<RunArena> RunArena::create(trace::EventSink &sink) {
  const char *temporary = std::getenv("TMPDIR");
  std::string why;
  for (const std::string &directory :
       {std::string(), std::string(temporary ? temporary : "/tmp"), std::string("/tmp")}) {
    int file = createFile(directory);
    abi::Arena *arena = file >= 0 && reserve(file) ? mapArena(file) : nullptr;
    if (arena) {
      initialise(arena->header);
      std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file);
      return RunArena(std::move(path), file, arena, sink);
    }
    why = (directory.empty() ? "memory" : directory) + ": " + std::strerror(errno);
    if (file >= 0) close(file);
  }
  return fail("no room for the file that is shared with the program: " + why,
              "set TMPDIR to a directory with room, or raise ulimit -f and ulimit -v");
}

RunArena::RunArena(std::string path, int file, abi::Arena *arena, trace::EventSink &sink)
    : path_(std::move(path)), file_(file), arena_(arena), sink_(&sink), states_(abi::kMaxRings) {
  chunk_.reserve(abi::kRingWords);
}

RunArena::RunArena(RunArena &&other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)),
      arena_(std::exchange(other.arena_, nullptr)), sink_(other.sink_), states_(std::move(other.states_)),
      chunk_(std::move(other.chunk_)), used_(other.used_), objectsSeen_(other.objectsSeen_),
      lateObjects_(std::move(other.lateObjects_)), recording_(std::move(other.recording_)), retired_(other.retired_),
      seconds_(std::move(other.seconds_)) {}

RunArena::~RunArena() {
  if (file_ >= 0) close(file_);
  if (arena_) munmap(arena_, sizeof(*arena_));
}

size_t RunArena::drainOne(uint32_t index) {
  RingState &state = states_[index];
  abi::Ring &ring = arena_->rings[index];
  chunk_.clear();
  state.damaged |= !abi::drainRing(ring, [&](uint64_t word) { chunk_.push_back(word); });
  if (chunk_.empty()) return 0;
  recording_.words += chunk_.size();
  state.counts.add(chunk_);
  sink_->words(trace::ProcessNumber(ring.process), trace::ThreadNumber(ring.thread), chunk_);
  return chunk_.size();
}

// Rings are claimed from the first free one on, and only we free them: behind one that was never claimed there is none.
size_t RunArena::drain() {
  size_t most = 0;
  for (uint32_t index = 0; index != abi::kMaxRings; ++index) {
    if (abi::loadRelaxed(arena_->claims[index].owner) == 0) {
      if (index >= used_) break;
      continue;
    }
    used_ = std::max(used_, index + 1);
    if (isReady(index)) most = std::max(most, drainOne(index));
  }
  return most;
}

// Before there is a ticket, the pages of the ring may not exist.
bool RunArena::isReady(uint32_t index) const { return abi::loadAcquire(arena_->claims[index].ticket) != 0; }

llvm::DenseMap<uint64_t, uint64_t> RunArena::latestTickets() const {
  llvm::DenseMap<uint64_t, uint64_t> latest;
  for (uint32_t index = 0; index != used_; ++index) {
    uint64_t &ticket = latest[abi::loadAcquire(arena_->claims[index].owner)];
    ticket = std::max(ticket, abi::loadAcquire(arena_->claims[index].ticket));
  }
  return latest;
}

// A thread id may be given away again, and its process may become another program: a claim is its predecessor's if the
// same owner has one with a later ticket.
void RunArena::reclaim() {
  llvm::DenseMap<uint64_t, uint64_t> latest = latestTickets();
  for (uint32_t index = 0; index != used_; ++index) {
    abi::Claim &claim = arena_->claims[index];
    uint64_t owner = abi::loadAcquire(claim.owner);
    bool superseded = isReady(index) && claim.ticket < latest.lookup(owner);
    if (owner == 0 || (!superseded && isAlive(owner))) continue;
    if (isReady(index)) {
      bool damaged = states_[index].damaged;
      retire(index);
      abi::resetRing(arena_->rings[index], damaged);
      claim.ticket = 0;
    }
    abi::storeRelease(claim.owner, uint64_t(0));
  }
}

// What the thread counted for a comparison of samplers becomes part of what it told.
void RunArena::tellTallies(const abi::Ring &ring) {
  std::vector<uint64_t> words;
  for (uint32_t samplers = 0; samplers != abi::kTallies; ++samplers)
    if (uint64_t count = abi::loadRelaxed(ring.tallies[samplers]); count != 0)
      words.insert(words.end(), {abi::eventWord(abi::EventKind::Tally, samplers), count});
  if (!words.empty()) sink_->words(trace::ProcessNumber(ring.process), trace::ThreadNumber(ring.thread), words);
}

// Takes what is left in a ring and files it under its owner.
void RunArena::retire(uint32_t index) {
  drainOne(index);
  const abi::Claim &claim = arena_->claims[index];
  const abi::Ring &ring = arena_->rings[index];
  RingState &state = states_[index];
  recording_.threads.push_back({ring.process, ring.thread, abi::ownerPid(claim.owner), abi::ownerTid(claim.owner),
                                claim.ticket, state.counts.all()});
  recording_.losses.damagedRings += state.damaged;
  tellTallies(ring);
  retired_.told += ring.toldCycles;
  retired_.synchronisation += ring.syncCycles;
  sink_->ended(trace::ProcessNumber(ring.process), trace::ThreadNumber(ring.thread));
  state = RingState();
}

RingCosts RunArena::spent() const {
  RingCosts all = retired_;
  for (uint32_t index = 0; index != used_; ++index) {
    if (!isReady(index)) continue;
    all.told += abi::loadRelaxed(arena_->rings[index].toldCycles);
    all.synchronisation += abi::loadRelaxed(arena_->rings[index].syncCycles);
  }
  return all;
}

// A process that has gone counts with what it had when it was last asked.
double RunArena::programSeconds() {
  for (uint32_t index = 0; index != used_; ++index) {
    clockid_t clock;
    timespec time = {};
    const uint32_t pid = abi::ownerPid(abi::loadRelaxed(arena_->claims[index].owner));
    if (pid == 0 || clock_getcpuclockid(static_cast<pid_t>(pid), &clock) != 0 || clock_gettime(clock, &time) != 0)
      continue;
    double &seconds = seconds_[pid];
    seconds = std::max(seconds, static_cast<double>(time.tv_sec) + time.tv_nsec / 1e9);
  }
  double all = 0;
  for (const auto &[pid, seconds] : seconds_) all += seconds;
  return all;
}

std::vector<RunObject> RunArena::newObjects() {
  uint32_t count = std::min(abi::loadAcquire(arena_->header.objects), abi::kMaxObjects);
  std::vector<uint32_t> candidates = std::exchange(lateObjects_, {});
  for (; objectsSeen_ < count; ++objectsSeen_) candidates.push_back(objectsSeen_);
  std::vector<RunObject> found;
  for (uint32_t index : candidates) {
    const abi::ObjectEntry &entry = arena_->objects[index];
    if (!abi::loadAcquire(entry.ready)) {
      lateObjects_.push_back(index);
      continue;
    }
    std::string path(entry.path, strnlen(entry.path, sizeof(entry.path)));
    found.push_back({std::move(path), entry.file, entry.base, static_cast<uint32_t>(entry.slotCount),
                     entry.functionBase, entry.functionCount});
  }
  return found;
}

Recording RunArena::finish() {
  abi::ArenaHeader &header = arena_->header;
  abi::storeRelease(header.closed, 1u);
  drain();
  reclaim();
  for (uint32_t index = 0; index != used_; ++index)
    if (isReady(index)) {
      recording_.losses.stillRunning += isRunning(arena_->claims[index].owner);
      retire(index);
    }
  recording_.processes = header.processes - std::min(header.processes, header.refusedProcesses);
  recording_.losses.signalEvents = header.lost;
  recording_.losses.refusedThreads = header.refusedThreads;
  recording_.losses.refusedObjects = header.refusedObjects;
  recording_.losses.refusedProcesses = header.refusedProcesses;
  recording_.losses.otherVersions = header.otherVersions;
  llvm::sort(recording_.threads,
             [](const RunThread &left, const RunThread &right) { return left.ticket < right.ticket; });
  return std::move(recording_);
}

} // namespace deadheat::driver
