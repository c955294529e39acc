#include "capture/execute.h"

#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

#include "llvm/Support/raw_ostream.h"

#include "capture/process.h"

namespace deadheat::capture {

namespace {

// A file without a name, empty at first.
class Spool {
public:
  explicit Spool(const char *name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {}
  ~Spool() { close(descriptor_); }
  Spool(const Spool &) = delete;
  Spool &operator=(const Spool &) = delete;

  bool open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  void rewind() const { lseek(descriptor_, 0, SEEK_SET); }
  void drainFrom(int source) const { pump(source, descriptor_); }
  void copyTo(int target) const {
    rewind();
    pump(descriptor_, target);
  }

private:
  static void pump(int source, int target) {
    char buffer[1 << 16];
    for (ssize_t got; (got = read(source, buffer, sizeof buffer)) > 0;)
      for (ssize_t done = 0, wrote; done < got; done += wrote)
        if ((wrote = write(target, buffer + done, got - done)) <= 0) return;
  }

  int descriptor_;
};

} // namespace

static void tell(const std::string &note) {
  if (!note.empty()) llvm::errs() << "deadheat: note: " << note << '\n';
}

static bool passesUnseen(const std::vector<std::string> &command, const Spool &input) {
  Spool output("output"), errors("errors");
  if (!output.open() || !errors.open()) return false;
  input.rewind();
  Expected<Ending> ending = runChild(command, {input.descriptor(), output.descriptor(), errors.descriptor()});
  return ending && ending->passed();
}

// The fallback has said all there is to say of the source, and has written the outputs.
static void addModel(const Plan &plan, const Spool &input) {
  setenv("DEADHEAT_MODE", "extract", /*overwrite=*/1);
  if (passesUnseen(plan.modelOnly, input)) return tell(plan.modelOnlyNote);
  passesUnseen(plan.fallback, input); // whose outputs are gone
  tell(plan.failureNote);
}

static Expected<int> runWithoutPlugin(const Plan &plan, const Streams &streams, const Spool &input) {
  Expected<Ending> ending = runChild(plan.fallback, streams);
  if (!ending) return std::unexpected(ending.error());
  if (!ending->passed()) return endLike(*ending);
  if (plan.modelOnly.empty())
    tell(plan.failureNote);
  else
    addModel(plan, input);
  return endLike(*ending);
}

static Expected<int> runWithPlugin(const Plan &plan) {
  Spool input("input"), output("output"), errors("errors");
  if (!output.open() || !errors.open() || !input.open()) return replaceProcess(plan.fallback);
  Streams streams{kInherit, output.descriptor(), errors.descriptor()};
  if (plan.spoolsInput) {
    input.drainFrom(STDIN_FILENO);
    input.rewind();
    streams.input = input.descriptor();
  }

  Expected<Ending> ending = runChild(plan.command, streams);
  if (!ending) return std::unexpected(ending.error());
  if (!ending->passed() && !ending->interrupted) {
    input.rewind();
    return runWithoutPlugin(plan, {streams.input, kInherit, kInherit}, input);
  }
  output.copyTo(STDOUT_FILENO);
  errors.copyTo(STDERR_FILENO);
  return endLike(*ending);
}

Expected<int> execute(const Plan &plan) {
  for (const std::string &note : plan.notes) tell(note);
  for (const auto &[name, value] : plan.variables) setenv(name.c_str(), value.c_str(), /*overwrite=*/1);
  if (plan.fallback.empty()) return replaceProcess(plan.command);
  return runWithPlugin(plan);
}

} // namespace deadheat::capture
