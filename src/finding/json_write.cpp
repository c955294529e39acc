#include <cmath>
#include <tuple>

#include "llvm/Support/raw_ostream.h"

#include "finding/fields.h"
#include "finding/in_batches.h"
#include "finding/json.h"
#include "finding/names.h"
#include "finding/verdict.h"

namespace deadheat::finding {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

constexpr size_t kGathered = 8192; // bytes

class Writer {
public:
  template <typename T> using Ref = const T &;

  template <typename T> void field(const char *name, const T &value) { object_[name] = write(value); }
  template <typename T> void required(const char *name, const T &value) { field(name, value); }
  void ifKnown(const char *name, const std::string &value) {
    if (!value.empty()) field(name, value);
  }
  template <typename T> void ifKnown(const char *name, const std::optional<T> &value) {
    if (value) field(name, value);
  }

  void place(const Place &place) {
    field("file", place.file);
    field("line", place.line);
    if (place.column != 0) field("column", place.column);
  }

  void allocation(const char *name, const Place &place) { object_[name] = Object{{"allocated_at", write(place)}}; }

  Object take() { return std::move(object_); }

private:
  static Value write(const std::string &text) { return llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text); }
  static Value write(bool flag) { return flag; }
  static Value write(uint32_t number) { return static_cast<int64_t>(number); }
  static Value write(uint64_t number) { return number; }
  static Value write(int number) { return static_cast<int64_t>(number); }
  static Value write(double number) { return std::isfinite(number) ? number : 0.0; }
  static Value write(Kind kind) { return llvm::StringRef(name(kind)); }
  static Value write(Level level) { return llvm::StringRef(name(level)); }

  static Value write(const Place &place) {
    if (!place.known()) return nullptr;
    Writer inner;
    inner.place(place);
    return inner.take();
  }

  template <typename T> static Value write(const std::optional<T> &value) {
    return value ? Value(write(*value)) : Value(nullptr);
  }

  template <typename T> static Value write(const std::vector<T> &values) {
    Array all;
    for (const T &value : values) all.push_back(write(value));
    return all;
  }

  template <typename T> static Value write(const T &value) {
    Writer inner;
    fields(inner, value);
    return inner.take();
  }

  Object object_;
};

template <typename T> Object objectOf(const T &value) {
  Writer writer;
  fields(writer, value);
  return writer.take();
}

Object summaryObject(const std::vector<Finding> &list) {
  Summary summary = summarise(list);
  Object object{{"suppressed", summary.suppressed}, {"demoted", summary.demoted}, {"baselined", summary.baselined}};
  for (size_t level = 0; level != std::size(kLevels); ++level)
    object[llvm::StringRef(kLevels[level].name)] = summary.levels[level];
  return object;
}

} // namespace

Object toJson(const Finding &finding) { return objectOf(finding); }
Object toJson(const Program &program) { return objectOf(program); }

// All but the findings.
static Object headOf(const Findings &findings, Object extra) {
  extra["schema"] = kSchema;
  extra["tool"] = Object{{"name", "deadheat"}, {"version", llvm::json::fixUTF8(findings.toolVersion)}};
  extra["program"] = toJson(findings.program);
  extra["summary"] = summaryObject(findings.list);
  return extra;
}

Object toJson(const Findings &findings, Object extra) {
  Array list;
  for (const Finding &finding : findings.list) list.push_back(toJson(finding));
  Object all = headOf(findings, std::move(extra));
  all["findings"] = std::move(list);
  return all;
}

// A JSON text comes in pieces of a few bytes: they are gathered.
static std::string textOf(Object object, unsigned indent) {
  std::string text;
  llvm::raw_string_ostream out(text);
  out.SetBufferSize(kGathered);
  llvm::json::OStream(out, indent).value(std::move(object));
  out.flush();
  return text;
}

std::string textOf(const Finding &finding) { return textOf(toJson(finding), 0); }

// As it stands in the list of a document that is indented by so much.
static std::string textInList(const Finding &finding, unsigned indent) {
  std::string text = textOf(toJson(finding), indent);
  if (indent == 0) return text;
  std::string deeper;
  deeper.reserve(text.size() * 2);
  for (auto [line, rest] = llvm::StringRef(text).split('\n');; std::tie(line, rest) = rest.split('\n')) {
    deeper += line;
    if (rest.empty()) return deeper;
    deeper.append(1, '\n').append(2 * indent, ' '); // texts have no line ends of their own: they are escaped
  }
}

static void writeList(llvm::json::OStream &stream, const std::vector<Finding> &list, unsigned indent) {
  stream.array([&] {
    inBatches(
        list.size(), [&](size_t i) { return textInList(list[i], indent); },
        [&](size_t, const std::string &text) { stream.rawValue(text); });
  });
}

void writeJson(llvm::raw_ostream &out, const Findings &findings, Object extra, unsigned indent,
               const LargeField &large) {
  Object head = headOf(findings, std::move(extra));
  head["findings"] = nullptr; // their places
  if (!large.key.empty()) head[large.key] = nullptr;
  std::vector<llvm::StringRef> keys;
  for (const auto &row : head) keys.push_back(row.first);
  llvm::sort(keys);
  llvm::json::OStream stream(out, indent);
  stream.object([&] {
    for (llvm::StringRef key : keys) {
      stream.attributeBegin(key);
      if (key == "findings")
        writeList(stream, findings.list, indent);
      else if (key == large.key)
        large.write(stream);
      else
        stream.value(*head.get(key));
      stream.attributeEnd();
    }
  });
}

} // namespace deadheat::finding
