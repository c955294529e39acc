#include "runtime/printed_texts.h"

#include <sys/mman.h>

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace deadheat::runtime {
namespace {

using Texts = std::vector<std::string>;

// Each as it was found: with its end, if that is looked at.
Texts textsOf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  Texts found;
  {
    PrintedTexts texts(format, list);
    for (PrintedText text = {}; texts.next(text);) found.emplace_back(text.begin, text.bytes);
  }
  va_end(list);
  return found;
}

const std::string kWhole("abc\0", 4);

// A text without an end, behind which nothing may be read.
const char *textAtBorder() {
  constexpr size_t kPage = 4096;
  auto *pages =
      static_cast<char *>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(pages + kPage, kPage, PROT_NONE);
  memcpy(pages + kPage - 3, "xyz", 3);
  return pages + kPage - 3;
}

TEST(PrintedTexts, HaveTheirEnd) {
  EXPECT_EQ(textsOf("%s", "abc"), Texts{kWhole});
  EXPECT_EQ(textsOf("a %s b %-10s%%s\n", "abc", "abc"), (Texts{kWhole, kWhole}));
  EXPECT_EQ(textsOf("no text %d", 1), Texts{});
}

TEST(PrintedTexts, EndAtTheirPrecision) {
  const char *border = textAtBorder();
  EXPECT_EQ(textsOf("%.3s %s", border, "abc"), (Texts{"xyz", kWhole}));
  EXPECT_EQ(textsOf("%.*s %s", 2, border, "abc"), (Texts{"xy", kWhole}));
  EXPECT_EQ(textsOf("%*.*s %s", 9, 3, border, "abc"), (Texts{"xyz", kWhole}));
  EXPECT_EQ(textsOf("%.s|%.0s", border + 3, border + 3), (Texts{"", ""}));
  EXPECT_EQ(textsOf("%.*s %.9s", -1, "abc", "abc"), (Texts{kWhole, kWhole}));
}

TEST(PrintedTexts, AreFoundBehindArgumentsOfAllKinds) {
  EXPECT_EQ(
      textsOf("%hhd %hd %ld %lld %zu %jd %td %c %s", 1, 2, 3L, 4LL, size_t(5), intmax_t(6), ptrdiff_t(7), 'c', "abc"),
      Texts{kWhole});
  EXPECT_EQ(textsOf("%f %Lf %s %g %Lg %5.*e %a %s", 1., 2.L, "abc", 3., 4.L, 5, 6., 7., "abc"),
            (Texts{kWhole, kWhole}));
  EXPECT_EQ(textsOf("%f %f %f %f %f %f %f %f %f %f %d %d %d %d %d %d %Lf %s", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.,
                    1, 2, 3, 4, 5, 6, 7.L, "abc"),
            Texts{kWhole});
  EXPECT_EQ(textsOf("%m %p %s", nullptr, "abc"), Texts{kWhole});
  int length = 0;
  EXPECT_EQ(textsOf("%n%'d%+i% u%#x%I%s", &length, 1, 2, 3, 4), Texts{});
  EXPECT_EQ(textsOf("%n%'d%+i% u%#x %Is", &length, 1, 2, 3, 4, "abc"), Texts{kWhole});
}

TEST(PrintedTexts, AreNotFoundWherePrintfReadsNone) {
  EXPECT_EQ(textsOf("%s %s", nullptr, "abc"), Texts{kWhole});
  EXPECT_EQ(textsOf("%ls %s", L"wide", "abc"), Texts{kWhole});
  EXPECT_EQ(textsOf(nullptr), Texts{});
  EXPECT_EQ(textsOf("%"), Texts{});
  EXPECT_EQ(textsOf("%5.2"), Texts{});
  EXPECT_EQ(textsOf("%ll"), Texts{});
}

// What they take is not known.
TEST(PrintedTexts, EndBeforeWhatIsNotFollowed) {
  EXPECT_EQ(textsOf("%s %2$s", "abc", "abc"), Texts{kWhole});
  EXPECT_EQ(textsOf("%S %s", L"wide", "abc"), Texts{});
  EXPECT_EQ(textsOf("%w32d %s", 1, "abc"), Texts{});
}

} // namespace
} // namespace deadheat::runtime
