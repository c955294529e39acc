// The little Markdown that docs/findings uses, as HTML: headings, paragraphs, lists, fenced code, `code`. Everything else
// is text.
#pragma once

#include <string>
#include <string_view>

namespace deadheat::report {

// Text that means itself in HTML; bytes that are no UTF-8 are replaced.
std::string escapeHtml(std::string_view text);

std::string markdownToHtml(std::string_view text);

} // namespace deadheat::report
