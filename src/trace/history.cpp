#include "trace/history.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace deadheat::trace {
namespace {

using abi::EventKind;
using abi::SyncKind;
using llvm::StringRef;
using Form = AccessShape::Form;
using Words = llvm::SmallVector<StringRef, 6>;

constexpr uint64_t kFirstAddress = 0x10000;
constexpr uint64_t kSpacing = 0x1000;
constexpr uint64_t kDefaultBytes = 4;

constexpr StringRef kOrders[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
constexpr std::pair<StringRef, SyncKind> kSyncs[] = {{"semaphore", SyncKind::Semaphore},
                                                     {"condition", SyncKind::Condition},
                                                     {"barrier", SyncKind::Barrier},
                                                     {"once", SyncKind::Once},
                                                     {"descriptor", SyncKind::Descriptor},
                                                     {"futex", SyncKind::Futex},
                                                     {"user", SyncKind::User}};

class Parser {
public:
  std::optional<std::string> line(StringRef text, uint32_t number);
  History take() { return std::move(history_); }

private:
  struct Verb;
  using Read = bool (Parser::*)(const Verb &verb);
  // What a verb makes, as far as it is known by its name.
  struct Verb {
    StringRef name;
    Read read;
    size_t operands; // at least
    Form form = Form::Unknown;
    EventKind kind = EventKind::Gap;
    SyncKind sync = SyncKind::Mutex;
    uint8_t flags = 0;
  };
  static const Verb kVerbs[];

  bool access(const Verb &verb);
  bool range(const Verb &verb);
  bool call(const Verb &verb);
  bool atomic(const Verb &verb);
  bool fence(const Verb &verb);
  bool block(const Verb &verb);
  bool lock(const Verb &verb);
  bool wanted(const Verb &verb);
  bool signal(const Verb &verb);
  bool thread(const Verb &verb);
  bool enter(const Verb &verb);
  bool benign(const Verb &verb);
  bool number(const Verb &verb);

  bool expectation(StringRef text);
  bool pair(const Words &words, std::set<LabelPair> &into);
  std::optional<uint64_t> address(StringRef text);
  std::optional<uint64_t> stamp(uint64_t address) { return ++stamps_[abi::stampCounter(address)]; }
  uint32_t makeAccess(Form form, uint64_t bytes, bool counts = false);
  void tell(EventKind kind, uint64_t payload, std::initializer_list<uint64_t> more = {}) {
    appendEvent(told_, kind, payload, more);
  }

  History history_;
  std::map<std::string, uint64_t> addresses_;
  std::map<uint32_t, uint64_t> stamps_;
  Words operands_;
  WordList told_;
  uint32_t number_ = 0;
  ThreadNumber thread_;
};

const Parser::Verb Parser::kVerbs[] = {
    {"read", &Parser::access, 1, Form::Read},
    {"write", &Parser::access, 1, Form::Write},
    {"update", &Parser::access, 1, Form::Update},
    {"count", &Parser::access, 1, Form::Update, EventKind::Gap, SyncKind::Mutex, 1},
    {"read_range", &Parser::range, 2, Form::Read},
    {"write_range", &Parser::range, 2, Form::Write},
    {"read_call", &Parser::call, 2, Form::Read},
    {"write_call", &Parser::call, 2, Form::Write},
    {"load", &Parser::atomic, 2, Form::AtomicRead},
    {"store", &Parser::atomic, 2, Form::AtomicWrite},
    {"rmw", &Parser::atomic, 2, Form::AtomicUpdate},
    {"cas", &Parser::atomic, 2, Form::AtomicUpdate},
    {"failed_cas", &Parser::atomic, 2, Form::AtomicUpdate, EventKind::Atomic, SyncKind::Mutex, 1},
    {"fence", &Parser::fence, 1},
    {"alloc", &Parser::block, 1, Form::Unknown, EventKind::Allocate},
    {"free", &Parser::block, 1, Form::Unknown, EventKind::Free},
    {"lock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire},
    {"trylock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire, SyncKind::Mutex, abi::kTried},
    {"unlock", &Parser::lock, 1, Form::Unknown, EventKind::Release},
    {"relock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire, SyncKind::Mutex, abi::kRecursive},
    {"reunlock", &Parser::lock, 1, Form::Unknown, EventKind::Release, SyncKind::Mutex, abi::kRecursive},
    {"rdlock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire, SyncKind::RwLock, abi::kShared},
    {"tryrdlock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire, SyncKind::RwLock, abi::kShared | abi::kTried},
    {"wrlock", &Parser::lock, 1, Form::Unknown, EventKind::Acquire, SyncKind::RwLock},
    {"rdunlock", &Parser::lock, 1, Form::Unknown, EventKind::Release, SyncKind::RwLock, abi::kShared},
    {"wrunlock", &Parser::lock, 1, Form::Unknown, EventKind::Release, SyncKind::RwLock, abi::kWriter},
    {"want", &Parser::wanted, 1, Form::Unknown, EventKind::Want},
    {"signal", &Parser::signal, 2, Form::Unknown, EventKind::Signal},
    {"wait", &Parser::signal, 2, Form::Unknown, EventKind::Wait},
    {"fork", &Parser::thread, 1, Form::Unknown, EventKind::Spawn},
    {"join", &Parser::thread, 1, Form::Unknown, EventKind::Join},
    {"end", &Parser::number, 0, Form::Unknown, EventKind::End},
    {"gap", &Parser::number, 0, Form::Unknown, EventKind::Gap},
    {"enter", &Parser::enter, 2, Form::Unknown, EventKind::Enter},
    {"signal_enter", &Parser::number, 1, Form::Unknown, EventKind::SignalEnter},
    {"signal_leave", &Parser::number, 1, Form::Unknown, EventKind::SignalLeave},
    {"make", &Parser::lock, 1, Form::Unknown, EventKind::Make},
    {"ignore", &Parser::number, 1, Form::Unknown, EventKind::Ignore},
    {"benign", &Parser::benign, 2, Form::Unknown, EventKind::Benign},
};

std::optional<uint64_t> toNumber(StringRef text) {
  uint64_t value = 0;
  return text.getAsInteger(0, value) ? std::nullopt : std::optional(value);
}

std::optional<ThreadNumber> toThread(StringRef text) {
  uint32_t value = 0;
  if (!text.consume_front("T") || text.getAsInteger(10, value) || value == 0 || value > 0xffff) return std::nullopt;
  return ThreadNumber(value);
}

std::optional<uint64_t> toOrder(StringRef text) {
  auto found = std::ranges::find(kOrders, text);
  return found == std::end(kOrders) ? std::nullopt : std::optional<uint64_t>(found - std::begin(kOrders));
}

// Ids of accesses are told in windows of 16 bits; a history has fewer lines than that.
uint32_t Parser::makeAccess(Form form, uint64_t bytes, bool counts) {
  history_.shapes.add(number_, {{form, static_cast<uint32_t>(bytes), counts}});
  return number_;
}

std::optional<uint64_t> Parser::address(StringRef text) {
  auto [name, offset] = text.split('+');
  uint64_t base = addresses_.try_emplace(name.str(), kFirstAddress + addresses_.size() * kSpacing).first->second;
  history_.names[base] = name.str();
  auto more = toNumber(offset.empty() ? "0" : offset);
  return more && *more < kSpacing ? std::optional(base + *more) : std::nullopt;
}

bool Parser::access(const Verb &verb) {
  auto at = address(operands_[0]);
  auto bytes = operands_.size() > 1 ? toNumber(operands_[1]) : kDefaultBytes;
  if (!at || !bytes) return false;
  told_.push_back(abi::accessWord(*at, makeAccess(verb.form, *bytes, verb.flags != 0)));
  return true;
}

bool Parser::range(const Verb &verb) {
  auto at = address(operands_[0]);
  auto bytes = toNumber(operands_[1]);
  if (at && bytes) tell(EventKind::Range, makeAccess(verb.form, 0), {*at, *bytes});
  return at && bytes;
}

// The place of a call is the number of its line.
bool Parser::call(const Verb &verb) {
  auto at = address(operands_[0]);
  auto bytes = toNumber(operands_[1]);
  if (at && bytes) tell(EventKind::Bytes, verb.form == Form::Write, {*at, *bytes, number_});
  return at && bytes;
}

bool Parser::atomic(const Verb &verb) {
  auto at = address(operands_[0]);
  auto order = toOrder(operands_[1]);
  if (!at || !order) return false;
  uint64_t word = abi::atomicWord(*stamp(*at), verb.flags == 0, static_cast<abi::Order>(*order));
  tell(EventKind::Atomic, makeAccess(verb.form, kDefaultBytes), {*at, word});
  return true;
}

bool Parser::fence(const Verb &) {
  auto order = toOrder(operands_[0]);
  if (order) tell(EventKind::Fence, uint64_t(makeAccess(Form::Fence, 0)) << 8 | *order);
  return order.has_value();
}

bool Parser::block(const Verb &verb) {
  auto at = address(operands_[0]);
  auto bytes = operands_.size() > 1 ? toNumber(operands_[1]) : kSpacing;
  if (!at || !bytes) return false;
  if (verb.kind == EventKind::Allocate)
    tell(verb.kind, 0, {*at, *bytes, *stamp(abi::stampedHeap(*at)), number_});
  else
    tell(verb.kind, 0, {*at, *stamp(abi::stampedHeap(*at)), number_});
  return true;
}

bool Parser::lock(const Verb &verb) {
  auto at = address(operands_[0]);
  if (at) tell(verb.kind, abi::syncPayload(verb.sync, verb.flags), {*at, *stamp(*at), number_});
  return at.has_value();
}

bool Parser::wanted(const Verb &verb) {
  auto at = address(operands_[0]);
  if (at) tell(verb.kind, abi::syncPayload(verb.sync, verb.flags), {*at, number_});
  return at.has_value();
}

bool Parser::signal(const Verb &verb) {
  auto sync = std::ranges::find(kSyncs, operands_[0], &std::pair<StringRef, SyncKind>::first);
  auto at = address(operands_[1]);
  if (sync == std::end(kSyncs) || !at) return false;
  tell(verb.kind, abi::syncPayload(sync->second, 0), {*at, *stamp(*at), number_});
  return true;
}

bool Parser::thread(const Verb &verb) {
  auto other = toThread(operands_[0]);
  if (!other) return false;
  if (verb.kind == EventKind::Join) history_.lines.push_back({*other, {}});
  if (verb.kind == EventKind::Join) appendEvent(history_.lines.back().second, EventKind::End, other->value());
  tell(verb.kind, other->value());
  if (verb.kind == EventKind::Spawn) told_.push_back(number_);
  return true;
}

bool Parser::enter(const Verb &verb) {
  auto function = toNumber(operands_[0]), at = toNumber(operands_[1]);
  if (function && at) tell(verb.kind, *function, {*at, number_});
  return function && at;
}

bool Parser::benign(const Verb &verb) {
  auto at = address(operands_[0]);
  auto bytes = toNumber(operands_[1]);
  if (at && bytes) tell(verb.kind, 0, {*at, *bytes});
  return at && bytes;
}

bool Parser::number(const Verb &verb) {
  auto value = operands_.empty() ? std::optional<uint64_t>(thread_.value()) : toNumber(operands_[0]);
  if (value) tell(verb.kind, *value);
  return value.has_value();
}

// "w@set" and "@set" name the label set.
bool Parser::pair(const Words &words, std::set<LabelPair> &into) {
  if (words.size() != 3) return false;
  std::string first = words[1].split('@').second.str(), second = words[2].split('@').second.str();
  return !first.empty() && !second.empty() && into.emplace(std::minmax(first, second)).second;
}

bool Parser::expectation(StringRef text) {
  Words words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  history_.expects = true;
  if (words.empty()) return false;
  if (words[0] == "nothing") return words.size() == 1;
  if (words[0] == "race") return pair(words, history_.expected.races);
  if (words[0] == "predicted") return pair(words, history_.expected.predicted);
  if (words[0] == "handed") return pair(words, history_.expected.handed);
  if ((words[0] != "deadlock" && words[0] != "crossed") || words.size() < 3) return false;
  std::set<std::string> locks;
  for (StringRef lock : llvm::ArrayRef<StringRef>(words).drop_front()) locks.insert(lock.str());
  return (words[0] == "crossed" ? history_.expected.crossed : history_.expected.deadlocks).insert(locks).second;
}

std::optional<std::string> Parser::line(StringRef text, uint32_t number) {
  auto [statement, comment] = text.split('#');
  number_ = number;
  if (comment.trim().consume_front("expect:")) {
    if (!expectation(comment.trim().drop_front(sizeof("expect:") - 1))) return "this expectation cannot be read";
    return std::nullopt;
  }
  Words words;
  statement.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.empty()) return std::nullopt;
  auto thread = toThread(words[0]);
  if (!thread || words.size() < 2) return "it must begin with a thread, T1 or later, and a verb";
  auto verb = std::ranges::find(kVerbs, words[1], &Verb::name);
  operands_.assign(words.begin() + 2, words.end());
  if (verb == std::end(kVerbs)) return "unknown verb '" + words[1].str() + "'";
  thread_ = *thread;
  told_.clear();
  if (operands_.size() < verb->operands || !(this->*verb->read)(*verb)) return "the operands do not fit the verb";
  history_.labels[number] = comment.trim().empty() ? std::to_string(number) : comment.trim().str();
  history_.lines.emplace_back(thread_, told_);
  return std::nullopt;
}

} // namespace

Expected<History> parseHistory(std::string_view text, const std::string &source) {
  constexpr uint32_t kMaxLines = 0xffff;
  Parser parser;
  StringRef rest = text;
  for (uint32_t number = 1; !rest.empty(); ++number) {
    if (number > kMaxLines) return fail(source + ": too many lines for a history", "split it");
    auto [line, more] = rest.split('\n');
    if (auto problem = parser.line(line, number))
      return fail(source + ":" + std::to_string(number) + ": " + *problem, "trace/history.h has the grammar");
    rest = more;
  }
  return parser.take();
}

} // namespace deadheat::trace
