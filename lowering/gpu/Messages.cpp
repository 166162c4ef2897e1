//===- Messages.cpp - lowers tt.print, tt.assert and tt.record --------------------------------------------------===//
//
// tt.print and tt.assert call functions that NVIDIA's driver provides, as code from nvcc does: vprintf, with the
// arguments in a buffer of the thread, and __assertfail. On other GPUs, a tt.assert is a trap. One of the threads that
// hold an element prints its line. A tt.record becomes a call of a function that the back end expands in LLVM IR.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/tt/MessageFormat.h"
#include "lowering/gpu/Lowering.h"
#include "llvm/Demangle/Demangle.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Returns a pointer to the zero-terminated `text`.
Value textAddress(OpBuilder &builder, Location loc, Operation *op, StringRef text) {
  auto module = op->getParentOfType<ModuleOp>();
  std::string name;
  for (unsigned i = 0; name.empty() || module.lookupSymbol(name); ++i)
    name = "text_" + std::to_string(i);
  std::string bytes = text.str() + '\0';
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size());
    LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           builder.getStringAttr(bytes), /*alignment=*/1, /*addrSpace=*/1);
  }
  Value global = LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), 1), name);
  return LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), global);
}

LLVM::LLVMFuncOp declare(OpBuilder &builder, Operation *op, StringRef name, Type result, ArrayRef<Type> params) {
  auto module = op->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, LLVM::LLVMFunctionType::get(result, params));
}

/// Applies the promotions of C's variadic functions: integers to at least 32 bits, floats to double.
Value promote(OpBuilder &builder, Location loc, Value value, bool isSigned) {
  Type type = value.getType();
  if (isa<FloatType>(type))
    return type.isF64() ? value : LLVM::FPExtOp::create(builder, loc, builder.getF64Type(), value).getResult();
  if (!type.isInteger() || type.getIntOrFloatBitWidth() >= 32)
    return value;
  return isSigned ? LLVM::SExtOp::create(builder, loc, builder.getI32Type(), value).getResult()
                  : LLVM::ZExtOp::create(builder, loc, builder.getI32Type(), value).getResult();
}

/// Allocates the argument buffer of a vprintf call; `types` are in order.
Value allocateArguments(OpBuilder &builder, Location loc, Operation *op, LLVM::LLVMStructType types) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&op->getParentOfType<FunctionOpInterface>().getFunctionBody().front());
  return LLVM::AllocaOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), types,
                                constantI32(builder, loc, 1));
}

/// Calls vprintf with `format` and `args`. The first call allocates `memory` for all calls with the same types.
void callPrintf(OpBuilder &builder, Location loc, Operation *op, Value format, Value &memory, ValueRange args) {
  Type ptr = LLVM::LLVMPointerType::get(builder.getContext()), i32 = builder.getI32Type();
  auto types = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(args.getTypes()));
  if (!memory)
    memory = allocateArguments(builder, loc, op, types);
  for (auto [i, arg] : llvm::enumerate(args)) {
    Value field = LLVM::GEPOp::create(builder, loc, ptr, types, memory, ArrayRef<LLVM::GEPArg>{0, int32_t(i)});
    LLVM::StoreOp::create(builder, loc, arg, field);
  }
  LLVM::CallOp::create(builder, loc, declare(builder, op, "vprintf", i32, {ptr, ptr}), ValueRange{format, memory});
}

/// Executes `body` if `condition` holds, or always if it is null.
void guarded(OpBuilder &builder, Location loc, Value condition, llvm::function_ref<void()> body) {
  OpBuilder::InsertionGuard guard(builder);
  if (condition) {
    auto branch = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  body();
}

struct PrintPattern : TilePattern<tt::PrintOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::PrintOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op->hasAttr(formattedAttr)) {
      printFormatted(op, adaptor, rewriter);
      rewriter.eraseOp(op);
      return success();
    }
    Location loc = op.getLoc();
    ThreadPosition position = getThreadPosition(rewriter, loc, target);
    SmallVector<Value> program;
    for (unsigned axis : {0, 1, 2})
      program.push_back(target.getProgramId(rewriter, loc, axis));
    Value isFirst = isFirstThread(rewriter, loc, target);
    if (op.getArgs().empty()) {
      Value format = textAddress(rewriter, loc, op, getPrintFormat(op, std::nullopt)), memory;
      guarded(rewriter, loc, isFirst, [&] { callPrintf(rewriter, loc, op, format, memory, program); });
    }
    for (auto [i, registers] : llvm::enumerate(adaptor.getArgs())) {
      Value format = textAddress(rewriter, loc, op, getPrintFormat(op, i)), memory;
      bool isSigned = op.getIsSigned()[i];
      auto type = dyn_cast<RankedTensorType>(op.getArgs()[i].getType());
      std::optional<LinearLayout> layout;
      if (type)
        layout = ttg::toLinearLayout(type);
      Value prints = type ? isRepresentative(rewriter, loc, *layout, position) : isFirst;
      Value base = type ? applyLayout(rewriter, loc, *layout, position) : Value();
      guarded(rewriter, loc, prints, [&] {
        for (auto [reg, value] : llvm::enumerate(registers)) {
          SmallVector<Value> args(program);
          if (type) {
            Value packed = addRegister(rewriter, loc, *layout, base, reg);
            unsigned shift = 0;
            for (unsigned d = 0; d < type.getRank(); ++d) {
              unsigned bits = layout->getOutBits(axis(d));
              Value part = arith::ShRUIOp::create(rewriter, loc, packed, constantI32(rewriter, loc, shift));
              args.push_back(arith::AndIOp::create(rewriter, loc, part, constantI32(rewriter, loc, (1 << bits) - 1)));
              shift += bits;
            }
          }
          args.push_back(promote(rewriter, loc, asPrinted(rewriter, loc, op, value), isSigned));
          callPrintf(rewriter, loc, op, format, memory, args);
        }
      });
    }
    rewriter.eraseOp(op);
    return success();
  }

  void printFormatted(tt::PrintOp op, OneToNOpAdaptor adaptor, ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Value prints;
    size_t lines = 1;
    for (auto [value, registers] : llvm::zip_equal(op.getArgs(), adaptor.getArgs()))
      if (auto type = dyn_cast<RankedTensorType>(value.getType())) {
        prints = isRepresentative(rewriter, loc, ttg::toLinearLayout(type), getThreadPosition(rewriter, loc, target));
        lines = registers.size();
      }
    if (!llvm::any_of(op.getArgs().getTypes(), llvm::IsaPred<RankedTensorType>))
      prints = isFirstThread(rewriter, loc, target);
    Value format = textAddress(rewriter, loc, op, op.getPrefix()), memory;
    guarded(rewriter, loc, prints, [&] {
      for (size_t line = 0; line < lines; ++line) {
        SmallVector<Value> args;
        for (auto [registers, isSigned] : llvm::zip_equal(adaptor.getArgs(), op.getIsSigned()))
          args.push_back(promote(rewriter, loc, registers[registers.size() == lines ? line : 0], isSigned));
        callPrintf(rewriter, loc, op, format, memory, args);
      }
    });
  }

  /// Converts a value to the printed type. In hexadecimal, the bits of floats are printed.
  static Value asPrinted(OpBuilder &builder, Location loc, tt::PrintOp op, Value value) {
    if (!op.getHex() || !isa<FloatType>(value.getType()))
      return value;
    Type bits = builder.getIntegerType(value.getType().getIntOrFloatBitWidth());
    return LLVM::BitcastOp::create(builder, loc, bits, value);
  }
};

struct AssertPattern : TilePattern<tt::AssertOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::AssertOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value all;
    for (Value value : adaptor.getCondition())
      all = all ? arith::AndIOp::create(rewriter, loc, all, value).getResult() : value;
    Value fails = arith::XOrIOp::create(rewriter, loc, all, constantI1(rewriter, loc, true));
    guarded(rewriter, loc, fails, [&] {
      if (!target.facts.hasCudaCalls) {
        LLVM::Trap::create(rewriter, loc);
        return;
      }
      Type ptr = LLVM::LLVMPointerType::get(rewriter.getContext()), i32 = rewriter.getI32Type(),
           i64 = rewriter.getI64Type();
      auto function = declare(rewriter, op, "__assertfail", LLVM::LLVMVoidType::get(rewriter.getContext()),
                              {ptr, ptr, i32, ptr, i64});
      SourcePlace where = getSourcePlace(op);
      LLVM::CallOp::create(
          rewriter, loc, function,
          ValueRange{textAddress(rewriter, loc, op, op.getMessage()), textAddress(rewriter, loc, op, where.file),
                     constantI32(rewriter, loc, where.line), textAddress(rewriter, loc, op, where.function),
                     arith::ConstantIntOp::create(rewriter, loc, 1, 64)});
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct RecordPattern : TilePattern<tt::RecordOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::RecordOp op, OneToNOpAdaptor, ConversionPatternRewriter &rewriter) const override {
    SourcePlace where = getSourcePlace(op);
    std::string scope = op.getName().str() + '\0' + where.file + '\0' + std::to_string(where.line);
    Location loc = op.getLoc();
    Type ptr = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto function = declare(rewriter, op, op.getIsStart() ? recordStartSymbol : recordEndSymbol,
                            LLVM::LLVMVoidType::get(rewriter.getContext()), {ptr});
    LLVM::CallOp::create(rewriter, loc, function, textAddress(rewriter, loc, op, scope));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void tilecc::populateMessagePatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                     const LoweringContext &lowering) {
  patterns.add<PrintPattern, AssertPattern, RecordPattern>(types, patterns.getContext(), lowering);
}
