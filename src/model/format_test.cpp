// Files of every format version ever released are still read: test/formats.
#include <gtest/gtest.h>

#include "model/frame.h"
#include "model/sample.h"
#include "support/file.h"

namespace deadheat::model {
namespace {

TEST(Format, OfVersionOneIsStillRead) {
  auto file = readFile(DEADHEAT_FORMATS "/model-v1.dhm");
  ASSERT_TRUE(file) << file.error().text();
  llvm::StringRef bytes = (*file)->getBuffer();
  auto units = decodeFrames({bytes.bytes_begin(), bytes.size()}, "model-v1.dhm");
  ASSERT_TRUE(units) << units.error().text();
  ASSERT_EQ(units->size(), 1u);
  Unit expected = sampleUnit(); // without what was added since
  expected.inlinedCalls.clear();
  expected.lateInlined.clear();
  for (Initialiser &row : expected.initialisers) row.back = 0;
  EXPECT_TRUE(units->front().unit == expected);
}

} // namespace
} // namespace deadheat::model
