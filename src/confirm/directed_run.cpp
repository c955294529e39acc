#include "confirm/directed_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
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

// The processor that the fewest of our runs stay on, of those that we may use.
class Processor {
public:
  Processor() {
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
    std::lock_guard hold(mutex());
    for (uint32_t number = 0; number != CPU_SETSIZE; ++number)
      if (CPU_ISSET(number, &allowed) && (!number_ || runs()[number] < runs()[*number_])) number_ = number;
    if (number_) ++runs()[*number_];
  }
  ~Processor() {
    std::lock_guard hold(mutex());
    if (number_) --runs()[*number_];
  }
  Processor(const Processor &) = delete;
  Processor &operator=(const Processor &) = delete;

  // As the control file has it.
  uint32_t number() const { return number_ ? *number_ + 1 : 0; }

private:
  static std::mutex &mutex() {
    static std::mutex one;
    return one;
  }
  static std::array<uint32_t, CPU_SETSIZE> &runs() {
    static std::array<uint32_t, CPU_SETSIZE> all = {};
    return all;
  }

  std::optional<uint32_t> number_;
};

Descriptor memoryFile(const char *name) { return Descriptor(memfd_create(name, MFD_CLOEXEC)); }

// The control file, mapped by us and by the process that is directed.
class ControlFile {
public:
  static Expected<ControlFile> create(const Direction &direction, uint64_t stepLimit, uint32_t processor) {
    ControlFile made;
    made.file_ = memoryFile("deadheat-control");
    if (!made.file_.good() || ftruncate(made.file_.number(), sizeof(abi::Control)) != 0)
      return systemError("cannot make a control file");
    void *memory = mmap(nullptr, sizeof(abi::Control), PROT_READ | PROT_WRITE, MAP_SHARED, made.file_.number(), 0);
    if (memory == MAP_FAILED) return systemError("cannot map a control file");
    made.control_ = static_cast<abi::Control *>(memory);
    fill(*made.control_, direction, stepLimit);
    made.control_->processor = processor;
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
    control.keepCalls =
        (direction.keepCalls ? abi::kKeepLocks : 0) | (direction.keepMemoryCalls ? abi::kKeepMemory : 0);
    control.calm = direction.calm;
    control.hasty = direction.hasty;
    control.lax = direction.lax;
    control.patient = direction.patient;
    control.spinNanoseconds = direction.spinNanoseconds;
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

void standAlone(int output, int errors) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // nobody would end it: who is killed cannot
  setpgid(0, 0);
  const rlimit noCore{0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  dup2(output, 1);
  dup2(errors, 2);
}

// In the child, which borrows our memory (vfork): nothing but system calls until the command takes over.
[[noreturn]] void become(char **command, char **environment, const Launch &launch, int output, int errors, int report) {
  personality(ADDR_NO_RANDOMIZE);
  if (!launch.interactive) standAlone(output, errors);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execvpe(command[0], command, environment);
  const int problem = errno;
  (void)!write(report, &problem, sizeof(problem));
  _exit(kStartFailed);
}

std::string contentsOf(const Descriptor &file, size_t limit) {
  struct stat status;
  if (fstat(file.number(), &status) != 0) return {};
  std::string text(std::min(limit, static_cast<size_t>(status.st_size)), '\0');
  const ssize_t size = pread(file.number(), text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return text;
}

uint64_t residentBytes(pid_t process) {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/" + std::to_string(process) + "/statm") >> all >> resident;
  return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

double secondsOf(const timeval &time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

// One command that runs.
class Process {
public:
  Process(pid_t pid, const Launch &launch, const abi::Control &control)
      : pid_(pid), launch_(launch), control_(control), handle_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))),
        end_(Clock::now() + launch.limit) {}

  // Its status; `outcome` says which limit ended it, if one did.
  int await(Outcome &outcome) {
    while (!endsWithin(slice()))
      if (exceeds(outcome)) break;
    if (outcome.timedOut || outcome.cut || outcome.outOfMemory) finish();
    int status = 0;
    rusage usage = {};
    while (wait4(pid_, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    outcome.processorSeconds = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    return status;
  }

private:
  static constexpr std::chrono::milliseconds kSlice{100}, kGrace{300};

  std::chrono::milliseconds slice() const {
    if (launch_.interactive) return kSlice;
    auto left = std::chrono::ceil<std::chrono::milliseconds>(std::min(end_, launch_.until) - Clock::now());
    return std::clamp(left, std::chrono::milliseconds(0), kSlice);
  }

  bool exceeds(Outcome &outcome) const {
    if (launch_.interactive) return false;
    const auto now = Clock::now();
    outcome.timedOut = now >= end_;
    outcome.cut = !outcome.timedOut && (now >= launch_.until || (launch_.stopped && launch_.stopped()));
    const pid_t directed = static_cast<pid_t>(control_.owner);
    outcome.outOfMemory = launch_.memoryLimit != 0 &&
                          std::max(residentBytes(pid_), directed ? residentBytes(directed) : 0) > launch_.memoryLimit;
    return outcome.timedOut || outcome.cut || outcome.outOfMemory;
  }

  bool endsWithin(std::chrono::milliseconds time) const {
    pollfd wait{handle_.number(), POLLIN, 0};
    const int ready = poll(&wait, 1, static_cast<int>(time.count()));
    return ready > 0 || (ready < 0 && errno != EINTR); // no pidfd here: waitpid will wait
  }

  // A server may have something to say when it is asked to end.
  void finish() const {
    kill(-pid_, SIGTERM);
    endsWithin(kGrace);
    kill(-pid_, SIGKILL);
  }

  pid_t pid_;
  const Launch &launch_;
  const abi::Control &control_;
  Descriptor handle_;
  Clock::time_point end_;
};

void takeControl(const abi::Control &control, Outcome &outcome) {
  outcome.directed = control.owner != 0;
  outcome.fixedLayout = control.fixedLayout != 0;
  outcome.deadlock = control.deadlock != 0;
  outcome.points = control.points;
  outcome.steps = control.steps;
  outcome.heldNanoseconds = control.heldNanoseconds;
  outcome.hits = control.hits;
  outcome.strayed = control.strayed;
  outcome.childThreads = control.childThreads;
  outcome.spinNanoseconds = control.spinNanoseconds;
  std::copy_n(control.reached, 2, outcome.reached);
  outcome.oneThread = control.sideTask[0] != 0 && control.sideTask[0] == control.sideTask[1] &&
                      control.sideMany[0] + control.sideMany[1] == 0;
  auto copy = [](const auto *from, uint64_t count, uint64_t limit, auto &into) {
    into.assign(from, from + std::min(count, limit));
  };
  copy(control.hitList, control.hits, abi::kMaxHits, outcome.hitList);
  copy(control.decisions, control.recorded, abi::kMaxDecisions, outcome.decisions);
  copy(control.switchList, control.switches, abi::kMaxSwitches, outcome.switches);
  if (control.switches > abi::kMaxSwitches) {
    outcome.switchesBefore = control.switches - abi::kMaxSwitches;
    std::ranges::rotate(outcome.switches, outcome.switches.begin() + control.switches % abi::kMaxSwitches);
  }
  copy(control.tasks, control.taskCount, abi::kMaxTasks, outcome.tasks);
  copy(control.objects, control.objectCount, abi::kMaxControlObjects, outcome.objects);
  copy(control.targetCounts, control.targetCount, abi::kMaxTargets, outcome.targetCounts);
  outcome.order = control.order;
  if (control.keepCalls)
    std::ranges::copy_if(control.calls, std::back_inserter(outcome.calls),
                         [](auto &call) { return call.places[0] != 0; });
  if (control.keepCalls & abi::kKeepMemory)
    std::ranges::copy_if(control.memoryCalls, std::back_inserter(outcome.memoryCalls),
                         [](auto &call) { return call.place != 0; });
  outcome.lostDecisions = control.recorded - outcome.decisions.size();
  for (abi::ControlObject &object : outcome.objects) object.path[sizeof(object.path) - 1] = 0;
}

} // namespace

Expected<Outcome> runDirected(const Launch &launch, const Direction &direction) {
  const Processor processor;
  auto control = ControlFile::create(direction, launch.stepLimit, launch.interactive ? 0 : processor.number());
  if (!control) return std::unexpected(control.error());
  Descriptor output = memoryFile("deadheat-output"), errors = memoryFile("deadheat-errors");
  int report[2];
  if (!output.good() || !errors.good() || pipe2(report, O_CLOEXEC) != 0) return systemError("cannot make a file");
  Descriptor reportRead(report[0]), reportWrite(report[1]);
  std::vector<std::string> environment = withControl(launch.environment, control->path());
  std::vector<char *> arguments = pointers(launch.command), variables = pointers(environment);

  const auto began = Clock::now();
  const pid_t pid = vfork();
  if (pid < 0) return systemError("cannot start a process");
  if (pid == 0)
    become(arguments.data(), variables.data(), launch, output.number(), errors.number(), reportWrite.number());
  if (!launch.interactive) setpgid(pid, pid);
  reportWrite = Descriptor();

  Outcome outcome;
  int problem = 0;
  const bool failed = read(reportRead.number(), &problem, sizeof(problem)) == sizeof(problem);
  const int status = Process(pid, launch, **control).await(outcome);
  if (!launch.interactive) kill(-pid, SIGKILL); // what it left behind
  if (failed)
    return fail("cannot run '" + launch.command.front() + "': " + std::strerror(problem), "check the command");
  outcome.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  if (WIFEXITED(status)) outcome.exit = WEXITSTATUS(status);
  takeControl(**control, outcome);
  outcome.output = contentsOf(output, launch.outputLimit);
  outcome.errors = contentsOf(errors, launch.outputLimit);
  return outcome;
}

} // namespace deadheat::confirm
