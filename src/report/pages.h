// The pages of docs/findings, embedded: meaning, example, fix and limits of each kind.
#pragma once

#include <string_view>

#include "finding/finding.h"

namespace deadheat::report {

// Markdown.
std::string_view page(finding::Kind kind);

// The style sheet of the HTML page: html/style.css.
std::string_view style();

} // namespace deadheat::report
