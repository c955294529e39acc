// Programs that are started without the environment that Deadheat needs: by `LD_PRELOAD=other ./program`, or by a daemon that
// starts its children with a few variables of its own. An instrumented program gets what was lost back, and a script, as it may start one;
// others get what they were to get.
//
// Misses  execl and its like, fexecve, execveat, and system calls made by hand.

#include <elf.h>
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include "abi/flags.h"
#include "abi/note.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/programs.h"

extern "C" __attribute__((weak)) char **environ;

namespace deadheat::runtime {
namespace {

constexpr U64 kMostPath = 4096;
constexpr char kLibrary[] = "/libdeadheat_runtime.so";
constexpr char kPreload[] = "LD_PRELOAD=";
constexpr char kOptions[] = "DEADHEAT_OPTIONS=";

// What this process was started with, copied: programs overwrite their environment. Empty: nothing is passed on.
char ourLibrary[kMostPath] = "";
char ourOptions[abi::kMaxOptions] = "";

const char *valueOf(const char *entry, const char *name) {
  while (*name != 0 && *entry == *name) ++entry, ++name;
  return *name == 0 ? entry : nullptr;
}

const char *find(char *const *environment, const char *name) {
  for (; environment && *environment; ++environment)
    if (const char *value = valueOf(*environment, name)) return value;
  return nullptr;
}

bool isEnd(char letter) { return letter == 0 || letter == ':' || letter == ' '; }

// Where in a list of LD_PRELOAD the library is; null: it is not there.
const char *ourPart(const char *list) {
  const char *begin = list;
  for (const char *at = list; *at != 0; ++at) {
    if (isEnd(*at)) begin = at + 1;
    const char *end = valueOf(at, kLibrary);
    if (end && isEnd(*end)) return begin;
  }
  return nullptr;
}

bool hasOurs(char *const *environment) {
  const char *list = find(environment, kPreload);
  return list && ourPart(list) && find(environment, kOptions);
}

// --- which files

bool read(long file, void *to, U64 bytes, U64 offset) {
  return systemCall(__NR_pread64, file, to, bytes, offset) == static_cast<long>(bytes);
}

bool isOurNote(const char *at, U64 left) {
  const auto &header = *reinterpret_cast<const Elf64_Nhdr *>(at);
  if (header.n_namesz != sizeof(abi::kNoteName) || left < sizeof(header) + header.n_namesz) return false;
  for (U64 index = 0; index != sizeof(abi::kNoteName); ++index)
    if (at[sizeof(header) + index] != abi::kNoteName[index]) return false;
  return true;
}

U64 roundUp(U64 value, U64 alignment) { return (value + alignment - 1) & ~(alignment - 1); }

// Whether one of the first notes of the segment is ours: those of the compiler and linker, which are few and small, may come before.
bool hasOurNote(long file, const Elf64_Phdr &segment) {
  alignas(8) char notes[1024];
  const U64 alignment = segment.p_align == 8 ? 8 : 4;
  U64 left = segment.p_filesz < sizeof(notes) ? segment.p_filesz : sizeof(notes);
  if (!read(file, notes, left, segment.p_offset)) return false;
  for (const char *at = notes; left >= sizeof(Elf64_Nhdr);) {
    if (isOurNote(at, left)) return true;
    const auto &header = *reinterpret_cast<const Elf64_Nhdr *>(at);
    const U64 size = roundUp(roundUp(sizeof(header) + header.n_namesz, alignment) + header.n_descsz, alignment);
    if (size >= left) return false;
    left -= size;
    at += size;
  }
  return false;
}

bool isFollowed(long file) {
  Elf64_Ehdr header;
  if (read(file, &header, 2, 0) && header.e_ident[0] == '#' && header.e_ident[1] == '!') return true;
  if (!read(file, &header, sizeof(header), 0)) return false;
  if (header.e_ident[0] != ELFMAG0 || header.e_ident[1] != ELFMAG1 || header.e_phentsize != sizeof(Elf64_Phdr))
    return false;
  for (U32 index = 0; index != header.e_phnum; ++index) {
    Elf64_Phdr segment;
    if (!read(file, &segment, sizeof(segment), header.e_phoff + index * sizeof(segment))) return false;
    if (segment.p_type == PT_NOTE && hasOurNote(file, segment)) return true;
  }
  return false;
}

bool isFollowed(const char *path) {
  const long file = systemCall(__NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  if (isError(file)) return false;
  const bool followed = isFollowed(file);
  systemCall(__NR_close, file);
  return followed;
}

// As a shell finds it: the first that can be executed.
bool isFollowedByName(const char *name) {
  for (const char *at = name; *at != 0; ++at)
    if (*at == '/') return isFollowed(name);
  const char *folders = find(environ, "PATH=");
  for (; folders && *folders != 0; folders += *folders == ':') {
    char path[kMostPath];
    U64 length = 0;
    for (; *folders != 0 && *folders != ':'; ++folders)
      if (length + 2 < sizeof(path)) path[length++] = *folders;
    if (length != 0) path[length++] = '/';
    for (const char *part = name; *part != 0 && length + 1 < sizeof(path); ++part) path[length++] = *part;
    path[length] = 0;
    if (!isError(systemCall(__NR_faccessat, AT_FDCWD, path, X_OK))) return isFollowed(path);
  }
  return false;
}

// --- what they get

char *append(char *at, const char *text) {
  while (*text != 0) *at++ = *text++;
  *at = 0;
  return at;
}

// Room for what was lost. It lies on the stack: a child of vfork has no other memory.
struct Rewritten {
  char preload[sizeof(kPreload) + 2 * kMostPath];
  char options[sizeof(kOptions) + abi::kMaxOptions];
};

U64 countOf(char *const *environment) {
  U64 count = 0;
  while (environment && environment[count]) ++count;
  return count;
}

// `to` has room for two more than there are.
void rewrite(char *const *environment, Rewritten &texts, char **to) {
  const char *others = find(environment, kPreload), *options = find(environment, kOptions);
  const bool hasLibrary = others && ourPart(others), hasOthers = others && others[0] && textLength(others) < kMostPath;
  char *end = append(texts.preload, kPreload);
  if (!hasLibrary) end = append(append(end, ourLibrary), hasOthers ? ":" : "");
  if (hasOthers) append(end, others);
  append(append(texts.options, kOptions), options && textLength(options) < sizeof(ourOptions) ? options : ourOptions);
  for (; environment && *environment; ++environment)
    if (!valueOf(*environment, kPreload) && !valueOf(*environment, kOptions)) *to++ = *environment;
  *to++ = texts.preload;
  *to++ = texts.options;
  *to = nullptr;
}

template <typename Followed, typename Start> int startWith(char *const *environment, Followed followed, Start start) {
  if (ourLibrary[0] == 0 || hasOurs(environment) || !followed()) return start(environment);
  Rewritten texts;
  char **const entries = static_cast<char **>(__builtin_alloca((countOf(environment) + 3) * sizeof(char *)));
  rewrite(environment, texts, entries);
  return start(entries);
}

} // namespace

void keepEnvironment(char **environment) {
  const char *list = find(environment, kPreload), *given = find(environment, kOptions);
  const char *library = list ? ourPart(list) : nullptr;
  if (!library || !given || textLength(given) >= sizeof(ourOptions)) return;
  append(ourOptions, given);
  for (U64 length = 0; !isEnd(library[length]) && length + 1 < sizeof(ourLibrary); ++length)
    ourLibrary[length] = library[length];
}

using Texts = char *const *;

INTERPOSE(int, execve, (const char *path, Texts arguments, Texts environment)) {
  return startWith(
      environment, [=] { return isFollowed(path); }, [=](Texts given) { return NEXT(execve)(path, arguments, given); });
}

INTERPOSE(int, execv, (const char *path, Texts arguments)) {
  return startWith(
      environ, [=] { return isFollowed(path); }, [=](Texts given) { return NEXT(execve)(path, arguments, given); });
}

INTERPOSE(int, execvpe, (const char *name, Texts arguments, Texts environment)) {
  return startWith(
      environment, [=] { return isFollowedByName(name); },
      [=](Texts given) { return NEXT(execvpe)(name, arguments, given); });
}

INTERPOSE(int, execvp, (const char *name, Texts arguments)) {
  return startWith(
      environ, [=] { return isFollowedByName(name); },
      [=](Texts given) { return NEXT(execvpe)(name, arguments, given); });
}

#define SPAWN(name, isFollowedHere)                                                                                    \
  INTERPOSE(int, name,                                                                                                 \
            (pid_t * child, const char *program, const posix_spawn_file_actions_t *actions,                            \
             const posix_spawnattr_t *attributes, Texts arguments, Texts environment)) {                               \
    return startWith(                                                                                                  \
        environment, [=] { return isFollowedHere(program); },                                                          \
        [=](Texts given) { return NEXT(name)(child, program, actions, attributes, arguments, given); });               \
  }

SPAWN(posix_spawn, isFollowed)
SPAWN(posix_spawnp, isFollowedByName)

} // namespace deadheat::runtime
