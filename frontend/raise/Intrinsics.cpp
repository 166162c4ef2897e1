//===- Intrinsics.cpp - LLVM's intrinsics that kernels may use ----------------------------------------------------===//
//
// Clang emits intrinsics, or calls of the C library, for the functions of <cmath> and <bit> that a kernel calls with
// scalars. One table lists the supported functions (for Supported.cpp) and how to raise them (for KernelRaiser).
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Intrinsics.h"
#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace mlir;

namespace tilecc {
namespace {

/// A call with raised operands.
struct Call {
  llvm::CallBase &call;
  OpBuilder &builder;
  Location loc;
  SmallVector<Value> args;

  Value integer(Type type, const llvm::APInt &value) const {
    return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
  }
  Value integer(Type type, int64_t value) const {
    return integer(type, llvm::APInt(type.getIntOrFloatBitWidth(), value, /*isSigned=*/true, /*implicitTrunc=*/true));
  }
  /// Reinterprets a float as an integer of the same width.
  Value bits(Value x) const {
    Type type = builder.getIntegerType(x.getType().getIntOrFloatBitWidth());
    return tt::BitcastOp::create(builder, loc, type, x);
  }
};
using Handler = Value (*)(Call &);

template <typename OpT> Value one(Call &c) { return OpT::create(c.builder, c.loc, c.args[0]); }
template <typename OpT> Value two(Call &c) { return OpT::create(c.builder, c.loc, c.args[0], c.args[1]); }

Value nothing(Call &) { return {}; }

Value assume(Call &c) {
  if (!c.call.hasOperandBundles()) // alignment etc.: not about a value of the kernel
    LLVM::AssumeOp::create(c.builder, c.loc, c.args[0]);
  return {};
}

/// Creates a separate multiplication and addition. The target decides whether to fuse them, because it can judge the
/// cost.
Value multiplyAdd(Call &c) {
  Value product = arith::MulFOp::create(c.builder, c.loc, c.args[0], c.args[1]);
  return arith::AddFOp::create(c.builder, c.loc, product, c.args[2]);
}
Value fma(Call &c) { return math::FmaOp::create(c.builder, c.loc, c.args[0], c.args[1], c.args[2]); }

/// Implements std::lround and std::lrint.
template <typename RoundOpT> Value toInteger(Call &c) {
  Value rounded = RoundOpT::create(c.builder, c.loc, c.args[0]);
  return arith::FPToSIOp::create(c.builder, c.loc, c.builder.getIntegerType(c.call.getType()->getIntegerBitWidth()),
                                 rounded);
}

/// Implements tan as tt::tan does.
Value tan(Call &c) { return arith::DivFOp::create(c.builder, c.loc, one<math::SinOp>(c), one<math::CosOp>(c)); }
Value tanh(Call &c) { return createOwnFunction(c.builder, c.loc, "__nv_tanhf", "__nv_tanh", c.args); }
Value pow(Call &c) { return createOwnFunction(c.builder, c.loc, "__nv_powf", "__nv_pow", c.args); }

Value copySign(Call &c) {
  Value magnitude = c.bits(c.args[0]), sign = c.bits(c.args[1]);
  Type type = magnitude.getType();
  llvm::APInt mask = llvm::APInt::getSignMask(type.getIntOrFloatBitWidth());
  magnitude = arith::AndIOp::create(c.builder, c.loc, magnitude, c.integer(type, ~mask));
  sign = arith::AndIOp::create(c.builder, c.loc, sign, c.integer(type, mask));
  Value bits = arith::OrIOp::create(c.builder, c.loc, magnitude, sign);
  return tt::BitcastOp::create(c.builder, c.loc, c.args[0].getType(), bits);
}

/// Implements std::isnan, std::isinf, std::isnormal and so on. Tests whether the bits of the magnitude are in a range,
/// for both signs or for one.
Value isOfClass(Call &c) {
  auto wanted = static_cast<llvm::FPClassTest>(llvm::cast<llvm::ConstantInt>(c.call.getArgOperand(1))->getZExtValue());
  const llvm::fltSemantics &semantics = cast<FloatType>(c.args[0].getType()).getFloatSemantics();
  Value bits = c.bits(c.args[0]);
  Type type = bits.getType();
  llvm::APInt sign = llvm::APInt::getSignMask(type.getIntOrFloatBitWidth());
  Value magnitude = arith::AndIOp::create(c.builder, c.loc, bits, c.integer(type, ~sign));
  Value isNegative = arith::CmpIOp::create(c.builder, c.loc, arith::CmpIPredicate::slt, bits, c.integer(type, 0));
  Value truth = c.integer(c.builder.getI1Type(), 1), result = c.integer(c.builder.getI1Type(), 0);
  llvm::APInt one(type.getIntOrFloatBitWidth(), 1),
      normal = llvm::APFloat::getSmallestNormalized(semantics).bitcastToAPInt(),
      infinity = llvm::APFloat::getInf(semantics).bitcastToAPInt(),
      quiet = llvm::APFloat::getQNaN(semantics).bitcastToAPInt();
  const struct {
    llvm::FPClassTest negative, positive;
    llvm::APInt first, last;
  } classes[] = {{llvm::fcNegZero, llvm::fcPosZero, one - 1, one - 1},
                 {llvm::fcNegSubnormal, llvm::fcPosSubnormal, one, normal - 1},
                 {llvm::fcNegNormal, llvm::fcPosNormal, normal, infinity - 1},
                 {llvm::fcNegInf, llvm::fcPosInf, infinity, infinity},
                 {llvm::fcSNan, llvm::fcSNan, infinity + 1, quiet - 1},
                 {llvm::fcQNan, llvm::fcQNan, quiet, ~sign}};
  for (const auto &each : classes) {
    bool negative = wanted & each.negative, positive = wanted & each.positive;
    if (!negative && !positive)
      continue;
    Value distance = arith::SubIOp::create(c.builder, c.loc, magnitude, c.integer(type, each.first));
    Value is = arith::CmpIOp::create(c.builder, c.loc, arith::CmpIPredicate::ule, distance,
                                     c.integer(type, each.last - each.first));
    if (negative != positive) {
      Value hasSign = negative ? isNegative : Value(arith::XOrIOp::create(c.builder, c.loc, isNegative, truth));
      is = arith::AndIOp::create(c.builder, c.loc, is, hasSign);
    }
    result = arith::OrIOp::create(c.builder, c.loc, result, is);
  }
  return result;
}

Value swapBytes(Call &c) {
  Value x = c.args[0], result;
  Type type = x.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  for (unsigned from = 0; from < bits; from += 8) {
    Value byte = arith::ShRUIOp::create(c.builder, c.loc, x, c.integer(type, from));
    byte = arith::AndIOp::create(c.builder, c.loc, byte, c.integer(type, 0xff));
    byte = arith::ShLIOp::create(c.builder, c.loc, byte, c.integer(type, bits - 8 - from));
    result = result ? Value(arith::OrIOp::create(c.builder, c.loc, result, byte)) : byte;
  }
  return result;
}

/// Shifts the concatenation of two halves. If both halves are the same value, this is a rotation.
template <bool Left> Value shiftFunnel(Call &c) {
  Type type = c.args[0].getType();
  unsigned bits = type.getIntOrFloatBitWidth(); // a power of two
  auto by = [&](Value distance) {
    return arith::AndIOp::create(c.builder, c.loc, distance, c.integer(type, bits - 1));
  };
  Value distance = by(c.args[2]);
  Value rest = by(arith::SubIOp::create(c.builder, c.loc, c.integer(type, bits), distance));
  Value up = arith::ShLIOp::create(c.builder, c.loc, c.args[0], Left ? distance : rest);
  Value down = arith::ShRUIOp::create(c.builder, c.loc, c.args[1], Left ? rest : distance);
  Value both = arith::OrIOp::create(c.builder, c.loc, up, down);
  Value isNone = arith::CmpIOp::create(c.builder, c.loc, arith::CmpIPredicate::eq, distance, c.integer(type, 0));
  return arith::SelectOp::create(c.builder, c.loc, isNone, c.args[Left ? 0 : 1], both);
}

} // namespace

static Handler findHandler(llvm::Intrinsic::ID id) {
  static const llvm::DenseMap<unsigned, Handler> handlers = {
      {llvm::Intrinsic::assume, assume},
      {llvm::Intrinsic::lifetime_start, nothing},
      {llvm::Intrinsic::lifetime_end, nothing},
      {llvm::Intrinsic::experimental_noalias_scope_decl, nothing},
      {llvm::Intrinsic::sideeffect, nothing},
      {llvm::Intrinsic::donothing, nothing},
      {llvm::Intrinsic::fma, fma},
      {llvm::Intrinsic::fmuladd, multiplyAdd},
      {llvm::Intrinsic::fabs, one<math::AbsFOp>},
      {llvm::Intrinsic::abs, one<math::AbsIOp>},
      {llvm::Intrinsic::sqrt, one<math::SqrtOp>},
      {llvm::Intrinsic::exp, one<math::ExpOp>},
      {llvm::Intrinsic::exp2, one<math::Exp2Op>},
      {llvm::Intrinsic::log, one<math::LogOp>},
      {llvm::Intrinsic::log2, one<math::Log2Op>},
      {llvm::Intrinsic::sin, one<math::SinOp>},
      {llvm::Intrinsic::cos, one<math::CosOp>},
      {llvm::Intrinsic::tan, tan},
      {llvm::Intrinsic::tanh, tanh},
      {llvm::Intrinsic::pow, pow},
      {llvm::Intrinsic::floor, one<math::FloorOp>},
      {llvm::Intrinsic::ceil, one<math::CeilOp>},
      {llvm::Intrinsic::trunc, one<math::TruncOp>},
      {llvm::Intrinsic::round, one<math::RoundOp>},
      {llvm::Intrinsic::rint, one<math::RoundEvenOp>},
      {llvm::Intrinsic::nearbyint, one<math::RoundEvenOp>},
      {llvm::Intrinsic::roundeven, one<math::RoundEvenOp>},
      {llvm::Intrinsic::lround, toInteger<math::RoundOp>},
      {llvm::Intrinsic::llround, toInteger<math::RoundOp>},
      {llvm::Intrinsic::lrint, toInteger<math::RoundEvenOp>},
      {llvm::Intrinsic::llrint, toInteger<math::RoundEvenOp>},
      {llvm::Intrinsic::copysign, copySign},
      {llvm::Intrinsic::is_fpclass, isOfClass},
      {llvm::Intrinsic::minnum, two<arith::MinNumFOp>},
      {llvm::Intrinsic::maxnum, two<arith::MaxNumFOp>},
      {llvm::Intrinsic::minimum, two<arith::MinimumFOp>},
      {llvm::Intrinsic::maximum, two<arith::MaximumFOp>},
      {llvm::Intrinsic::smin, two<arith::MinSIOp>},
      {llvm::Intrinsic::smax, two<arith::MaxSIOp>},
      {llvm::Intrinsic::umin, two<arith::MinUIOp>},
      {llvm::Intrinsic::umax, two<arith::MaxUIOp>},
      {llvm::Intrinsic::ctpop, one<math::CtPopOp>},
      {llvm::Intrinsic::ctlz, one<math::CountLeadingZerosOp>}, // for 0: the bit width, even if the result may be poison
      {llvm::Intrinsic::cttz, one<math::CountTrailingZerosOp>},
      {llvm::Intrinsic::bswap, swapBytes},
      {llvm::Intrinsic::fshl, shiftFunnel<true>},
      {llvm::Intrinsic::fshr, shiftFunnel<false>},
  };
  return handlers.lookup(id);
}

/// Finds functions of <cmath> for which LLVM has no intrinsic.
static Handler findHandler(const llvm::CallBase &call) {
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || callee->isIntrinsic())
    return findHandler(call.getIntrinsicID());
  return llvm::StringSwitch<Handler>(callee->getName()).Cases({"erf", "erff"}, one<math::ErfOp>).Default(nullptr);
}

bool canRaiseAsMath(const llvm::CallBase &call) { return findHandler(call) != nullptr; }

FailureOr<Value> KernelRaiser::raiseAsMath(llvm::CallBase &call) {
  Location loc = locate(call);
  Handler handler = findHandler(call);
  if (!handler)
    reportBug(loc, "checkSupported has accepted a call that is not in the tables");
  if (handler == nothing)
    return Value();
  Call raised{call, builder, loc, {}};
  for (llvm::Value *argument : call.args())
    if (!raised.args.emplace_back(valueOf(argument, {}, loc)))
      return failure();
  return handler(raised);
}

void dropExpectations(llvm::Module &module) {
  for (llvm::Function &function : module)
    if (llvm::is_contained({llvm::Intrinsic::expect, llvm::Intrinsic::expect_with_probability},
                           function.getIntrinsicID()))
      for (llvm::User *user : llvm::make_early_inc_range(function.users())) {
        auto *call = llvm::cast<llvm::CallInst>(user);
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
}

void expandOverflowChecks(llvm::Function &function) {
  llvm::SmallVector<llvm::WithOverflowInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::WithOverflowInst>(&instruction);
        call && llvm::all_of(call->users(), [](llvm::User *user) { return llvm::isa<llvm::ExtractValueInst>(user); }))
      calls.push_back(call);
  for (llvm::WithOverflowInst *call : calls) {
    llvm::IRBuilder<> builder(call);
    llvm::Type *narrow = call->getLHS()->getType(), *wide = builder.getIntNTy(2 * narrow->getIntegerBitWidth());
    auto widen = [&](llvm::Value *value) {
      return call->isSigned() ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
    };
    llvm::Value *exact = builder.CreateBinOp(call->getBinaryOp(), widen(call->getLHS()), widen(call->getRHS()));
    llvm::Value *result = builder.CreateTrunc(exact, narrow);
    llvm::Value *overflows = builder.CreateICmpNE(exact, widen(result));
    for (llvm::User *user : llvm::make_early_inc_range(call->users())) {
      auto *extract = llvm::cast<llvm::ExtractValueInst>(user);
      extract->replaceAllUsesWith(extract->getIndices().front() == 0 ? result : overflows);
      extract->eraseFromParent();
    }
    call->eraseFromParent();
  }
}

} // namespace tilecc
