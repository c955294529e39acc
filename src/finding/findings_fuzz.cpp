// Any text is a findings.json or an Error; one that was accepted is written again and must come back equal.
#include "finding/json.h"
#include "llvm/Support/FormatVariadic.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  using namespace deadheat::finding;
  auto findings = parseFindings({reinterpret_cast<const char *>(data), size}, "fuzz");
  if (!findings) return 0;
  std::string text = llvm::formatv("{0}", llvm::json::Value(toJson(*findings)));
  auto again = parseFindings(text, "fuzz");
  DEADHEAT_CHECK(again && *again == *findings);
  return 0;
}
