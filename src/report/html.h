// Findings as one page for a browser: no other file, no network, readable without scripts.
//
// Claim   No text of a finding or of a source file can become markup of the page.
#pragma once

#include <string>

#include "finding/finding.h"
#include "report/source.h"

namespace deadheat::report {

// `findings` are collected and explained.
std::string toHtml(const finding::Findings &findings, Sources &sources);

} // namespace deadheat::report
