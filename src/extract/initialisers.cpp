#include "extract/initialisers.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"

#include "extract/types.h"

namespace deadheat::extract {

using llvm::dyn_cast;

namespace {

class Walk {
public:
  Walk(const llvm::DataLayout &layout, SymbolTable &symbols, model::Unit &unit)
      : layout_(layout), symbols_(symbols), unit_(unit) {}

  // `back`: see model::Initialiser.
  void visit(model::SymbolId variable, const llvm::Constant &value, uint64_t offset, uint64_t back) {
    if (llvm::isa<llvm::ConstantData>(value)) return;
    if (value.getType()->isPointerTy()) return add(variable, value, offset, back);
    if (auto *record = dyn_cast<llvm::StructType>(value.getType())) {
      const llvm::StructLayout *places = layout_.getStructLayout(record);
      for (unsigned i = 0; i < record->getNumElements(); ++i)
        visitPart(variable, value, i, offset + places->getElementOffset(i), back);
    } else if (auto *array = dyn_cast<llvm::ArrayType>(value.getType())) {
      uint64_t stride = layout_.getTypeAllocSize(array->getElementType());
      for (unsigned i = 0; i < array->getNumElements(); ++i)
        visitPart(variable, value, i, offset + i * stride, back + i * stride);
    } else if (const auto *expression = dyn_cast<llvm::ConstantExpr>(&value);
               expression && expression->getOpcode() == llvm::Instruction::PtrToInt) {
      add(variable, *expression->getOperand(0), offset, back);
    }
  }

private:
  void visitPart(model::SymbolId variable, const llvm::Constant &value, unsigned index, uint64_t offset,
                 uint64_t back) {
    if (const llvm::Constant *part = value.getAggregateElement(index)) visit(variable, *part, offset, back);
  }

  void add(model::SymbolId variable, const llvm::Constant &pointer, uint64_t offset, uint64_t back) {
    llvm::APInt addend(layout_.getIndexTypeSizeInBits(pointer.getType()), 0);
    const llvm::Value *base = pointer.stripAndAccumulateConstantOffsets(layout_, addend, /*AllowNonInbounds=*/true);
    const auto *global = dyn_cast<llvm::GlobalValue>(base);
    auto target = global ? symbols_.of(*global) : std::nullopt;
    if (target) unit_.initialisers.push_back({variable, offset, *target, addend.getSExtValue(), back});
  }

  const llvm::DataLayout &layout_;
  SymbolTable &symbols_;
  model::Unit &unit_;
};

// What the resolver of an ifunc mentions, it may return.
void visitResolver(const llvm::GlobalIFunc &chosen, SymbolTable &symbols, model::Unit &unit) {
  const llvm::Function *resolver = chosen.getResolverFunction();
  if (!resolver) return;
  llvm::SmallVector<model::SymbolId, 4> targets;
  for (const llvm::Instruction &instruction : llvm::instructions(*resolver))
    for (const llvm::Value *operand : instruction.operand_values()) {
      const auto *function = dyn_cast<llvm::Function>(operand);
      bool isCallee = llvm::isa<llvm::CallBase>(instruction) &&
                      llvm::cast<llvm::CallBase>(instruction).getCalledOperand() == operand;
      auto target = function && !isCallee ? symbols.of(*function) : std::nullopt;
      if (target && !llvm::is_contained(targets, *target)) targets.push_back(*target);
    }
  for (model::SymbolId target : targets) unit.initialisers.push_back({*symbols.of(chosen), 0, target, 0});
}

void markList(const llvm::Module &module, llvm::StringRef name, uint8_t flag, SymbolTable &symbols, model::Unit &unit) {
  const llvm::GlobalVariable *list = module.getNamedGlobal(name);
  const auto *entries =
      list && list->hasInitializer() ? dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (!entries) return;
  for (const llvm::Use &entry : entries->operands()) {
    const llvm::Constant *pointer = llvm::cast<llvm::Constant>(entry)->getAggregateElement(1u);
    const auto *function = pointer ? dyn_cast<llvm::Function>(pointer->stripPointerCasts()) : nullptr;
    auto symbol = function ? symbols.of(*function) : std::nullopt;
    if (symbol && unit.symbols[*symbol].function.valid()) unit.functions[unit.symbols[*symbol].function].flags |= flag;
  }
}

} // namespace

void extractInitialisers(const llvm::Module &module, SymbolTable &symbols, model::Unit &unit) {
  Walk walk(module.getDataLayout(), symbols, unit);
  for (const llvm::GlobalVariable &variable : module.globals())
    if (variable.hasInitializer())
      if (auto id = symbols.of(variable)) walk.visit(*id, *variable.getInitializer(), 0, 0);
  for (const llvm::GlobalIFunc &chosen : module.ifuncs()) visitResolver(chosen, symbols, unit);
}

void extractInheritance(TypeIndex &types, model::Unit &unit) {
  for (const llvm::DICompositeType *record : types.records()) {
    if (!record->getVTableHolder()) continue;
    for (const llvm::DINode *node : record->getElements()) {
      const auto *base = dyn_cast<llvm::DIDerivedType>(node);
      if (!base || base->getTag() != llvm::dwarf::DW_TAG_inheritance) continue;
      unit.inheritance.push_back(
          {unit.strings.intern(typeName(record)), unit.strings.intern(typeName(base->getBaseType()))});
    }
  }
}

void markStartUp(const llvm::Module &module, SymbolTable &symbols, model::Unit &unit) {
  markList(module, "llvm.global_ctors", model::kStartUp, symbols, unit);
  markList(module, "llvm.global_dtors", model::kShutDown, symbols, unit);
}

} // namespace deadheat::extract
