// The findings of test/formats, for tests: a harmful race and a suppressed, demoted deadlock, both explained.
#pragma once

#include "finding/explain.h"
#include "finding/json.h"
#include "support/file.h"

namespace deadheat::report {

inline finding::Findings sampleFindings() {
  auto file = readFile(DEADHEAT_FORMATS "/findings-v1.json");
  DEADHEAT_CHECK(file);
  auto findings = finding::parseFindings((*file)->getBuffer(), "sample");
  DEADHEAT_CHECK(findings);
  for (finding::Finding &finding : findings->list) explain(finding);
  return *findings;
}

} // namespace deadheat::report
