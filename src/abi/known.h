// What threads know of each other's telling, kept in the program: so that of all synchronisation only that is told by which a thread
// gets to know something.
//
// Order is needed between told accesses alone. A thread counts its stretches: what it told between one publication and the
// next. What it knows is a number of stretches for each thread, twice: by all synchronisation, and by that which no schedule turns
// round (`hard`: all but locks). Such knowledge, once told, is a state with an id, which says who gave it and which of that one's it
// is. Objects keep the id of what was given to them. Who takes it looks whether it knows that state already: it knows a later one of
// the same giver, or all stretches that the state has. Only if not, it is told and learnt.
//
//   thread 1: tells | gives lock L: tells state 7, L keeps 7      thread 2: takes L: learns 7, knows just what 7 says, is at 7
//   thread 1: takes L, which keeps 7: nothing                     thread 2: gives L, which keeps 7 already: nothing
//
// Claim   Whoever takes what was given to an object has learnt, and told so, all that the giver knew.
// Assumes a lock is given by who holds it; beginWrite and endWrite lie around an atomic operation, a load's learning after it.
// Cost    One look at the object's keeper where nothing is new, no locked instruction; a locked exchange where an object keeps another
//         state than before; a walk over the threads where a state was not seen before.
// Misses  May order more than the program does, so that a race stays unseen: where two objects share a keeper; a load that saw what
//         was there just before a store; a relaxed store after others' releases that its thread knows; a thread beyond kKnowers,
//         which takes the place of one that ended.
// Differs from LiteRace, which tells all synchronisation, and from clocks in every lock: what is not sampled costs no clock.
#pragma once

#include "abi/event.h"
#include "abi/known_states.h"
#include "abi/ring.h"

namespace deadheat::abi {

inline constexpr U32 kKeeperBits = 15;
inline constexpr U32 kKnownCache = 64;
inline constexpr U32 kCoverings = 64;
inline constexpr U32 kMostSeen = 8;
inline constexpr U32 kMostPending = 8;

// How knowledge passes: locks order nothing that another schedule could not turn round.
enum class Passage : U8 { Message, Lock };

// What an object keeps: an entry, and the rest, of objects that have no entry any more. Apart from each other, as the rest is hardly read.
//   entry: 63 .. 39 which object | 38 busy | 37 .. 0 id of a state, or number of the thread that is busy
struct Keeper {
  U64 &entry;
  U64 &rest;
};

inline constexpr U64 kKeeperBusy = U64(1) << (32 + kKnowerBits);
inline constexpr U64 kStateMask = kKeeperBusy - 1;
inline constexpr U32 kTagShift = 33 + kKnowerBits;

// A place among those who know, and what its last owner knew in the end.
struct KnowerPlace {
  U32 isEnded;
  U32 stretches;
  U32 states;
  U64 last;
};

// All zero at the beginning.
struct KnownTable {
  U32 knowers; // places given so far, may exceed kKnowers
  U32 nextEnded;
  KnowerPlace places[kKnowers + 1]; // the last: for those who have none
  StateRows states;
  U64 entries[U64(1) << kKeeperBits];
  U64 rests[U64(1) << kKeeperBits];
};

// An atomic operation that may write and is under way.
struct PendingWrite {
  U64 object;
  U64 old;     // what the object kept
  U64 added;   // what handlers of the same thread gave it meanwhile
  bool nested; // in another one of the same thread
};

// A state that says all that another does, which the thread gives.
struct Covering {
  U64 id;
  U64 given;
};

// A thread's part. All zero before takePlace.
struct Knower {
  U32 place;
  U32 number; // of the thread
  U32 seenCount;
  U32 pending;
  U64 state;           // that says just what the thread knows; 0: none does
  U64 published;       // the thread's news at that time
  U64 fence;           // what it knew at its last release fence
  U64 seen[kMostSeen]; // states that loads saw which did not acquire
  PendingWrite writes[kMostPending];
  U64 cache[2][kKnownCache]; // ids of states that are known, by passage
  Covering covering[kCoverings];
  Known known;
};

inline constexpr U64 kUnpublished = ~U64(0);

// The object that stands for a state in events: no address of a program.
inline constexpr U64 stateObject(U64 id) { return U64(1) << 47 | id << 6; }

// Which keeper an object has, and its mark in an entry there: together 40 bits of 47, mixed one to one. Two objects have the same once in
// thirty million pairs that share a keeper.
inline constexpr U64 mixedObject(U64 object) { return object * 0x9e3779b97f4a7c15 << 17; }
inline constexpr U64 keeperIndex(U64 object) { return mixedObject(object) >> (64 - kKeeperBits); }
inline constexpr U64 keeperTag(U64 object) { return mixedObject(object) << kKeeperBits >> kTagShift << kTagShift; }

// What readers of a lock give is kept next to it: nothing else of a lock is there.
inline constexpr U64 readersOf(U64 object) { return object + 1; }

// Whether a later state of the same giver is known, or one that was looked at.
[[gnu::always_inline]] inline bool knowsState(const Knower &self, U64 id, Passage passage) {
  const U32 place = statePlace(id);
  const Counts &states = passage == Passage::Lock ? self.known.states : self.known.hardStates;
  if (place != kNoKnower) return states[place] >= stateNumber(id);
  return self.cache[static_cast<U32>(passage)][stateNumber(id) % kKnownCache] == id;
}

// `Teller` has  bool publish(U64 id, bool own, U64 also): the state is what the thread knows (`own`) and what the state `also` says
//              void learn(U64 id, Passage)               the thread knows it from here on
//              U64 news()                                changes with all that the thread tells
//              bool wait(int tries)                      for another thread; false: in vain
template <typename Teller> class Knowing {
public:
  Knowing(KnownTable &table, Knower &self, Teller &tell) : table_(table), self_(self), tell_(tell) {}

  void takePlace();
  void leavePlace();

  // `hasReaders`: the lock is one that others may have held shared, and this thread has not.
  void takeLock(U64 object, bool hasReaders) {
    learn(kept(object), Passage::Lock);
    if (hasReaders) learn(kept(readersOf(object)), Passage::Lock);
  }
  void giveLock(U64 object, bool shared) { give(shared ? readersOf(object) : object, shared); }
  // What is to be read by atomic loads of the object.
  void giveMessage(U64 object) { give(object, true); }

  void load(U64 object, Order order) { see(kept(object), order); }
  void beginWrite(U64 object);
  bool hasBegun(U64 object) const { return self_.pending != 0 && self_.writes[self_.pending - 1].object == object; }
  // `access()` tells of the access itself: after what it acquires, and part of what it releases.
  template <typename Access> void endWrite(U64 object, bool writes, bool updates, Order order, Access access);
  void fence(Order order);

  // Of operations that will never end.
  void dropWrites();

private:
  static bool acquires(Order order) { return order != Order::Relaxed && order != Order::Release; }
  static bool releases(Order order) { return order >= Order::Release; }

  Keeper keeperOf(U64 object) {
    const U64 at = keeperIndex(object);
    return {table_.entries[at], table_.rests[at]};
  }
  static U64 tagOf(U64 object) { return keeperTag(object); }
  static bool isOf(U64 entry, U64 tag) { return ((entry ^ tag) >> kTagShift) == 0; }
  static bool exchange(U64 &word, U64 from, U64 to) {
    return __atomic_compare_exchange_n(&word, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  }

  U64 settled(Keeper keeper);
  U64 kept(U64 object);
  void give(U64 object, bool joins);
  bool put(U64 object, U64 entry, U64 wanted);
  void addToRest(Keeper keeper, U64 id);
  PendingWrite *outer(U64 object);
  U64 keptAfter(U64 old, bool updates, Order order);
  void see(U64 id, Order order);

  bool isKnown(U64 id, Passage passage) const { return id == 0 || id == self_.state || knowsState(self_, id, passage); }
  void learn(U64 id, Passage passage) {
    if (!isKnown(id, passage)) learnNew(id, passage);
  }
  __attribute__((noinline)) void learnNew(U64 id, Passage passage);
  bool mayKnow(U64 id) const;
  bool read(U64 id, State &into) const;
  U64 own();
  U64 store(U32 place, const Known &known, bool isOpaque, bool isJoint);
  U64 join(U64 left, U64 right);
  U64 joinByLearning(U64 left, U64 right);
  U32 count() const {
    const U32 given = loadRelaxed(table_.knowers);
    return given < kKnowers ? given : kKnowers;
  }
  static U64 rowOf(U64 id) { return id * 0x9e3779b97f4a7c15 >> (64 - kRowBits); }
  void noteKnown(U64 id, Passage passage);
  bool knowsAll(const State &state, Passage passage) const {
    return !state.isOpaque && covers(self_.known.before, state.known.before, state.count) &&
           (passage == Passage::Lock || covers(self_.known.hard, state.known.hard, state.count));
  }

  KnownTable &table_;
  Knower &self_;
  Teller &tell_;
};

// Whether the object keeps a state that is known by its giver's count, or nothing; mostly so. One comparison says all but the latter: if the entry is
// another object's, or busy, or of several givers, what is left without the mark of this one is more than any count.
[[gnu::always_inline]] inline bool knowsAtOnce(const KnownTable &table, const Knower &self, U64 object,
                                               Passage passage) {
  const U64 entry = loadAcquire(table.entries[keeperIndex(object)]), left = entry ^ keeperTag(object);
  const Counts &states = passage == Passage::Lock ? self.known.states : self.known.hardStates;
  return entry == 0 || left >> kKnowerBits <= states[left & kNoKnower];
}

// Whether a thread that loads from the object has nothing to learn. False where it is not clear at a look.
[[gnu::always_inline]] inline bool knowsKept(const KnownTable &table, const Knower &self, U64 object) {
  const U64 entry = loadAcquire(table.entries[keeperIndex(object)]);
  if ((entry ^ keeperTag(object)) >> kTagShift != 0) {
    const U64 rest = loadAcquire(table.rests[keeperIndex(object)]);
    return rest == 0 || knowsState(self, rest, Passage::Message);
  }
  const U64 id = entry & (kKeeperBusy | kStateMask);
  return id == 0 || ((id & kKeeperBusy) == 0 && knowsState(self, id, Passage::Message));
}

// Whether a thread that releases has nothing to give: the object keeps just what the thread knows.
[[gnu::always_inline]] inline bool keepsGiven(const KnownTable &table, const Knower &self, U64 object, U64 news) {
  return self.state != 0 && self.published == news &&
         loadAcquire(table.entries[keeperIndex(object)]) == (keeperTag(object) | self.state);
}

inline Covering &coveringOf(Knower &self, U64 id) { return self.covering[(id ^ id >> kKnowerBits) % kCoverings]; }

// Whether a state is known to say all that the one does which the thread gives: a later one of the same giver does.
[[gnu::always_inline]] inline bool coversGiven(Knower &self, U64 id, U64 given) {
  if (id == given) return true;
  if (((id ^ given) & kNoKnower) == 0 && statePlace(id) != kNoKnower) return id > given;
  const Covering &known = coveringOf(self, id);
  return known.id == id && known.given == given;
}

// Whether an atomic operation that may write changes nothing, before it and after it: neither has the thread to learn what the object
// keeps, nor has it anything to give that is not there. Such a one needs no beginWrite; if it turns out otherwise, endWrite alone gives
// by joining. `gives`: it releases. `news`: of the thread.
//
// Assumes that nobody replaces what the object keeps by a store, knowing less, while another thread's update is under way, and
// that a third one looks before that update has ended: this one would miss what the update gave.
[[gnu::always_inline]] inline bool changesNothing(const KnownTable &table, Knower &self, U64 object, bool gives,
                                                  U64 news) {
  if (!gives && self.fence == 0) return knowsKept(table, self, object);
  const U64 entry = loadAcquire(table.entries[keeperIndex(object)]);
  if ((entry ^ keeperTag(object)) >> kTagShift != 0 || (entry & kKeeperBusy) != 0) return false;
  const U64 id = entry & kStateMask, given = gives ? self.state : self.fence;
  if (id == 0 || given == 0 || (gives && self.published != news)) return false;
  return coversGiven(self, id, given) && (id == self.state || knowsState(self, id, Passage::Message));
}

// Likewise, where it is clear at one look.
[[gnu::always_inline]] inline bool changesNothingAtOnce(const KnownTable &table, const Knower &self, U64 object,
                                                        bool gives, U64 news) {
  if (gives) return keepsGiven(table, self, object, news);
  if (self.fence == 0) return knowsAtOnce(table, self, object, Passage::Message);
  return loadAcquire(table.entries[keeperIndex(object)]) == (keeperTag(object) | self.fence);
}

// Before an operation that releases: whether the object keeps all that the thread has to give. It is put there at once if the thread knows what
// was kept, and so gives that, too. Then there is nothing to mark, and after it nothing to do if changesNothing says so. Who loads
// before the operation has happened learns too much, never too little.
[[gnu::always_inline]] inline bool giveBefore(KnownTable &table, Knower &self, U64 object, U64 news) {
  U64 &kept = table.entries[keeperIndex(object)];
  U64 entry = loadAcquire(kept);
  if ((entry ^ keeperTag(object)) >> kTagShift != 0 || (entry & kKeeperBusy) != 0) return false;
  if (self.state == 0 || self.published != news) return false;
  const U64 id = entry & kStateMask;
  if (id == self.state) return true;
  if (id == 0 || !knowsState(self, id, Passage::Message))
    return false; // 0: also in the child of a fork, which has no state yet
  if (coversGiven(self, id, self.state)) return true;
  return __atomic_compare_exchange_n(&kept, &entry, keeperTag(object) | self.state, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}

// --- states

inline constexpr U64 kBeingWritten = ~U64(0);
inline constexpr U32 kLastState = ~0u - kKnowers; // no thread gives more

// False: it is too old, or others write there.
template <typename Teller> bool Knowing<Teller>::read(U64 id, State &into) const {
  const U64 at = rowOf(id);
  const StateRow &row = table_.states.rows[at];
  if (loadAcquire(row.id) != id) return false;
  into.isOpaque = loadRelaxed(row.isOpaque);
  into.isJoint = loadRelaxed(row.isJoint);
  into.count = count();
  eachCounts(into.known, [&](Counts &counts, U32 kind) {
    for (U32 place = 0; place != into.count; ++place) counts[place] = loadRelaxed(table_.states.count(at, kind, place));
  });
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return loadRelaxed(row.id) == id;
}

// A new id, 0 if there are no more. A row that another thread writes is left to it: then the state is one that is too old.
template <typename Teller> U64 Knowing<Teller>::store(U32 place, const Known &known, bool isOpaque, bool isJoint) {
  const U32 which = fetchAdd(table_.places[place].states, 1u) + 1;
  if (which >= kLastState) {
    storeRelaxed(table_.places[place].states, kLastState);
    return 0;
  }
  const U64 id = stateId(which, place);
  const U64 at = rowOf(id);
  StateRow &row = table_.states.rows[at];
  const U64 before = loadRelaxed(row.id);
  if (before == kBeingWritten || !exchange(row.id, before, kBeingWritten)) return id;
  storeRelaxed(row.isOpaque, isOpaque);
  storeRelaxed(row.isJoint, isJoint);
  eachCounts(known, [&, end = count()](const Counts &counts, U32 kind) {
    for (U32 of = 0; of != end; ++of) storeRelaxed(table_.states.count(at, kind, of), counts[of]);
  });
  storeRelease(row.id, id);
  return id;
}

template <typename Teller> void Knowing<Teller>::noteKnown(U64 id, Passage passage) {
  const U32 place = statePlace(id), which = stateNumber(id);
  Known &known = self_.known;
  if (place == kNoKnower) {
    self_.cache[static_cast<U32>(passage)][which % kKnownCache] = id;
    return;
  }
  if (known.states[place] < which) known.states[place] = which;
  if (passage == Passage::Message && known.hardStates[place] < which) known.hardStates[place] = which;
}

// The state that says what the thread knows, told if there was none.
template <typename Teller> U64 Knowing<Teller>::own() {
  const U64 news = tell_.news();
  if (self_.state != 0 && self_.published == news) return self_.state;
  if (self_.published != news && self_.place != kNoKnower)
    self_.known.before[self_.place] = self_.known.hard[self_.place] = ++table_.places[self_.place].stretches;
  const U64 id = store(self_.place, self_.known, self_.place == kNoKnower, false);
  if (id == 0 || !tell_.publish(id, true, 0)) return 0;
  self_.published = news;
  noteKnown(id, Passage::Message);
  noteKnown(id, Passage::Lock);
  return self_.state = id;
}

// False: the thread does not know all that the state says, so it has no part in it.
template <typename Teller> bool Knowing<Teller>::mayKnow(U64 id) const {
  State state;
  return isKnown(id, Passage::Message) || !read(id, state) || state.isJoint ||
         covers(self_.known.before, state.known.before, state.count);
}

template <typename Teller> void Knowing<Teller>::learnNew(U64 id, Passage passage) {
  State state;
  const bool isThere = read(id, state);
  const bool isNew = !isThere || !knowsAll(state, passage);
  if (isNew) tell_.learn(id, passage);
  noteKnown(id, passage);
  Known &known = self_.known;
  if (isThere) {
    addCounts(known.before, state.known.before, state.count);
    addCounts(known.states, state.known.states, state.count);
    if (passage == Passage::Message) addCounts(known.hard, state.known.hard, state.count);
    if (passage == Passage::Message) addCounts(known.hardStates, state.known.hardStates, state.count);
  }
  if (!isNew) return;
  if (isThere) lengthen(state, count());
  const bool isSame = isThere && self_.published == tell_.news() && !state.isOpaque &&
                      covers(state.known.before, known.before, state.count) &&
                      covers(state.known.hard, known.hard, state.count) &&
                      covers(known.hard, state.known.hard, state.count);
  self_.state = isSame ? id : 0;
  if (!isThere || state.isOpaque) self_.published = kUnpublished; // what others have to learn from it has no other name
}

// A state of what both say, which the thread itself need not know if they are not too old.
template <typename Teller> U64 Knowing<Teller>::join(U64 left, U64 right) {
  if (left == right || right == 0) return left;
  if (left == 0) return right;
  if (statePlace(left) == statePlace(right) && statePlace(left) != kNoKnower) return left < right ? right : left;
  State one, other;
  if (!read(left, one) || !read(right, other) || one.isOpaque || other.isOpaque) return joinByLearning(left, right);
  lengthen(one, other.count);
  lengthen(other, one.count);
  if (saysAll(one, other)) return left;
  if (saysAll(other, one)) return right;
  addCounts(one.known.before, other.known.before, one.count);
  addCounts(one.known.hard, other.known.hard, one.count);
  addCounts(one.known.states, other.known.states, one.count);
  addCounts(one.known.hardStates, other.known.hardStates, one.count);
  lengthen(one, count());
  const U64 id = store(kNoKnower, one.known, false, true);
  return id != 0 && tell_.publish(id, false, left) && tell_.publish(id, false, right) ? id : left;
}

// --- objects

template <typename Teller> U64 Knowing<Teller>::settled(Keeper keeper) {
  for (int tries = 0;; ++tries) {
    const U64 entry = loadAcquire(keeper.entry);
    if (!(entry & kKeeperBusy) || (entry & kStateMask) == self_.number) return entry;
    if (!tell_.wait(tries)) exchange(keeper.entry, entry, entry & ~(kKeeperBusy | kStateMask));
  }
}

// The operation of this thread on the object that a handler has interrupted; null: none.
template <typename Teller> PendingWrite *Knowing<Teller>::outer(U64 object) {
  for (U32 at = 0; at != self_.pending; ++at)
    if (self_.writes[at].object == object && !self_.writes[at].nested) return &self_.writes[at];
  return nullptr;
}

template <typename Teller> U64 Knowing<Teller>::kept(U64 object) {
  Keeper keeper = keeperOf(object);
  const U64 entry = settled(keeper);
  if (!isOf(entry, tagOf(object))) return loadAcquire(keeper.rest);
  if (!(entry & kKeeperBusy)) return entry & kStateMask;
  const PendingWrite *begun = outer(object);
  return begun ? begun->old : 0;
}

// The thread learns what has to stay together, so that its own next state says it all.
template <typename Teller> U64 Knowing<Teller>::joinByLearning(U64 left, U64 right) {
  if (left == right || right == 0) return left;
  if (left == 0) return right;
  learn(left, Passage::Message);
  learn(right, Passage::Message);
  const U64 both = own();
  return both != 0 ? both : left;
}

template <typename Teller> void Knowing<Teller>::addToRest(Keeper keeper, U64 id) {
  for (;;) {
    const U64 rest = loadAcquire(keeper.rest);
    if (id == 0 || id == rest || (isKnown(id, Passage::Message) && rest == self_.state)) return;
    if (exchange(keeper.rest, rest, joinByLearning(rest, id))) return;
  }
}

// False: somebody else changed the entry.
template <typename Teller> bool Knowing<Teller>::put(U64 object, U64 entry, U64 wanted) {
  Keeper keeper = keeperOf(object);
  if (!isOf(entry, tagOf(object))) addToRest(keeper, entry & kStateMask);
  return exchange(keeper.entry, entry, tagOf(object) | wanted);
}

template <typename Teller> void Knowing<Teller>::give(U64 object, bool joins) {
  Keeper keeper = keeperOf(object);
  const U64 mine = own();
  for (;;) {
    const U64 entry = settled(keeper);
    if (mine == 0) return;
    if ((entry & kKeeperBusy) != 0) { // in a handler
      if (PendingWrite *begun = outer(object))
        begun->added = join(begun->added, mine);
      else
        addToRest(keeper, mine);
      return;
    }
    const bool isThere = isOf(entry, tagOf(object));
    const U64 old = isThere ? entry & kStateMask : loadAcquire(keeper.rest);
    const U64 wanted = joins ? join(old, mine) : mine;
    if ((isThere && old == wanted) || put(object, entry, wanted)) return;
  }
}

template <typename Teller> void Knowing<Teller>::see(U64 id, Order order) {
  if (acquires(order)) return learn(id, Passage::Message);
  if (isKnown(id, Passage::Message)) return;
  for (U32 at = 0; at != self_.seenCount; ++at)
    if (self_.seen[at] == id) return;
  if (self_.seenCount == kMostSeen) return learn(id, Passage::Message);
  self_.seen[self_.seenCount++] = id;
}

template <typename Teller> void Knowing<Teller>::beginWrite(U64 object) {
  if (self_.pending == kMostPending) return;
  Keeper keeper = keeperOf(object);
  for (;;) {
    const U64 entry = settled(keeper);
    const bool nested = (entry & kKeeperBusy) != 0;
    const U64 old = nested || !isOf(entry, tagOf(object)) ? kept(object) : entry & kStateMask;
    if (!nested && !put(object, entry, kKeeperBusy | self_.number)) continue;
    self_.writes[self_.pending++] = {object, old, 0, nested};
    return;
  }
}

// What the object keeps after a write. A relaxed store ends what others released there; what the thread knows it may have released
// there itself.
template <typename Teller> U64 Knowing<Teller>::keptAfter(U64 old, bool updates, Order order) {
  const U64 given = releases(order) ? own() : self_.fence;
  if (given != 0 && given == self_.state && isKnown(old, Passage::Message)) return given; // which says what it knows
  if (updates) return join(old, given);
  if (releases(order)) return given;
  return mayKnow(old) ? join(old, given) : given;
}

template <typename Teller>
template <typename Access>
void Knowing<Teller>::endWrite(U64 object, bool writes, bool updates, Order order, Access access) {
  const bool begun = hasBegun(object);
  const PendingWrite write = begun ? self_.writes[self_.pending - 1] : PendingWrite{object, kept(object), 0, true};
  if (!writes || updates) see(write.old, order);
  access();
  const U64 wanted = writes ? join(keptAfter(write.old, updates, order), write.added) : write.old;
  if (begun) --self_.pending;
  if (write.nested) {
    if (writes && (releases(order) || self_.fence != 0)) give(object, true);
    return;
  }
  U64 &entry = keeperOf(object).entry;
  const U64 mine = tagOf(object) | kKeeperBusy | self_.number;
  if (loadRelaxed(entry) != mine) return; // it was taken away
  storeRelease(entry, tagOf(object) | wanted);
  const U64 given = releases(order) ? self_.state : self_.fence;
  if (writes && given != 0) coveringOf(self_, wanted) = {wanted, given};
}

template <typename Teller> void Knowing<Teller>::fence(Order order) {
  if (acquires(order)) {
    for (U32 at = 0; at != self_.seenCount; ++at) learn(self_.seen[at], Passage::Message);
    self_.seenCount = 0;
  }
  if (releases(order)) self_.fence = own();
}

template <typename Teller> void Knowing<Teller>::dropWrites() {
  while (self_.pending != 0) {
    const PendingWrite write = self_.writes[--self_.pending];
    const U64 mine = tagOf(write.object) | kKeeperBusy | self_.number;
    if (!write.nested) exchange(keeperOf(write.object).entry, mine, tagOf(write.object) | join(write.old, write.added));
  }
}

// --- threads

// A thread that comes when all places are taken gets that of one which has ended, and knows what that one knew.
template <typename Teller> void Knowing<Teller>::takePlace() {
  self_.place = kNoKnower;
  self_.published = kUnpublished; // it knows what its creator did last
  const U32 next = fetchAdd(table_.knowers, 1u);
  if (next < kKnowers) {
    self_.place = next;
    return;
  }
  storeRelaxed(table_.knowers, kKnowers); // it is not to run over
  for (U32 step = 0; step != kKnowers; ++step) {
    const U32 at = fetchAdd(table_.nextEnded, 1u) % kKnowers;
    U32 ended = 1;
    if (!__atomic_compare_exchange_n(&table_.places[at].isEnded, &ended, 0u, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    self_.place = at;
    return learn(table_.places[at].last, Passage::Message);
  }
}

template <typename Teller> void Knowing<Teller>::leavePlace() {
  if (self_.place == kNoKnower) return;
  KnowerPlace &place = table_.places[self_.place];
  place.last = own();
  storeRelease(place.isEnded, place.last != 0 ? 1u : 0u);
  self_.place = kNoKnower;
}

} // namespace deadheat::abi
