#include "link/array_types.h"

#include <optional>

namespace deadheat::link {

namespace {

constexpr uint64_t kPointerBytes = 8;

struct Shape {
  std::string_view element;
  std::optional<uint64_t> count; // none: not told
  bool isArray = false;
};

Shape shapeOf(std::string_view type) {
  Shape shape{type, 1};
  while (shape.element.ends_with(']')) {
    size_t open = shape.element.rfind('[');
    if (open == std::string_view::npos) break;
    llvm::StringRef digits(shape.element.substr(open + 1, shape.element.size() - open - 2));
    uint64_t number = 0;
    if (digits.getAsInteger(10, number) || number == 0 || (shape.count && *shape.count > UINT32_MAX / number))
      shape.count.reset();
    else if (shape.count)
      *shape.count *= number;
    shape.element = shape.element.substr(0, open);
    shape.isArray = true;
  }
  while (shape.element.ends_with(' ')) shape.element.remove_suffix(1);
  return shape;
}

} // namespace

ArrayTypes::ArrayTypes(const Symbols &symbols) {
  for (const Variable &variable : symbols.variables)
    if (variable.size != 0 && !variable.type.empty() && !variable.type.ends_with(']'))
      sizes_.try_emplace(variable.type, variable.size);
}

ArrayTypes::Element ArrayTypes::elementOf(const Variable &variable) const {
  Shape shape = shapeOf(variable.type);
  if (!shape.isArray) return {variable.type, 0};
  uint64_t size = 0;
  if (shape.count)
    size = variable.size % *shape.count == 0 ? variable.size / *shape.count : 0;
  else if (auto known = sizes_.find(shape.element); known != sizes_.end())
    size = known->second;
  else if (shape.element.ends_with('*'))
    size = kPointerBytes;
  bool fits = size != 0 && size < variable.size && size <= UINT32_MAX && variable.size % size == 0;
  return {shape.element, fits ? static_cast<uint32_t>(size) : 0};
}

} // namespace deadheat::link
