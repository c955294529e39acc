// Any text is a list of suppressions or an Error; whatever was accepted can be applied.
#include "finding/random_finding.h"
#include "finding/suppressions.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace deadheat::finding;
  static Findings findings = randomFindings(7);
  Suppressions suppressions;
  if (suppressions.add({reinterpret_cast<const char *>(data), size}, "fuzz")) suppressions.apply(findings.list);
  return 0;
}
