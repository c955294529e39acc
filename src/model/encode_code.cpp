#include "model/encode_code.h"

#include "model/column_writer.h"
#include "model/statement_streams.h"

namespace deadheat::model {
namespace {

class StatementWriter {
public:
  explicit StatementWriter(const Unit &unit) : unit_(unit) {}

  void write() {
    uint32_t block = 0, statement = 0;
    for (const Function &function : unit_.functions) {
      last_.enter(function);
      for (uint32_t i = 0; i < function.blockCount; ++i)
        for (uint32_t j = 0, end = unit_.blocks[BlockId(block++)].statementCount; j < end; ++j)
          writeStatement(unit_.statements[StatementId(statement++)]);
    }
  }

  flatbuffers::Offset<fb::Statements> store(flatbuffers::FlatBufferBuilder &builder) const {
    const auto &s = streams_;
    auto kind = s.kind.store(builder), form = s.form.store(builder), results = s.results.store(builder),
         values = s.values.store(builder), symbols = s.symbols.store(builder), constants = s.constants.store(builder),
         numbers = s.numbers.store(builder), sites = s.sites.store(builder), forms = s.operandForms.store(builder),
         paths = s.paths.store(builder);
    return fb::CreateStatements(builder, kind, form, results, values, symbols, constants, numbers, sites, forms, paths);
  }

private:
  void writeStatement(const Statement &row) {
    bool isCall = row.kind == StatementKind::Call;
    uint8_t form = static_cast<uint8_t>(row.a.kind) | static_cast<uint8_t>(row.b.kind) << kShiftB;
    if (row.result.valid()) form |= kHasResult;
    if (row.number != 0 && !isCall) form |= kHasNumber;
    if (row.site.valid()) form |= kHasSite;
    if (row.other.valid()) form |= kHasOther;
    streams_.kind.add(row.kind);
    streams_.form.add(form);
    writeOperand(row.a);
    writeOperand(row.b);
    if (form & kHasNumber) streams_.numbers.add(row.number);
    if (form & kHasSite) streams_.sites.add(row.site);
    if (form & kHasOther) streams_.sites.add(row.other);
    if (isCall) writeCall(unit_.calls[CallId(nextCall_++)]);
    if (form & kHasResult) {
      streams_.results.add(row.result);
      last_.assign(row.result);
    }
  }

  void writeOperand(const Operand &operand) {
    switch (operand.kind) {
    case OperandKind::None: return;
    case OperandKind::Value: return streams_.values.add(last_.distance(operand.index));
    case OperandKind::Symbol: return streams_.symbols.add(operand.index);
    case OperandKind::Number: return streams_.constants.add(operand.index);
    }
  }

  void writeCall(const Call &call) {
    writeCallOperand(call.callee, StringId(0));
    for (uint32_t i = 0; i < call.argumentCount; ++i) {
      const Argument &argument = unit_.arguments[ArgumentId(nextArgument_++)];
      writeCallOperand(argument.value, argument.path);
    }
  }

  void writeCallOperand(const Operand &operand, StringId path) {
    bool hasPath = path.valid() && path.value() != 0;
    streams_.operandForms.add(static_cast<uint8_t>(operand.kind) | (hasPath ? kHasPath : 0));
    writeOperand(operand);
    if (hasPath) streams_.paths.add(path);
  }

  const Unit &unit_;
  LastResult last_;
  uint32_t nextCall_ = 0;
  uint32_t nextArgument_ = 0;
  StatementStreams<ColumnWriter> streams_ = {
      ColumnWriter(kStreamCodings.kind),         ColumnWriter(kStreamCodings.form),
      ColumnWriter(kStreamCodings.results),      ColumnWriter(kStreamCodings.values),
      ColumnWriter(kStreamCodings.symbols),      ColumnWriter(kStreamCodings.constants),
      ColumnWriter(kStreamCodings.numbers),      ColumnWriter(kStreamCodings.sites),
      ColumnWriter(kStreamCodings.operandForms), ColumnWriter(kStreamCodings.paths)};
};

} // namespace

flatbuffers::Offset<fb::Statements> storeStatements(flatbuffers::FlatBufferBuilder &builder, const Unit &unit) {
  StatementWriter writer(unit);
  writer.write();
  return writer.store(builder);
}

} // namespace deadheat::model
