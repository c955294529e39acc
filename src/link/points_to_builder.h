// Turns statements into the flow of points_to.h, and binds calls through pointers to what the pointers reach, until both
// agree.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

#include "link/call_graph.h"
#include "link/code.h"
#include "link/field_targets.h"
#include "link/pointer_types.h"
#include "link/points_to_state.h"
#include "link/reaching_functions.h"
#include "link/virtual_calls.h"
#include "link/wrappers.h"

namespace deadheat::link {

// A function is called that only points-to can name.
struct Unbound {
  enum class Kind : uint8_t {
    Call,     // through a pointer
    Entry,    // by a function of the knowledge table: a thread's entry, a handler
    Library,  // by a function of the table that has the other arguments to give it (qsort)
    Callback, // perhaps by code without a body that got its address
  };
  Kind kind = Kind::Call;
  CallSiteId site = {};
  Location callee = {};
  std::vector<Location> arguments =
      {};               // [parameter]; of a Library and a Callback: none, any of the call's may go to any parameter
  Location object = {}; // of a virtual one: whose vtable has the callee, at byte `slot`
  uint32_t slot = 0;
  Location plain = {};         // of a pointer to a member: what it holds, if that is no place in a vtable
  Location handle = {};        // of a thread's start: where the handle goes, if by address
  NodeId result = {};          // invalid: nobody asks for it
  bool returnsNothing = false; // of an Entry: so must the function
  uint32_t group = UINT32_MAX;
};

// What the last solution says of the targets of each Unbound.
struct Targets {
  std::vector<FuncId> functions; // sorted
  bool open = false;             // unknown code had a hand in it, or there is nothing
};

class PointsToBuilder {
public:
  PointsToBuilder(const Code &code, const CallGraph &sites, const Wrappers &wrappers);

  void run();
  PointsTo finish();

  const std::vector<Unbound> &unbound() const { return unbound_; }
  const Targets &targets(const Unbound &call);
  bool isReachedByNothing(const Unbound &call) const { return reaching_.factsAt(call.callee) == 0; }

private:
  // constraints.cpp: statements.
  void addNodes();
  std::vector<uint32_t> findArrays() const; // [variable]: bytes of an element; 0: its elements are told apart
  void addVariables();
  void addFunctionNodes();
  void addInitialisers();
  void addFunction(FuncId id);
  void findIndexed(FuncId id);
  uint32_t strideOf(const model::Statement &stack) const;
  void addStatement(model::StatementId id, const model::Statement &statement);
  void access(const model::Statement &statement);
  void transfer(Location to, Location from, int64_t bytes);
  void compute(const model::Statement &statement);
  Location use(model::Operand operand);
  void define(model::ValueId value, Location location);
  void flowInto(model::ValueId value, Location location);
  Location moved(Location location, int64_t bytes) const;
  bool mayBePointer(const model::Statement &statement) const;
  Location stored(Location location); // the hub of what is stored there

  // constraint_calls.cpp: calls.
  struct Called {
    CallSiteId site;
    model::StatementId statement;
    const model::Call *call;
    std::vector<Location> arguments;
    model::ValueId result;
    Location argument(int index) const {
      return index >= 0 && static_cast<size_t>(index) < arguments.size() ? arguments[index] : Location();
    }
  };
  void addCall(model::StatementId id, const model::Statement &statement);
  void addDirect(const Called &called, FuncId callee);
  void addIndirect(const Called &called, const model::Call &call);
  void bind(const std::vector<Location> &arguments, FuncId callee);
  void addAllocating(const Called &called, FuncId callee);
  void addKnown(const Called &called, const knowledge::Row &row);
  void allocate(const Called &called, const knowledge::Row &row);
  void reallocate(const Called &called, const knowledge::Row &row);
  void enter(const Called &called, const knowledge::Row &row);
  Location stateOf(const Called &called, const knowledge::Row &row);
  Location storedInto(const model::Statement &statement, model::Operand slot);
  void handle(const Called &called, const knowledge::Row &row);
  Location entryOf(const Called &called, const knowledge::Row &row, int argument);
  void addExternal(const Called &called, FuncId callee);
  bool addLibrary(const Called &called, std::string_view name);
  bool addLookup(const Called &called, FuncId callee);
  Location exported();
  void addVariadic(const Called &called, FuncId callee);
  bool addIntrinsic(const Called &called, FuncId callee);
  Location newObject(ObjectKind kind, const Called &called);
  Location externalObject(FuncId callee);

  // indirect.cpp: calls through pointers.
  struct Group {
    std::vector<NodeId> parameters;
    NodeId result;
    std::vector<FuncId> bound; // sorted
    int pass = -1;             // in which its targets were compared
  };
  void bindUntilStable();
  void findTypes();
  std::vector<FuncId> byType(Location object, uint32_t slot, bool &exact);
  const Places &placesIn(Location location);
  void keepEntryShape(const Unbound &call, std::vector<FuncId> &functions) const;
  std::vector<FuncId> withEntryShape(const Unbound &call) const;
  bool bindWhatFlows();
  bool bindAll();
  bool bindGroup(Unbound &call, const Targets &found);
  uint32_t groupFor(const Unbound &call);
  void join(Unbound &call, uint32_t index);
  void bindParameter(const Group &group, size_t index, FuncId callee);
  bool bindEach(uint32_t index, const Targets &found);
  void bindCallback(const Unbound &call, FuncId callee);
  bool bindComputed();
  Location resultOf(CallSiteId site, FuncId callee);
  Targets findTargets(const Unbound &call, SetPool::Set set);
  Targets findMembers(const Unbound &call, SetPool::Set set);
  std::vector<FuncId> findVirtualMembers(const Unbound &call, const std::vector<FuncId> &flowing);
  std::vector<FuncId> functionsIn(SetPool::Set set, uint32_t type);
  Targets findEntries(const Unbound &call, SetPool::Set set);
  void completeByName(uint32_t narrowing, uint32_t type, Targets &targets);
  void addTaken(uint32_t type, Targets &targets);
  std::vector<FuncId> findVirtual(const Unbound &call, const std::vector<FuncId> &flowing);
  bool usesResult(const Unbound &call) const;
  bool isFitting(FuncId candidate, const Unbound &call) const;
  std::vector<FuncId> withSignature(const std::vector<FuncId> &candidates, uint32_t type, const Unbound &call) const;
  uint32_t signature(std::string_view text);
  uint32_t kindOf(const Unbound &call);
  std::string_view typeOf(const Unbound &call) const;
  const model::Call &callOf(const Unbound &call) const;

  const Code &code_;
  const CallGraph &sites_;
  const Wrappers &wrappers_;
  ArrayTypes arrays_;
  VirtualCalls virtual_;
  PointerTypes pointers_;
  FieldTargets fields_;
  std::unique_ptr<PointsTo::State> state_;
  FlowGraph &graph_;
  llvm::DenseMap<uint32_t, int64_t> indexed_; // [value of the function]: bytes of a step
  FuncId function_;                           // whose statements are added
  const model::Unit *unit_ = nullptr;

  std::vector<NodeId> firstParameter_;          // [function]
  std::vector<NodeId> fresh_;                   // [function]: of those that allocate: the block they return
  std::vector<NodeId> variadic_;                // [function]: object that holds arguments beyond the parameters
  llvm::DenseMap<uint32_t, uint32_t> external_; // function -> node
  NodeId exported_;                             // once asked for
  llvm::StringMap<GlobalId> through_;           // variables with the names that rows give

  struct TableStore {
    Location place;
    GlobalId table;
    int32_t offset;
  };
  std::vector<TableStore> tableStores_;                              // constructors write them
  std::map<Place, std::vector<std::pair<GlobalId, int32_t>>> types_; // of the last solution: the vtables of objects
  std::map<Location, Places> places_;                                // likewise, as far as asked for

  struct Computed {
    NodeId result;
    Location a, b;
  };
  std::vector<Computed> computed_;
  std::vector<Unbound> unbound_;
  std::vector<Group> groups_;
  int pass_ = 0;
  llvm::DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> groupOf_; // (hub, signature and what names allow)
  llvm::StringMap<uint32_t> signatures_;
  struct Kind {
    uint32_t number = 0;
    std::string words = {}; // of pointer_types.h
  };
  llvm::DenseMap<uint32_t, Kind> kinds_;                       // by call site
  std::vector<uint32_t> signatureOf_;                          // [function]
  llvm::DenseMap<uint32_t, std::vector<FuncId>> addressTaken_; // by signature
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> boundPairs_;   // (unbound, function)

  ReachingFunctions reaching_;
  // By functions that reach the pointer and, of one to a member, its plain part; type, slot or number of arguments, facts, kind,
  // object, and what names allow.
  std::map<std::tuple<SetPool::Set, SetPool::Set, uint32_t, uint32_t, uint8_t, Unbound::Kind, Location, uint32_t>,
           Targets>
      targets_;
};

} // namespace deadheat::link
