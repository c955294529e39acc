#include "ir/assembly.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"

namespace deadheat::ir {

using llvm::StringRef;

namespace {

// Directives that define something by name.
constexpr const char *kDefining[] = {".globl", ".global", ".set ", ".macro", ".equiv"};

constexpr StringRef kBarriers[] = {"mfence"};

// The bytes that a mnemonic's last letter stands for.
uint32_t bytesOf(StringRef mnemonic) {
  static constexpr std::pair<char, uint32_t> kSuffixes[] = {{'b', 1}, {'w', 2}, {'l', 4}, {'q', 8}};
  for (auto [letter, bytes] : kSuffixes)
    if (mnemonic.ends_with(StringRef(&letter, 1))) return bytes;
  return 0;
}

struct Meaning {
  AssemblyEffect effect = AssemblyEffect::None;
  StringRef mnemonic; // of the update
};

// Statements end at a line or a semicolon; a prefix may be one of its own. Local labels come before a statement.
Meaning meaningOf(StringRef text) {
  llvm::SmallVector<StringRef, 8> statements;
  llvm::SplitString(text, statements, "\n;");
  bool isLocked = false;
  Meaning meaning;
  for (StringRef statement : statements) {
    statement = statement.trim();
    if (statement.starts_with("#") || statement.starts_with(".")) continue;
    while (true) {
      auto [word, rest] = llvm::getToken(statement);
      if (word.empty()) break;
      statement = rest;
      if (word.ends_with(":")) continue;
      if (word == "lock") {
        isLocked = true;
        continue;
      }
      if (isLocked || word.starts_with("xchg")) return {AssemblyEffect::Update, word};
      if (llvm::is_contained(kBarriers, word)) meaning.effect = AssemblyEffect::Fence;
      break; // what follows are operands
    }
  }
  return meaning;
}

// The operand in memory, else the first pointer.
unsigned memoryOperand(const llvm::CallBase &call, const llvm::InlineAsm &assembly) {
  unsigned next = 0, pointer = call.arg_size();
  for (const llvm::InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
    if (constraint.Type == llvm::InlineAsm::isClobber || constraint.Type == llvm::InlineAsm::isLabel) break;
    if (constraint.Type == llvm::InlineAsm::isOutput && !constraint.isIndirect) continue;
    unsigned argument = next++;
    if (argument >= call.arg_size()) break;
    if (constraint.isIndirect) return argument;
    if (pointer == call.arg_size() && call.getArgOperand(argument)->getType()->isPointerTy()) pointer = argument;
  }
  return pointer;
}

} // namespace

Assembly readAssembly(const llvm::CallBase &call) {
  const auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand());
  if (!assembly || !llvm::isa<llvm::CallInst>(call) || call.cannotDuplicate()) return {};
  if (!llvm::Triple(call.getModule()->getTargetTriple()).isX86()) return {};
  Meaning meaning = meaningOf(assembly->getAsmString());
  if (meaning.effect == AssemblyEffect::None || definesLabel(*assembly)) return {};
  if (meaning.effect == AssemblyEffect::Fence) return {AssemblyEffect::Fence, nullptr, 0};
  unsigned operand = memoryOperand(call, *assembly);
  if (operand == call.arg_size()) // such as `lock; addl $0, (%rsp)`
    return meaning.mnemonic.starts_with("xchg") ? Assembly{} : Assembly{AssemblyEffect::Fence, nullptr, 0};
  llvm::Type *type = call.getParamElementType(operand);
  uint32_t size = bytesOf(meaning.mnemonic);
  if (type && type->isSized()) size = static_cast<uint32_t>(call.getModule()->getDataLayout().getTypeStoreSize(type));
  return size == 0 ? Assembly{} : Assembly{AssemblyEffect::Update, call.getArgOperand(operand), size};
}

// Inline assembly may be copied by any optimisation, but some of it defines labels and is never copied in practice.
bool definesLabel(const llvm::InlineAsm &assembly) {
  StringRef text = assembly.getAsmString();
  for (size_t colon = text.find(':'); colon != StringRef::npos; colon = text.find(':', colon + 1)) {
    size_t begin = colon;
    while (begin > 0 && (llvm::isAlnum(text[begin - 1]) || StringRef("_.$").contains(text[begin - 1]))) --begin;
    StringRef label = text.slice(begin, colon);
    bool isSegment = begin > 0 && text[begin - 1] == '%';
    if (!label.empty() && !isSegment && !llvm::all_of(label, llvm::isDigit) && !label.ends_with("$")) return true;
  }
  return llvm::any_of(kDefining, [&](const char *directive) { return text.contains(directive); });
}

} // namespace deadheat::ir
