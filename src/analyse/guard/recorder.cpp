#include "analyse/guard/recorder.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace deadheat::analyse {

static constexpr size_t kMaxEntries = 2000;
static constexpr size_t kMaxPassed = 256; // to callers; the rest stays here, under what points-to knows of the formals
static constexpr size_t kMaxChosen = 64;  // likewise, of those of which callers only choose the element
static constexpr size_t kMaxStores = 24;
static constexpr size_t kMaxFresh = 8;
static constexpr size_t kMaxDetached =
    24; // they only demote; callers that collected all of their callees' would take squares
static constexpr size_t kMaxSources = 64;

bool Recorder::isReachable(Address lvalue, bool isPublished, const State &state) const {
  if (!isPublished && function_.isPrivate(lvalue.node, state) && !function_.isShownUnordered(lvalue.node)) return false;
  NodeId object = lvalue.node;
  const NodeTable &nodes = function_.names_.nodes;
  while (nodes[object].kind == NodeKind::Element) object = nodes[object].base;
  if (nodes[object].kind != NodeKind::Global) return true;
  const link::Variable &variable = function_.program_.variable(link::GlobalId(nodes[object].index));
  return (variable.flags & model::kConstant) == 0;
}

// `void run(struct server *s) { pthread_create(&t, NULL, serve, s); s->limit = 3; }`: to the caller it is private before and after.
bool Recorder::isPublishedHere(Address lvalue, const State &state) const {
  const NodeTable &nodes = function_.names_.nodes;
  const NodeId root = nodes.root(lvalue.node);
  return nodes[root].kind == NodeKind::Formal && containsSorted(state.handed, std::pair(root, Handing::Itself));
}

// `n` of `n->next`, so that callers can put their own words in its place.
void Recorder::nameFormal(Address lvalue, model::SiteId site) {
  if (function_.names_.nodes[lvalue.node].kind != NodeKind::Formal) return;
  std::string_view text = function_.textOf(site);
  size_t end = text.find_first_of("->.[");
  if (end != std::string_view::npos && end > 0) function_.known(lvalue.node, {.text = text.substr(0, end)});
}

void Recorder::access(model::StatementId id, model::SiteId site, const model::Operand &operand, const Value &pointer,
                      AccessTraits traits, const State &state) {
  if (!site.valid() || !function_.program_.isShared(function_.unitId_, site)) return;
  for (Address lvalue : pointer.targets()) {
    nameFormal(lvalue, site);
    if (!isReachable(lvalue, false, state)) continue;
    traits.unshared = function_.isDetached(lvalue.node, state);
    traits.lockLeftOut = state.isLockLeftOut;
    traits.published = isPublishedHere(lvalue, state);
    traits.unordered |= function_.isShownUnordered(lvalue.node);
    Entry entry;
    entry.traits = traits;
    entry.field = function_.environment_.fields.touched(function_.unitId_, site);
    entry.size = function_.unit_.sites[site].size;
    entry.where = function_.program_.pointsTo.of(function_.function_, operand);
    keepIn(function_.containerOf(lvalue.node), state, entry);
    add(lvalue, keep(relevant(state.order(), lvalue)), std::move(entry), {id, site, {}, 0});
  }
}

bool Recorder::isParameter(Address container) const {
  return container.node.valid() && function_.names_.nodes[container.node].kind == NodeKind::Formal;
}

// Callers know whose a container is that they have given.
void Recorder::keepIn(Address container, const State &state, Entry &entry) {
  if (!container.node.valid()) return;
  entry.traits.unshared |= function_.isOwnContainer(container, state);
  const NodeTable &nodes = function_.names_.nodes;
  if (!entry.traits.unshared && (isParameter(container) || isObject(nodes[nodes.root(container.node)].kind)))
    entry.container = container;
}

void Recorder::tell(model::StatementId id, const Value &signal, const State &state) {
  Entry entry;
  entry.traits = {.write = true, .atomic = true, .signal = true};
  if (signal.isMust() && isReachable(signal.targets()[0], false, state))
    add(signal.targets()[0], keep({}), std::move(entry), {id, {}, {}, 0});
}

// It begins at an object, or where points-to knows some, and leads on by pointers only: then it means the same in the thread.
static bool hasName(const NodeTable &nodes, NodeId node) {
  const NodeKind root = nodes[nodes.root(node)].kind;
  return (isObject(root) || root == NodeKind::Some) &&
         !nodes.any(node, [](const Node &step) { return step.kind == NodeKind::Element; });
}

void Recorder::start(model::StatementId id, const Value &argument, const State &state) {
  if (!argument.isMust()) return;
  const NodeTable &nodes = function_.names_.nodes;
  const Address given = argument.targets()[0];
  std::vector<NodeId> variables;
  auto record = [&](NodeId at, auto place) {
    for (const auto &[location, content] : state.memory.rows()) {
      if (location.node != at || !content.isMust() || !hasName(nodes, content.targets()[0].node)) continue;
      const Address to = content.targets()[0];
      summary_.handed.push_back({id, place(location), to});
      const bool isMadeHere = nodes[to.node].kind == NodeKind::Stack || nodes[to.node].kind == NodeKind::Heap;
      if (isMadeHere && to.node != at) insertSorted(variables, to.node);
    }
  };
  record(given.node, [&](Address location) { return Address{{}, location.offset - given.offset}; });
  const std::vector<NodeId> direct = variables;
  for (NodeId variable : direct) record(variable, [](Address location) { return location; });
}

// The lock is reached by a pointer by which the access is, too.
static bool sharesName(const NodeTable &nodes, const Lockset &locks, Address lvalue) {
  return std::ranges::any_of(locks.held(), [&](const HeldLock &held) {
    for (NodeId node = held.lock.node; node.valid(); node = nodes[node].base)
      if (nodes[node].kind == NodeKind::Load && nodes.hasAncestor(lvalue.node, node)) return true;
    return false;
  });
}

void Recorder::call(model::StatementId id, link::FuncId callee, const Summary &summary, Rebinding &rebinding,
                    const State &state, bool isGivenOnlyOwn) {
  auto isNameless = [&](Address lvalue) {
    const NodeTable &nodes = function_.names_.nodes;
    return nodes[nodes.root(lvalue.node)].kind == NodeKind::Some;
  };
  auto mayBe = [this](Address held, Address released) { return function_.likeness(held, released); };
  auto isRelaxed = [&] { return function_.answers().isRelaxed(function_.at(id)); };
  struct Held {
    Lockset locks;
    bool isSame = false;               // for all accesses
    std::optional<uint32_t> kept = {}; // of Summary::locksets: the same one
  };
  std::vector<std::optional<Held>> held(summary.locksets.size()); // on the way, by the callee's sets
  for (const LockText &row : summary.lockTexts)
    if (Value lock = rebinding.address(row.lock); lock.isMust()) lockText(lock.targets()[0], row.text);
  for (uint32_t index = 0; index < summary.entries.size(); ++index) {
    const Entry &entry = summary.entries[index];
    if (entry.settled) continue;
    std::optional<Held> &way = held[entry.locks];
    if (!way) {
      way.emplace(Held{.locks = state.order()});
      way->locks.update(rebinding.locks(summary.locksets[entry.locks]), mayBe);
      way->locks.dropLost();
      auto isOne = [&](const HeldLock &lock) { return isOneObject(lock.lock); };
      way->isSame = std::ranges::all_of(way->locks.held(), isOne);
    }
    bool isByPlace = sharesName(summary.names.nodes, summary.locksets[entry.locks], entry.lvalue);
    Value where = isByPlace ? rebinding.addressByPlace(entry.lvalue) : rebinding.address(entry.lvalue);
    for (Address lvalue : where.targets()) {
      if (!isReachable(lvalue, entry.traits.published, state)) continue;
      Entry here;
      here.traits = entry.traits;
      here.traits.published |= isPublishedHere(lvalue, state);
      here.traits.unshared |= function_.isDetached(lvalue.node, state);
      here.traits.unshared |= isGivenOnlyOwn && isNameless(lvalue);
      here.traits.lockLeftOut |= state.isLockLeftOut;
      here.traits.unordered |= (entry.traits.atomic && isRelaxed()) || function_.isShownUnordered(lvalue.node);
      here.field = entry.field;
      here.size = entry.size;
      here.where = entry.where;
      keepIn(function_.containerOf(lvalue.node), state, here);
      if (entry.container.node.valid())
        if (Value container = rebinding.address(entry.container); container.isMust())
          keepIn(container.targets()[0], state, here);
      if (!way->isSame || !way->kept) way->kept = keep(relevant(way->locks, lvalue));
      add(lvalue, *way->kept, std::move(here), {id, {}, callee, index});
    }
  }
}

// Points-to knows the one variable or stack object that is meant.
bool Recorder::isOneObject(Address address) const {
  const link::PointsTo &pointsTo = function_.program_.pointsTo;
  std::optional<link::Place> place = pointsTo.single(function_.locationOf(address));
  if (!place) return false;
  link::ObjectKind kind = pointsTo.objects()[place->object].kind;
  return kind == link::ObjectKind::Variable || kind == link::ObjectKind::Stack;
}

// In place of a name that means nothing to others.
void Recorder::nameByPlace(HeldLock &held) const {
  const NodeTable &nodes = function_.names_.nodes;
  if (held.mode == LockMode::After || nodes[nodes.root(held.lock.node)].kind != NodeKind::Opaque) return;
  if (std::optional<NodeId> again = function_.nameByPlace(held.lock.node)) held.lock.node = *again;
}

// One of all that are locked alike: which member of what objects it is.
bool Recorder::nameAsKin(HeldLock &held) const {
  link::Location where = function_.locationOf(held.lock);
  if (held.mode == LockMode::After || !where.valid() || where.offset == link::kAnyOffset) return false;
  NodeId kin = function_.names_.nodes.kin(function_.classOf(where));
  held.lock = {function_.known(kin, {.points = {where.node, 0}}), where.offset};
  held.weak = true;
  return true;
}

// A lock under a name that the access does not share, and that means another lock each time, is one of its kin. An
// element of an array is still one of a family.
Lockset Recorder::relevant(const Lockset &locks, Address lvalue) const {
  const NodeTable &nodes = function_.names_.nodes;
  Lockset kept = locks;
  kept.dropLost();
  kept.rename([&](HeldLock &held) {
    if (isOneObject(held.lock)) return true;
    bool isNear = false;
    for (NodeId node = held.lock.node; node.valid() && !isNear; node = nodes[node].base)
      isNear = nodes.hasAncestor(lvalue.node, node);
    if (!isNear) nameByPlace(held);
    bool isFamily = false;
    for (NodeId node = held.lock.node; node.valid(); node = nodes[node].base) {
      const Node &step = nodes[node];
      if (nodes.hasAncestor(lvalue.node, node)) break;
      if (step.kind == NodeKind::Opaque || step.kind == NodeKind::Some) return nameAsKin(held);
      isFamily |= step.kind == NodeKind::Element;
    }
    held.weak |= isFamily;
    return true;
  });
  return kept;
}

uint32_t Recorder::keep(const Lockset &locks) {
  auto [place, isNew] = locksets_.try_emplace(locks, static_cast<uint32_t>(summary_.locksets.size()));
  if (isNew) summary_.locksets.push_back(locks);
  return place->second;
}

void Recorder::add(Address lvalue, uint32_t locks, Entry entry, const Source &source) {
  auto [place, isNew] = entries_.try_emplace(Key{lvalue, locks, entry.traits, entry.field, entry.size, entry.container},
                                             static_cast<uint32_t>(summary_.entries.size()));
  if (isNew && summary_.entries.size() >= kMaxEntries) {
    ++summary_.folded;
    entries_.erase(place);
    return;
  }
  if (isNew) {
    entry.lvalue = lvalue;
    entry.locks = locks;
    summary_.entries.push_back(std::move(entry));
  }
  std::vector<Source> &sources = summary_.entries[place->second].sources;
  if (sources.size() < kMaxSources) insertSorted(sources, source);
}

void Recorder::reachCall(model::StatementId id, link::CallSiteId site, const State &state, link::FuncId callee) {
  Lockset locks = state.order();
  locks.rename([&](HeldLock &held) {
    nameByPlace(held);
    return true;
  });
  auto place = std::ranges::lower_bound(summary_.calls, id, {}, &CallRecord::statement);
  while (place != summary_.calls.end() && place->statement == id && place->callee != callee) ++place;
  if (place != summary_.calls.end() && place->statement == id)
    place->locks = Lockset::join(place->locks, locks);
  else
    summary_.calls.insert(place, {id, site, std::move(locks), true, callee});
}

void Recorder::lockText(Address lock, std::string_view text) {
  if (text.empty()) return;
  for (const LockText &known : summary_.lockTexts)
    if (known.lock == lock) return;
  summary_.lockTexts.push_back({lock, text});
}

void Recorder::leaveWith(const model::Operand &result, const State &state) {
  Left left{{.outcome = function_.outcomeOf(result, state),
             .isLeftOut = state.isLockLeftOut || state.isReleaseLeftOut,
             .locks = state.order()},
            {},
            {}};
  for (const auto &[key, fact] : state.facts.rows())
    if ((key >> 32) != 0 && fact == Fact{true, 0}) left.nulls.push_back(NodeId(static_cast<uint32_t>(key)));
  for (uint32_t i = 0; i < function_.body_.parameterCount; ++i)
    if (const Fact *fact = state.facts.find(factOf(model::ValueId(i))); fact && isZero(*fact))
      left.given.push_back({i, *isZero(*fact)});
  if (std::ranges::find(ways_, left) == ways_.end()) ways_.push_back(std::move(left));
  Value value = result.kind == model::OperandKind::None ? Value() : function_.evaluate(result);
  summary_.returned = Value::join(summary_.returned, value);
  const bool isTaken = function_.isTaken(result, true, state);
  if (!value.isNumber()) summary_.takesNumber = isTaken && (summary_.takesNumber || !isNumberLeft_);
  isNumberLeft_ |= !value.isNumber();
  std::optional<Address> told = function_.toldBy(result);
  if (!left_) summary_.told = told;
  if (summary_.told != told) summary_.told = std::nullopt;
  if (!left_) last_ = state;
  State joined = state;
  joined.locks = last_.locks;
  if (left_) last_.join(joined);
  left_ = true;
}

void Recorder::leave(uint32_t block, const std::vector<State> &states) {
  const model::Block &row = function_.unit_.blocks[model::BlockId(function_.body_.firstBlock.value() + block)];
  if (row.statementCount == 0) return;
  const model::Statement &last = function_.at(model::StatementId(row.firstStatement.value() + row.statementCount - 1));
  if (last.kind == model::StatementKind::Return)
    for (State state : states) {
      function_.takeTurnBy(last.a, state);
      leaveWith(last.a, state);
    }
}

// `if (p) lock(p)`: who has no lock needs none, and the way without it says nothing about the other one.
void Recorder::leaveOutMissingLocks() {
  const NodeTable &nodes = function_.names_.nodes;
  std::vector<Left> all = ways_;
  for (Left &way : ways_)
    for (const Left &other : all) {
      std::vector<HeldLock> missing;
      std::ranges::copy_if(other.exit.locks.held(), std::back_inserter(missing), [&](const HeldLock &held) {
        return std::ranges::any_of(way.nulls, [&](NodeId null) { return nodes.hasAncestor(held.lock.node, null); });
      });
      if (!missing.empty()) way.exit.locks.addHeld(std::move(missing));
    }
}

// Each way knows the parameter, and those with the same result that agree about it have the same locks.
bool Recorder::isDecisive(uint32_t parameter) const {
  auto find = [&](const Left &way) { return std::ranges::find(way.given, parameter, &Given::parameter); };
  if (!std::ranges::all_of(ways_, [&](const Left &way) { return find(way) != way.given.end(); })) return false;
  return std::ranges::all_of(ways_, [&](const Left &a) {
    return std::ranges::all_of(ways_, [&](const Left &b) {
      return *find(a) != *find(b) || a.exit.outcome != b.exit.outcome || a.exit.locks.isAlike(b.exit.locks);
    });
  });
}

// `if (locked) lock(m)`, where callers say whether.
void Recorder::tellByGiven() {
  if (std::ranges::all_of(ways_, [&](const Left &way) { return way.exit.locks.isAlike(ways_[0].exit.locks); })) return;
  for (uint32_t i = 0; i < function_.body_.parameterCount; ++i) {
    if (!isDecisive(i)) continue;
    for (Left &way : ways_) way.exit.when = *std::ranges::find(way.given, i, &Given::parameter);
    return;
  }
}

static auto keyOf(const Exit &exit) { return std::tuple(exit.outcome, exit.when, exit.isLeftOut); }

// Results that say nothing about locks need no telling apart.
void Recorder::finishExits() {
  leaveOutMissingLocks();
  tellByGiven();
  for (const Left &way : ways_) {
    auto same = std::ranges::find_if(exits_, [&](const Exit &exit) { return keyOf(exit) == keyOf(way.exit); });
    if (same == exits_.end())
      exits_.push_back(way.exit);
    else
      same->locks = Lockset::join(same->locks, way.exit.locks);
  }
  std::ranges::sort(exits_, {}, keyOf);
  if (exits_.size() > 1 &&
      std::ranges::all_of(exits_, [&](const Exit &exit) { return exit.locks.isAlike(exits_[0].locks); })) {
    for (const Exit &exit : exits_) exits_[0].locks = Lockset::join(exits_[0].locks, exit.locks);
    exits_.resize(1);
  }
  if (exits_.size() == 1) exits_[0] = {.locks = exits_[0].locks};
  summary_.exits = exits_;
}

// Fresh objects that the caller gets hold of. More than a few are taken for known to others.
void Recorder::keepFresh() {
  const NodeTable &nodes = function_.names_.nodes;
  auto keep = [&](const Value &value) {
    for (Address target : value.targets())
      if (NodeId root = nodes.root(target.node);
          nodes[root].kind == NodeKind::Heap && function_.isPrivate(root, last_) && summary_.fresh.size() < kMaxFresh)
        insertSorted(summary_.fresh, root);
  };
  keep(summary_.returned);
  for (const auto &[location, value] : summary_.stores) keep(value);
}

// What a parameter's object holds, also by way of this function's own: containers get a pointer by the address of a variable.
void Recorder::keepHeld(uint32_t container, NodeId first) {
  const NodeTable &nodes = function_.names_.nodes;
  std::vector<NodeId> held{first};
  for (size_t i = 0; i < held.size(); ++i) {
    const Node &node = nodes[held[i]];
    if (node.kind == NodeKind::Formal) {
      if (node.index != container) insertSorted(summary_.flows, {node.index, container, Handing::Itself});
      continue;
    }
    for (const auto &[holder, content] : last_.holds)
      if (holder == held[i] && std::ranges::find(held, content) == held.end()) held.push_back(content);
  }
}

Handing Recorder::handingAtEnd(NodeId formal) const {
  for (Handing handing : {Handing::Itself, Handing::Content})
    if (containsSorted(last_.handed, std::pair(formal, handing))) return handing;
  return Handing::Perhaps;
}

void Recorder::finishMemory() {
  const NodeTable &nodes = function_.names_.nodes;
  summary_.clobbers = last_.clobbers;
  for (NodeId node : last_.published)
    if (nodes[node].kind == NodeKind::Formal)
      insertSorted(summary_.flows, {nodes[node].index, Flow::kShared, handingAtEnd(node)});
  for (const auto &[container, content] : last_.holds)
    if (nodes[container].kind == NodeKind::Formal) keepHeld(nodes[container].index, content);
  for (const auto &[location, value] : last_.memory.rows()) {
    NodeId root = nodes.root(location.node);
    if (!isOwnStack(root) && nodes[root].kind != NodeKind::Opaque && summary_.stores.size() < kMaxStores)
      summary_.stores.push_back({location, value});
  }
  keepFresh();
  keepDetached();
}

// Of those that the caller can name.
void Recorder::keepDetached() {
  const NodeTable &nodes = function_.names_.nodes;
  auto isReturned = [&](NodeId node) {
    return summary_.returned.isMust() && nodes.hasAncestor(summary_.returned.targets()[0].node, node);
  };
  for (NodeId node : last_.detached) {
    NodeId root = nodes.root(node);
    bool isNameable = !isOwnStack(root) && nodes[root].kind != NodeKind::Opaque;
    if ((isNameable || isReturned(node)) && summary_.detached.size() < kMaxDetached) summary_.detached.push_back(node);
  }
  for (Address slot : last_.detachedIn)
    if (nodes[slot.node].kind == NodeKind::Formal) summary_.detachedIn.push_back(slot);
}

bool Recorder::isOwnStack(NodeId root) const {
  const Node &node = function_.names_.nodes[root];
  return node.kind == NodeKind::Stack && node.owner == function_.function_.value();
}

bool Recorder::standsOnCaller(NodeId node) const {
  return function_.names_.nodes[function_.names_.nodes.root(node)].kind == NodeKind::Formal;
}

// An element that a caller chooses: perhaps by what each thread has another of.
bool Recorder::isChosenByCaller(NodeId node) const {
  return function_.names_.nodes.any(node, [](const Node &step) {
    bool isByFormal = step.index >= kFormalKey && step.index < kOwnKey;
    return step.kind == NodeKind::Element &&
           (isByFormal || (Choice{step.owner}.valid() && !Choice{step.owner}.isTaken()));
  });
}

// Parameters by which locks are reached: an argument that is one of several objects would lose them.
void Recorder::findLockFormals() {
  const NodeTable &nodes = function_.names_.nodes;
  auto add = [&](const Lockset &locks) {
    for (const HeldLock &held : locks.held())
      if (const Node &root = nodes[nodes.root(held.lock.node)];
          root.kind == NodeKind::Formal && held.mode != LockMode::After)
        insertSorted(summary_.lockFormals, root.index);
  };
  for (const Exit &exit : summary_.exits) add(exit.locks);
  for (const Lockset &locks : summary_.locksets) add(locks);
}

Summary Recorder::finish() {
  finishExits();
  findLockFormals();
  finishMemory();
  size_t passed = 0, chosen = 0;
  for (Entry &entry : summary_.entries) {
    const Lockset &locks = summary_.locksets[entry.locks];
    bool isOurs =
        !isParameter(entry.container) && !standsOnCaller(entry.lvalue.node) &&
        std::ranges::none_of(locks.held(), [&](const HeldLock &held) { return standsOnCaller(held.lock.node); });
    if (isOurs)
      entry.settled = !isChosenByCaller(entry.lvalue.node) || ++chosen > kMaxChosen;
    else
      entry.settled = ++passed > kMaxPassed;
  }
  function_.names_.info.resize(function_.names_.nodes.size());
  summary_.names = std::move(function_.names_);
  summary_.ready = true;
  return std::move(summary_);
}

} // namespace deadheat::analyse
