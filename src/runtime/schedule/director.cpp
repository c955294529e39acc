#include "runtime/schedule/director.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/notes.h"
#include "runtime/schedule/director_hooks.h"
#include "runtime/schedule/threads.h"
#include "runtime/symbols_behind.h"

extern "C" char **environ;

namespace deadheat::runtime::schedule {

constinit Scheduler scheduler;
constinit thread_local Self self = {};

namespace {

constexpr U64 kSecond = 1000000000;
constexpr U64 kMonotonicStart = 1000 * kSecond;

abi::Control *control = nullptr;
pid_t owner = 0;     // the process that is directed; 0: none
bool forked = false; // this one is a child of it

// The value of control= in DEADHEAT_OPTIONS, copied: programs overwrite their environment.
bool controlPath(char *path, U64 size) {
  constexpr char kVariable[] = "DEADHEAT_OPTIONS=";
  constexpr char kKey[] = "control=";
  for (char **entry = environ; entry && *entry; ++entry) {
    if (__builtin_strncmp(*entry, kVariable, sizeof(kVariable) - 1) != 0) continue;
    const char *found = __builtin_strstr(*entry + sizeof(kVariable) - 1, kKey);
    if (!found) return false;
    found += sizeof(kKey) - 1;
    U64 length = 0;
    while (found[length] != 0 && found[length] != ':' && length + 1 < size) path[length] = found[length], ++length;
    path[length] = 0;
    return length != 0;
  }
  return false;
}

abi::Control *mapControl(const char *path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status;
  void *memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size == static_cast<off_t>(sizeof(abi::Control)))
    memory = mmap(nullptr, sizeof(abi::Control), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (memory == MAP_FAILED) return nullptr;
  auto *mapped = static_cast<abi::Control *>(memory);
  return mapped->magic == abi::kControlMagic && mapped->version == abi::kControlVersion ? mapped : nullptr;
}

struct Search {
  U64 units = 0; // instrumented ones, found so far
  U64 targets = 0;
  bool marks = false; // whether they are marked, too
};

void visitNote(void *state, const Image &image, const abi::UnitNote &note) {
  auto &search = *static_cast<Search *>(state);
  abi::HookTable *table = tableOf(image, note);
  if (!table) return;
  ++search.units;
  const U64 checksum = static_cast<U64>(note.checksumHigh) << 32 | note.checksumLow;
  for (U32 index = 0; index != control->targetCount; ++index) {
    const abi::Target &wanted = control->targets[index];
    if (wanted.checksum != checksum) continue;
    ++search.targets;
    if (search.marks && wanted.late == abi::kNoLate) markCalls(image.bias, wanted);
    if (!search.marks || wanted.late >= note.accessCount) continue;
    markAccess(target(note.accesses) + wanted.late, wanted, index);
    markFunction(wanted.function < note.functionCount ? target(note.functions) + wanted.function : 0);
  }
  if (search.marks) fillDirected(*table);
}

void describeObject(const dl_phdr_info &info) {
  if (control->objectCount == abi::kMaxControlObjects) return;
  abi::ControlObject &object = control->objects[control->objectCount++];
  object.bias = info.dlpi_addr;
  object.begin = ~U64(0);
  for (U32 index = 0; index != info.dlpi_phnum; ++index) {
    const auto &header = info.dlpi_phdr[index];
    if (header.p_type != PT_LOAD) continue;
    const U64 begin = info.dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    if (begin < object.begin) object.begin = begin;
    if (end > object.end) object.end = end;
  }
  if (info.dlpi_name[0] != 0)
    __builtin_strncpy(object.path, info.dlpi_name, sizeof(object.path) - 1);
  else
    (void)!readlink("/proc/self/exe", object.path, sizeof(object.path) - 1);
}

int visitObject(dl_phdr_info *info, size_t, void *state) {
  const Image image{info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
  forEachNote(image, visitNote, state);
  if (static_cast<Search *>(state)->marks) describeObject(*info);
  return 0;
}

// The first process that has a target is the one that is directed. Without targets (a random walk), the first with
// instrumented code.
bool claim() {
  Search search;
  dl_iterate_phdr(visitObject, &search);
  if (search.units == 0 || (control->targetCount != 0 && search.targets == 0)) return false;
  U64 nobody = 0;
  return __atomic_compare_exchange_n(&control->owner, &nobody, static_cast<U64>(getpid()), false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

__attribute__((constructor)) void start() {
  char path[256];
  if (!controlPath(path, sizeof(path))) return;
  control = mapControl(path);
  if (!control || !claim()) return;
  // Where the system forbids it, or a program between asked for something else, addresses change from run to run.
  control->fixedLayout = (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0;
  scheduler.start(*control, self.task);
  rememberMain(*self.task);
  self.stackEnd = reinterpret_cast<U64>(environ); // lies above all frames
  owner = getpid();
  pthread_atfork(nullptr, nullptr, stopDirecting); // in the child before the program's own handlers, as it is the first
  if (control->keepCalls & abi::kKeepMemory) keepMemoryCalls(*control);
  Search search{.marks = true};
  dl_iterate_phdr(visitObject, &search);
}

} // namespace

__attribute__((preserve_most)) void comeBackFirst() {
  Inside inside;
  scheduler.comeBack(*self.task);
}

void leaveInside() {
  if (!self.task || !self.inside || owner == 0) return;
  scheduler.recover(*self.task);
  self.inside = false;
}

// A handler may have interrupted the scheduler itself: it is left alone, and will look for what changed.
void tellFromOutside(const void *object, U32 count) {
  if (owner == 0) return;
  if (self.task) return scheduler.expectSignals(false);
  scheduler.wakeFromOutside(reinterpret_cast<U64>(object), count);
}

bool isDirected() { return owner != 0; }

void noteFreeThread() {
  if (owner != 0) scheduler.expectStrangers();
  if (forked) __atomic_add_fetch(&control->childThreads, 1u, __ATOMIC_RELAXED);
}

void stopDirecting() {
  forked |= owner != 0;
  scheduler.processors().free(0);
  owner = 0;
  self.task = nullptr;
}

void reach(Task &task, Action action, const void *object, const void *place) {
  Inside inside;
  const U64 address = reinterpret_cast<U64>(place);
  const bool acquires = action == Action::Acquire || action == Action::AcquireShared;
  if (acquires && (control->keepCalls & abi::kKeepLocks)) keepCall(*control, address);
  scheduler.reach(task, {.action = action,
                         .side = acquires ? sideOfCall(address) : abi::U8(0),
                         .object = reinterpret_cast<U64>(object),
                         .place = address});
}

U64 clockBase(int clock) {
  const bool wall = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
  return wall ? control->epoch : kMonotonicStart;
}

U64 deadlineOf(int clock, const timespec *time) {
  const U64 absolute = static_cast<U64>(time->tv_sec) * kSecond + static_cast<U64>(time->tv_nsec);
  const U64 base = clockBase(clock);
  return absolute > base ? absolute - base : 0;
}

timespec realTime(int clock, U64 deadline) {
  timespec now;
  systemCall(__NR_clock_gettime, clock, &now);
  const U64 left = deadline > scheduler.now() ? deadline - scheduler.now() : 0;
  const U64 moment = static_cast<U64>(now.tv_sec) * kSecond + static_cast<U64>(now.tv_nsec) + left;
  return {static_cast<time_t>(moment / kSecond), static_cast<long>(moment % kSecond)};
}

void *nextSymbol(const char *name) {
  void *found = nullptr;
  findBehind(reinterpret_cast<const void *>(&nextSymbol), &name, &found, 1);
  return found;
}

} // namespace deadheat::runtime::schedule
