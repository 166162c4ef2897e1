//===- Elementwise.cpp - operations on single elements ------------------------------------------------------------===//
//
// This file emits an LLVM instruction, an intrinsic, or a math function of lowering/math/Formulas.h for each
// elementwise operation of arith, math and tt.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/cpu/Elementwise.h"
#include "targets/cpu/VectorArithmetic.h"
#include "lowering/dialects/tt/KernelAttributes.h"
#include "lowering/math/Formulas.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilecc;
using namespace tilecc::cpu;

using LV = llvm::Value;

static Type elementOf(Value v) { return getElementTypeOrSelf(v); }
static bool isFloat8(Type t) { return isa<Float8E4M3FNType, Float8E5M2Type>(t); }
static bool isNarrow(Type t) { return t.isF16() || t.isBF16() || isFloat8(t); }

/// Returns the type of `like` with `element` as its element type.
static llvm::Type *likeWith(LV *like, llvm::Type *element) {
  auto *vector = dyn_cast<llvm::VectorType>(like->getType());
  return vector ? llvm::VectorType::get(element, vector->getElementCount()) : element;
}

llvm::Constant *Elementwise::constant(Attribute value, Type element) {
  if (auto i = dyn_cast<IntegerAttr>(value))
    return llvm::ConstantInt::get(ctx.registerType(element), i.getValue());
  llvm::APFloat f = cast<FloatAttr>(value).getValue();
  if (element.isF32() || element.isF64())
    return llvm::ConstantFP::get(ctx.registerType(element), f);
  return llvm::ConstantInt::get(ctx.registerType(element), f.bitcastToAPInt());
}

LV *Elementwise::convertFloat(LV *v, Type from, Type to) {
  if (from == to)
    return v;
  if (from.isF16())
    v = math.fromHalf(v);
  else if (from.isBF16())
    v = math.fromBFloat(v);
  else if (isFloat8(from))
    v = math.fromFloat8(v, isa<Float8E5M2Type>(from));
  if (isNarrow(to)) {
    if (from.isF64())
      v = math.truncateToOdd(v);
    if (isFloat8(to))
      return math.toFloat8(v, isa<Float8E5M2Type>(to));
    return to.isF16() ? math.toHalf(v) : math.toBFloat(v);
  }
  llvm::Type *type = likeWith(v, ctx.registerType(to));
  if (v->getType() == type)
    return v;
  return to.isF64() ? b.CreateFPExt(v, type) : b.CreateFPTrunc(v, type);
}

/// Divides integers without traps. GPUs do not trap on a zero divisor, and masked-off lanes often have a zero divisor.
LV *Elementwise::emitIntDivision(Operation *op, LV *lhs, LV *rhs) {
  bool isSigned = isa<arith::DivSIOp, arith::RemSIOp>(op);
  llvm::Type *type = rhs->getType();
  auto known = [&](LV *v) -> llvm::ConstantInt * {
    auto *constant = dyn_cast<llvm::Constant>(v);
    return dyn_cast_or_null<llvm::ConstantInt>(constant && type->isVectorTy() ? constant->getSplatValue() : constant);
  };
  llvm::ConstantInt *divisor = known(rhs);
  if (!divisor || divisor->isZero() || (isSigned && divisor->isMinusOne())) {
    LV *bad = b.CreateICmpEQ(rhs, llvm::ConstantInt::get(type, 0));
    if (isSigned) { // the lowest integer divided by -1 also traps
      auto lowest = llvm::APInt::getSignedMinValue(type->getScalarSizeInBits());
      bad = b.CreateOr(bad, b.CreateAnd(b.CreateICmpEQ(rhs, llvm::Constant::getAllOnesValue(type)),
                                        b.CreateICmpEQ(lhs, llvm::ConstantInt::get(type, lowest))));
    }
    rhs = b.CreateSelect(bad, llvm::ConstantInt::get(type, 1), rhs);
  }
  if (isa<arith::DivSIOp>(op))
    return b.CreateSDiv(lhs, rhs);
  if (isa<arith::DivUIOp>(op))
    return b.CreateUDiv(lhs, rhs);
  return isSigned ? b.CreateSRem(lhs, rhs) : b.CreateURem(lhs, rhs);
}

/// Computes x / d as x times the reciprocal of d, which is computed once. The result is within the 2 ulp that `/` on
/// f32 allows. If the reciprocal would be denormal or overflow, a power of two is moved from the reciprocal to the
/// quotient.
LV *Elementwise::divideByUniform(LV *x, LV *d) {
  llvm::Type *type = d->getType();
  auto constant = [&](double value) { return llvm::ConstantFP::get(type, value); };
  LV *magnitude = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, d);
  LV *scale = b.CreateSelect(b.CreateFCmpOLT(magnitude, constant(0x1p-100)), constant(0x1p64), constant(1.0));
  scale = b.CreateSelect(b.CreateFCmpOGT(magnitude, constant(0x1p100)), constant(0x1p-64), scale);
  LV *reciprocal = b.CreateFDiv(constant(1.0), b.CreateFMul(d, scale));
  unsigned lanes = cast<llvm::FixedVectorType>(x->getType())->getNumElements();
  return b.CreateFMul(b.CreateFMul(x, ctx.splat(reciprocal, lanes)), ctx.splat(scale, lanes));
}

/// Returns true if `v` is a maximum of `tile` along an axis, or the maximum of that and other values. Then the element
/// of `v` at `place`, which maps indices of `tile` to indices of `v`, is at least the element of `tile`.
static bool isMaximumOf(Value v, Value tile, AffineMap place) {
  Operation *op = v.getDefiningOp();
  if (auto movement = dyn_cast_or_null<tt::IndexingMap>(op)) {
    AffineMap from = movement.getIndexingMap(cast<OpResult>(v).getResultNumber());
    return isMaximumOf(op->getOperand(0), tile, from.compose(place));
  }
  if (isa_and_nonnull<tt::SplatOp>(op))
    return isMaximumOf(op->getOperand(0), tile, AffineMap::get(place.getNumDims(), 0, op->getContext()));
  if (isa_and_nonnull<arith::MaxNumFOp>(op))
    return llvm::any_of(op->getOperands(), [&](Value operand) { return isMaximumOf(operand, tile, place); });
  auto reduce = dyn_cast_or_null<tt::ReduceOp>(op);
  if (!reduce || reduce.getSrcs().size() != 1 || reduce.getSrcs().front() != tile ||
      !isa_and_nonnull<arith::MaxNumFOp>(reduce.getSingleCombiner()) || place.getNumResults() + 1 != place.getNumDims())
    return false;
  for (auto [k, coordinate] : llvm::enumerate(place.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(coordinate);
    if (!dim || dim.getPosition() != k + (k >= reduce.getAxis()))
      return false;
  }
  return true;
}

/// Returns true if `v` is a difference from a maximum, as in softmax, and therefore never positive.
static bool isAtMostZero(Value v) {
  auto difference = v.getDefiningOp<arith::SubFOp>();
  if (!difference || !isTile(v))
    return false;
  auto here = AffineMap::getMultiDimIdentityMap(tileType(v).getRank(), v.getContext());
  return isMaximumOf(difference.getRhs(), difference.getLhs(), here);
}

/// Emits functions on f32 or f64.
LV *Elementwise::emitMath(Operation *op, ArrayRef<LV *> in) {
  LV *x = in[0];
  bool single = x->getType()->getScalarType()->isFloatTy();
  auto unary = [&](llvm::Intrinsic::ID id) { return b.CreateUnaryIntrinsic(id, x); };
  VectorArithmetic arithmetic(b, ctx.target, x);
  auto formula = [&](Real (*f)(Real)) { return arithmetic.unwrap(f(arithmetic.wrap(x)).value); };
  auto power = [&] { return arithmetic.unwrap(formulas::pow(arithmetic.wrap(x), arithmetic.wrap(in[1])).value); };
  return TypeSwitch<Operation *, LV *>(op)
      .Case<math::ExpOp>(
          [&](auto) { return single ? math.exp(x, isAtMostZero(op->getOperand(0))) : formula(formulas::exp); })
      .Case<math::Exp2Op>(
          [&](auto) { return single ? math.exp2(x, isAtMostZero(op->getOperand(0))) : formula(formulas::exp2); })
      .Case<math::LogOp>([&](auto) { return single ? math.log(x) : formula(formulas::log); })
      .Case<math::Log2Op>([&](auto) { return single ? math.log2(x) : formula(formulas::log2); })
      .Case<math::SinOp>([&](auto) { return formula(formulas::sin); })
      .Case<math::CosOp>([&](auto) { return formula(formulas::cos); })
      .Case<math::TanhOp>([&](auto) { return formula(formulas::tanh); })
      .Case<math::ErfOp>([&](auto) { return formula(formulas::erf); })
      .Case<math::PowFOp>([&](auto) { return power(); })
      .Case<tt::ExternElementwiseOp>([&](tt::ExternElementwiseOp call) -> LV * {
        return call.getSymbol().starts_with("__nv_tanh") ? formula(formulas::tanh) : power();
      })
      .Case<math::SqrtOp, tt::PreciseSqrtOp>([&](auto) { return unary(llvm::Intrinsic::sqrt); })
      .Case<tt::PreciseDivFOp>([&](auto) { return b.CreateFDiv(x, in[1]); })
      .Case<math::RsqrtOp>([&](auto) {
        if (single)
          return math.rsqrt(x);
        return b.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), unary(llvm::Intrinsic::sqrt));
      })
      .Case<math::AbsFOp>([&](auto) { return unary(llvm::Intrinsic::fabs); })
      .Case<math::FloorOp>([&](auto) { return unary(llvm::Intrinsic::floor); })
      .Case<math::CeilOp>([&](auto) { return unary(llvm::Intrinsic::ceil); })
      .Case<math::TruncOp>([&](auto) { return unary(llvm::Intrinsic::trunc); })
      .Case<math::RoundOp>([&](auto) { return unary(llvm::Intrinsic::round); })
      .Case<math::RoundEvenOp>([&](auto) { return unary(llvm::Intrinsic::rint); })
      .Case<math::FmaOp>([&](auto) { return b.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, in); })
      .Default([](Operation *) { return nullptr; });
}

LV *Elementwise::emitProduct(Operation *op, LV *x, LV *y) {
  LV *product = b.CreateFMul(x, y);
  if (auto *instruction = dyn_cast<llvm::Instruction>(product); instruction && op->hasAttr(tt::roundsEachAttr))
    instruction->setHasAllowContract(false);
  return product;
}

/// Divides the sum of a row by its number of elements with a multiplication by the reciprocal of that number. The
/// reciprocal is available before the sum, and a multiplication takes a third of the time of a division. The result is
/// within the 2 ulp that `/` on f32 allows.
LV *Elementwise::emitDivision(Operation *op, LV *x, LV *y) {
  Operation *divisor = op->getOperand(1).getDefiningOp();
  if (!op->getResult(0).getType().isF32() || !isa_and_nonnull<arith::SIToFPOp, arith::UIToFPOp>(divisor))
    return b.CreateFDiv(x, y);
  return b.CreateFMul(x, b.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), y));
}

/// Emits operations on floats. f16 and bf16 are computed in f32 and rounded after every operation. The result is the
/// same as with native arithmetic, because f32 has more than twice their precision plus two bits.
LV *Elementwise::emitFloatOp(Operation *op, ArrayRef<LV *> in) {
  auto binary = [&](llvm::Intrinsic::ID id) { return b.CreateBinaryIntrinsic(id, in[0], in[1]); };
  return TypeSwitch<Operation *, LV *>(op)
      .Case<arith::AddFOp>([&](auto) { return b.CreateFAdd(in[0], in[1]); })
      .Case<arith::SubFOp>([&](auto) { return b.CreateFSub(in[0], in[1]); })
      .Case<arith::MulFOp>([&](auto) { return emitProduct(op, in[0], in[1]); })
      .Case<arith::DivFOp>([&](auto) { return emitDivision(op, in[0], in[1]); })
      .Case<arith::RemFOp>([&](auto) { return b.CreateFRem(in[0], in[1]); })
      .Case<arith::NegFOp>([&](auto) { return b.CreateFNeg(in[0]); })
      .Case<arith::MaxNumFOp>([&](auto) { return binary(llvm::Intrinsic::maxnum); })
      .Case<arith::MinNumFOp>([&](auto) { return binary(llvm::Intrinsic::minnum); })
      .Case<arith::MaximumFOp>([&](auto) { return binary(llvm::Intrinsic::maximum); })
      .Case<arith::MinimumFOp>([&](auto) { return binary(llvm::Intrinsic::minimum); })
      .Case<tt::ClampFOp>([&](tt::ClampFOp clamp) {
        bool all = clamp.getPropagateNan() == tt::PropagateNan::ALL;
        auto low = all ? llvm::Intrinsic::maximum : llvm::Intrinsic::maxnum;
        auto high = all ? llvm::Intrinsic::minimum : llvm::Intrinsic::minnum;
        return b.CreateBinaryIntrinsic(high, b.CreateBinaryIntrinsic(low, in[0], in[1]), in[2]);
      })
      .Case<arith::CmpFOp>([&](arith::CmpFOp cmp) -> LV * {
        using P = llvm::CmpInst::Predicate;
        switch (cmp.getPredicate()) {
        case arith::CmpFPredicate::AlwaysFalse: return llvm::Constant::getNullValue(likeWith(in[0], b.getInt1Ty()));
        case arith::CmpFPredicate::AlwaysTrue: return llvm::Constant::getAllOnesValue(likeWith(in[0], b.getInt1Ty()));
        case arith::CmpFPredicate::OEQ: return b.CreateFCmp(P::FCMP_OEQ, in[0], in[1]);
        case arith::CmpFPredicate::OGT: return b.CreateFCmp(P::FCMP_OGT, in[0], in[1]);
        case arith::CmpFPredicate::OGE: return b.CreateFCmp(P::FCMP_OGE, in[0], in[1]);
        case arith::CmpFPredicate::OLT: return b.CreateFCmp(P::FCMP_OLT, in[0], in[1]);
        case arith::CmpFPredicate::OLE: return b.CreateFCmp(P::FCMP_OLE, in[0], in[1]);
        case arith::CmpFPredicate::ONE: return b.CreateFCmp(P::FCMP_ONE, in[0], in[1]);
        case arith::CmpFPredicate::ORD: return b.CreateFCmp(P::FCMP_ORD, in[0], in[1]);
        case arith::CmpFPredicate::UEQ: return b.CreateFCmp(P::FCMP_UEQ, in[0], in[1]);
        case arith::CmpFPredicate::UGT: return b.CreateFCmp(P::FCMP_UGT, in[0], in[1]);
        case arith::CmpFPredicate::UGE: return b.CreateFCmp(P::FCMP_UGE, in[0], in[1]);
        case arith::CmpFPredicate::ULT: return b.CreateFCmp(P::FCMP_ULT, in[0], in[1]);
        case arith::CmpFPredicate::ULE: return b.CreateFCmp(P::FCMP_ULE, in[0], in[1]);
        case arith::CmpFPredicate::UNE: return b.CreateFCmp(P::FCMP_UNE, in[0], in[1]);
        case arith::CmpFPredicate::UNO: return b.CreateFCmp(P::FCMP_UNO, in[0], in[1]);
        }
        llvm_unreachable("all predicates are above");
      })
      .Case<arith::FPToSIOp>(
          [&](auto to) { return b.CreateFPToSI(in[0], likeWith(in[0], ctx.registerType(elementOf(to.getResult())))); })
      .Case<arith::FPToUIOp>(
          [&](auto to) { return b.CreateFPToUI(in[0], likeWith(in[0], ctx.registerType(elementOf(to.getResult())))); })
      .Default([&](Operation *) { return emitMath(op, in); });
}

static llvm::CmpInst::Predicate predicateOf(arith::CmpIPredicate p) {
  using P = llvm::CmpInst::Predicate;
  switch (p) {
  case arith::CmpIPredicate::eq: return P::ICMP_EQ;
  case arith::CmpIPredicate::ne: return P::ICMP_NE;
  case arith::CmpIPredicate::slt: return P::ICMP_SLT;
  case arith::CmpIPredicate::sle: return P::ICMP_SLE;
  case arith::CmpIPredicate::sgt: return P::ICMP_SGT;
  case arith::CmpIPredicate::sge: return P::ICMP_SGE;
  case arith::CmpIPredicate::ult: return P::ICMP_ULT;
  case arith::CmpIPredicate::ule: return P::ICMP_ULE;
  case arith::CmpIPredicate::ugt: return P::ICMP_UGT;
  case arith::CmpIPredicate::uge: return P::ICMP_UGE;
  }
  llvm_unreachable("all predicates are above");
}

/// Calls a libdevice function of the CPU runtime, lane by lane.
LV *Elementwise::emitLibraryCall(tt::ExternElementwiseOp op, ArrayRef<LV *> in, llvm::Type *resultType) {
  StringRef name = op.getSymbol();
  if (!name.consume_front("__nv_"))
    return nullptr;
  SmallVector<llvm::Type *> types = llvm::map_to_vector(in, [](LV *v) { return v->getType()->getScalarType(); });
  auto *type = llvm::FunctionType::get(resultType->getScalarType(), types, /*isVarArg=*/false);
  llvm::FunctionCallee callee = ctx.module.getOrInsertFunction(("__tilecc_nv_" + name).str(), type);
  auto *function = cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::WillReturn);
  auto *vector = dyn_cast<llvm::FixedVectorType>(resultType);
  if (!vector)
    return b.CreateCall(callee, in);
  LV *result = llvm::PoisonValue::get(resultType);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    Values elements = llvm::map_to_vector<4>(in, [&](LV *v) -> LV * { return b.CreateExtractElement(v, lane); });
    result = b.CreateInsertElement(result, b.CreateCall(callee, elements), lane);
  }
  return result;
}

LV *Elementwise::emit(Operation *op, ArrayRef<LV *> in) {
  Type resultElement = elementOf(op->getResult(0));
  llvm::Type *resultType = nullptr;
  if (!in.empty())
    resultType = likeWith(in[0], ctx.registerType(resultElement));
  auto minMax = [&](llvm::Intrinsic::ID id) { return b.CreateBinaryIntrinsic(id, in[0], in[1]); };
  LV *result =
      TypeSwitch<Operation *, LV *>(op)
          .Case<arith::ConstantOp>([&](arith::ConstantOp number) { return constant(number.getValue(), resultElement); })
          .Case<LLVM::AddressOfOp>([&](auto) { return ctx.variable(op); })
          .Case<ub::PoisonOp>([&](auto) { return llvm::PoisonValue::get(ctx.registerType(resultElement)); })
          .Case<arith::AddIOp>([&](auto) { return b.CreateAdd(in[0], in[1]); })
          .Case<arith::SubIOp>([&](auto) { return b.CreateSub(in[0], in[1]); })
          .Case<arith::MulIOp>([&](auto) { return b.CreateMul(in[0], in[1]); })
          .Case<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
              [&](auto) { return emitIntDivision(op, in[0], in[1]); })
          .Case<arith::AndIOp>([&](auto) { return b.CreateAnd(in[0], in[1]); })
          .Case<arith::OrIOp>([&](auto) { return b.CreateOr(in[0], in[1]); })
          .Case<arith::XOrIOp>([&](auto) { return b.CreateXor(in[0], in[1]); })
          .Case<arith::ShLIOp>([&](auto) { return b.CreateShl(in[0], in[1]); })
          .Case<arith::ShRSIOp>([&](auto) { return b.CreateAShr(in[0], in[1]); })
          .Case<arith::ShRUIOp>([&](auto) { return b.CreateLShr(in[0], in[1]); })
          .Case<arith::MaxSIOp>([&](auto) { return minMax(llvm::Intrinsic::smax); })
          .Case<arith::MinSIOp>([&](auto) { return minMax(llvm::Intrinsic::smin); })
          .Case<arith::MaxUIOp>([&](auto) { return minMax(llvm::Intrinsic::umax); })
          .Case<arith::MinUIOp>([&](auto) { return minMax(llvm::Intrinsic::umin); })
          .Case<math::AbsIOp>([&](auto) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, in[0], b.getFalse()); })
          .Case<math::CtPopOp>([&](auto) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, in[0]); })
          .Case<math::CountLeadingZerosOp>(
              [&](auto) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, in[0], b.getFalse()); })
          .Case<math::CountTrailingZerosOp>(
              [&](auto) { return b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, in[0], b.getFalse()); })
          .Case<tt::MulhiUIOp>([&](auto) {
            llvm::Type *type = in[0]->getType();
            unsigned bits = type->getScalarSizeInBits();
            llvm::Type *wide = likeWith(in[0], b.getIntNTy(2 * bits));
            LV *product = b.CreateMul(b.CreateZExt(in[0], wide), b.CreateZExt(in[1], wide));
            return b.CreateTrunc(b.CreateLShr(product, llvm::ConstantInt::get(wide, bits)), type);
          })
          .Case<tt::ExternElementwiseOp>([&](tt::ExternElementwiseOp call) {
            return call.getLibname() == tt::ownLibrary ? nullptr : emitLibraryCall(call, in, resultType);
          })
          .Case<arith::CmpIOp>(
              [&](arith::CmpIOp cmp) { return b.CreateICmp(predicateOf(cmp.getPredicate()), in[0], in[1]); })
          .Case<arith::SelectOp>([&](auto) {
            LV *condition = in[0]; // may be a scalar
            if (!condition->getType()->isVectorTy() && in[1]->getType()->isVectorTy())
              condition = ctx.splat(condition, cast<llvm::FixedVectorType>(in[1]->getType())->getNumElements());
            return b.CreateSelect(condition, in[1], in[2]);
          })
          .Case<arith::ExtSIOp>([&](auto) { return b.CreateSExt(in[0], resultType); })
          .Case<arith::ExtUIOp>([&](auto) { return b.CreateZExt(in[0], resultType); })
          .Case<arith::TruncIOp>([&](auto) { return b.CreateTrunc(in[0], resultType); })
          .Case<arith::IndexCastOp>([&](auto) { return b.CreateSExtOrTrunc(in[0], resultType); })
          .Case<arith::IndexCastUIOp>([&](auto) { return b.CreateZExtOrTrunc(in[0], resultType); })
          .Case<arith::ExtFOp, arith::TruncFOp, tt::FpToFpOp>(
              [&](auto) { return convertFloat(in[0], elementOf(op->getOperand(0)), resultElement); })
          .Case<arith::SIToFPOp, arith::UIToFPOp>([&](auto) {
            if (isa<arith::UIToFPOp>(op) && in[0]->getType()->isIntOrIntVectorTy(1) && !isNarrow(resultElement))
              return b.CreateSelect(in[0], llvm::ConstantFP::get(resultType, 1.0),
                                    llvm::ConstantFP::get(resultType, 0.0));
            // Convert to a narrow type through f64. This is exact up to 53 bits, and f16 overflows beyond that anyway.
            Type through = isNarrow(resultElement) ? Type(Float64Type::get(op->getContext())) : resultElement;
            llvm::Type *type = likeWith(in[0], ctx.registerType(through));
            LV *v = isa<arith::SIToFPOp>(op) ? b.CreateSIToFP(in[0], type) : b.CreateUIToFP(in[0], type);
            return convertFloat(v, through, resultElement);
          })
          .Case<arith::BitcastOp, tt::BitcastOp>([&](auto) { return b.CreateBitCast(in[0], resultType); })
          .Case<tt::PtrToIntOp>([&](auto) { return b.CreatePtrToInt(in[0], resultType); })
          .Case<tt::IntToPtrOp>([&](auto) { return b.CreateIntToPtr(in[0], resultType); })
          .Case<tt::AddPtrOp>([&](auto) {
            auto pointee = cast<tt::PointerType>(resultElement).getPointeeType();
            LV *offset = b.CreateSExt(in[1], likeWith(in[1], b.getInt64Ty()));
            return b.CreateGEP(ctx.storageType(pointee), in[0], offset);
          })
          .Default([](Operation *) { return nullptr; });
  if (result)
    return result;

  Type operandElement = elementOf(op->getOperand(0));
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(operandElement)) {
    Type compute = isNarrow(operandElement) ? Type(Float32Type::get(op->getContext())) : operandElement;
    Values wide = llvm::map_to_vector<4>(in, [&](LV *v) { return convertFloat(v, operandElement, compute); });
    result = emitFloatOp(op, wide);
    if (result)
      return isNarrow(resultElement) ? convertFloat(result, compute, resultElement) : result;
  }
  ctx.reject(op);
  return llvm::PoisonValue::get(resultType);
}
