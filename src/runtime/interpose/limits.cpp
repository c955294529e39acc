// Limits that a program sets to its own memory (RLIMIT_AS, RLIMIT_DATA): they are meant for what the program maps, so what the
// runtime has mapped comes on top. When asked, the program's own figure is named.
//
// Misses  A program that is started later with such a limit sees the larger one.

#include <sys/resource.h>
#include <sys/types.h>

#include "runtime/interpose/interpose.h"

namespace deadheat::runtime {
namespace {

using Limit = struct rlimit;

struct Raised {
  Limit asked, given; // equal: nothing was raised
};

Raised ofSpace = {}, ofData = {};

constexpr rlim_t kForLater = rlim_t(1) << 30; // what threads to come need

Raised *raisedOf(int resource) {
  if (!isAttached()) return nullptr;
  return resource == RLIMIT_AS ? &ofSpace : resource == RLIMIT_DATA ? &ofData : nullptr;
}

rlim_t least(rlim_t left, rlim_t right) { return left < right ? left : right; } // no limit is the greatest

rlim_t raised(rlim_t asked, rlim_t most) {
  const rlim_t more = mappedBytes + kForLater;
  if (asked >= RLIM_INFINITY - more) return asked;
  return asked > most ? asked : least(asked + more, most);
}

// Whoever may not raise the greatest limit that there can be is not asked to.
template <typename Set> int setRaised(Raised &before, const Limit &asked, const Limit &now, Set set) {
  Limit given = asked;
  given.rlim_max = raised(asked.rlim_max, now.rlim_max);
  given.rlim_cur = raised(asked.rlim_cur, given.rlim_max);
  const int result = set(given);
  if (result == 0) before = {asked, given};
  return result;
}

void nameAsked(const Raised *raised, Limit *limit) {
  if (raised && limit->rlim_cur == raised->given.rlim_cur && limit->rlim_max == raised->given.rlim_max)
    *limit = raised->asked;
}

bool isOurs(pid_t process) { return process == 0 || process == systemCall(__NR_getpid); }

} // namespace

// On x86-64 the two kinds of limits are one.
static_assert(sizeof(struct rlimit64) == sizeof(Limit) && RLIM64_INFINITY == RLIM_INFINITY);

#define SET_LIMIT(name)                                                                                                \
  INTERPOSE(int, name, (int resource, const Limit *limit)) {                                                           \
    const auto next = reinterpret_cast<int (*)(int, const Limit *)>(nextFunction(Symbol::name));                       \
    Limit now;                                                                                                         \
    Raised *const before = limit ? raisedOf(resource) : nullptr;                                                       \
    if (!before || isError(systemCall(__NR_getrlimit, resource, &now))) return next(resource, limit);                  \
    return setRaised(*before, *limit, now, [&](const Limit &given) { return next(resource, &given); });                \
  }

#define GET_LIMIT(name)                                                                                                \
  INTERPOSE(int, name, (int resource, Limit *limit)) {                                                                 \
    const int result = reinterpret_cast<int (*)(int, Limit *)>(nextFunction(Symbol::name))(resource, limit);           \
    if (result == 0) nameAsked(raisedOf(resource), limit);                                                             \
    return result;                                                                                                     \
  }

#define PROCESS_LIMIT(name)                                                                                            \
  INTERPOSE(int, name, (pid_t process, int resource, const Limit *limit, Limit *old)) {                                \
    using Next = int (*)(pid_t, int, const Limit *, Limit *);                                                          \
    const auto next = reinterpret_cast<Next>(nextFunction(Symbol::name));                                              \
    Limit now;                                                                                                         \
    Raised *const before = isOurs(process) ? raisedOf(resource) : nullptr;                                             \
    if (!before || isError(systemCall(__NR_getrlimit, resource, &now))) return next(process, resource, limit, old);    \
    const Raised was = *before;                                                                                        \
    const auto set = [&](const Limit &given) { return next(process, resource, &given, old); };                         \
    const int result = limit ? setRaised(*before, *limit, now, set) : next(process, resource, limit, old);             \
    if (result == 0 && old) nameAsked(&was, old);                                                                      \
    return result;                                                                                                     \
  }

SET_LIMIT(setrlimit)
SET_LIMIT(setrlimit64)
GET_LIMIT(getrlimit)
GET_LIMIT(getrlimit64)
PROCESS_LIMIT(prlimit)
PROCESS_LIMIT(prlimit64)

} // namespace deadheat::runtime
