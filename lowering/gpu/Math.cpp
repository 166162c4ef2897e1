//===- Math.cpp - scalar functions of floating-point numbers ------------------------------------------------------===//
//
// Functions use the instructions of the target if there are any. Everything else is computed by the formulas of
// lowering/math, so a kernel need not link libdevice. f16 and bf16 are computed in f32.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/gpu/Lowering.h"
#include "lowering/math/Formulas.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Implements the arithmetic on which the math functions of lowering/math/Formulas.h are built, as scalar operations.
class ScalarArithmetic final : public Arithmetic {
public:
  ScalarArithmetic(PatternRewriter &builder, Location loc, Type type, const TargetInfo &target)
      : Arithmetic(type.isF64()), builder(builder), loc(loc), type(type),
        integerType(builder.getIntegerType(type.getIntOrFloatBitWidth())), target(target) {}

  Real wrap(Value value) { return {{this, value.getAsOpaquePointer()}}; }
  static Value unwrap(void *value) { return Value::getFromOpaquePointer(value); }

  void *makeReal(double value) override {
    return arith::ConstantOp::create(builder, loc, builder.getFloatAttr(type, value)).getResult().getAsOpaquePointer();
  }
  void *makeInteger(int64_t value) override {
    APInt number(integerType.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(integerType, number))
        .getResult()
        .getAsOpaquePointer();
  }
  void *emit(Op op, ArrayRef<void *> operands) override {
    SmallVector<Value> in = llvm::map_to_vector(operands, unwrap);
    return emit(op, ValueRange(in)).getAsOpaquePointer();
  }
  void *lookUp(StringRef name, ArrayRef<uint64_t> table, void *index) override {
    auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
    std::string symbol = (name + ".i" + Twine(integerType.getIntOrFloatBitWidth())).str();
    unsigned space = target.getGlobalAddressSpace();
    auto arrayType = LLVM::LLVMArrayType::get(integerType, table.size());
    if (!module.lookupSymbol(symbol)) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      SmallVector<APInt> elements;
      for (uint64_t element : table)
        elements.emplace_back(integerType.getIntOrFloatBitWidth(), element);
      auto tensor = RankedTensorType::get(table.size(), integerType);
      // The table does not get the location of its first user, because it does not belong to a function.
      auto global =
          LLVM::GlobalOp::create(builder, module.getLoc(), arrayType, /*isConstant=*/true, LLVM::Linkage::Internal,
                                 symbol, DenseElementsAttr::get(tensor, elements), /*alignment=*/8, space);
      global.setUnnamedAddr(LLVM::UnnamedAddr::Global); // merge the tables of several kernels
    }
    Value base =
        LLVM::AddressOfOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext(), space), symbol);
    Value address = LLVM::GEPOp::create(builder, loc, base.getType(), integerType, base, unwrap(index));
    return LLVM::LoadOp::create(builder, loc, integerType, address).getResult().getAsOpaquePointer();
  }
  SmallVector<void *> rarely(void *condition, ArrayRef<void *> usual, void *x,
                             function_ref<SmallVector<void *>(void *)> rare) override {
    SmallVector<Value> otherwise = llvm::map_to_vector(usual, unwrap);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(ValueRange(otherwise)), unwrap(condition),
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    SmallVector<Value> then = llvm::map_to_vector(rare(x), unwrap);
    scf::YieldOp::create(builder, loc, then);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, otherwise);
    return llvm::map_to_vector(branch.getResults(), [](Value value) { return value.getAsOpaquePointer(); });
  }
  void *fastExp2(void *x) override {
    return target.exp2(builder, loc, unwrap(x), /*flushes=*/false).getAsOpaquePointer();
  }

private:
  Value emit(Op op, ValueRange in) {
    auto compare = [&](LLVM::FCmpPredicate predicate) -> Value {
      return LLVM::FCmpOp::create(builder, loc, predicate, in[0], in[1]);
    };
    auto compareIntegers = [&](LLVM::ICmpPredicate predicate) -> Value {
      return LLVM::ICmpOp::create(builder, loc, predicate, in[0], in[1]);
    };
    switch (op) {
    case Add: return LLVM::FAddOp::create(builder, loc, in[0], in[1]);
    case Sub: return LLVM::FSubOp::create(builder, loc, in[0], in[1]);
    case Mul: return LLVM::FMulOp::create(builder, loc, in[0], in[1]);
    case Div: return target.divide(builder, loc, in[0], in[1]);
    case Fma:
    case MulAdd: return LLVM::FMAOp::create(builder, loc, in[0], in[1], in[2]);
    case Neg: return LLVM::FNegOp::create(builder, loc, in[0]);
    case Abs: return LLVM::FAbsOp::create(builder, loc, in[0]);
    case CopySign: return LLVM::CopySignOp::create(builder, loc, in[0], in[1]);
    case Round: return LLVM::RintOp::create(builder, loc, in[0]);
    case Less: return compare(LLVM::FCmpPredicate::olt);
    case Equal: return compare(LLVM::FCmpPredicate::oeq);
    case Unordered: return compare(LLVM::FCmpPredicate::uno);
    case IAdd: return LLVM::AddOp::create(builder, loc, in[0], in[1]);
    case ISub: return LLVM::SubOp::create(builder, loc, in[0], in[1]);
    case IMul: return LLVM::MulOp::create(builder, loc, in[0], in[1]);
    case MulHigh: return target.multiplyHigh(builder, loc, in[0], in[1]);
    case IAnd:
    case And: return LLVM::AndOp::create(builder, loc, in[0], in[1]);
    case IOr:
    case Or: return LLVM::OrOp::create(builder, loc, in[0], in[1]);
    case ShiftLeft: return LLVM::ShlOp::create(builder, loc, in[0], in[1]);
    case ShiftRight: return LLVM::LShrOp::create(builder, loc, in[0], in[1]);
    case ShiftRightSigned: return LLVM::AShrOp::create(builder, loc, in[0], in[1]);
    case ILess: return compareIntegers(LLVM::ICmpPredicate::slt);
    case ILessUnsigned: return compareIntegers(LLVM::ICmpPredicate::ult);
    case IEqual: return compareIntegers(LLVM::ICmpPredicate::eq);
    case ToBits: return LLVM::BitcastOp::create(builder, loc, integerType, in[0]);
    case FromBits: return LLVM::BitcastOp::create(builder, loc, type, in[0]);
    case ToReal: return LLVM::SIToFPOp::create(builder, loc, type, in[0]);
    case Not: return LLVM::XOrOp::create(builder, loc, in[0], constantI1(builder, loc, true));
    case Select: return LLVM::SelectOp::create(builder, loc, in[0], in[1], in[2]);
    }
    llvm_unreachable("all operations are above");
  }

  PatternRewriter &builder;
  Location loc;
  Type type, integerType;
  const TargetInfo &target;
};

/// Lowers a scalar math operation on f32 or f64; narrower types go through f32.
template <typename OpT> struct FunctionPattern : OpRewritePattern<OpT> {
  using Function = std::function<Value(PatternRewriter &, Location, ValueRange)>;
  FunctionPattern(MLIRContext *context, Function function)
      : OpRewritePattern<OpT>(context, /*benefit=*/2), function(function) {}

  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<FloatType>(op.getType());
    if (!type)
      return failure();
    Location loc = op.getLoc();
    bool narrow = type.getWidth() < 32;
    SmallVector<Value> operands(op->getOperands());
    if (narrow)
      for (Value &operand : operands)
        operand = LLVM::FPExtOp::create(rewriter, loc, rewriter.getF32Type(), operand);
    Value result = function(rewriter, loc, operands);
    if (narrow)
      result = LLVM::FPTruncOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
  Function function;
};

/// Lowers an operation of the tile dialect that has no scalar counterpart.
template <typename OpT> struct TileMathPattern : TilePattern<OpT> {
  using Function = std::function<Value(OpBuilder &, Location, ValueRange)>;
  TileMathPattern(const TileTypeConverter &types, MLIRContext *context, const LoweringContext &lowering,
                  Function function)
      : TilePattern<OpT>(types, context, lowering), function(function) {}

  LogicalResult matchAndRewrite(OpT op, typename OpT::template GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> results;
    for (size_t reg = 0; reg < adaptor.getOperands().front().size(); ++reg) {
      SmallVector<Value> operands;
      for (ValueRange operand : adaptor.getOperands())
        operands.push_back(operand[reg]);
      results.push_back(function(rewriter, op.getLoc(), operands));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
  Function function;
};

/// Creates the operation that computes a function of libdevice, given its name without the prefix, and without the
/// suffix of functions of f32.
using LibraryFormula = Value (*)(OpBuilder &builder, Location loc, ValueRange in, const TargetInfo &target);

template <typename OpT> Value createUnary(OpBuilder &builder, Location loc, ValueRange in, const TargetInfo &) {
  return OpT::create(builder, loc, in[0]);
}
template <typename OpT> Value createBinary(OpBuilder &builder, Location loc, ValueRange in, const TargetInfo &) {
  return OpT::create(builder, loc, in[0], in[1]);
}

/// libdevice's exp2f does not flush small results, unlike math.exp2.
Value createExp2(OpBuilder &builder, Location loc, ValueRange in, const TargetInfo &target) {
  return in[0].getType().isF64() ? math::Exp2Op::create(builder, loc, in[0]).getResult()
                                 : target.exp2(builder, loc, in[0], /*flushes=*/false);
}
Value createFma(OpBuilder &builder, Location loc, ValueRange in, const TargetInfo &) {
  return math::FmaOp::create(builder, loc, in[0], in[1], in[2]);
}

LibraryFormula findFormula(StringRef symbol) {
  if (!symbol.consume_front("__nv_"))
    return nullptr;
  auto find = [](StringRef name) {
    return llvm::StringSwitch<LibraryFormula>(name)
        .Case("exp", createUnary<math::ExpOp>)
        .Case("exp2", createExp2)
        .Case("log", createUnary<math::LogOp>)
        .Case("log2", createUnary<math::Log2Op>)
        .Case("sin", createUnary<math::SinOp>)
        .Case("cos", createUnary<math::CosOp>)
        .Case("tanh", createUnary<math::TanhOp>)
        .Case("erf", createUnary<math::ErfOp>)
        .Case("sqrt", createUnary<math::SqrtOp>)
        .Case("rsqrt", createUnary<math::RsqrtOp>)
        .Case("floor", createUnary<math::FloorOp>)
        .Case("ceil", createUnary<math::CeilOp>)
        .Case("trunc", createUnary<math::TruncOp>)
        .Case("round", createUnary<math::RoundOp>)
        .Cases({"rint", "nearbyint"}, createUnary<math::RoundEvenOp>)
        .Case("fabs", createUnary<math::AbsFOp>)
        .Case("pow", createBinary<math::PowFOp>)
        .Case("copysign", createBinary<LLVM::CopySignOp>)
        .Case("fma", createFma)
        .Default(nullptr);
  };
  LibraryFormula formula = find(symbol);
  return formula || !symbol.consume_back("f") ? formula : find(symbol);
}

/// Calls library functions for every register. The functions of `tt::ownLibrary` are computed by formulas, and on a GPU
/// without libdevice so are libdevice's.
struct ExternPattern : TilePattern<tt::ExternElementwiseOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tt::ExternElementwiseOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    ArrayRef<ValueRange> in = adaptor.getSrcs();
    Type type = types.convertElement(getElementTypeOrSelf(op.getType()));
    bool isCall = op.getLibname() != tt::ownLibrary && target.facts.hasCudaCalls;
    LibraryFormula formula = isCall ? nullptr : findFormula(op.getSymbol());
    SmallVector<Value> results;
    for (size_t reg = 0; reg < in[0].size(); ++reg) {
      SmallVector<Value> operands = llvm::map_to_vector(in, [&](ValueRange operand) { return operand[reg]; });
      results.push_back(isCall ? call(op, type, toGeneric(rewriter, op.getLoc(), operands), rewriter)
                               : formula(rewriter, op.getLoc(), operands, target));
    }
    rewriter.replaceOpWithMultiple(op, {results});
    return success();
  }
  static Value call(tt::ExternElementwiseOp op, Type type, ValueRange in, OpBuilder &builder) {
    auto module = op->getParentOfType<ModuleOp>();
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(op.getSymbol());
    if (!function) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      SmallVector<Type> arguments(in.getTypes());
      function = LLVM::LLVMFuncOp::create(builder, builder.getUnknownLoc(), op.getSymbol(),
                                          LLVM::LLVMFunctionType::get(type, arguments));
    }
    return LLVM::CallOp::create(builder, op.getLoc(), function, in).getResult();
  }
  /// Converts pointers to generic ones, which library functions take.
  static SmallVector<Value> toGeneric(OpBuilder &builder, Location loc, ValueRange in) {
    return llvm::map_to_vector(in, [&](Value value) -> Value {
      auto pointer = dyn_cast<LLVM::LLVMPointerType>(value.getType());
      if (!pointer || pointer.getAddressSpace() == 0)
        return value;
      return LLVM::AddrSpaceCastOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), value);
    });
  }
};

/// Converts a float to i1 through i32: LLVM 22 selects the inverted comparison for a direct conversion.
template <typename OpT> struct ToBoolPattern : OpRewritePattern<OpT> {
  explicit ToBoolPattern(MLIRContext *context) : OpRewritePattern<OpT>(context, /*benefit=*/2) {}
  LogicalResult matchAndRewrite(OpT op, PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(1))
      return failure();
    Value wide = OpT::create(rewriter, op.getLoc(), rewriter.getI32Type(), op.getIn());
    rewriter.replaceOpWithNewOp<arith::TruncIOp>(op, op.getType(), wide);
    return success();
  }
};

struct AbsPattern : OpRewritePattern<math::AbsFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsFOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FAbsOp>(op, op.getOperand());
    return success();
  }
};

struct FmaPattern : OpRewritePattern<math::FmaOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::FmaOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::FMAOp>(op, op.getA(), op.getB(), op.getC());
    return success();
  }
};

struct AbsIntPattern : OpRewritePattern<math::AbsIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::AbsIOp op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::AbsOp>(op, op.getType(), op.getOperand(), /*is_int_min_poison=*/false);
    return success();
  }
};

/// Counts the zeros at one end of a number. For 0, the result is the number of bits.
template <typename From, typename To> struct CountZerosPattern : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getType(), op.getOperand(), /*is_zero_poison=*/false);
    return success();
  }
};

template <typename From, typename To> struct RoundPattern : OpRewritePattern<From> {
  using OpRewritePattern<From>::OpRewritePattern;
  LogicalResult matchAndRewrite(From op, PatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<To>(op, op.getOperand());
    return success();
  }
};

} // namespace

bool tilecc::hasFormula(StringRef symbol) { return findFormula(symbol) != nullptr; }

void tilecc::populateTileMathPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                      const LoweringContext &lowering) {
  MLIRContext *context = patterns.getContext();
  const TargetInfo &target = lowering.target;
  patterns.add<TileMathPattern<tt::PreciseSqrtOp>>(types, context, lowering,
                                                   [](OpBuilder &builder, Location loc, ValueRange in) -> Value {
                                                     return LLVM::SqrtOp::create(builder, loc, in[0]);
                                                   });
  patterns.add<TileMathPattern<tt::PreciseDivFOp>>(types, context, lowering,
                                                   [](OpBuilder &builder, Location loc, ValueRange in) -> Value {
                                                     return LLVM::FDivOp::create(builder, loc, in[0], in[1]);
                                                   });
  patterns.add<TileMathPattern<tt::MulhiUIOp>>(types, context, lowering,
                                               [&target](OpBuilder &builder, Location loc, ValueRange in) {
                                                 return target.multiplyHigh(builder, loc, in[0], in[1]);
                                               });
  patterns.add<ExternPattern>(types, context, lowering);
}

void tilecc::populateMathPatterns(RewritePatternSet &patterns, const TargetInfo &target) {
  MLIRContext *context = patterns.getContext();
  auto asFormula = [&target](Real (*formula)(Real)) {
    return [formula, &target](PatternRewriter &rewriter, Location loc, ValueRange in) {
      ScalarArithmetic arithmetic(rewriter, loc, in[0].getType(), target);
      return arithmetic.unwrap(formula(arithmetic.wrap(in[0])).value);
    };
  };
  // The target computes exponentials of f32; the functions of Formulas.h compute those of f64.
  auto exponential = [&target, asFormula](double base, Real (*formula)(Real)) {
    return
        [=, &target, inDouble = asFormula(formula)](PatternRewriter &rewriter, Location loc, ValueRange in) -> Value {
          if (in[0].getType().isF64())
            return inDouble(rewriter, loc, in);
          Value x = in[0];
          if (base != 1) {
            Value factor = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(base));
            x = LLVM::FMulOp::create(rewriter, loc, x, factor);
          }
          // As in Triton, exp2 flushes subnormal results, and exp does not.
          return target.exp2(rewriter, loc, x, /*flushes=*/base == 1);
        };
  };
  // The target's approximation computes f32 if it is allowed.
  auto approximated = [&target, asFormula](TargetInfo::Function function, double factor, Real (*formula)(Real)) {
    return [=, &target, exact = asFormula(formula)](PatternRewriter &rewriter, Location loc, ValueRange in) -> Value {
      Value result = target.approximate(function, rewriter, loc, in[0]);
      if (!result)
        return exact(rewriter, loc, in);
      if (factor == 1)
        return result;
      Value constant = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(factor));
      return LLVM::FMulOp::create(rewriter, loc, result, constant);
    };
  };
  auto ofTarget = [&target](Value (TargetInfo::*method)(OpBuilder &, Location, Value) const) {
    return [=, &target](PatternRewriter &rewriter, Location loc, ValueRange in) {
      return (target.*method)(rewriter, loc, in[0]);
    };
  };
  patterns.add<FunctionPattern<math::ExpOp>>(context, exponential(1.4426950408889634, formulas::exp));
  patterns.add<FunctionPattern<math::Exp2Op>>(context, exponential(1, formulas::exp2));
  patterns.add<FunctionPattern<math::LogOp>>(
      context, approximated(TargetInfo::Function::Log2, 0.6931471805599453, formulas::log));
  patterns.add<FunctionPattern<math::Log2Op>>(context, approximated(TargetInfo::Function::Log2, 1, formulas::log2));
  patterns.add<FunctionPattern<math::SinOp>>(context, approximated(TargetInfo::Function::Sin, 1, formulas::sin));
  patterns.add<FunctionPattern<math::CosOp>>(context, approximated(TargetInfo::Function::Cos, 1, formulas::cos));
  patterns.add<FunctionPattern<math::ErfOp>>(context, asFormula(formulas::erf));
  patterns.add<FunctionPattern<math::TanhOp>>(context, approximated(TargetInfo::Function::Tanh, 1, formulas::tanh));
  patterns.add<FunctionPattern<math::PowFOp>>(
      context, [&target](PatternRewriter &rewriter, Location loc, ValueRange in) {
        if (Value log = target.approximate(TargetInfo::Function::Log2, rewriter, loc, in[0]))
          return target.exp2(rewriter, loc, LLVM::FMulOp::create(rewriter, loc, in[1], log), /*flushes=*/false);
        ScalarArithmetic arithmetic(rewriter, loc, in[0].getType(), target);
        return arithmetic.unwrap(formulas::pow(arithmetic.wrap(in[0]), arithmetic.wrap(in[1])).value);
      });
  patterns.add<FunctionPattern<math::SqrtOp>>(context, ofTarget(&TargetInfo::sqrt));
  patterns.add<FunctionPattern<math::RsqrtOp>>(context, ofTarget(&TargetInfo::rsqrt));
  patterns.add<FunctionPattern<arith::DivFOp>>(context,
                                               [&target](PatternRewriter &rewriter, Location loc, ValueRange in) {
                                                 return target.divide(rewriter, loc, in[0], in[1]);
                                               });
  patterns.add<ToBoolPattern<arith::FPToSIOp>, ToBoolPattern<arith::FPToUIOp>>(context);
  patterns.add<AbsPattern, AbsIntPattern, FmaPattern, RoundPattern<math::FloorOp, LLVM::FFloorOp>,
               RoundPattern<math::CeilOp, LLVM::FCeilOp>, RoundPattern<math::TruncOp, LLVM::FTruncOp>,
               RoundPattern<math::RoundOp, LLVM::RoundOp>, RoundPattern<math::RoundEvenOp, LLVM::RintOp>,
               RoundPattern<math::CtPopOp, LLVM::CtPopOp>,
               CountZerosPattern<math::CountLeadingZerosOp, LLVM::CountLeadingZerosOp>,
               CountZerosPattern<math::CountTrailingZerosOp, LLVM::CountTrailingZerosOp>>(context);
}
