#include "trace/text.h"

#include "llvm/ADT/StringExtras.h"

namespace deadheat::trace {
namespace {

constexpr const char *kKindNames[] = {
#define EVENT(name, words, sentence) #name,
#include "abi/events.def"
    "Access"};
static_assert(std::size(kKindNames) == kKinds);

constexpr const char *kSyncNames[] = {"mutex", "rwlock",     "spin",  "semaphore", "condition", "barrier",
                                      "once",  "descriptor", "futex", "thread",    "user",      "state"};
static_assert(std::size(kSyncNames) == static_cast<size_t>(abi::SyncKind::State) + 1);

constexpr const char *kOrderNames[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};

constexpr std::pair<uint8_t, const char *> kFlags[] = {{abi::kShared, " shared"},       {abi::kTried, " tried"},
                                                       {abi::kRecursive, " recursive"}, {abi::kWriter, " writer"},
                                                       {abi::kStateByLock, " by lock"}, {abi::kStateNamed, " named"}};
static_assert(abi::kStateOwn == abi::kWriter);

std::string hex(uint64_t number) { return "0x" + llvm::utohexstr(number, /*LowerCase=*/true); }

bool hasSync(Kind kind) { return kind >= Kind::Acquire && kind <= Kind::Want; }

void addSync(const Event &event, std::string &text) {
  text += std::string(" ") + kSyncNames[static_cast<size_t>(event.sync)];
  for (const auto &[flag, name] : kFlags)
    if ((event.flags & flag) != 0) text += name;
}

std::string cellText(uint64_t cell) {
  std::string text = " " + std::to_string(abi::cellOwner(cell)) + "." + std::to_string(abi::cellPiece(cell));
  text += (cell & abi::kPlain) != 0 ? "" : " atomic";
  text += (cell & abi::kWrites) != 0 ? " write" : " read";
  return text + " spot " + std::to_string(abi::cellSpot(cell)) + " mask " + hex(cell & abi::kBytesMask);
}

} // namespace

std::string eventText(const Event &event) {
  std::string text = llvm::StringRef(kKindNames[static_cast<size_t>(event.kind)]).lower();
  if (hasSync(event.kind)) addSync(event, text);
  if (event.kind == Kind::Bytes) text += event.flags != 0 ? " write" : " read";
  if (event.kind == Kind::Atomic || event.kind == Kind::Fence)
    text += std::string(" ") + kOrderNames[static_cast<size_t>(event.order)];
  if (!event.succeeded) text += " failed";
  if (event.number != 0) text += " " + std::to_string(event.number);
  if (event.access != 0) text += " @" + std::to_string(event.access);
  if (event.address != 0) text += " " + hex(event.address);
  if (event.bytes != 0) text += " bytes " + std::to_string(event.bytes);
  if (event.stamp != 0) text += " stamp " + std::to_string(event.stamp);
  if (event.place != 0) text += " from " + hex(event.place);
  if (event.kind == Kind::Pair) text += cellText(event.earlier) + " then" + cellText(event.later);
  for (uint64_t caller : event.callers) text += " " + hex(caller);
  return text;
}

} // namespace deadheat::trace
