#include "model/decode_code.h"

#include "model/column_reader.h"
#include "model/statement_streams.h"

namespace deadheat::model {
namespace {

class StatementReader {
public:
  StatementReader(StatementStreams<ColumnReader> streams, Unit &unit) : streams_(streams), unit_(unit) {}

  bool read() {
    unit_.statements = IdTable<StatementId, Statement>(std::vector<Statement>(streams_.kind.count()));
    for (uint32_t i = 0; i < unit_.functions.size(); ++i)
      if (!readFunction(unit_.functions[FunctionId(i)])) return false;
    return isComplete();
  }

private:
  bool isComplete() const {
    auto [kind, form, results, values, symbols, constants, numbers, sites, operandForms, paths] = streams_;
    for (const ColumnReader *stream :
         {&kind, &form, &results, &values, &symbols, &constants, &numbers, &sites, &operandForms, &paths})
      if (!stream->done()) return false;
    return nextBlock_ == unit_.blocks.size() && nextEdge_ == unit_.edges.size() && nextCall_ == unit_.calls.size();
  }

  bool readFunction(Function &function) {
    function.firstBlock = BlockId(nextBlock_);
    last_.enter(function);
    if (function.blockCount > unit_.blocks.size() - nextBlock_) return false;
    for (uint32_t i = 0; i < function.blockCount; ++i)
      if (!readBlock(unit_.blocks[BlockId(nextBlock_++)])) return false;
    return true;
  }

  bool readBlock(Block &block) {
    block.firstStatement = StatementId(nextStatement_);
    block.firstEdge = EdgeId(nextEdge_);
    if (block.edgeCount > unit_.edges.size() - nextEdge_) return false;
    nextEdge_ += block.edgeCount;
    if (block.statementCount > unit_.statements.size() - nextStatement_) return false;
    for (uint32_t i = 0; i < block.statementCount; ++i)
      if (!readStatement(unit_.statements[StatementId(nextStatement_++)])) return false;
    return true;
  }

  bool readStatement(Statement &row) {
    uint8_t form = 0;
    if (!streams_.kind.read(row.kind) || !streams_.form.read(form)) return false;
    if (!readOperand(form & kOperandMask, row.a) || !readOperand(form >> kShiftB & kOperandMask, row.b)) return false;
    if (form & kHasNumber && !streams_.numbers.read(row.number)) return false;
    if (form & kHasSite && !streams_.sites.read(row.site)) return false;
    if (form & kHasOther && !streams_.sites.read(row.other)) return false;
    if (row.kind == StatementKind::Call) {
      if (form & kHasNumber || nextCall_ == unit_.calls.size()) return false;
      row.number = nextCall_;
      if (!readCall(unit_.calls[CallId(nextCall_++)])) return false;
    }
    if (!(form & kHasResult)) return true;
    if (!streams_.results.read(row.result)) return false;
    last_.assign(row.result);
    return true;
  }

  bool readOperand(unsigned kind, Operand &operand) {
    operand.kind = static_cast<OperandKind>(kind);
    switch (operand.kind) {
    case OperandKind::None: return true;
    case OperandKind::Value: return readValue(operand);
    case OperandKind::Symbol: return streams_.symbols.read(operand.index);
    case OperandKind::Number: return streams_.constants.read(operand.index);
    }
    return false;
  }

  bool readValue(Operand &operand) {
    int64_t distance = 0;
    if (!streams_.values.read(distance) || distance < -kLimit<ValueId> || distance > kLimit<ValueId>) return false;
    operand.index = last_.distance(distance);
    return true;
  }

  bool readCall(Call &call) {
    StringId path;
    if (!readCallOperand(call.callee, path) || path.valid()) return false;
    call.firstArgument = ArgumentId(static_cast<uint32_t>(unit_.arguments.size()));
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      Argument argument;
      if (!readCallOperand(argument.value, argument.path)) return false;
      if (!argument.path.valid()) argument.path = StringId(0);
      unit_.arguments.add(argument);
    }
    return true;
  }

  bool readCallOperand(Operand &operand, StringId &path) {
    uint8_t form = 0;
    if (!streams_.operandForms.read(form) || form > (kHasPath | kOperandMask)) return false;
    if (!readOperand(form & kOperandMask, operand)) return false;
    return !(form & kHasPath) || streams_.paths.read(path);
  }

  StatementStreams<ColumnReader> streams_;
  Unit &unit_;
  LastResult last_;
  uint32_t nextBlock_ = 0;
  uint32_t nextStatement_ = 0;
  uint32_t nextEdge_ = 0;
  uint32_t nextCall_ = 0;
};

} // namespace

bool loadStatements(const fb::Statements &stored, Unit &unit) {
  for (const Bytes *stream :
       {stored.kind(), stored.form(), stored.results(), stored.values(), stored.symbols(), stored.constants(),
        stored.numbers(), stored.sites(), stored.operand_forms(), stored.paths()})
    if (!stream) return false;
  StatementStreams<ColumnReader> streams = {{*stored.kind(), kStreamCodings.kind},
                                            {*stored.form(), kStreamCodings.form},
                                            {*stored.results(), kStreamCodings.results},
                                            {*stored.values(), kStreamCodings.values},
                                            {*stored.symbols(), kStreamCodings.symbols},
                                            {*stored.constants(), kStreamCodings.constants},
                                            {*stored.numbers(), kStreamCodings.numbers},
                                            {*stored.sites(), kStreamCodings.sites},
                                            {*stored.operand_forms(), kStreamCodings.operandForms},
                                            {*stored.paths(), kStreamCodings.paths}};
  return StatementReader(streams, unit).read();
}

} // namespace deadheat::model
