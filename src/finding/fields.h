// The fields of findings.json, once: the writer and the reader walk the same lists (docs/formats/findings.md).
//
// An `Io` has `field(name, value)`, `ifKnown(name, value)` for one that is left out where there is none, `place(value)` for a place whose parts lie in the object itself, and `Ref<T>`, the
// reference it needs.
#pragma once

#include "finding/finding.h"

namespace deadheat::finding {

template <typename Io, typename T> using Ref = typename Io::template Ref<T>;

template <typename Io> void fields(Io &io, Ref<Io, Frame> frame) {
  io.field("function", frame.function);
  io.place(frame.place);
}

template <typename Io> void fields(Io &io, Ref<Io, Access> access) {
  io.place(access.place);
  io.field("function", access.function);
  io.field("access", access.access);
  io.field("path", access.path);
  io.field("thread", access.thread);
  io.field("thread_many", access.threadMany);
  io.field("created_at", access.createdAt);
  io.field("locks", access.locks);
  io.field("site", access.site);
  io.ifKnown("spot", access.spot);
  io.field("stack", access.stack);
}

template <typename Io> void fields(Io &io, Ref<Io, CycleEdge> edge) {
  io.field("holds", edge.holds);
  io.field("wants", edge.wants);
  io.place(edge.place);
  io.field("function", edge.function);
  io.field("thread", edge.thread);
  io.field("thread_many", edge.threadMany);
  io.field("created_at", edge.createdAt);
  io.field("held_since", edge.heldSince);
  io.field("site", edge.site);
  io.field("trace", edge.trace);
}

template <typename Io> void fields(Io &io, Ref<Io, Demotion> demotion) {
  io.field("reason", demotion.reason);
  io.field("why", demotion.why);
}

template <typename Io> void fields(Io &io, Ref<Io, Harm> harm) {
  io.field("kind", harm.kind);
  io.field("detail", harm.detail);
}

template <typename Io> void fields(Io &io, Ref<Io, Probability> probability) {
  io.field("value", probability.value);
  io.field("low", probability.low);
  io.field("high", probability.high);
}

template <typename Io> void fields(Io &io, Ref<Io, Evidence> evidence) {
  io.field("level", evidence.level);
  io.field("by", evidence.by);
  io.field("detail", evidence.detail);
  io.field("seed", evidence.seed);
  io.field("schedule", evidence.schedule);
  io.field("runs", evidence.runs);
  io.field("hits", evidence.hits);
  io.ifKnown("probability", evidence.probability);
  io.field("harm", evidence.harm);
  io.field("steps", evidence.steps);
}

template <typename Io> void fields(Io &io, Ref<Io, NotClimbed> notClimbed) {
  io.field("reason", notClimbed.reason);
  io.field("by", notClimbed.by);
  io.ifKnown("cause", notClimbed.cause);
}

// A deadlock has `cycle` instead of `accesses`.
template <typename Io> void sides(Io &io, Ref<Io, Finding> finding) {
  if (finding.kind == Kind::Deadlock)
    io.field("cycle", finding.cycle);
  else
    io.field("accesses", finding.accesses);
}

template <typename Io> void fields(Io &io, Ref<Io, Finding> finding) {
  io.required("id", finding.id);
  io.required("kind", finding.kind);
  io.required("level", finding.level);
  io.field("rank", finding.rank);
  io.field("score", finding.score);
  io.field("title", finding.title);
  io.field("variable", finding.variable);
  io.allocation("object", finding.allocatedAt);
  sides(io, finding);
  io.field("votes", finding.votes);
  io.field("demotions", finding.demotions);
  io.field("evidence", finding.evidence);
  io.field("not_climbed", finding.notClimbed);
  io.field("why", finding.why);
  io.field("fix", finding.fix);
  io.field("suppressed", finding.suppressed);
  io.field("suppressed_by", finding.suppressedBy);
  io.field("baselined", finding.baselined);
}

template <typename Io> void fields(Io &io, Ref<Io, ProgramThread> thread) {
  io.field("entry", thread.entry);
  io.field("created_at", thread.createdAt);
  io.field("many", thread.many);
}

template <typename Io> void fields(Io &io, Ref<Io, ProgramLock> lock) {
  io.field("name", lock.name);
  io.field("kind", lock.kind);
}

template <typename Io> void fields(Io &io, Ref<Io, Gap> gap) {
  io.field("kind", gap.kind);
  io.field("count", gap.count);
}

template <typename Io> void fields(Io &io, Ref<Io, SiteCounts> sites) {
  io.field("early", sites.early);
  io.field("late", sites.late);
  io.field("mapped", sites.mapped);
}

template <typename Io> void fields(Io &io, Ref<Io, Program> program) {
  io.field("command", program.command);
  io.field("exit", program.exit);
  io.field("signal", program.signal);
  io.field("shared", program.shared);
  io.field("threads", program.threads);
  io.field("locks", program.locks);
  io.field("gaps", program.gaps);
  io.field("sites", program.sites);
}

} // namespace deadheat::finding
