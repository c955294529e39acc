#include "link/threads.h"

#include "gtest/gtest.h"

#include "link/test_program.h"

namespace deadheat::link {
namespace {

Operand v(ValueId id) { return Operand::value(id); }
Operand s(SymbolId id) { return Operand::symbol(id); }
Operand n(int64_t number) { return Operand::number(number); }

// main and its threads, in the words of pthreads.
struct Pthreads {
  UnitBuilder unit{"a.c"};
  SymbolId create = unit.declare("pthread_create", "i32(ptr,ptr,ptr,ptr)");
  SymbolId join = unit.declare("pthread_join", "i32(i64,ptr)");
  SymbolId counter = unit.variable("counter", 8);

  SymbolId worker(std::string_view name) {
    SymbolId symbol = unit.define(name, 1, "ptr(ptr)");
    unit.store(s(counter), n(1));
    unit.ret(n(0));
    unit.flag(symbol, model::kAddressTaken);
    return symbol;
  }
  void start(Operand handle, SymbolId entry, Operand argument = n(0)) {
    unit.call(create, {handle, n(0), s(entry), argument});
  }
  void joinAt(Operand handle) { unit.call(join, {v(unit.load(handle)), n(0)}); }
  // An access of main that tells where it is.
  model::StatementId mark() {
    unit.store(s(counter), n(2));
    return unit.last();
  }
};

struct Checked {
  explicit Checked(UnitBuilder &unit) : program(unit) {}

  ThreadId thread(std::string_view entry) const {
    for (uint32_t i = 0; i < program->threads.list.size(); ++i)
      if (program->threads.list[ThreadId(i)].entries[0] == program.function(entry)) return ThreadId(i);
    return {};
  }
  const Thread &row(std::string_view entry) const { return program->threads.list[thread(entry)]; }
  // Whether the thread may run while main is at the statement.
  bool meetsMain(std::string_view entry, model::StatementId statement) const {
    FuncId body = program.function(entry);
    model::StatementId inside = program->unitOf(body).blocks[program->bodyOf(body).firstBlock].firstStatement;
    return program->threads.mayRunTogether({thread("main"), program.function("main"), statement},
                                           {thread(entry), body, inside});
  }

  TestProgram program;
};

TEST(Threads, MainRunsAloneBeforeTheStartAndAfterTheJoin) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  p.unit.define("main", 2, "i32(i32,ptr)");
  ValueId handle = p.unit.stack(8);
  auto before = p.mark();
  p.start(v(handle), worker);
  auto during = p.mark();
  p.joinAt(v(handle));
  auto after = p.mark();
  p.unit.ret(n(0));
  Checked checked(p.unit);
  ASSERT_EQ(checked.program->threads.list.size(), 2u);
  EXPECT_FALSE(checked.row("worker").many);
  EXPECT_FALSE(checked.meetsMain("worker", before));
  EXPECT_TRUE(checked.meetsMain("worker", during));
  EXPECT_FALSE(checked.meetsMain("worker", after));
}

TEST(Threads, StartAndJoinInsideHelpersCountWhereTheyAreCalled) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  SymbolId handle = p.unit.variable("handle", 8);
  SymbolId begin = p.unit.define("begin");
  p.start(s(handle), worker);
  p.unit.ret();
  SymbolId end = p.unit.define("end");
  p.joinAt(s(handle));
  p.unit.ret();
  p.unit.define("main");
  auto before = p.mark();
  p.unit.call(begin, {});
  auto during = p.mark();
  p.unit.call(end, {});
  auto after = p.mark();
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_FALSE(checked.meetsMain("worker", before));
  EXPECT_TRUE(checked.meetsMain("worker", during));
  EXPECT_FALSE(checked.meetsMain("worker", after));
}

TEST(Threads, ThreadsThatAreJoinedInTurnNeverMeet) {
  Pthreads p;
  SymbolId first = p.worker("first"), second = p.worker("second"), third = p.worker("third");
  p.unit.define("main");
  ValueId one = p.unit.stack(8), two = p.unit.stack(8), three = p.unit.stack(8);
  p.start(v(one), first);
  p.joinAt(v(one));
  p.start(v(two), second);
  p.start(v(three), third);
  p.unit.ret();
  Checked checked(p.unit);
  const Threads &threads = checked.program->threads;
  EXPECT_FALSE(threads.mayRunTogether(checked.thread("first"), checked.thread("second")));
  EXPECT_TRUE(threads.mayRunTogether(checked.thread("second"), checked.thread("third")));
  EXPECT_FALSE(threads.mayRunTogether(checked.thread("second"), checked.thread("second")));
}

TEST(Threads, JoinOnOnePathOnlyDoesNotEndTheThread) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  p.unit.define("main", 1, "i32(i32)");
  ValueId handle = p.unit.stack(8);
  p.start(v(handle), worker);
  p.unit.branch(1, 2, v(ValueId(0)), n(0));
  p.unit.block();
  p.joinAt(v(handle));
  p.unit.jump(2);
  p.unit.block();
  auto after = p.mark();
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_TRUE(checked.meetsMain("worker", after));
}

TEST(Threads, JoinOnAnErrorPathOfALoopDoesNotEndTheThreadForTheRest) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  p.unit.define("main", 1, "i32(i32)");
  ValueId handle = p.unit.stack(8);
  p.start(v(handle), worker);
  p.unit.jump(1);
  p.unit.block(); // 1: the loop
  p.unit.branch(2, 3, v(ValueId(0)), n(0));
  p.unit.block(); // 2: the error
  p.joinAt(v(handle));
  auto failed = p.mark();
  p.unit.branch(1, 4, v(ValueId(0)), n(1));
  p.unit.block(); // 3
  p.unit.branch(1, 4, v(ValueId(0)), n(2));
  p.unit.block(); // 4
  auto after = p.mark();
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_FALSE(checked.meetsMain("worker", failed));
  EXPECT_TRUE(checked.meetsMain("worker", after));
}

// for (i = 0; i < n; ++i) pthread_create(&handles[i], ..., argument); for (...) pthread_join(handles[i]);
struct InLoops : Pthreads {
  SymbolId entry = worker("worker");
  SymbolId data = unit.variable("data", 512, Linkage::External, "struct datum [8]");
  SymbolId malloc = unit.declare("malloc", "ptr(i64)");
  model::StatementId between, after;

  template <typename Argument> explicit InLoops(Argument argument, bool joins = true) {
    unit.define("main", 1, "i32(i64)");
    ValueId handles = unit.stack(64);
    unit.jump(1);
    unit.block(); // 1: starts
    ValueId i = unit.newValue(), next = unit.newValue();
    unit.phiRow(i, 0, n(0));
    unit.phiRow(i, 1, v(next));
    start(v(unit.index(v(handles), v(i), 8)), entry, argument(*this, i));
    unit.computeAs(next, v(i), n(1));
    unit.branch(1, 2, v(next), v(ValueId(0)));
    unit.block(); // 2
    between = mark();
    unit.jump(3);
    unit.block(); // 3: joins
    ValueId j = unit.newValue(), nextJ = unit.newValue();
    unit.phiRow(j, 2, n(0));
    unit.phiRow(j, 4, v(nextJ));
    unit.branch(4, 5, v(j), v(ValueId(0)));
    unit.block(); // 4
    if (joins) joinAt(v(unit.index(v(handles), v(j), 8)));
    unit.computeAs(nextJ, v(j), n(1));
    unit.jump(3);
    unit.block(); // 5
    after = mark();
    unit.ret();
  }
};

TEST(Threads, LoopStartsManyAndTheLoopThatJoinsThemEndsThemAll) {
  InLoops p([](InLoops &, ValueId) { return n(0); });
  Checked checked(p.unit);
  EXPECT_TRUE(checked.row("worker").many);
  EXPECT_EQ(checked.row("worker").manyWhy, ManyWhy::Loop);
  EXPECT_TRUE(checked.meetsMain("worker", p.between));
  EXPECT_FALSE(checked.meetsMain("worker", p.after));
  EXPECT_TRUE(checked.program->threads.mayRunTogether(checked.thread("worker"), checked.thread("worker")));
}

TEST(Threads, LoopThatJoinsNothingEndsNothing) {
  InLoops p([](InLoops &, ValueId) { return n(0); }, false);
  EXPECT_TRUE(Checked(p.unit).meetsMain("worker", p.after));
}

TEST(Threads, ArgumentIndexedByTheLoopIsDistinct) {
  InLoops p([](InLoops &self, ValueId i) { return v(self.unit.index(s(self.data), v(i), 64)); });
  EXPECT_EQ(Checked(p.unit).row("worker").distinct, DistinctWhy::Indexed);
}

TEST(Threads, ArgumentAllocatedInTheIterationIsDistinct) {
  InLoops p([](InLoops &self, ValueId) { return v(self.unit.call(self.malloc, {n(64)})); });
  EXPECT_EQ(Checked(p.unit).row("worker").distinct, DistinctWhy::Allocated);
}

// for (...) start(); where start() { block = malloc(64); pthread_create(..., block); return block; }
TEST(Threads, ArgumentThatTheStarterAllocatesAndReturnsIsDistinct) {
  Pthreads p;
  SymbolId entry = p.worker("worker"), malloc = p.unit.declare("malloc", "ptr(i64)");
  SymbolId starter = p.unit.define("start", 0, "ptr()");
  ValueId block = p.unit.call(malloc, {n(64)});
  p.start(v(p.unit.stack(8)), entry, v(block));
  p.unit.ret(v(block));
  p.unit.define("main", 0, "i32()");
  p.unit.call(starter, {});
  p.unit.call(starter, {});
  p.unit.ret();
  EXPECT_EQ(Checked(p.unit).row("worker").distinct, DistinctWhy::Allocated);
}

TEST(Threads, ArgumentThatIsTheSameInEachIterationIsNotDistinct) {
  InLoops p([](InLoops &self, ValueId) { return v(self.unit.field(s(self.data), 64)); });
  EXPECT_EQ(Checked(p.unit).row("worker").distinct, DistinctWhy::Not);
}

TEST(Threads, ArgumentIndexedByAnythingButTheLoopIsNotDistinct) {
  InLoops p([](InLoops &self, ValueId) { return v(self.unit.index(s(self.data), v(ValueId(0)), 64)); });
  EXPECT_EQ(Checked(p.unit).row("worker").distinct, DistinctWhy::Not);
}

TEST(Threads, FunctionCalledTwiceStartsMany) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  SymbolId begin = p.unit.define("begin");
  p.start(v(p.unit.stack(8)), worker);
  p.unit.ret();
  p.unit.define("main");
  p.unit.call(begin, {});
  p.unit.call(begin, {});
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_TRUE(checked.row("worker").many);
  EXPECT_EQ(checked.row("worker").manyWhy, ManyWhy::CalledTwice);
}

// Starts a thread, if a variable says so.
SymbolId defineBegin(Pthreads &p, bool asks) {
  SymbolId worker = p.worker("worker"), running = p.unit.variable("running", 8);
  SymbolId begin = p.unit.define("begin", 1);
  ValueId slot = p.unit.stack(8);
  if (asks) {
    p.unit.branch(1, 2, v(p.unit.load(s(running))), n(0));
    p.unit.block(); // 1
  }
  p.start(v(slot), worker);
  if (asks) {
    p.unit.jump(2);
    p.unit.block(); // 2
  }
  p.unit.ret();
  return begin;
}

// main calls `begin`, which starts a thread, for one object and then for another or the same one.
ManyWhy whyManyOfTwoCalls(bool getsOther, bool asks) {
  Pthreads p;
  SymbolId first = p.unit.variable("first", 8), second = p.unit.variable("second", 8);
  SymbolId begin = defineBegin(p, asks);
  p.unit.define("main");
  p.unit.call(begin, {s(first)});
  p.unit.call(begin, {s(getsOther ? second : first)});
  p.unit.ret();
  return Checked(p.unit).row("worker").manyWhy;
}

TEST(Threads, FunctionCalledForTwoObjectsShowsThatTwoRun) {
  EXPECT_EQ(whyManyOfTwoCalls(/*getsOther=*/true, /*asks=*/false), ManyWhy::CalledTwice);
  EXPECT_EQ(whyManyOfTwoCalls(/*getsOther=*/true, /*asks=*/true), ManyWhy::CalledTwice);
}

TEST(Threads, FunctionThatMayHaveStartedItAlreadyDoesNotShowThatTwoRun) {
  EXPECT_EQ(whyManyOfTwoCalls(/*getsOther=*/false, /*asks=*/false), ManyWhy::CalledTwice);
  EXPECT_EQ(whyManyOfTwoCalls(/*getsOther=*/false, /*asks=*/true), ManyWhy::CalledOften);
}

// main calls `begin` in a loop, with something of the round or not; begin starts a thread, and joins it or not. Or main does.
ManyWhy whyManyOfBegin(bool getsOther, bool joins, bool mainJoins = false) {
  Pthreads p;
  SymbolId worker = p.worker("worker"), data = p.unit.variable("data", 8), handle = p.unit.variable("handle", 8);
  SymbolId begin = p.unit.define("begin", 1);
  p.start(s(handle), worker);
  if (joins) p.unit.call(p.join, {v(p.unit.load(s(handle))), n(0)});
  p.unit.ret();
  SymbolId end = p.unit.define("end");
  if (mainJoins) p.unit.call(p.join, {v(p.unit.load(s(handle))), n(0)});
  p.unit.ret();
  p.unit.define("main", 1);
  p.unit.jump(1);
  p.unit.block(); // 1
  ValueId read = p.unit.load(s(data));
  p.unit.call(begin, {v(getsOther ? read : ValueId(0))});
  p.unit.call(end, {});
  p.unit.branch(1, 2, v(ValueId(0)), n(0));
  p.unit.block(); // 2
  p.unit.ret();
  return Checked(p.unit).row("worker").manyWhy;
}

TEST(Threads, FunctionCalledInALoopStartsManyAsTheLoopWould) {
  EXPECT_EQ(whyManyOfBegin(/*getsOther=*/true, /*joins=*/false), ManyWhy::Loop);
  EXPECT_EQ(whyManyOfBegin(/*getsOther=*/false, /*joins=*/false), ManyWhy::Loop);
  EXPECT_NE(whyManyOfBegin(/*getsOther=*/true, /*joins=*/true), ManyWhy::Loop);
  EXPECT_NE(whyManyOfBegin(/*getsOther=*/false, /*joins=*/false, /*mainJoins=*/true), ManyWhy::Loop);
}

TEST(Threads, WrapperStartsTheThreadsOfItsCallersEachWithItsArgument) {
  Pthreads p;
  SymbolId first = p.worker("first"), second = p.worker("second");
  SymbolId a = p.unit.variable("a", 8), b = p.unit.variable("b", 8);
  SymbolId begin = p.unit.define("begin", 2, "void(ptr,ptr)");
  p.unit.call(p.create, {v(p.unit.stack(8)), n(0), v(ValueId(0)), v(ValueId(1))});
  p.unit.ret();
  p.unit.define("main");
  p.unit.call(begin, {s(first), s(a)});
  uint32_t line = p.unit.line();
  p.unit.call(begin, {s(second), s(b)});
  p.unit.ret();
  Checked checked(p.unit);
  ASSERT_EQ(checked.program->threads.list.size(), 3u);
  EXPECT_FALSE(checked.row("first").many);
  const CallSite &site = checked.program->calls.sites[checked.row("first").createdAt];
  EXPECT_EQ(checked.program->unit(site.unit).calls[site.call].line, line);
  EXPECT_EQ(checked.program.places("first", ValueId(0)), Names{"a"});
  EXPECT_EQ(checked.program.places("second", ValueId(0)), Names{"b"});
}

TEST(Threads, HandleThatAWrapperReturnsJoinsTheThread) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  SymbolId begin = p.unit.define("begin", 1, "i64(ptr)");
  ValueId slot = p.unit.stack(8);
  p.unit.call(p.create, {v(slot), n(0), v(ValueId(0)), n(0)});
  p.unit.ret(v(p.unit.load(v(slot))));
  p.unit.define("main");
  ValueId handle = p.unit.call(begin, {s(worker)});
  auto during = p.mark();
  p.unit.call(p.join, {v(handle), n(0)});
  auto after = p.mark();
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_TRUE(checked.meetsMain("worker", during));
  EXPECT_FALSE(checked.meetsMain("worker", after));
}

TEST(Threads, StdThreadRunsTheStateThatItWasGiven) {
  UnitBuilder unit("a.cpp");
  SymbolId start = unit.declare("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
                                "void(ptr,ptr,ptr)");
  SymbolId joinThread = unit.declare("_ZNSt6thread4joinEv", "void(ptr)");
  SymbolId allocate = unit.declare("_Znwm", "ptr(i64)"), shared = unit.variable("shared", 4);
  SymbolId body = unit.define("run", 1, "void(ptr)");
  ValueId captured = unit.load(v(unit.field(v(ValueId(0)), 8)));
  unit.store(v(captured), n(1));
  unit.ret();
  SymbolId table = unit.variable("_ZTVNSt6thread11_State_implIfE", 40, Linkage::Weak, "", model::kConstant);
  unit.initialise(table, 32, body);
  unit.define("main");
  ValueId thread = unit.stack(8), pointer = unit.stack(8);
  ValueId state = unit.call(allocate, {n(16)});
  unit.store(v(state), v(unit.field(s(table), 16)));
  unit.store(v(unit.field(v(state), 8)), s(shared));
  unit.store(v(pointer), v(state));
  unit.call(start, {v(thread), v(pointer), n(0)});
  unit.store(s(shared), n(2));
  auto during = unit.last();
  unit.call(joinThread, {v(thread)});
  unit.store(s(shared), n(3));
  auto after = unit.last();
  unit.ret();
  Checked checked(unit);
  ASSERT_EQ(checked.program->threads.list.size(), 2u);
  EXPECT_EQ(checked.program.places("run", captured), Names{"shared"});
  EXPECT_TRUE(checked.meetsMain("run", during));
  EXPECT_FALSE(checked.meetsMain("run", after));
}

TEST(Threads, HandlerOfASignalIsAThreadFromItsRegistrationOn) {
  UnitBuilder unit("a.c");
  SymbolId signal = unit.declare("signal", "ptr(i32,ptr)"), flag = unit.variable("flag", 4);
  SymbolId handler = unit.define("handler", 1, "void(i32)");
  unit.store(s(flag), n(1));
  unit.ret();
  unit.define("main");
  unit.store(s(flag), n(0));
  auto before = unit.last();
  unit.call(signal, {n(2), s(handler)});
  unit.store(s(flag), n(2));
  auto after = unit.last();
  unit.ret();
  Checked checked(unit);
  EXPECT_EQ(checked.row("handler").kind, ThreadKind::Signal);
  EXPECT_FALSE(checked.meetsMain("handler", before));
  EXPECT_TRUE(checked.meetsMain("handler", after));
}

TEST(Threads, ConstructorsAndExitHandlersBelongToMain) {
  UnitBuilder unit("a.cpp");
  SymbolId atexit = unit.declare("atexit", "i32(ptr)");
  SymbolId bye = unit.define("bye");
  unit.ret();
  unit.define("construct", 0, "void()", Linkage::Internal, model::kStartUp);
  unit.ret();
  unit.define("main");
  unit.call(atexit, {s(bye)});
  unit.ret();
  TestProgram program(unit);
  ASSERT_EQ(program->threads.list.size(), 1u);
  EXPECT_EQ(program->threads.list[ThreadId(0)].entries,
            (std::vector{program.function("construct"), program.function("main"), program.function("bye")}));
}

TEST(Threads, LibraryWithoutMainIsCalledFromOutsideAtWhatNothingCalls) {
  UnitBuilder unit("lib.c");
  SymbolId inner = unit.define("inner");
  unit.ret();
  unit.define("api");
  unit.call(inner, {});
  unit.ret();
  unit.define("hidden", 0, "void()", Linkage::Internal);
  unit.ret();
  TestProgram program(unit);
  ASSERT_EQ(program->threads.list.size(), 1u);
  EXPECT_EQ(program->threads.list[ThreadId(0)].kind, ThreadKind::Outside);
  EXPECT_EQ(program->threads.list[ThreadId(0)].entries, std::vector{program.function("api")});
  EXPECT_TRUE(program->threads.list[ThreadId(0)].many);
}

TEST(Threads, ThreadThatAThreadStartsMeetsItsGrandparentAndIsNotEndedByTheJoinOfItsParent) {
  Pthreads p;
  SymbolId child = p.worker("child");
  SymbolId parent = p.unit.define("parent", 1, "ptr(ptr)");
  p.start(v(p.unit.stack(8)), child);
  p.unit.ret();
  p.unit.define("main");
  ValueId handle = p.unit.stack(8);
  auto before = p.mark();
  p.start(v(handle), parent);
  p.joinAt(v(handle));
  auto after = p.mark();
  p.unit.ret();
  Checked checked(p.unit);
  EXPECT_FALSE(checked.meetsMain("child", before));
  EXPECT_TRUE(checked.meetsMain("child", after));
  EXPECT_FALSE(checked.meetsMain("parent", after));
}

TEST(Threads, ThreadThatItsParentJoinsEndsWithTheParent) {
  Pthreads p;
  SymbolId child = p.worker("child");
  SymbolId parent = p.unit.define("parent", 1, "ptr(ptr)");
  ValueId inner = p.unit.stack(8);
  p.start(v(inner), child);
  p.joinAt(v(inner));
  p.unit.ret();
  p.unit.define("main");
  ValueId handle = p.unit.stack(8);
  p.start(v(handle), parent);
  p.joinAt(v(handle));
  auto after = p.mark();
  p.unit.ret();
  EXPECT_FALSE(Checked(p.unit).meetsMain("child", after));
}

TEST(Threads, StartWithAnUnknownEntryIsAGap) {
  Pthreads p;
  SymbolId slot = p.unit.variable("slot", 8);
  p.unit.define("main");
  ValueId entry = p.unit.load(s(slot));
  p.unit.call(p.create, {v(p.unit.stack(8)), n(0), v(entry), n(0)});
  p.unit.ret();
  TestProgram program(p.unit);
  EXPECT_EQ(program->gaps.count(GapKind::UnknownThreadEntry), 1u);
}

TEST(Threads, SignalThatIsIgnoredIsNoGap) {
  UnitBuilder unit("a.c");
  SymbolId signal = unit.declare("signal", "ptr(i32,ptr)"), action = unit.declare("sigaction", "i32(i32,ptr,ptr)");
  unit.define("main");
  unit.call(signal, {n(13), n(1)});
  ValueId how = unit.stack(152);
  unit.store(v(how), n(0));
  unit.call(action, {n(13), v(how), n(0)});
  unit.ret();
  TestProgram program(unit);
  EXPECT_EQ(program->gaps.count(GapKind::UnknownThreadEntry), 0u);
}

TEST(Threads, ExplanationSaysWhoExecutesAndWhatIsLiveWhere) {
  Pthreads p;
  SymbolId worker = p.worker("worker");
  p.unit.define("main");
  ValueId handle = p.unit.stack(8);
  p.start(v(handle), worker);
  uint32_t started = p.unit.line();
  p.joinAt(v(handle));
  uint32_t joined = p.unit.line();
  p.unit.ret();
  TestProgram program(p.unit);
  Names facts;
  for (const ThreadFact &fact : explain(*program, program.function("main"))) facts.push_back(fact.text);
  EXPECT_EQ(facts, (Names{"executed by main, one instance", "started and perhaps not joined, at entry: none",
                          "after a.c:" + std::to_string(started) + ": worker",
                          "after a.c:" + std::to_string(joined) + ": none"}));
}

TEST(Program, SameUnitsGiveTheSameProgram) {
  auto make = [] {
    return InLoops([](InLoops &self, ValueId i) { return v(self.unit.index(s(self.data), v(i), 64)); });
  };
  InLoops one = make(), other = make();
  TestProgram first(one.unit), second(other.unit);
  EXPECT_EQ(first->calls.callees.items, second->calls.callees.items);
  EXPECT_EQ(first->threads.sets, second->threads.sets);
  EXPECT_EQ(first->threads.together, second->threads.together);
  EXPECT_EQ(first->shared, second->shared);
  ASSERT_EQ(first->pointsTo.nodeCount(), second->pointsTo.nodeCount());
  for (uint32_t node = 0; node < first->pointsTo.nodeCount(); ++node)
    EXPECT_EQ(first->pointsTo.places({NodeId(node), 0}).list, second->pointsTo.places({NodeId(node), 0}).list);
}

TEST(Shared, OnlyWhatTwoThreadsReachIsShared) {
  Pthreads p;
  SymbolId mine = p.unit.variable("mine", 8),
           local = p.unit.variable("local", 8, Linkage::External, "int", model::kThreadLocal);
  SymbolId worker = p.unit.define("worker", 1, "ptr(ptr)");
  p.unit.store(s(p.counter), n(1));
  auto atCounter = p.unit.lastSite();
  p.unit.store(s(local), n(1));
  auto atLocal = p.unit.lastSite();
  p.unit.store(v(ValueId(0)), n(1));
  auto atArgument = p.unit.lastSite();
  p.unit.store(v(p.unit.stack(8)), n(1));
  auto atStack = p.unit.lastSite();
  p.unit.ret();
  p.unit.define("main");
  ValueId passed = p.unit.stack(8);
  p.start(v(p.unit.stack(8)), worker, v(passed));
  p.unit.store(v(passed), n(2));
  p.unit.store(s(p.counter), n(2));
  p.unit.store(s(mine), n(2));
  auto atMine = p.unit.lastSite();
  p.unit.store(s(local), n(2));
  p.unit.ret();
  TestProgram program(p.unit);
  EXPECT_TRUE(program->isShared(UnitId(0), atCounter));
  EXPECT_TRUE(program->isShared(UnitId(0), atArgument));
  EXPECT_FALSE(program->isShared(UnitId(0), atLocal));
  EXPECT_FALSE(program->isShared(UnitId(0), atStack));
  EXPECT_FALSE(program->isShared(UnitId(0), atMine));
  EXPECT_EQ(program->sharedCount, 4u);
}

} // namespace
} // namespace deadheat::link
