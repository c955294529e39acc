#include "extract/walk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace deadheat::extract {

namespace {

constexpr char kUnknownIndex[] = "[?]";
constexpr char kVtableField[] = "vptr";
constexpr llvm::StringLiteral kVtableMember = "_vptr$"; // as clang names it
constexpr unsigned kMaxAlternatives = 4;                // more are not told one by one
constexpr unsigned kMaxNesting = 32;                    // of records and arrays

int64_t floorDivide(int64_t value, int64_t divisor) {
  int64_t quotient = value / divisor;
  return quotient * divisor > value ? quotient - 1 : quotient;
}

class Walker {
public:
  Walker(const Base &base, const Address &address, const Extent &extent, const IndexText &indexText)
      : isPointer_(base.isPointer), rest_(address.offset + base.offset), steps_(address.steps), extent_(extent),
        indexText_(indexText) {
    place_.expression = base.expression;
  }

  Place run() {
    if (isPointer_) indexPointer();
    for (unsigned depth = 0; depth < kMaxNesting && !stopped_ && rest_ >= 0; ++depth)
      if (!intoArray() && !intoRecord()) break;
    finish();
    return std::move(place_);
  }

private:
  Expression &here() { return place_.expression; }

  bool hasVariableStep() const {
    return llvm::any_of(steps_, [](const Step &step) { return step.value; });
  }

  // Takes the steps of `stride` bytes off, and gives their sum with `constant` as words. Empty: no such step, and no
  // constant.
  std::string takeSteps(uint64_t stride, int64_t constant) {
    llvm::SmallVector<Expression, 1> sum;
    for (const Step &step : steps_) {
      if (step.stride != stride) continue;
      constant += step.count;
      if (step.value) sum.push_back(indexText_(step.value));
    }
    llvm::erase_if(steps_, [&](const Step &step) { return step.stride == stride; });
    if (sum.empty()) return constant ? std::to_string(constant) : "";
    if (sum.size() == 1 && constant == 0) return sum.front().text;
    std::string text = llvm::join(llvm::map_range(sum, beforePostfix), " + ");
    if (constant == 0) return text;
    return text + (constant < 0 ? " - " : " + ") + std::to_string(constant < 0 ? -constant : constant);
  }

  // A constant step that no array explains is a distance like any other.
  void foldConstantSteps() {
    for (const Step &step : steps_)
      if (!step.value) rest_ += step.count * static_cast<int64_t>(step.stride);
    llvm::erase_if(steps_, [](const Step &step) { return !step.value; });
  }

  void becomeObject(const std::string &text) {
    here() = {text, here().type};
    isPointer_ = false;
  }

  // Pointer arithmetic over whole objects. A distance in bytes is an index only where the objects are no records.
  void indexPointer() {
    uint64_t whole = sizeInBytes(here().type);
    if (whole == 0) return foldConstantSteps();
    int64_t elements = 0;
    if (!recordOf(here().type) && !arrayShape(here().type).element) {
      elements = floorDivide(rest_, static_cast<int64_t>(whole));
      rest_ -= elements * static_cast<int64_t>(whole);
    }
    std::string index = takeSteps(whole, elements);
    foldConstantSteps();
    if (!index.empty()) becomeObject(beforePostfix(here()) + "[" + index + "]");
  }

  bool intoArray() {
    ArrayShape shape = arrayShape(here().type);
    if (!shape.element || (isWhole() && steps_.empty())) return false;
    std::string text = isPointer_ ? "(*" + here().text + ")" : beforePostfix(here());
    for (const Dimension &dimension : shape.dimensions) {
      auto stride = static_cast<int64_t>(dimension.stride);
      int64_t elements = stride ? floorDivide(rest_, stride) : 0;
      bool isBeyond = dimension.count > 1 && elements >= static_cast<int64_t>(dimension.count);
      if (stride == 0 || isBeyond || hasLargerStep(dimension.stride)) return stopInArray(text);
      rest_ -= elements * stride;
      std::string index = takeSteps(dimension.stride, elements);
      text += "[" + (index.empty() ? "0" : index) + "]";
    }
    becomeObject(text);
    here().type = shape.element;
    return true;
  }

  bool stopInArray(const std::string &text) {
    becomeObject(text + kUnknownIndex);
    here().type = nullptr;
    stopAs(Quality::Inexact);
    return true;
  }

  bool hasLargerStep(uint64_t stride) const {
    return llvm::any_of(steps_, [&](const Step &step) { return step.value && step.stride > stride; });
  }

  // The accessed bytes are exactly this object's, or a range of unknown length begins with it.
  bool isWhole() const {
    return rest_ == 0 && extent_.isRange &&
           (extent_.wanted.size == 0 || sizeInBytes(place_.expression.type) <= extent_.wanted.size);
  }

  bool intoRecord() {
    const llvm::DICompositeType *record = recordOf(here().type);
    if (!record || isWhole()) return false;
    auto members = membersAt(*record, static_cast<uint64_t>(rest_), extent_.wanted);
    if (members.empty()) return false;
    const llvm::DIType *type = members.front()->getBaseType();
    bool isLeaf = !recordOf(type) && !arrayShape(type).element;
    bool spansMore = !members.front()->isBitField() && sizeInBytes(type) < extent_.wanted.size;
    if (isLeaf && (spansMore || hasVariableStep())) return false;
    nameHolder();
    if (members.size() > 1) {
      enterAny(members);
    } else {
      enter(*record, *members.front());
    }
    return true;
  }

  // The record is told by its own name, or by that of the member that it is, or by its members.
  void nameHolder() {
    std::string name = typeName(here().type);
    if (!name.empty())
      place_.holder = name;
    else if (!place_.field.empty())
      place_.holder += "." + place_.field;
    else if (const llvm::DICompositeType *record = recordOf(here().type); record && place_.holder.empty())
      place_.holder = nameByMembers(*record);
  }

  void enter(const llvm::DICompositeType &record, const llvm::DIDerivedType &member) {
    std::string name = member.isBitField() ? bitFields(record, member) : member.getName().str();
    if (llvm::StringRef(name).starts_with(kVtableMember)) name = kVtableField;
    rest_ -= static_cast<int64_t>(member.getOffsetInBits() / 8);
    here().type = member.getBaseType();
    if (member.isBitField()) stopAs(steps_.empty() ? Quality::Exact : Quality::Inexact);
    if (name.empty()) return; // a base class or an anonymous member has no name of its own
    append(name);
    place_.field = name;
  }

  // Members of a union that explain the access equally well, each followed to its end.
  void enterAny(llvm::ArrayRef<const llvm::DIDerivedType *> members) {
    llvm::SmallVector<std::string, 4> names;
    Quality quality = Quality::Exact;
    for (const llvm::DIDerivedType *member : members) {
      Address address{nullptr, rest_, steps_};
      Base base{{member->getName().str(), member->getBaseType()}};
      Place place = walk(base, address, extent_, indexText_);
      names.push_back(llvm::StringRef(place.expression.text).ltrim('.').str());
      quality = std::min(quality, place.quality);
    }
    std::string all = alternatives(names);
    append(all);
    place_.field = all;
    here().type = names.size() == 1 ? members.front()->getBaseType() : nullptr;
    stopAs(quality);
  }

  static std::string alternatives(llvm::SmallVectorImpl<std::string> &names) {
    if (names.size() == 1) return names.front();
    if (names.size() > kMaxAlternatives) {
      names.resize(kMaxAlternatives);
      names.push_back("...");
    }
    return "{" + llvm::join(names, ", ") + "}";
  }

  void stopAs(Quality quality) {
    rest_ = 0;
    steps_.clear();
    stopped_ = true;
    place_.quality = quality;
  }

  // Every bit field that shares a touched bit, in order.
  std::string bitFields(const llvm::DICompositeType &record, const llvm::DIDerivedType &first) const {
    llvm::SmallVector<std::string, 4> names;
    for (const llvm::DINode *node : record.getElements()) {
      const auto *member = llvm::dyn_cast<llvm::DIDerivedType>(node);
      if (member && member->isBitField() && !member->getName().empty() && isTouched(*member))
        names.push_back(member->getName().str());
    }
    if (names.empty()) return first.getName().str();
    return alternatives(names);
  }

  bool isTouched(const llvm::DIDerivedType &member) const {
    int64_t low = static_cast<int64_t>(member.getOffsetInBits()) - rest_ * 8;
    for (int64_t bit = low, end = low + static_cast<int64_t>(member.getSizeInBits()); bit < end; ++bit)
      if (bit >= 0 && bit < static_cast<int64_t>(extent_.wanted.size * 8) && bit < 64 && (extent_.bits >> bit & 1))
        return true;
    return false;
  }

  void append(const std::string &name) { becomeObject(beforePostfix(here()) + (isPointer_ ? "->" : ".") + name); }

  // What the type did not explain.
  void finish() {
    if (place_.holder.empty() && place_.field.empty() && here().type) place_.holder = typeName(here().type);
    if (stopped_) return;
    bool isExplained = rest_ == 0 && !hasVariableStep();
    if (isExplained && extent_.isVtable && place_.field != kVtableField) appendVtable();
    if (hasVariableStep()) {
      becomeObject(beforePostfix(here()) + kUnknownIndex);
    } else if (rest_ != 0) {
      append("@" + std::to_string(rest_));
    }
    place_.quality = judge(isExplained);
    if (isPointer_) here() = {"*" + beforePrefix(here()), here().type, /*isCompound=*/true};
  }

  void appendVtable() {
    place_.holder = typeName(here().type);
    place_.field = kVtableField;
    append(kVtableField);
  }

  Quality judge(bool isExplained) const {
    if (!isExplained) return Quality::Inexact;
    if (!place_.expression.type) return place_.field == kVtableField ? Quality::Exact : Quality::Unknown;
    bool fits =
        extent_.isRange || sizeInBytes(place_.expression.type) == extent_.wanted.size || place_.field == kVtableField;
    return fits ? Quality::Exact : Quality::Part;
  }

  static std::string beforePrefix(const Expression &expression) {
    bool isBinary = expression.isCompound && !llvm::StringRef("*&").contains(expression.text.front());
    return isBinary ? "(" + expression.text + ")" : expression.text;
  }

  Place place_;
  bool isPointer_;
  bool stopped_ = false;
  int64_t rest_;
  llvm::SmallVector<Step, 2> steps_;
  const Extent &extent_;
  const IndexText &indexText_;
};

} // namespace

std::string beforePostfix(const Expression &expression) {
  return expression.isCompound ? "(" + expression.text + ")" : expression.text;
}

Place walk(const Base &base, const Address &address, const Extent &extent, const IndexText &indexText) {
  return Walker(base, address, extent, indexText).run();
}

} // namespace deadheat::extract
