//===- BuiltinsMath.cpp - functions of one element in TTIR ---------------------------------------------------------===//
//
// Triton's mathematics is for f32 and f64. f16 and bf16 are taken to f32 and back here, so that the IR is Triton's and
// no lowering knows of narrow functions. (What is exact in a narrow type, or rounded once, stays in it.)
//
//===----------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/BuiltinsMath.h"
#include "frontend/raise/KernelRaiser.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tilecc {

namespace {
using Create = Value (*)(OpBuilder &, Location, ValueRange);
}

template <typename OpT> static Value createUnary(OpBuilder &builder, Location loc, ValueRange in) {
  return OpT::create(builder, loc, in[0]);
}
template <typename OpT> static Value createBinary(OpBuilder &builder, Location loc, ValueRange in) {
  return OpT::create(builder, loc, in[0], in[1]);
}

/// What Triton takes from libdevice. The library's name says that our own formula is meant.
template <const char *symbol32, const char *symbol64>
static Value createExtern(OpBuilder &builder, Location loc, ValueRange in) {
  bool isDouble = getElementTypeOrSelf(in[0]).isF64();
  return tt::ExternElementwiseOp::create(builder, loc, in[0].getType(), in, tt::ownLibrary, "",
                                         isDouble ? symbol64 : symbol32, /*pure=*/true);
}
static constexpr char tanh32[] = "__nv_tanhf", tanh64[] = "__nv_tanh", pow32[] = "__nv_powf", pow64[] = "__nv_pow";

/// What computes in f32 at least.
static Create findFunction(StringRef name, bool isDouble) {
  return llvm::StringSwitch<Create>(name)
      .Case("ceil", createUnary<math::CeilOp>)
      .Case("floor", createUnary<math::FloorOp>)
      .Case("exp", createUnary<math::ExpOp>)
      .Case("exp2", createUnary<math::Exp2Op>)
      .Case("log", createUnary<math::LogOp>)
      .Case("log2", createUnary<math::Log2Op>)
      .Case("cos", createUnary<math::CosOp>)
      .Case("sin", createUnary<math::SinOp>)
      .Case("erf", createUnary<math::ErfOp>)
      .Case("tanh", createExtern<tanh32, tanh64>)
      .Case("pow", createExtern<pow32, pow64>)
      .Case("sqrt", createUnary<math::SqrtOp>)
      .Case("rsqrt", createUnary<math::RsqrtOp>)
      // In f64 everything is precise, and Triton's precise operations are for f32.
      .Case("sqrt_rn", isDouble ? createUnary<math::SqrtOp> : createUnary<tt::PreciseSqrtOp>)
      .Case("div_rn", isDouble ? createBinary<arith::DivFOp> : createBinary<tt::PreciseDivFOp>)
      .Default(nullptr);
}

static Value createClamp(OpBuilder &builder, Location loc, const BuiltinSignature &builtin, ValueRange in) {
  const ElementType &element = builtin.params[0].element;
  if (element.isFloat()) {
    bool all = builtin.constants[0] != 0;
    return tt::ClampFOp::create(builder, loc, in[0], in[1], in[2],
                                all ? tt::PropagateNan::ALL : tt::PropagateNan::NONE);
  }
  if (element.isSigned())
    return arith::MinSIOp::create(builder, loc, arith::MaxSIOp::create(builder, loc, in[0], in[1]), in[2]);
  return arith::MinUIOp::create(builder, loc, arith::MaxUIOp::create(builder, loc, in[0], in[1]), in[2]);
}

Value createMath(OpBuilder &builder, Location loc, const BuiltinSignature &builtin, ValueRange args) {
  StringRef name = builtin.name;
  if (args.empty() || builtin.params[0].isPointer)
    return {};
  const ElementType &element = builtin.params[0].element;
  if (name.starts_with("__nv_")) { // a function of libdevice, under its own name
    Type result = tt::withElementType(args[0].getType(), convertType({builtin.result.element}, builder.getContext()));
    return tt::ExternElementwiseOp::create(builder, loc, result, args, "", "", name, /*pure=*/true);
  }
  if (name == "abs")
    return element.isFloat() ? createUnary<math::AbsFOp>(builder, loc, args)
                             : createUnary<math::AbsIOp>(builder, loc, args);
  if (name == "fma")
    return math::FmaOp::create(builder, loc, args[0], args[1], args[2]);
  if (name == "umulhi")
    return createBinary<tt::MulhiUIOp>(builder, loc, args);
  if (name == "clamp")
    return createClamp(builder, loc, builtin, args);
  Create create = findFunction(name, element.bits == 64);
  if (!create)
    return {};
  if (element.bits >= 32)
    return create(builder, loc, args);
  Type narrow = args[0].getType(), wide = tt::withElementType(narrow, builder.getF32Type());
  SmallVector<Value> widened;
  for (Value arg : args)
    widened.push_back(arith::ExtFOp::create(builder, loc, wide, arg));
  return arith::TruncFOp::create(builder, loc, narrow, create(builder, loc, widened));
}

} // namespace tilecc
