// Symbolic execution of one function with relative locksets (RELAY, 3.1 and 3.2), given the summaries of its callees.
//
// Claim   summary() holds for every caller: each access that the function or its callees may do is in it, except those of
//         objects that no other thread can reach yet; `held` of an access is held on every path that leads to it.
// Assumes callees have their summaries, or are in the same component (then the component is iterated); memory keeps its
//         value until a write that may change it is seen: the paper gives every location that escapes up after every
//         step, and could then name no lock in a shared struct; values of other threads' writes are not followed.
//         Functions without a body and without a row in the knowledge table keep no argument and take no lock.
// Cost    passes over the statements until nothing changes, at most kMaxPasses, with at most kMaxStates states a block.
// Misses  what inline assembly does; exceptions leave a callee with the locks it was called with.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

#include "analyse/domain/captures.h"
#include "analyse/domain/fields.h"
#include "analyse/domain/owning.h"
#include "analyse/domain/set_once.h"
#include "analyse/domain/writers.h"
#include "analyse/guard/summary.h"
#include "analyse/order.h"
#include "analyse/symbolic/answers.h"
#include "analyse/symbolic/counters.h"
#include "analyse/symbolic/given.h"
#include "analyse/symbolic/left_out.h"
#include "analyse/symbolic/loop_ends.h"
#include "analyse/symbolic/own_locks.h"
#include "analyse/symbolic/predicates.h"
#include "analyse/symbolic/slices.h"
#include "analyse/symbolic/spins.h"
#include "analyse/symbolic/state.h"
#include "analyse/symbolic/tickets.h"
#include "analyse/symbolic/waits.h"
#include "knowledge/sync_api.h"
#include "link/field_names.h"
#include "link/program.h"

namespace deadheat::analyse {

inline constexpr unsigned kMaxStates = 4;
inline constexpr unsigned kMaxPasses = 10;
inline constexpr unsigned kMaxTurns = 5;
inline constexpr uint32_t kNumbered = 1U << 31; // Heap nodes from here on: what a function returns for a number
inline constexpr size_t kManyTargets = 5;       // of a call

// What all functions are analysed against.
// Entries of threads of which one call starts each with another argument, and by how many loads from there numbers are their own. That two
// calls start none at once that have the same is likely: elements that are chosen so only demote.
using EnteredApart = std::map<link::FuncId, uint32_t>;
EnteredApart findEnteredApart(const link::Program &program);

struct Environment {
  const link::Program &program;
  Fields fields;
  SetOnce setOnce;
  Captures captures;
  Owning owning;
  Writers writers;
  CallOrder order;
  std::vector<Summary> summaries; // [function]
  EnteredApart enteredApart;
  std::set<link::FuncId> waiters; // see waits.h
  AtomicSteps atomicSteps;
  OneWay oneWay;
  OwnLocks ownLocks;
  Rings rings;

  explicit Environment(const link::Program &linked)
      : program(linked), fields(linked), setOnce(linked), captures(linked, fields), owning(linked, fields),
        writers(linked), order(orderCalls(linked)), enteredApart(findEnteredApart(linked)),
        waiters(findWaiters(linked)), atomicSteps(linked), oneWay(linked, atomicSteps), ownLocks(linked, atomicSteps),
        rings(linked) {}
  // What the knowledge table says of a function, where that counts for more than its body; null: nothing.
  const knowledge::Row *row(link::FuncId function) const {
    const link::Function &called = program.function(function);
    return called.known && (called.external() || link::replacesBody(*called.known)) ? called.known : nullptr;
  }
  const Summary &summary(link::FuncId function) const { return summaries[function.value()]; }
};

class Recorder;
class Rebinding;

class FunctionAnalysis {
public:
  FunctionAnalysis(const Environment &environment, link::FuncId function);

  Summary run();

private:
  friend class Rebinding;
  friend class Recorder;

  struct CallContext {
    model::StatementId id;
    const model::Statement &statement;
    const model::Call &call;
    link::CallSiteId site;
    const knowledge::Row *entering = nullptr; // of the callee that calls what it is given, at this site
    bool isHandedOver = false;
    bool keepsLocks = false; // whatever its targets do
  };

  // How a value comes about: from other values only, from memory or a call, from one of several blocks, from the round
  // of a loop before.
  enum class Assignment : uint8_t { Function, Any, Phi, Round };

  struct States {
    std::vector<State> list;
    bool collapsed = false; // there were too many: one from now on
  };

  // fixpoint.cpp
  void orderBlocks();
  bool isBackEdge(uint32_t from, uint32_t to) const { return place_[to] <= place_[from]; }
  bool pass();
  void passUntilStable();
  void leaveBlock(uint32_t block, const std::vector<State> &states);
  void flow(uint32_t from, uint32_t to, State state);
  void holdAll(const model::Operand &lock, State &state);
  void leaveWait(const Waited &waited, State &state);
  bool leavesLoop(uint32_t block, uint32_t next) const;
  std::optional<Address> polled(const model::Operand &tested) const;
  bool isGiven(const model::Operand &operand, int64_t number);
  bool mayTake(const model::Block &from, const model::Edge &edge, const Fact &fact) const;
  void enterPhis(uint32_t from, uint32_t to, State &state);
  bool waitForMissing(State &state, const State &other) const;
  bool addState(States &states, State state) const;

  // transfer.cpp
  std::vector<State> runBlock(uint32_t block, State state);
  void step(model::StatementId id, State &state);
  bool isThreadsOwn(const Value &index) const;
  bool isEnteredWith(Choice choice) const;
  // What chooses an element of an array: see NodeKind::Element.
  uint32_t keyOf(model::Operand operand, const Value &index);
  Choice choiceOf(const Value &index) const;
  Choice choiceOfSlice(const model::Operand &operand);
  Choice choiceOfWalk(const model::Statement &statement);
  Choice choiceByComputing(const model::Operand &operand);
  void stepIndex(const model::Statement &statement, State &state);
  void stepTransfer(model::StatementId id, const model::Statement &statement, State &state);
  const Answers &answers() const;
  bool learnsBy(model::ValueId found, const model::Operand &written) const;
  void stepMemory(model::StatementId id, const model::Statement &statement, State &state);
  Value joinRounds(const Value &before, const Value &now) const;
  std::optional<Value> asElement(model::ValueId result, const Value &value);
  std::optional<Value> asWalk(model::ValueId result, const Value &value, Assignment how);
  void define(model::ValueId result, const Value &value, State &state, Assignment how = Assignment::Any);
  void redefine(model::ValueId value, State &state);
  bool isBestNamedByItself(const Value &value, const State &state) const;

  // memory.cpp
  Value evaluate(const model::Operand &operand);
  Value readAll(const Value &pointer, link::Location where, uint32_t field, model::ValueId result, State &state);
  Value read(Address location, link::Location where, uint32_t field, const State &state, const NodeInfo &info);
  bool hasRoomFor(Address location, const Value &value, const State &state) const;
  void write(const Value &pointer, const Value &value, link::Location where, uint32_t field, State &state);
  void clobber(Address location, link::Location where, uint32_t field, State &state);
  void noticeRemoval(Address location, const Value &value, State &state);
  void detachNameless(Address location, const Value &value, State &state);
  std::optional<Address> toldBy(const model::Operand &operand) const;
  void comeAfter(const Value &signal, bool isMutual, State &state);
  bool isPrivate(NodeId node, const State &state) const;
  bool isOwn(NodeId node) const;
  bool isSingleThreadedMark(NodeId node) const;
  bool isSetOnce(Address location) const;
  bool mayHaveChanged(Address location, uint32_t field, const State &state) const;

  // turns.cpp
  void takeTurn(const model::Operand &a, const model::Operand &b, State &state);
  void takeTurnBy(const model::Operand &result, State &state);
  std::optional<Address> numberIn(const model::Operand &operand);
  std::optional<Address> copiedIn(const model::Operand &place);
  void findKeptNumbers();

  // publication.cpp
  void addSources(model::ValueId value, std::vector<model::Operand> &sources) const;
  bool isNameless(NodeId root) const;
  std::vector<NodeId> foundIn(model::ValueId value);
  std::vector<NodeId> heldOfClass(NodeId pointer, const State &state) const;
  std::vector<NodeId> heldWhereFound(NodeId pointer, const State &state);
  bool leadsNowhere(NodeId node) const;
  void noteUnordered(const model::Statement &statement, const State &state);
  bool isShownUnordered(NodeId node) const;
  void keep(Address into, const Value &value, State &state);
  void storeInto(NodeId container, NodeId content, State &state, Handing handing = Handing::Itself);
  Handing handingBy(NodeId node, Handing handing) const;
  void publish(NodeId root, State &state, Handing handing);
  void publishAll(const Value &value, State &state, Handing handing = Handing::Itself);

  // conditions.cpp
  std::optional<Fact> factAbout(const model::Operand &operand, const State &state);
  std::optional<bool> decide(model::Predicate predicate, const model::Operand &a, const model::Operand &b,
                             const State &state);
  void assume(model::Predicate predicate, const model::Operand &a, const model::Operand &b, bool holds, State &state);
  void setFact(const model::Operand &operand, Fact fact, State &state);
  Outcome outcomeOf(const model::Operand &operand, const State &state);

  // calls.cpp
  CallContext contextOf(model::StatementId id, const model::Statement &statement) const;
  std::vector<State> stepCall(model::StatementId id, State state);
  std::optional<model::Operand> chosenAt(link::CallSiteId start) const;
  void callKnown(const CallContext &context, const knowledge::Row &row, State before, States &after);
  void callAcquire(const CallContext &context, const knowledge::Row &row, State before, States &after);
  void callBarrier(const CallContext &context, const knowledge::Row &row, State state, States &after);
  void callOnce(const CallContext &context, const knowledge::Row &row, State state, States &after);
  void callUnknown(const CallContext &context, State &state);
  void callBody(const CallContext &here, link::FuncId callee, State before, States &after);
  bool takesExit(const CallContext &context, const Summary &summary, const Exit &exit, State &state);
  bool comesBackLocked(const CallContext &context, const Summary &summary) const;
  Lockset withoutReturned(const Summary &summary, Lockset locks) const;
  void holdReturned(const CallContext &context, const Summary &summary, const Exit &exit, State &state);
  bool isTakenFromOwn(Rebinding &rebinding, const Summary &callee, NodeId gone, const State &state);
  void applyEffects(Rebinding &rebinding, const Summary &callee, const CallContext &context, State &state);
  void acquire(const CallContext &context, const knowledge::Row &row, LockMode mode, State &state);
  void release(const CallContext &context, const knowledge::Row &row, State &state);
  void letGo(Address lock, State &state);
  void freeOwnLock(const model::Statement &statement, State &state);
  void leaveSpin(const AtomicStep &update, State &state);
  void allocate(const CallContext &context, const knowledge::Row &row, State &state);
  void renew(NodeId object, State &state);
  Value nameMade(const CallContext &context, link::FuncId callee, const Value &returned, State &state);
  void setResult(const CallContext &context, const Value &value, State &state);
  const model::Argument *argumentRow(const CallContext &context, int number) const;
  bool keepsLocks(const CallContext &context) const;
  bool isStubOfLock(const CallContext &context, link::FuncId callee) const;

  // given_together.cpp
  std::optional<uint32_t> calledParameter(const CallContext &context);
  bool isGivenThere(uint32_t parameter, link::FuncId callee, const State &state) const;
  static State calling(std::optional<uint32_t> parameter, link::FuncId callee, const State &state);
  bool isHandedOver(const CallContext &context, link::FuncId callee) const;
  const knowledge::Row *enteringAt(link::CallSiteId site) const;
  void putBack(NodeId node, State &state);
  void noticeReturned(const CallContext &context, link::FuncId callee, const Summary &summary, const State &before,
                      State &state);
  void detachResult(const CallContext &context, State &state);
  void detach(NodeId taken, State &state);
  bool isDetached(NodeId node, const State &state) const;
  bool isForThread(Address place, const State &state) const;
  bool isOfTakenPointer(const CallContext &context, link::FuncId callee, const State &state);
  bool isOfOwnPointer(const CallContext &context, link::FuncId callee, const State &state);
  bool isOfOwnContainer(const CallContext &context, link::FuncId callee, const State &state);
  bool isGivenOnlyOwn(const CallContext &context, link::FuncId callee, const State &state);
  std::optional<Value> wordOfBits(const CallContext &context, link::FuncId callee);
  void noteKept(const CallContext &context, link::FuncId callee);
  void noteIterator(const Value &place, const Value &value);
  Address containerOf(NodeId object) const;
  bool isOwnContainer(Address container, const State &state) const;
  void takeFromContainer(const CallContext &context, link::FuncId callee, State &state);
  void noticeTaking(const Value &from, model::ValueId result, State &state);
  bool takeNumber(const model::Operand &number, bool isStep, State &state);
  bool isTaken(const model::Operand &number, bool isStep, const State &state);
  bool isTakenInState(const model::Operand &number, bool isStep, const State &state);
  bool isTakenBy(const IndexedRead &read, const State &state);
  void moveCounter(model::StatementId id, State &state);
  void noticeIndexed(model::ValueId result, State &state);
  void noticeHandOver(Address into, const Value &value, State &state) const;
  Value argument(const CallContext &context, int number);
  Value lockArgument(const CallContext &context, int number, bool inside, State &state);
  void nameForLock(model::Operand operand);
  Address byNumber(Address lock);
  Address asHeld(Address gone, const State &state);
  uint32_t keptIn(NodeId lock) const;
  bool areKeptApart(Address held, Address released) const;
  Likeness likeness(Address held, Address released) const;

  // names
  NodeId known(NodeId node, const NodeInfo &info);
  const NodeInfo &infoOf(NodeId node) const { return names_.info[node.value()]; }
  link::Location locationOf(Address address) const;
  uint32_t classOf(link::Location location) const;
  NodeId opaque(model::ValueId value);
  std::optional<NodeId> nameByPlace(NodeId node, unsigned depth = kMaxDepth);
  std::string_view textOf(model::SiteId site) const;
  const model::Statement &at(model::StatementId id) const { return unit_.statements[id]; }

  const Environment &environment_;
  const link::Program &program_;
  link::FuncId function_;
  link::UnitId unitId_;
  const model::Unit &unit_;
  const model::Function &body_;

  Names names_;
  std::vector<Value> values_;                   // [value], whatever the path
  std::vector<model::StatementId> definitions_; // [value]; invalid: a parameter
  std::map<NodeId, Address> kept_;         // what containers gave out, and in which it lies; no node: in one of several
  std::map<NodeId, Address> iterators_;    // [stack object], likewise
  std::vector<NodeId> unordered_;          // objects made here that a relaxed atomic shows to others
  bool isOrdering_ = false;                // another atomic orders what was done here
  llvm::DenseMap<uint32_t, Address> told_; // [value]: the atomic that it was read from
  struct KeptNumber {
    link::Origin place;
    link::Origin number; // an atomic, of which it has a copy
  };
  std::optional<std::vector<KeptNumber>> keptNumbers_;      // once they were asked for
  std::map<Address, std::vector<model::ValueId>> nameless_; // read there, and not known by another name; sorted
  llvm::DenseMap<uint32_t, Value> walks_;                   // [value]: the array that it walks through, in all turns
  llvm::BitVector named_;                                   // [value]: stands in a name
  std::vector<uint32_t> order_;                             // blocks, in reverse postorder
  Slices slices_;
  mutable std::optional<Answers> answers_; // for functions with atomics: most have none
  Counters counters_;
  Tickets tickets_;
  SpinExits spinExits_;
  WaitExits waitExits_;
  LoopEnds loopEnds_;
  EdgesAround edgesAround_;
  std::map<uint32_t, std::optional<std::set<int64_t>>> given_; // [parameter]: the numbers that it may be
  std::optional<GivenFunctions> givenFunctions_;
  llvm::DenseMap<uint32_t, Tested> tested_; // [value]: what a call that returned it has read
  std::vector<uint32_t> place_;             // [block]: in that order
  std::vector<std::pair<uint32_t, uint32_t>>
      loops_;                 // where each begins, and what leads back; without one, a pass meets nothing twice
  std::vector<States> entry_; // [block]
  std::vector<std::vector<State>> unwound_; // states that leave the current block by its Unwind edge
  bool changed_ = false;
  bool climbed_ = false; // a value lost its name in this turn
  bool widen_ = false;   // after many passes: what changes becomes top
  Recorder *recorder_ = nullptr;
};

} // namespace deadheat::analyse
