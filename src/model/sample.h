// One unit with something of everything, for tests. The frozen files of test/formats hold it: it may grow only with the
// format version.
#pragma once

#include "model/unit.h"

namespace deadheat::model {

inline Unit sampleUnit() {
  Unit unit;
  unit.source = "queue.c";
  unit.directory = "/src/queue";
  unit.producer = "clang version 19.1.7";
  unit.optimisation = 2;
  StringId file = unit.strings.intern("queue.c"), header = unit.strings.intern("queue.h");
  StringId push = unit.strings.intern("push"), type = unit.strings.intern("struct queue");
  StringId tailPath = unit.strings.intern("q->tail"), tail = unit.strings.intern("tail");
  FunctionId first = unit.functions.add({push, push, file, 12, SiteId(0), 4});
  FunctionId second = unit.functions.add(
      {unit.strings.intern("_ZN5queue5drainEv"), unit.strings.intern("queue::drain()"), header, 40, SiteId(4), 4});
  unit.sites.add({first, file, 14, 9, AccessKind::Read, 4, tailPath, type, tail});
  unit.sites.add({first, file, 15, 11, AccessKind::Write, 4, tailPath, type, tail});
  unit.sites.add({first, header, 7, 3, AccessKind::AtomicUpdate, 8, unit.strings.intern("q->count"), type,
                  unit.strings.intern("count")});
  unit.sites.add({first, header, 8, 3, AccessKind::Fence, 0, StringId(0), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 41, 5, AccessKind::RangeRead, 0, unit.strings.intern("*source"), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 41, 5, AccessKind::RangeWrite, 64, unit.strings.intern("q->ring[]"), type, StringId(0)});
  unit.sites.add(
      {second, header, 42, 5, AccessKind::AtomicRead, 1, unit.strings.intern("closed"), StringId(0), StringId(0)});
  unit.sites.add(
      {second, header, 43, 5, AccessKind::AtomicWrite, 1, unit.strings.intern("closed"), StringId(0), StringId(0)});
  unit.lateSites = {SiteId(0), SiteId(1), SiteId(4), SiteId(5), SiteId(7)};
  unit.late.add({first, AccessKind::Read, Origin::Metadata, 4, 0, 1});
  unit.late.add({first, AccessKind::Write, Origin::Location, 4, 1, 1});
  unit.late.add({second, AccessKind::RangeRead, Origin::Merged, 0, 2, 2});
  unit.late.add({second, AccessKind::AtomicWrite, Origin::Line, 1, 4, 1});
  unit.late.add({second, AccessKind::Read, Origin::NoLocation, 8, 5, 0});
  unit.late.add({second, AccessKind::Read, Origin::LineZero, 8, 5, 0});
  unit.late.add({second, AccessKind::Write, Origin::NoEarlySite, 8, 5, 0});
  unit.functionSlots = {second, first};
  return unit;
}

} // namespace deadheat::model
