#include "runtime/cost.h"

#define HOOK_CALL __attribute__((preserve_most))

namespace deadheat::runtime {
namespace {

using abi::Ptr;
using abi::Void;

decltype(abi::HookTable::read) behindRead = nullptr; // the same for all tables
decltype(abi::HookTable::write) behindWrite = nullptr;

void endSpan(Thread &self) {
  const U64 now = cyclesNow();
  const U64 span = now - self.spanBegan;
  if (self.ring && span < kLongest) abi::storeRelaxed(self.ring->toldCycles, self.ring->toldCycles + span);
  self.spanBegan = now;
}

HOOK_CALL Void timedRead(Ptr address, Ptr access) {
  endSpan(thread);
  [[clang::musttail]] return behindRead(address, access);
}

HOOK_CALL Void timedWrite(Ptr address, Ptr access) {
  endSpan(thread);
  [[clang::musttail]] return behindWrite(address, access);
}

} // namespace

void fillTimed(abi::HookTable &table) {
  if (!context.flags.clock) return;
  behindRead = table.read;
  behindWrite = table.write;
  table.read = timedRead;
  table.write = timedWrite;
}

} // namespace deadheat::runtime
