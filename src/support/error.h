// The three kinds of failure have three forms (CONTRIBUTING.md):
//
//   Error            bad input or environment: what is wrong and what to do, returned to the caller
//   DEADHEAT_CHECK   our own bug: always on, in release builds too
//   gaps             lost precision: counted and shown, see model/
#pragma once

#include <expected>
#include <string>
#include <utility>

namespace deadheat {

// Told to the user in one line: "WHAT: HINT".
struct Error {
  std::string what;
  std::string hint;

  std::string text() const { return hint.empty() ? what : what + ": " + hint; }
};

template <typename T> using Expected = std::expected<T, Error>;

inline std::unexpected<Error> fail(std::string what, std::string hint = {}) {
  return std::unexpected(Error{std::move(what), std::move(hint)});
}

[[noreturn]] void checkFailed(const char *condition, const char *file, int line);

} // namespace deadheat

#define DEADHEAT_CHECK(condition)                                                                                      \
  ((condition) ? static_cast<void>(0) : ::deadheat::checkFailed(#condition, __FILE__, __LINE__))
