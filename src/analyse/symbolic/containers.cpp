// What the library's containers keep: it is as much a thread's own as the container is.
//
// Claim   What a member function of a container returns lies in what the container keeps, and what an iterator of it leads to does, too. A
//         container that nobody else knows shares nothing of that with others.
// Assumes nobody takes the address of an element for another thread: only functions that start threads are thought to.
// Misses  iterators that do not fit into a register (std::deque), or that are handed over.
#include <algorithm>

#include "llvm/ADT/StringRef.h"

#include "analyse/symbolic/function.h"

namespace deadheat::analyse {

// What a container keeps in nodes of its own, which no summary can name.
static bool isNodeContainer(llvm::StringRef function) {
  static constexpr llvm::StringLiteral kContainers[] = {
      "std::map<",           "std::multimap<",           "std::set<",           "std::multiset<",
      "std::list<",          "std::__cxx11::list<",      "std::unordered_map<", "std::unordered_multimap<",
      "std::unordered_set<", "std::unordered_multiset<", "std::deque<"};
  return std::ranges::any_of(kContainers, [&](llvm::StringRef each) { return function.starts_with(each); });
}

static bool isBlockContainer(llvm::StringRef function) {
  return function.starts_with("std::vector<") || function.starts_with("std::__cxx11::basic_string<");
}

// An element of a container that nobody else knows, on the stack or thread-local: `counts[word]`, `pending.front()`.
bool FunctionAnalysis::isOfOwnContainer(const CallContext &context, link::FuncId callee, const State &state) {
  llvm::StringRef called = program_.function(callee).display;
  const bool startsThreads = !program_.threads.changes[function_].empty(); // they may have got elements of a vector
  if (!isNodeContainer(called) && (startsThreads || !isBlockContainer(called))) return false;
  Value container = argument(context, 0);
  if (!container.isMust()) return false;
  return isThreadsOwn(container) || isPrivate(container.targets()[0].node, state);
}

// The library gets nothing but what nobody else knows: `"page" + std::to_string(id)`, `mine.push_back(n)`. Whatever it reaches by pointers of
// its own is in there.
bool FunctionAnalysis::isGivenOnlyOwn(const CallContext &context, link::FuncId callee, const State &state) {
  if ((program_.function(callee).flags & model::kLibrary) == 0 || context.isHandedOver) return false;
  if (isOfOwnContainer(context, callee, state)) return true;
  bool hasOwn = false;
  for (uint32_t number = 0; number < context.call.argumentCount; ++number) {
    const model::Argument *row = argumentRow(context, static_cast<int>(number));
    if (!row->value.isValue()) {
      if (row->value.isSymbol()) return false;
      continue;
    }
    if (!program_.pointsTo.of(function_, row->value).valid()) continue; // a number
    Value given = evaluate(row->value);
    if (!given.isMust() || names_.nodes[given.targets()[0].node].kind != NodeKind::Stack) return false;
    if (!isPrivate(given.targets()[0].node, state)) return false;
    hasOwn = true;
  }
  return hasOwn;
}

// `flags[i]` of a std::vector<bool>: the word that has the bit has others, too, whoever they belong to.
std::optional<Value> FunctionAnalysis::wordOfBits(const CallContext &context, link::FuncId callee) {
  llvm::StringRef called = program_.function(callee).display;
  const bool isBit =
      called.starts_with("std::vector<bool") && (called.contains("::operator[](") || called.contains("::at("));
  Value bits = isBit && !context.isHandedOver ? argument(context, 0) : Value();
  if (!context.statement.result.valid() || !bits.isMust()) return std::nullopt;
  const link::Location where = program_.pointsTo.of(function_, model::Operand::value(context.statement.result));
  std::optional<NodeId> words = names_.nodes.load(bits.targets()[0]);
  std::optional<NodeId> word = words ? names_.nodes.element({known(*words, {.points = where}), 0}, 8, kAnyKey) : words;
  return word ? std::optional(Value::must({known(*word, {.points = where}), 0})) : std::nullopt;
}

static bool isIterator(llvm::StringRef function) {
  static constexpr llvm::StringLiteral kIterators[] = {
      "__gnu_cxx::__normal_iterator<",       "std::_Rb_tree_iterator<",
      "std::_Rb_tree_const_iterator<",       "std::_List_iterator<",
      "std::_List_const_iterator<",          "std::__detail::_Node_iterator<",
      "std::__detail::_Node_const_iterator<"};
  return std::ranges::any_of(kIterators, [&](llvm::StringRef each) { return function.starts_with(each); });
}

static void insertOnly(std::map<NodeId, Address> &known, NodeId node, Address container) {
  auto [at, isNew] = known.try_emplace(node, container);
  if (!isNew && at->second != container) at->second = {}; // one of several
}

// `counts[word]`, `*it`: in which container it is.
void FunctionAnalysis::noteKept(const CallContext &context, link::FuncId callee) {
  const link::Function &called = program_.function(callee);
  if (!context.statement.result.valid() || context.isHandedOver || (called.flags & model::kLibrary) == 0 ||
      (body_.flags & model::kLibrary) != 0)
    return;
  Value first = argument(context, 0);
  if (!first.isMust()) return;
  Address container = first.targets()[0];
  if (isIterator(called.display)) {
    auto kept = iterators_.find(container.node);
    if (kept == iterators_.end() || !kept->second.node.valid()) return;
    container = kept->second;
  } else if (!isNodeContainer(called.display) && !isBlockContainer(called.display)) {
    return;
  }
  for (Address element : evaluate(model::Operand::value(context.statement.result)).targets())
    insertOnly(kept_, element.node, container);
}

// `it = counts.begin()`: the iterator is a pointer to what the container keeps.
void FunctionAnalysis::noteIterator(const Value &place, const Value &value) {
  if (kept_.empty() || !place.isMust() || names_.nodes[place.targets()[0].node].kind != NodeKind::Stack) return;
  for (Address target : value.targets())
    if (auto kept = kept_.find(target.node); kept != kept_.end())
      insertOnly(iterators_, place.targets()[0].node, kept->second);
}

// The container that an object lies in; no node: it is not known.
Address FunctionAnalysis::containerOf(NodeId object) const {
  for (; object.valid(); object = names_.nodes[object].base) {
    if (auto kept = kept_.find(object); kept != kept_.end()) return kept->second;
    if (names_.nodes[object].kind != NodeKind::Element) break;
  }
  return {};
}

bool FunctionAnalysis::isOwnContainer(Address container, const State &state) const {
  return program_.threads.changes[function_].empty() && isPrivate(container.node, state);
}

} // namespace deadheat::analyse
