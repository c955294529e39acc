#include "confirm/directed_run.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace deadheat::confirm {
namespace {

constexpr int kStartFailed = 127;
// 2026-01-01: the same in every run, so that a program that looks at the clock sees the same.
constexpr uint64_t kEpochNanoseconds = 1767225600ull * 1000000000ull;

std::unexpected<Error> systemError(const std::string &what) { return fail(what + ": " + std::strerror(errno)); }

class Descriptor {
public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int number() const { return number_; }
  bool good() const { return number_ >= 0; }

private:
  int number_;
};

Descriptor memoryFile(const char *name) { return Descriptor(memfd_create(name, MFD_CLOEXEC)); }

// The control file, mapped by us and by the process that is directed.
class ControlFile {
public:
  static Expected<ControlFile> create(const Direction &direction, uint64_t stepLimit) {
    ControlFile made;
    made.file_ = memoryFile("deadheat-control");
    if (!made.file_.good() || ftruncate(made.file_.number(), sizeof(abi::Control)) != 0)
      return systemError("cannot make a control file");
    void *memory = mmap(nullptr, sizeof(abi::Control), PROT_READ | PROT_WRITE, MAP_SHARED, made.file_.number(), 0);
    if (memory == MAP_FAILED) return systemError("cannot map a control file");
    made.control_ = static_cast<abi::Control *>(memory);
    fill(*made.control_, direction, stepLimit);
    return made;
  }
  ControlFile(ControlFile &&other) noexcept
      : file_(std::move(other.file_)), control_(std::exchange(other.control_, nullptr)) {}
  ~ControlFile() {
    if (control_) munmap(control_, sizeof(abi::Control));
  }

  const abi::Control &operator*() const { return *control_; }
  std::string path() const { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_.number()); }

private:
  ControlFile() = default;

  static void fill(abi::Control &control, const Direction &direction, uint64_t stepLimit) {
    control.magic = abi::kControlMagic;
    control.version = abi::kControlVersion;
    control.strategy = direction.strategy;
    control.seed = direction.seed;
    control.epoch = kEpochNanoseconds;
    control.stepLimit = stepLimit;
    control.depth = direction.depth;
    control.expectedPoints = direction.expectedPoints;
    control.resolve = direction.resolve;
    control.stopBefore = direction.stopBefore;
    control.targetCount = static_cast<uint32_t>(std::min<size_t>(direction.targets.size(), abi::kMaxTargets));
    std::copy_n(direction.targets.begin(), control.targetCount, control.targets);
    control.givenCount = static_cast<uint32_t>(std::min<size_t>(direction.decisions.size(), abi::kMaxDecisions));
    std::copy_n(direction.decisions.begin(), control.givenCount, control.given);
  }

  Descriptor file_;
  abi::Control *control_ = nullptr;
};

std::vector<std::string> withControl(std::vector<std::string> environment, const std::string &control) {
  constexpr char kOptions[] = "DEADHEAT_OPTIONS=";
  for (std::string &entry : environment)
    if (entry.starts_with(kOptions)) {
      entry += (entry.size() > sizeof(kOptions) - 1 ? ":control=" : "control=") + control;
      return environment;
    }
  environment.push_back(kOptions + ("control=" + control));
  return environment;
}

std::vector<char *> pointers(const std::vector<std::string> &texts) {
  std::vector<char *> all;
  for (const std::string &text : texts) all.push_back(const_cast<char *>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

void standAlone(const Launch &launch, int output, int errors) {
  setpgid(0, 0);
  const rlimit noCore{0, 0}, memory{launch.memoryLimit, launch.memoryLimit};
  setrlimit(RLIMIT_CORE, &noCore);
  if (launch.memoryLimit != 0) setrlimit(RLIMIT_AS, &memory);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(errors, 2);
}

// In the child: nothing but system calls until the command takes over.
[[noreturn]] void become(char **command, char **environment, const Launch &launch, int output, int errors, int report) {
  personality(ADDR_NO_RANDOMIZE);
  if (!launch.interactive) standAlone(launch, output, errors);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(command[0], command, environment);
  const int problem = errno;
  (void)!write(report, &problem, sizeof(problem));
  _exit(kStartFailed);
}

std::string contentsOf(const Descriptor &file, size_t limit) {
  std::string text(limit, '\0');
  const ssize_t size = pread(file.number(), text.data(), limit, 0);
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

// False: the limit came first.
bool awaitEnd(pid_t pid, std::chrono::milliseconds limit) {
  Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  pollfd wait{process.number(), POLLIN, 0};
  const auto end = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() < 0) return false;
    const int ready = poll(&wait, 1, static_cast<int>(left.count()) + 1);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return true; // no pidfd here: waitpid will wait
  }
}

void takeControl(const abi::Control &control, Outcome &outcome) {
  outcome.directed = control.owner != 0;
  outcome.deadlock = control.deadlock != 0;
  outcome.points = control.points;
  outcome.steps = control.steps;
  outcome.hits = control.hits;
  outcome.strayed = control.strayed;
  std::copy_n(control.reached, 2, outcome.reached);
  outcome.oneThread = control.sideTask[0] != 0 && control.sideTask[0] == control.sideTask[1] &&
                      control.sideMany[0] + control.sideMany[1] == 0;
  auto copy = [](const auto *from, uint64_t count, uint64_t limit, auto &into) {
    into.assign(from, from + std::min(count, limit));
  };
  copy(control.hitList, control.hits, abi::kMaxHits, outcome.hitList);
  copy(control.decisions, control.recorded, abi::kMaxDecisions, outcome.decisions);
  copy(control.switchList, control.switches, abi::kMaxSwitches, outcome.switches);
  copy(control.tasks, control.taskCount, abi::kMaxTasks, outcome.tasks);
  copy(control.objects, control.objectCount, abi::kMaxControlObjects, outcome.objects);
  outcome.lostDecisions = control.recorded - outcome.decisions.size();
  for (abi::ControlObject &object : outcome.objects) object.path[sizeof(object.path) - 1] = 0;
}

} // namespace

Expected<Outcome> runDirected(const Launch &launch, const Direction &direction) {
  auto control = ControlFile::create(direction, launch.stepLimit);
  if (!control) return std::unexpected(control.error());
  Descriptor output = memoryFile("deadheat-output"), errors = memoryFile("deadheat-errors");
  int report[2];
  if (!output.good() || !errors.good() || pipe2(report, O_CLOEXEC) != 0) return systemError("cannot make a file");
  Descriptor reportRead(report[0]), reportWrite(report[1]);
  std::vector<std::string> environment = withControl(launch.environment, control->path());
  std::vector<char *> arguments = pointers(launch.command), variables = pointers(environment);

  const auto began = std::chrono::steady_clock::now();
  const pid_t pid = fork();
  if (pid < 0) return systemError("cannot start a process");
  if (pid == 0)
    become(arguments.data(), variables.data(), launch, output.number(), errors.number(), reportWrite.number());
  if (!launch.interactive) setpgid(pid, pid);
  reportWrite = Descriptor();

  Outcome outcome;
  int problem = 0, status = 0;
  const bool failed = read(reportRead.number(), &problem, sizeof(problem)) == sizeof(problem);
  outcome.timedOut = !failed && !launch.interactive && !awaitEnd(pid, launch.limit);
  if (outcome.timedOut) kill(-pid, SIGKILL);
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!launch.interactive) kill(-pid, SIGKILL); // what it left behind
  if (failed)
    return fail("cannot run '" + launch.command.front() + "': " + std::strerror(problem), "check the command");
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit = WEXITSTATUS(status);
  takeControl(**control, outcome);
  outcome.output = contentsOf(output, launch.outputLimit);
  outcome.errors = contentsOf(errors, launch.outputLimit);
  return outcome;
}

} // namespace deadheat::confirm
