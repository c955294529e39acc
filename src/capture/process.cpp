#include "capture/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/ADT/STLExtras.h"

namespace deadheat::capture {

static constexpr int kStopSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

static std::vector<char *> argumentVector(const std::vector<std::string> &command) {
  std::vector<char *> words;
  for (const std::string &word : command) words.push_back(const_cast<char *>(word.c_str()));
  words.push_back(nullptr);
  return words;
}

static std::unexpected<Error> cannotStart(const std::string &program, int error) {
  return fail("cannot start " + program + ": " + std::strerror(error),
              "install clang 19 or name yours in DEADHEAT_CLANG and DEADHEAT_CLANGXX");
}

std::unexpected<Error> replaceProcess(const std::vector<std::string> &command) {
  std::vector<char *> words = argumentVector(command);
  execvp(words[0], words.data());
  return cannotStart(command.front(), errno);
}

namespace {

// While it lives, stop signals and SIGCHLD wait to be fetched: no handler, no global, no race.
class SignalGate {
public:
  SignalGate() {
    std::signal(SIGCHLD, SIG_DFL); // an inherited SIG_IGN would reap the child behind our back
    sigemptyset(&fetched_);
    sigaddset(&fetched_, SIGCHLD);
    for (int signal : kStopSignals) sigaddset(&fetched_, signal);
    sigprocmask(SIG_BLOCK, &fetched_, &before_);
  }
  ~SignalGate() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalGate(const SignalGate &) = delete;
  SignalGate &operator=(const SignalGate &) = delete;

  siginfo_t fetch() const {
    siginfo_t info{};
    while (sigwaitinfo(&fetched_, &info) < 0 && errno == EINTR) continue;
    return info;
  }
  const sigset_t &before() const { return before_; }

private:
  sigset_t fetched_;
  sigset_t before_;
};

} // namespace

static int spawn(const std::vector<std::string> &command, const Streams &streams, const sigset_t &mask, pid_t &child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  int wanted[] = {streams.input, streams.output, streams.error};
  for (int stream = 0; stream < 3; ++stream)
    if (wanted[stream] != kInherit) posix_spawn_file_actions_adddup2(&actions, wanted[stream], stream);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::vector<char *> words = argumentVector(command);
  int error = posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

Expected<Ending> runChild(const std::vector<std::string> &command, const Streams &streams) {
  SignalGate gate;
  pid_t child = 0;
  if (int error = spawn(command, streams, gate.before(), child)) return cannotStart(command.front(), error);

  Ending ending;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) != child) {
    siginfo_t info = gate.fetch();
    if (info.si_signo == SIGCHLD) continue;
    ending.interrupted = true;
    ending.signal = info.si_signo;
    if (info.si_code != SI_KERNEL) kill(child, info.si_signo); // a terminal has told the child already
  }
  if (WIFSIGNALED(status)) {
    ending.interrupted |= llvm::is_contained(kStopSignals, WTERMSIG(status));
    ending.signal = WTERMSIG(status);
  }
  ending.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return ending;
}

int endLike(const Ending &ending) {
  if (ending.signal == 0) return ending.status;
  std::signal(ending.signal, SIG_DFL);
  raise(ending.signal);
  return 128 + ending.signal; // the signal was blocked or ignored from the start
}

} // namespace deadheat::capture
