// How the runtime comes to life: a constructor that runs before all others, and a call from the constructors of
// instrumented libraries that arrive later by dlopen.
//
// Claim   A process without DEADHEAT_OPTIONS or without instrumented code pays for one walk over its program headers.
//         Whatever goes wrong, the tables stay inert and the program runs as if alone.
// Misses  Namespaces of dlmopen other than the first; programs of another C library than glibc.

#include <link.h>
#include <linux/fcntl.h>
#include <linux/mman.h>
#include <linux/stat.h>

#include "runtime/context.h"
#include "runtime/hooks.h"
#include "runtime/interpose/next.h"
#include "runtime/interpose/programs.h"
#include "runtime/marks.h"
#include "runtime/meetings.h"
#include "runtime/notes.h"
#include "runtime/objects.h"
#include "runtime/registry.h"
#include "runtime/repeats.h"
#include "runtime/sampler.h"
#include "runtime/shadow.h"
#include "runtime/touched.h"

// Weak: a program that has no such functions must still start.
extern "C" {
__attribute__((weak)) int dl_iterate_phdr(int (*visit)(dl_phdr_info *, size_t, void *), void *state);
__attribute__((weak)) const char *gnu_get_libc_version(void);
}

namespace deadheat::runtime {

constinit Context context = {};

namespace {

// A copy, since programs overwrite their environment to change their title.
char options[abi::kMaxOptions];
bool arenaTried = false;

// All zero where the file cannot be asked.
abi::FileIdentity identify(const char *path) {
  struct statx status;
  if (isError(systemCall(__NR_statx, AT_FDCWD, path, 0, STATX_INO | STATX_MTIME, &status))) return {};
  return {static_cast<U64>(status.stx_dev_major) << 32 | status.stx_dev_minor, status.stx_ino,
          static_cast<U64>(status.stx_mtime.tv_sec) * 1000000000 + status.stx_mtime.tv_nsec};
}

void *mapFile(long file, U64 bytes) {
  const long address = systemCall(__NR_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (isError(address)) return nullptr;
  mappedBytes += bytes;
  return reinterpret_cast<void *>(address);
}

bool isArena(long file) {
  struct statx status;
  return !isError(systemCall(__NR_statx, file, "", AT_EMPTY_PATH, STATX_SIZE, &status)) &&
         status.stx_size == sizeof(abi::Arena);
}

void refuseProcess(abi::ArenaHeader &header) {
  abi::fetchAdd(header.processes, 1u);
  abi::fetchAdd(header.refusedProcesses, 1u);
}

// The whole arena, if there is address space for it, and if it is of this version and still read. The header alone,
// which always finds a place, is enough to tell that there was none.
abi::Arena *mapArena(long file) {
  auto *header = static_cast<abi::ArenaHeader *>(mapFile(file, sizeof(abi::ArenaHeader)));
  if (!header) return nullptr;
  abi::Arena *arena = nullptr;
  if (header->magic == abi::kArenaMagic && header->version == abi::kArenaVersion && !header->closed) {
    arena = static_cast<abi::Arena *>(mapFile(file, sizeof(abi::Arena)));
    if (!arena) refuseProcess(*header);
  }
  systemCall(__NR_munmap, header, sizeof(*header));
  return arena;
}

abi::Arena *openArenaFile(const char *path) {
  const long file = systemCall(__NR_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  if (isError(file)) return nullptr;
  abi::Arena *arena = isArena(file) ? mapArena(file) : nullptr;
  systemCall(__NR_close, file);
  return arena;
}

ProcessPage *mapProcessPage() {
  constexpr long kBytes = (sizeof(ProcessPage) + 4095) / 4096 * 4096;
  const long page = systemCall(__NR_mmap, nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (isError(page)) return nullptr;
  if (isError(systemCall(__NR_madvise, page, kBytes, MADV_WIPEONFORK))) {
    systemCall(__NR_munmap, page, kBytes);
    return nullptr;
  }
  return reinterpret_cast<ProcessPage *>(page);
}

void complainAboutFlag(abi::FlagProblem problem, abi::Slice part) {
  char text[64];
  U64 length = 0;
  for (const char *at = part.begin; at != part.end && length + 1 < sizeof(text); ++at) text[length++] = *at;
  text[length] = 0;
  if (problem == abi::FlagProblem::UnknownKey)
    complain("DEADHEAT_OPTIONS: no option is called '", text, "' (help=1 lists them)");
  else
    complain("DEADHEAT_OPTIONS: '", text, "' has a value it cannot have (help=1 tells which)");
}

void tell(const char *name, const char *sentence) { complain("option ", name, ": ", sentence); }

// With filter=0 each execution is to be told.
bool wantsShadow(const abi::Flags &flags) {
  return flags.shadow && flags.filter && flags.sampler == abi::Sampler::Full;
}

// Once per process, when the first instrumented object is seen.
void openArena() {
  arenaTried = true;
  abi::parseFlags(options, context.flags, complainAboutFlag);
  context.leavesOut = mayLeaveOut(context.flags);
  if (context.flags.help) abi::describeFlags(tell);
  if (context.flags.arena.bytes[0] == 0) return;
  abi::Arena *arena = openArenaFile(context.flags.arena.bytes);
  if (!arena) return;
  systemCall(__NR_madvise, arena, sizeof(*arena), MADV_DONTDUMP);
  context.page = mapProcessPage();
  if (!context.page || !prepareSampler(context)) {
    refuseProcess(arena->header);
    return;
  }
  prepareTouched(context);
  prepareMeetings(context);
  if (wantsShadow(context.flags) && !mapShadow())
    complain("there is no address space for what --full remembers: accesses are told one by one, which is slower");
  openMarks(context.flags.marks.bytes);
  context.arena = arena;
  enterProcess();
}

// Absolute, into `path`; false: it does not fit.
bool pathOf(const char *name, char *path, U64 size) {
  U64 length = 0;
  if (name[0] == 0) {
    const long read = systemCall(__NR_readlink, "/proc/self/exe", path, size - 1);
    length = isError(read) ? 0 : read;
  } else if (name[0] != '/') {
    const long read = systemCall(__NR_getcwd, path, size - 1); // counts its zero
    length = isError(read) ? 0 : read;
    if (length != 0) path[length - 1] = '/';
  }
  for (; *name != 0 && length + 1 < size; ++name) path[length++] = *name;
  path[length] = 0;
  return *name == 0;
}

// The object's ids; a base of 0: it is not followed.
LoadedObject registerImage(const Image &image, const char *name, const NoteSummary &summary) {
  char path[sizeof(abi::ObjectEntry::path)];
  if (!pathOf(name, path, sizeof(path))) {
    abi::fetchAdd(context.arena->header.refusedObjects, 1u);
    return {};
  }
  const abi::ObjectEntry *entry =
      registerObject(*context.arena, {path, identify(path), relativeTo(image.bias, summary.accesses),
                                      relativeTo(image.bias, summary.functions)});
  if (!entry) return {};
  return {{summary.accesses.first, summary.accesses.count(), entry->base},
          {summary.functions.first, summary.functions.count(), entry->functionBase},
          image.bias};
}

void findInert(void *inert, const Image &image, const abi::UnitNote &note) {
  const abi::HookTable *table = tableOf(image, note);
  if (table && !table->active) *static_cast<bool *>(inert) = true;
}

// A unit that was compiled before slots had bytes makes its object one of those.
void findBytes(void *hasBytes, const Image &, const abi::UnitNote &note) {
  if (note.accessCount != 0 && *reinterpret_cast<const U8 *>(target(note.accesses)) == 0)
    *static_cast<bool *>(hasBytes) = false;
}

void fillUnit(void *hasBytes, const Image &image, const abi::UnitNote &note) {
  abi::HookTable *table = tableOf(image, note);
  applyMarks(note);
  if (table && !table->active) fillTable(*table, *static_cast<bool *>(hasBytes));
}

void attach(const Image &image, const char *name, const NoteSummary &summary) {
  if (summary.otherVersions != 0) {
    abi::fetchAdd(context.arena->header.otherVersions, 1u);
    return;
  }
  bool inert = false;
  forEachNote(image, findInert, &inert);
  if (!inert || summary.accesses.count() == 0) return;
  const LoadedObject object = registerImage(image, name, summary);
  if (object.accesses.base == 0 || !addObject(object)) return;
  bool hasBytes = true;
  forEachNote(image, findBytes, &hasBytes);
  forEachNote(image, fillUnit, &hasBytes);
}

int visitObject(dl_phdr_info *info, size_t, void *) {
  const Image image{info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum};
  const NoteSummary summary = summarise(image);
  if (summary.units + summary.otherVersions == 0) return 0;
  if (!arenaTried) openArena();
  if (context.arena) attach(image, info->dlpi_name, summary);
  return context.arena ? 0 : 1;
}

const char *findOptions(char **environment) {
  constexpr char kName[] = "DEADHEAT_OPTIONS=";
  for (; *environment; ++environment) {
    U64 index = 0;
    while (kName[index] != 0 && (*environment)[index] == kName[index]) ++index;
    if (kName[index] == 0) return *environment + index;
  }
  return nullptr;
}

__attribute__((constructor)) void start(int, char **, char **environment) {
  // Only glibc hands the environment to constructors.
  if (!dl_iterate_phdr || !gnu_get_libc_version) return;
  findNextFunctions();
  keepEnvironment(environment);
  const char *given = findOptions(environment);
  if (!given || textLength(given) >= sizeof(options)) return;
  for (U64 index = 0; given[index] != 0; ++index) options[index] = given[index];
  dl_iterate_phdr(visitObject, nullptr);
}

} // namespace

// Whether our thread ids mean to the reader what they mean to us. Where /proc cannot be asked (after chroot), a child
// that knows its parent by the same number is where its parent is.
static bool sharesThreadIds(U64 readersNamespace) {
  const U64 ours = identify("/proc/self/ns/pid").inode;
  if (ours != 0) return ours == readersNamespace;
  return context.pid != 0 && systemCall(__NR_getppid) == context.pid;
}

void enterProcess() {
  abi::ArenaHeader &header = context.arena->header;
  const bool shares = sharesThreadIds(header.pidNamespace);
  context.page->refused = !shares;
  context.pid = shares ? systemCall(__NR_getpid) : 0;
  if (!shares) abi::fetchAdd(header.refusedProcesses, 1u);
  const U64 process = abi::fetchAdd(header.processes, 1u) + 1;
  U64 none = 0;
  __atomic_compare_exchange_n(&context.page->epoch, &none, process << 32 | 1, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
}

// Called by an instrumented library when it is loaded. All objects are looked at again, whatever the library says of
// itself: one that was attached before is known by its table.
extern "C" __attribute__((visibility("default"))) void __deadheat_attach(const void *) {
  if (options[0] != 0) dl_iterate_phdr(visitObject, nullptr);
}

} // namespace deadheat::runtime
