# Embeds docs/findings/*.md and the style of the HTML page in the report module, one page per row of src/finding/kinds.def. A page that has no row, or a
# row without a page, stops the build.

file(STRINGS ${CMAKE_SOURCE_DIR}/src/finding/kinds.def rows REGEX "^KIND\\(")
file(GLOB pages CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/findings/*.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages} ${CMAKE_SOURCE_DIR}/src/finding/kinds.def)

set(DEADHEAT_PAGES "")
foreach(row ${rows})
  string(REGEX REPLACE "^KIND\\([A-Za-z]+, \"([a-z-]+)\".*" "\\1" kind "${row}")
  set(page ${CMAKE_SOURCE_DIR}/docs/findings/${kind}.md)
  list(REMOVE_ITEM pages ${page})
  file(READ ${page} text)
  string(APPEND DEADHEAT_PAGES "    R\"page(${text})page\",\n")
endforeach()
if(pages)
  message(FATAL_ERROR "no kind of finding has this page: ${pages}")
endif()

set(style ${CMAKE_SOURCE_DIR}/src/report/html/style.css)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${style})
file(READ ${style} DEADHEAT_STYLE)

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/report/pages.cpp @ONLY CONTENT [[
#include "report/pages.h"

namespace deadheat::report {

static constexpr std::string_view kPages[] = {
@DEADHEAT_PAGES@};

static constexpr std::string_view kStyle = R"style(@DEADHEAT_STYLE@)style";

std::string_view style() { return kStyle; }
std::string_view page(finding::Kind kind) { return kPages[static_cast<size_t>(kind)]; }

} // namespace deadheat::report
]])
target_sources(deadheat_report PRIVATE ${CMAKE_BINARY_DIR}/generated/report/pages.cpp)
