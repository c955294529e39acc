// Findings as SARIF 2.1.0, for code hosts and editors.
//
// Claim   One result per finding, one threadFlow per thread, rules with the pages of docs/findings as help, the finding's
//         id as its partial fingerprint (so a result is the same one after lines moved).
// Misses  Columns count bytes, where SARIF counts characters: they differ behind text that is not ASCII.
#pragma once

#include "llvm/Support/JSON.h"

#include "finding/finding.h"

namespace deadheat::report {

// `findings` are collected and explained.
llvm::json::Object toSarif(const finding::Findings &findings);

} // namespace deadheat::report
