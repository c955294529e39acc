#include "driver/run_process.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include "driver/process_tree.h"

extern char **environ;

namespace deadheat::driver {
namespace {

constexpr int kPassedOn[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr int kStartFailed = 127;

volatile sig_atomic_t commandPid = 0;
volatile sig_atomic_t reportRequested = 0;
struct sigaction before[std::size(kPassedOn)]; // what each of kPassedOn did, while there is a command

// The terminal sends its signals to the whole process group: the command has them already.
void passOn(int signal, siginfo_t *info, void *) {
  int saved = errno;
  if (signal == SIGUSR1)
    reportRequested = 1;
  else if (info->si_code != SI_KERNEL && commandPid > 0)
    kill(commandPid, signal);
  errno = saved;
}

// A signal that we were started to ignore stays ignored, for us and for the command.
void installHandlers() {
  for (size_t index = 0; index != std::size(kPassedOn); ++index) {
    struct sigaction handler = {};
    sigaction(kPassedOn[index], nullptr, &before[index]);
    if (before[index].sa_handler == SIG_IGN) continue;
    handler.sa_sigaction = passOn;
    handler.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(kPassedOn[index], &handler, nullptr);
  }
}

void removeHandlers() {
  for (size_t index = 0; index != std::size(kPassedOn); ++index) sigaction(kPassedOn[index], &before[index], nullptr);
}

bool hasHandler(pid_t pid, int signal) {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/" + std::to_string(pid) + "/status");
  if (!status) return false;
  uint64_t caught = 0;
  (*status)->getBuffer().split("SigCgt:").second.split('\n').first.trim().getAsInteger(16, caught);
  return (caught >> (signal - 1) & 1) != 0;
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> all;
  for (const std::string &text : texts) all.push_back(const_cast<char *>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

// What the child has to undo before it becomes the command.
struct Inherited {
  sigset_t mask;
  struct sigaction childEnded;
};

[[noreturn]] void become(const std::vector<char *> &command, char **environment, const Inherited &inherited,
                         int report) {
  sigaction(SIGCHLD, &inherited.childEnded, nullptr);
  sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  execvpe(command[0], command.data(), environment);
  int problem = errno;
  (void)!write(report, &problem, sizeof(problem));
  _exit(kStartFailed);
}

} // namespace

std::vector<std::string> environmentWith(const std::string &runtime, const std::string &options) {
  std::vector<std::string> environment;
  std::string preload = "LD_PRELOAD=" + runtime;
  std::string merged = "DEADHEAT_OPTIONS=";
  for (char **entry = environ; *entry; ++entry) {
    llvm::StringRef text(*entry);
    if (text.consume_front("LD_PRELOAD="))
      preload += (text.empty() ? "" : ":") + text.str();
    else if (text.consume_front("DEADHEAT_OPTIONS="))
      merged += text.str() + (text.empty() ? "" : ":");
    else
      environment.push_back(*entry);
  }
  environment.push_back(preload);
  environment.push_back(merged + options); // last, so that ours holds
  return environment;
}

Expected<RunProcess> RunProcess::start(const std::vector<std::string> &command,
                                       const std::vector<std::string> &environment) {
  std::vector<char *> arguments = pointers(command), variables = pointers(environment);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return fail("cannot make a pipe: " + std::string(std::strerror(errno)));

  // Signals wait until there is a command to pass them on to. SIGCHLD must not be ignored, or the ending is lost.
  Inherited inherited;
  sigset_t passed;
  sigemptyset(&passed);
  for (int signal : kPassedOn) sigaddset(&passed, signal);
  sigprocmask(SIG_BLOCK, &passed, &inherited.mask);
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, &inherited.childEnded);

  pid_t pid = fork();
  if (pid == 0) become(arguments, variables.data(), inherited, report[1]);
  int forkProblem = errno;
  commandPid = pid;
  if (pid > 0) installHandlers();
  sigprocmask(SIG_SETMASK, &inherited.mask, nullptr);
  close(report[1]);
  int problem = 0;
  ssize_t told = pid > 0 ? read(report[0], &problem, sizeof(problem)) : 0;
  close(report[0]);
  if (pid < 0) return fail("cannot start a process: " + std::string(std::strerror(forkProblem)));
  if (told != sizeof(problem)) return RunProcess(pid);
  waitpid(pid, nullptr, 0);
  removeHandlers();
  return fail("cannot run '" + command.front() + "': " + std::strerror(problem), "check the command after --");
}

RunProcess::RunProcess(pid_t pid) : pid_(pid), file_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}

RunProcess::RunProcess(RunProcess &&other) noexcept
    : pid_(other.pid_), file_(std::exchange(other.file_, -1)), end_(other.end_), asked_(other.asked_) {}

RunProcess::~RunProcess() {
  if (file_ >= 0) close(file_);
}

void RunProcess::wait(std::chrono::microseconds longest) {
  pollfd ended{.fd = file_, .events = POLLIN, .revents = 0}; // one that is negative is passed over
  const timespec time{.tv_sec = longest.count() / 1'000'000, .tv_nsec = longest.count() % 1'000'000 * 1000};
  ppoll(&ended, 1, &time, nullptr);
}

// What the command started and left becomes a child of ours, and so is found.
void RunProcess::limit(std::chrono::seconds time) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  end_ = Clock::now() + time;
}

void RunProcess::holdToLimit() {
  constexpr auto kGrace = std::chrono::seconds(5);
  if (Clock::now() < end_) return;
  signalDescendants(asked_ ? SIGKILL : SIGTERM);
  asked_ = true;
  end_ = Clock::now() + kGrace;
}

bool RunProcess::takeReportRequest() {
  if (!reportRequested) return false;
  reportRequested = 0;
  if (hasHandler(pid_, SIGUSR1)) kill(pid_, SIGUSR1);
  return true;
}

std::optional<Ending> RunProcess::poll() {
  int status = 0;
  holdToLimit();
  pid_t ended = waitpid(pid_, &status, WNOHANG);
  if (ended != pid_) return std::nullopt;
  commandPid = 0; // the number may soon be another's
  removeHandlers();
  if (WIFSIGNALED(status)) return Ending{.signal = WTERMSIG(status)};
  return Ending{.status = WEXITSTATUS(status)};
}

} // namespace deadheat::driver
