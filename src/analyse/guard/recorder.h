// Collects, in the last pass over a function, what goes into its summary (RELAY, Fig. 6).
//
// Claim   An access is left out only if no other thread can reach its object: a fresh object that nobody else knows, a
//         stack object whose address did not escape, a thread's own or constant variable, or a class that link found
//         unshared.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "analyse/guard/summary.h"
#include "analyse/symbolic/function.h"
#include "analyse/symbolic/rebind.h"

namespace deadheat::analyse {

class Recorder {
public:
  explicit Recorder(FunctionAnalysis &function) : function_(function) {}

  void access(model::StatementId id, model::SiteId site, const model::Operand &operand, const Value &pointer,
              AccessTraits traits, const State &state);
  void call(model::StatementId id, link::FuncId callee, const Summary &summary, Rebinding &rebinding,
            const State &state, bool isGivenOnlyOwn);
  // A semaphore is posted, a barrier reached: what came before is before what comes after it elsewhere.
  void tell(model::StatementId id, const Value &signal, const State &state);
  void start(model::StatementId id, const Value &argument, const State &state);
  // `callee`: only that one is called in this state; invalid: any of them.
  void reachCall(model::StatementId id, link::CallSiteId site, const State &state, link::FuncId callee = {});
  void lockText(Address lock, std::string_view text);
  void tryLock() { summary_.tries = true; }
  void leave(uint32_t block, const std::vector<State> &states);

  Summary finish();

private:
  using Key = std::tuple<Address, uint32_t, AccessTraits, uint32_t, uint32_t, Address>;

  bool isReachable(Address lvalue, bool isPublished, const State &state) const;
  Handing handingAtEnd(NodeId formal) const;
  bool isPublishedHere(Address lvalue, const State &state) const;
  uint32_t keep(const Lockset &locks); // of Summary::locksets
  void add(Address lvalue, uint32_t locks, Entry entry, const Source &source);
  bool standsOnCaller(NodeId node) const;
  bool isChosenByCaller(NodeId node) const;
  bool isOneObject(Address address) const;
  void nameByPlace(HeldLock &held) const;
  bool nameAsKin(HeldLock &held) const;
  Lockset relevant(const Lockset &locks, Address lvalue) const;
  bool isParameter(Address container) const;
  void keepIn(Address container, const State &state, Entry &entry);
  void nameFormal(Address lvalue, model::SiteId site);
  void leaveWith(const model::Operand &result, const State &state);
  void leaveOutMissingLocks();
  bool isDecisive(uint32_t parameter) const;
  void tellByGiven();
  void finishExits();
  void findLockFormals();
  void finishMemory();
  void keepFresh();
  void keepHeld(uint32_t container, NodeId first);
  void keepDetached();
  bool isOwnStack(NodeId root) const;

  FunctionAnalysis &function_;
  Summary summary_;
  std::map<Key, uint32_t> entries_;
  std::map<Lockset, uint32_t> locksets_;
  // A way out, the names that are null on it, and what is known of parameters.
  struct Left {
    Exit exit;
    std::vector<NodeId> nulls;
    std::vector<Given> given;
    bool operator==(const Left &) const = default;
  };
  std::vector<Left> ways_;
  std::vector<Exit> exits_;
  bool left_ = false;
  bool isNumberLeft_ = false; // something that is not known as a number was returned
  State last_;                // all exits joined
  std::vector<NodeId> published_;
};

} // namespace deadheat::analyse
