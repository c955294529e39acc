#include <cmath>
#include <limits>

#include "oneapi/tbb/parallel_for.h"
#include "llvm/Support/raw_ostream.h"

#include "finding/fields.h"
#include "finding/json.h"
#include "finding/names.h"

namespace deadheat::finding {
namespace {

using llvm::json::Object;
using llvm::json::Path;
using llvm::json::Value;

// Findings nest nine deep. LLVM's parser calls itself for every bracket, so a hostile file could use up the stack.
constexpr int kMaxDepth = 64;

constexpr char kHint[] = "name a findings.json that deadheat wrote";

bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool inString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (inString && c == '\\') ++at;
    if (c == '"') inString = !inString;
    if (inString) continue;
    if ((c == '[' || c == '{') && ++depth > kMaxDepth) return true;
    if (c == ']' || c == '}') --depth;
  }
  return false;
}

bool read(const Value &value, std::string &text, Path path) { return llvm::json::fromJSON(value, text, path); }
bool read(const Value &value, bool &flag, Path path) { return llvm::json::fromJSON(value, flag, path); }
bool read(const Value &value, uint64_t &number, Path path) { return llvm::json::fromJSON(value, number, path); }

template <typename Number> bool readNarrow(const Value &value, Number &number, Path path) {
  std::optional<int64_t> wide = value.getAsInteger();
  bool fits = wide && *wide >= std::numeric_limits<Number>::min() && *wide <= std::numeric_limits<Number>::max();
  if (!fits) return path.report("expected a small integer"), false;
  number = static_cast<Number>(*wide);
  return true;
}

bool read(const Value &value, uint32_t &number, Path path) { return readNarrow(value, number, path); }
bool read(const Value &value, int &number, Path path) { return readNarrow(value, number, path); }

bool read(const Value &value, double &number, Path path) {
  std::optional<double> read = value.getAsNumber();
  if (!read || !std::isfinite(*read)) return path.report("expected a number"), false;
  number = *read;
  return true;
}

template <typename Enum>
bool readName(const Value &value, Enum &result, Path path, std::optional<Enum> (*named)(std::string_view)) {
  std::optional<llvm::StringRef> text = value.getAsString();
  std::optional<Enum> known = text ? named(*text) : std::nullopt;
  if (!known) return path.report("expected a name of this version"), false;
  result = *known;
  return true;
}

bool read(const Value &value, Kind &kind, Path path) { return readName<Kind>(value, kind, path, kindNamed); }
bool read(const Value &value, Level &level, Path path) { return readName<Level>(value, level, path, levelNamed); }

template <typename T> bool read(const Value &value, std::optional<T> &result, Path path);
template <typename T> bool read(const Value &value, std::vector<T> &result, Path path);
template <typename T> bool read(const Value &value, T &result, Path path);

class Reader {
public:
  template <typename T> using Ref = T &;

  Reader(const Object &object, Path path) : object_(object), path_(path) {}

  template <typename T> void field(const char *name, T &result) {
    if (const Value *value = present(name)) good_ = read(*value, result, path_.field(name)) && good_;
  }

  template <typename T> void ifKnown(const char *name, T &result) { field(name, result); }

  template <typename T> void required(const char *name, T &result) {
    if (!present(name)) fail(name, "missing");
    field(name, result);
  }

  void place(Place &place) {
    field("file", place.file);
    field("line", place.line);
    field("column", place.column);
  }

  void allocation(const char *name, Place &place) {
    const Value *value = present(name);
    if (!value) return;
    const Object *object = value->getAsObject();
    if (!object) return fail(name, "expected an object");
    Reader inner(*object, path_.field(name));
    inner.field("allocated_at", place);
    good_ = inner.good() && good_;
  }

  bool good() const { return good_; }

private:
  // Null stands for what is not known, which is the default of every field.
  const Value *present(const char *name) const {
    const Value *value = object_.get(name);
    return value && value->kind() != Value::Null ? value : nullptr;
  }

  void fail(const char *name, llvm::StringLiteral why) {
    path_.field(name).report(why);
    good_ = false;
  }

  const Object &object_;
  Path path_;
  bool good_ = true;
};

template <typename T> bool read(const Value &value, std::optional<T> &result, Path path) {
  return read(value, result.emplace(), path);
}

template <typename T> bool read(const Value &value, std::vector<T> &result, Path path) {
  const llvm::json::Array *array = value.getAsArray();
  if (!array) return path.report("expected an array"), false;
  result.clear();
  for (size_t index = 0; index != array->size(); ++index)
    if (!read((*array)[index], result.emplace_back(), path.index(index))) return false;
  return true;
}

void fields(Reader &reader, Place &place) {
  reader.place(place);
  if (!place.known()) place = {}; // a line of no file says nothing
}

template <typename T> bool read(const Value &value, T &result, Path path) {
  const Object *object = value.getAsObject();
  if (!object) return path.report("expected an object"), false;
  Reader reader(*object, path);
  fields(reader, result);
  return reader.good();
}

Expected<Value> parseText(std::string_view text, const std::string &name) {
  if (isTooDeep(text)) return fail(name + ": it is nested too deeply", kHint);
  llvm::Expected<Value> value = llvm::json::parse(text);
  if (value) return std::move(*value);
  return fail(name + ": it is not JSON: " + llvm::toString(value.takeError()), kHint);
}

template <typename T> Expected<T> readWhole(const Value &value, const std::string &name) {
  T result;
  Path::Root root(name);
  if (read(value, result, root)) return result;
  return fail(llvm::toString(root.getError()), kHint);
}

template <typename T> Expected<T> parseWhole(std::string_view text, const std::string &name) {
  auto value = parseText(text, name);
  if (!value) return std::unexpected(value.error());
  return readWhole<T>(*value, name);
}

Expected<void> checkSchema(const Value &value, const std::string &name) {
  const Object *document = value.getAsObject();
  std::optional<int64_t> schema = document ? document->getInteger("schema") : std::nullopt;
  if (!schema) return fail(name + ": it has no `schema`", kHint);
  if (*schema != kSchema)
    return fail(name + ": it has schema " + std::to_string(*schema) + ", and this version reads schema " +
                    std::to_string(kSchema),
                "use the deadheat that wrote it");
  return {};
}

struct Document {
  struct Tool {
    std::string version;
  } tool;
  Program program;
  std::vector<Finding> list;
};

void fields(Reader &reader, Document::Tool &tool) { reader.field("version", tool.version); }

void fields(Reader &reader, Document &document) {
  reader.field("tool", document.tool);
  reader.field("program", document.program);
  reader.required("findings", document.list);
}

} // namespace

Expected<Findings> parseFindings(std::string_view text, const std::string &name) {
  auto value = parseText(text, name);
  if (!value) return std::unexpected(value.error());
  if (auto schema = checkSchema(*value, name); !schema) return std::unexpected(schema.error());
  auto document = readWhole<Document>(*value, name);
  if (!document) return std::unexpected(document.error());
  return Findings{std::move(document->tool.version), std::move(document->program), std::move(document->list)};
}

Expected<Finding> parseFinding(std::string_view text, const std::string &name) {
  return parseWhole<Finding>(text, name);
}

Expected<std::vector<Finding>> parseEach(const std::vector<std::string_view> &texts, const std::string &name) {
  std::vector<Expected<Finding>> parsed(texts.size());
  oneapi::tbb::parallel_for(size_t(0), texts.size(), [&](size_t i) { parsed[i] = parseFinding(texts[i], name); });
  std::vector<Finding> all;
  for (Expected<Finding> &each : parsed) {
    if (!each) return std::unexpected(each.error());
    all.push_back(std::move(*each));
  }
  return all;
}

Expected<Program> parseProgram(std::string_view text, const std::string &name) {
  return parseWhole<Program>(text, name);
}

} // namespace deadheat::finding
