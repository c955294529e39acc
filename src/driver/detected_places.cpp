#include "driver/detected_places.h"

#include <algorithm>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "driver/call_path.h"
#include "driver/source_path.h"
#include "finding/site_key.h"
#include "model/calls.h"
#include "model/late_sites.h"
#include "model/names.h"

namespace deadheat::driver {
namespace {

using detect::StackFrame;
using finding::Frame;
using finding::Place;

constexpr std::string_view kSyncNames[] = {"mutex", "rwlock",     "spin",  "semaphore", "condition", "barrier",
                                           "once",  "descriptor", "futex", "thread",    "user",      "state"};
static_assert(std::size(kSyncNames) == static_cast<size_t>(abi::SyncKind::State) + 1);

constexpr char kUnknownEntry[] = "thread";

std::string_view syncName(abi::SyncKind kind) { return kSyncNames[static_cast<size_t>(kind)]; }

bool isUsers(const Frame &frame) { return frame.place.known() && !isLibraryFile(frame.place.file); }

// The innermost frame in the user's own files; else the innermost that is known at all.
const Frame *shownFrame(const std::vector<Frame> &frames) {
  auto users = std::ranges::find_if(frames, isUsers);
  if (users != frames.end()) return &*users;
  auto known = std::ranges::find_if(frames, [](const Frame &frame) { return frame.place.known(); });
  return known == frames.end() ? nullptr : &*known;
}

// The told body of a function is a function of its own to the linker.
std::string sourceName(llvm::StringRef name) {
  if (!name.consume_back(" (.told)")) name.consume_back(".told");
  return name.str();
}

using Field = std::pair<std::string_view, std::string_view>; // type, name

Field fieldOf(const model::Unit &unit, const model::Site &site) {
  return {unit.strings[site.type], unit.strings[site.field]};
}

// Of an access that may be one of several.
std::set<Field> fieldsOf(const LatePlace &place) {
  std::set<Field> fields;
  if (!place.unit) return fields;
  const model::LateAccess &late = place.unit->late[place.late];
  for (uint32_t i = late.first; i < late.first + late.count; ++i)
    fields.insert(fieldOf(*place.unit, place.unit->sites[place.unit->lateSites[i]]));
  return fields;
}

// The site that a late access is shown as: one that may be the memory that `others` are, in the user's files.
model::SiteId chooseSite(const model::Unit &unit, const model::LateAccess &late, const std::set<Field> &others,
                         DetectedPlaces::Show show) {
  model::SiteId chosen;
  int best = -1;
  for (model::SiteId id : model::sitesOf(unit, late)) {
    if (model::isCarried(unit, late, id) != (show == DetectedPlaces::Show::CarriedRead)) continue;
    const model::Site &site = unit.sites[id];
    int fit = 2 * !isLibraryFile(unit.strings[site.file]) + others.contains(fieldOf(unit, site));
    if (fit <= best) continue;
    best = fit;
    chosen = id;
  }
  return chosen;
}

// As the compiler tells it. False: it does not, or calls pass through functions that the model does not have.
bool addInlinedAt(const model::Unit &unit, model::LateId late, std::vector<Frame> &stack) {
  uint32_t at = unit.lateInlined.empty() ? 0 : unit.lateInlined[late.value()];
  std::vector<Frame> frames;
  for (uint32_t next = at; next != 0; next = unit.inlinedCalls[next - 1].outer) {
    const model::InlinedCall &call = unit.inlinedCalls[next - 1];
    if (!call.caller.valid()) return false;
    const model::Function &caller = unit.functions[call.caller];
    frames.push_back({std::string(unit.strings[caller.display]),
                      {shownPath(unit.strings[caller.file], unit.directory), call.line, call.column}});
  }
  std::ranges::move(frames, std::back_inserter(stack));
  return at != 0;
}

// The frames of the functions that were inlined between the access and the function that it was compiled into.
void addInlined(const model::Unit &unit, model::LateId late, model::FunctionId inner, std::vector<Frame> &stack) {
  if (addInlinedAt(unit, late, stack)) return;
  for (const CallStep &step : callPath(unit, unit.late[late].function, inner)) {
    const model::Call &call = unit.calls[step.call];
    stack.push_back({std::string(unit.strings[unit.functions[step.caller].display]),
                     {shownPath(unit.strings[call.file], unit.directory), call.line, call.column}});
  }
}

// The access that the model has for a call of the library, if that is one.
model::SiteId siteOfCall(const model::Unit &unit, const Place &place, model::AccessKind kind) {
  model::SiteId found;
  for (uint32_t index = 0; index != unit.sites.size(); ++index) {
    const model::Site &site = unit.sites[model::SiteId(index)];
    const bool isColumn = place.column == 0 || site.column == place.column;
    if (site.kind != kind || site.line != place.line || !isColumn ||
        shownPath(unit.strings[site.file], unit.directory) != place.file)
      continue;
    if (found.valid()) return {};
    found = model::SiteId(index);
  }
  return found;
}

struct Called {
  const model::Function *function = nullptr; // that calls
  const model::Call *call = nullptr;
};

// The call that stands at the place of the frame in its function, if that tells an object.
Called callAt(const model::Unit &unit, const Frame &shown) {
  Called found;
  for (const model::Function &function : unit.functions) {
    if (found.call || unit.strings[function.display] != shown.function) continue;
    model::forEachCall(unit, function, [&](model::CallId id) {
      const model::Call &call = unit.calls[id];
      if (call.line == shown.place.line && call.column == shown.place.column && !model::objectOf(unit, call).empty())
        found = {&function, &call};
    });
  }
  return found;
}

} // namespace

DetectedPlaces::DetectedPlaces(const detect::Detection &detection, const RunCode &code, symbol::LineReader &lines)
    : detection_(detection), code_(code), lines_(lines) {
  for (const auto &[base, bias] : detection.loads) byBias_[bias] = base;
}

// The object with the greatest bias below the address: where that is another library's address, the object has no lines
// for it.
std::pair<std::string, uint64_t> DetectedPlaces::object(uint64_t address) const {
  auto after = byBias_.upper_bound(address);
  if (after == byBias_.begin()) return {};
  auto [bias, base] = *std::prev(after);
  return {code_.path(base), address - bias};
}

// A return address is behind its call.
DetectedPlaces::Frames DetectedPlaces::framesAt(uint64_t returnAddress) {
  auto [path, address] = object(returnAddress);
  if (path.empty() || address == 0) return {};
  Frames frames;
  for (symbol::SourceFrame &frame : lines_.frames(path, address - 1))
    frames.push_back({sourceName(frame.function), {shownPath(frame.file, "/"), frame.line, frame.column}});
  return frames;
}

Frame DetectedPlaces::functionFrame(uint64_t id) const {
  FunctionPlace place = code_.function(id);
  if (!place.unit) return {};
  const model::Function &function = place.unit->functions[place.function];
  return {std::string(place.unit->strings[function.display]),
          {shownPath(place.unit->strings[function.file], place.unit->directory), function.line, 0}};
}

Frame DetectedPlaces::siteFrame(const model::Unit &unit, model::SiteId id) const {
  const model::Site &site = unit.sites[id];
  return {std::string(unit.strings[unit.functions[site.function].display]),
          {shownPath(unit.strings[site.file], unit.directory), site.line, site.column}};
}

// Where the frames from `first` on were called, innermost first. A call whose line is not known is shown as its function. What is said to
// have called main has returned: it made a variable before.
DetectedPlaces::Frames DetectedPlaces::callers(const std::vector<StackFrame> &stack, size_t first) {
  Frames all;
  for (size_t index = first; index < stack.size(); ++index) {
    if (functionFrame(stack[index].function).function == "main") break;
    Frames frames = framesAt(stack[index].place);
    if (frames.empty() && index + 1 < stack.size() && stack[index + 1].function != StackFrame::kNoFunction)
      frames.push_back(functionFrame(stack[index + 1].function));
    std::ranges::move(frames, std::back_inserter(all));
  }
  return all;
}

bool DetectedPlaces::carriesRead(const detect::RaceSide &side) const {
  if ((side.access & detect::kCallBit) != 0) return false;
  LatePlace place = code_.access(side.access);
  return place.unit && model::readsToo(*place.unit, place.unit->late[place.late]);
}

void DetectedPlaces::describeAccess(const detect::RaceSide &side, const detect::RaceSide &other, Show show,
                                    finding::Access &access) {
  LatePlace place = code_.access(side.access);
  if (!place.unit) return;
  const model::Unit &unit = *place.unit;
  const model::LateAccess &late = unit.late[place.late];
  access.access = model::name(late.kind);
  const bool isOtherCall = (other.access & detect::kCallBit) != 0;
  const std::set<Field> fields = isOtherCall ? std::set<Field>() : fieldsOf(code_.access(other.access));
  model::SiteId site = chooseSite(unit, late, fields, show);
  const model::Function &compiledInto = unit.functions[late.function];
  if (site.valid()) {
    access.stack.push_back(siteFrame(unit, site));
    access.access = model::name(unit.sites[site].kind);
    access.path = unit.strings[unit.sites[site].path];
    access.site = finding::siteKey(unit, site);
    access.spot = finding::spotKey(unit, site);
  }
  if (site.valid()) addInlined(unit, place.late, unit.sites[site].function, access.stack);
  Frame outer{std::string(unit.strings[compiledInto.display]),
              {shownPath(unit.strings[compiledInto.file], unit.directory), compiledInto.line, 0}};
  if (access.stack.empty() || access.stack.back().function != outer.function) access.stack.push_back(outer);
  // Frames inside that of the function have returned.
  std::vector<StackFrame> stack = detection_.stacks.frames(detection_.places[side.where].stack);
  auto own = std::ranges::find_if(stack, [&](const StackFrame &frame) {
    FunctionPlace function = code_.function(frame.function);
    return function.unit == place.unit && function.function == late.function;
  });
  size_t first = own == stack.end() ? 0 : own - stack.begin();
  std::ranges::move(callers(stack, first), std::back_inserter(access.stack));
}

void DetectedPlaces::describeCall(const detect::RaceSide &side, finding::Access &access) {
  const detect::CallPlace &call = detection_.calls[side.access & ~detect::kCallBit];
  access.access = call.frees ? "free" : call.write ? "range write" : "range read";
  access.stack = framesAt(call.place);
  std::vector<StackFrame> stack = detection_.stacks.frames(detection_.places[side.where].stack);
  if (!access.stack.empty() && !stack.empty() && !call.frees) nameCall(stack.front(), access);
  if (access.stack.empty() && !stack.empty()) access.stack.push_back(functionFrame(stack.front().function));
  std::ranges::move(callers(stack, 0), std::back_inserter(access.stack));
}

// As the model has it, so that the finding is the one that others know.
void DetectedPlaces::nameCall(const StackFrame &caller, finding::Access &access) {
  const model::Unit *unit = code_.function(caller.function).unit;
  if (!unit) return;
  const auto kind = access.access == "range write" ? model::AccessKind::RangeWrite : model::AccessKind::RangeRead;
  const model::SiteId site = siteOfCall(*unit, access.stack.front().place, kind);
  if (!site.valid()) return;
  access.path = unit->strings[unit->sites[site].path];
  access.site = finding::siteKey(*unit, site);
  access.spot = finding::spotKey(*unit, site);
}

// Library code is shown as an access of the object that the user's line gave to it, as the model has it.
void DetectedPlaces::nameObject(const Frame &shown, detect::StackId stack, finding::Access &access) {
  access.spot.clear();
  for (const StackFrame &frame : detection_.stacks.frames(stack)) {
    const model::Unit *unit = code_.function(frame.function).unit;
    const auto [function, call] = unit ? callAt(*unit, shown) : Called();
    if (!call) continue;
    access.path = model::objectOf(*unit, *call);
    access.spot = finding::spotKey(*unit, *function, *call);
    return;
  }
}

// std::thread begins in the library: then the thread is called by the outermost function of the user's.
void DetectedPlaces::nameThread(trace::ThreadNumber number, const Frames &stack) {
  if (thread(number).entry != kUnknownEntry) return;
  for (const Frame &frame : llvm::reverse(stack))
    if (isUsers(frame)) {
      threads_[number].entry = frame.function;
      return;
    }
}

void DetectedPlaces::describeThread(detect::StackId stack, finding::Access &access) {
  trace::ThreadNumber number = detection_.stacks.threadOf(stack);
  nameThread(number, access.stack);
  finding::ProgramThread facts = thread(number);
  access.thread = facts.entry;
  access.threadMany = facts.many;
  access.createdAt = facts.createdAt;
}

finding::Access DetectedPlaces::side(const detect::RaceSide &side, const detect::RaceSide &other, Show show) {
  finding::Access access;
  const detect::Where &where = detection_.places[side.where];
  if ((side.access & detect::kCallBit) != 0)
    describeCall(side, access);
  else
    describeAccess(side, other, show, access);
  if (const Frame *frame = shownFrame(access.stack)) {
    access.place = frame->place;
    access.function = frame->function;
    if (frame != &access.stack.front()) nameObject(*frame, where.stack, access);
  }
  if (access.site.empty()) access.site = finding::siteKey(access.place.file, access.function, access.access, "", 1);
  describeThread(where.stack, access);
  for (const detect::HeldLock &held : detection_.lockSets[where.locks])
    access.locks.push_back(lockName(held.lock) + (held.shared ? " (shared)" : ""));
  return access;
}

finding::CycleEdge DetectedPlaces::edge(const detect::LockEdge &edge) {
  finding::CycleEdge result;
  result.holds = lockName(edge.holds);
  result.wants = lockName(edge.wants);
  result.trace = framesAt(edge.place);
  std::vector<StackFrame> stack = detection_.stacks.frames(edge.stack);
  if (result.trace.empty() && !stack.empty()) result.trace.push_back(functionFrame(stack.front().function));
  std::ranges::move(callers(stack, 0), std::back_inserter(result.trace));
  if (const Frame *frame = shownFrame(result.trace)) {
    result.place = frame->place;
    result.function = frame->function;
  }
  if (const Frames held = framesAt(edge.heldPlace); const Frame *frame = shownFrame(held))
    result.heldSince = frame->place;
  result.site = finding::siteKey(result.place.file, result.function, "lock", result.wants, 1);
  nameThread(edge.thread, result.trace);
  finding::ProgramThread facts = thread(edge.thread);
  result.thread = facts.entry;
  result.threadMany = facts.many;
  result.createdAt = facts.createdAt;
  return result;
}

Place DetectedPlaces::allocation(uint64_t address) {
  auto block = detection_.objects.find(address);
  if (block == detection_.objects.end()) return {};
  Frames frames = framesAt(block->second.place);
  std::vector<StackFrame> stack = detection_.stacks.frames(block->second.stack);
  std::ranges::move(callers(stack, 0), std::back_inserter(frames));
  const Frame *frame = shownFrame(frames);
  return frame ? frame->place : Place();
}

bool DetectedPlaces::isVariable(uint64_t address) {
  auto [path, inFile] = object(address);
  return !path.empty() && !lines_.variable(path, inFile).empty();
}

// A variable has a name; a lock on the heap or a stack is told by its kind only, as addresses differ from run to run.
std::string DetectedPlaces::lockName(detect::LockId id) {
  const detect::Lock &lock = detection_.locks[id];
  auto [path, address] = object(lock.address);
  std::string name = path.empty() ? std::string() : lines_.variable(path, address);
  return name.empty() ? std::string(syncName(lock.kind)) : name;
}

// --- threads

std::string DetectedPlaces::entryOf(const detect::ThreadFacts &facts) {
  if (!facts.parent.valid()) return "main";
  auto [path, address] = object(facts.entry);
  std::vector<symbol::SourceFrame> frames;
  if (!path.empty()) frames = lines_.frames(path, address);
  return frames.empty() ? kUnknownEntry : frames.back().function;
}

finding::ProgramThread DetectedPlaces::thread(trace::ThreadNumber number) {
  if (threads_.empty())
    for (const auto &[other, facts] : detection_.threads) {
      finding::ProgramThread &row = threads_[other];
      row.entry = entryOf(facts);
      if (!facts.parent.valid()) continue;
      Frames frames = framesAt(facts.createdAt);
      std::vector<StackFrame> stack = detection_.stacks.frames(facts.createdIn);
      if (frames.empty() && !stack.empty()) frames.push_back(functionFrame(stack.front().function));
      std::ranges::move(callers(stack, 0), std::back_inserter(frames));
      if (const Frame *frame = shownFrame(frames)) row.createdAt = frame->place;
    }
  finding::ProgramThread &row = threads_[number];
  auto same = [&](const auto &other) {
    return other.second.entry == row.entry && other.second.createdAt == row.createdAt;
  };
  row.many = std::ranges::count_if(threads_, same) > 1;
  return row;
}

bool DetectedPlaces::hasTwin(trace::ThreadNumber number) {
  const Place created = thread(number).createdAt;
  const detect::ThreadFacts &facts = detection_.threads.at(number);
  auto isTwin = [&](const auto &other) {
    const detect::ThreadFacts &theirs = other.second;
    if (theirs.number == number || !theirs.parent.valid() || theirs.entry != facts.entry) return false;
    return created.known() ? thread(theirs.number).createdAt == created : theirs.createdAt == facts.createdAt;
  };
  return facts.parent.valid() && std::ranges::any_of(detection_.threads, isTwin);
}

std::vector<finding::ProgramThread> DetectedPlaces::threads() {
  std::vector<finding::ProgramThread> all;
  for (const auto &[number, facts] : detection_.threads) {
    finding::ProgramThread row = thread(number);
    if (std::ranges::find(all, row) == all.end()) all.push_back(row);
  }
  return all;
}

std::vector<finding::ProgramLock> DetectedPlaces::locks() {
  std::set<std::pair<std::string, std::string>> names;
  for (uint32_t index = 0; index != detection_.locks.size(); ++index) {
    detect::LockId lock(index);
    names.emplace(lockName(lock), syncName(detection_.locks[lock].kind));
  }
  std::vector<finding::ProgramLock> all;
  for (const auto &[name, kind] : names) all.push_back({name, kind});
  return all;
}

} // namespace deadheat::driver
