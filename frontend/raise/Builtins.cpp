//===- Builtins.cpp - the table of builtins, and how a call finds its row -----------------------------------------===//
//
// KernelRaiser::raiseCall looks up every call that is left after cleanup in this table. A row contains a handler. Most
// handlers create a single operation, possibly chosen by element kind, and are written in the table itself. To add a
// builtin, declare it in tilecc/detail/builtins.h and add a row here. An elementwise operation of tt needs no row if it
// has the same name as its builtin.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "llvm/IR/Constants.h"

using namespace mlir;

namespace tilecc {

//===--- handlers that create one operation -----------------------------------------------------------------------===//

template <typename OpT> static Value create(BuiltinCall &call, ValueRange in) {
  if constexpr (OpT::template hasTrait<OpTrait::OneOperand>())
    return OpT::create(call.builder, call.loc, in[0]);
  else if constexpr (OpT::template hasTrait<OpTrait::NOperands<2>::Impl>())
    return OpT::create(call.builder, call.loc, in[0], in[1]);
  else
    return OpT::create(call.builder, call.loc, in[0], in[1], in[2]);
}

/// Creates an operation whose result type follows from its operands.
template <typename OpT> static FailureOr<Value> op(KernelRaiser &, BuiltinCall &call) {
  return create<OpT>(call, call.args);
}

/// Creates an operation of the type that the builtin returns.
template <typename OpT> static FailureOr<Value> opOfType(KernelRaiser &, BuiltinCall &call) {
  return OpT::create(call.builder, call.loc, TypeRange(call.result), ValueRange(call.args), ArrayRef<NamedAttribute>())
      ->getResult(0);
}

/// Creates the operation for the element kind. Bools count as unsigned.
template <typename Float, typename Signed, typename Unsigned = Signed>
static FailureOr<Value> byKind(KernelRaiser &, BuiltinCall &call) {
  return call.element().isFloat()    ? create<Float>(call, call.args)
         : call.element().isSigned() ? create<Signed>(call, call.args)
                                     : create<Unsigned>(call, call.args);
}
template <typename Signed, typename Unsigned> static FailureOr<Value> bySign(KernelRaiser &, BuiltinCall &call) {
  return call.element().isSigned() ? create<Signed>(call, call.args) : create<Unsigned>(call, call.args);
}

/// Creates a comparison. Comparisons of floats are ordered, except `!=`, which is true if an operand is a NaN. Pointers
/// are compared as addresses.
template <arith::CmpFPredicate ofFloats, arith::CmpIPredicate ofSigned, arith::CmpIPredicate ofUnsigned = ofSigned>
static FailureOr<Value> comparison(KernelRaiser &, BuiltinCall &call) {
  OpBuilder &builder = call.builder;
  bool arePointers = call.signature.params[0].isPointer;
  if (arePointers)
    for (Value &arg : call.args)
      arg = tt::PtrToIntOp::create(builder, call.loc, tt::withElementType(arg.getType(), builder.getI64Type()), arg);
  else if (call.element().isFloat())
    return arith::CmpFOp::create(builder, call.loc, ofFloats, call.args[0], call.args[1]).getResult();
  bool isSigned = !arePointers && call.element().isSigned();
  return arith::CmpIOp::create(builder, call.loc, isSigned ? ofSigned : ofUnsigned, call.args[0], call.args[1])
      .getResult();
}

/// Creates a function of f32 and f64: one operation for both types, or one for each type.
template <typename OpT, typename DoubleOpT = OpT> static FailureOr<Value> widened(KernelRaiser &, BuiltinCall &call) {
  return raiseWidened(call, [&](ValueRange in) {
    return getElementTypeOrSelf(in[0]).isF64() ? create<DoubleOpT>(call, in) : create<OpT>(call, in);
  });
}

//===--- the table ------------------------------------------------------------------------------------------------===//

using F = arith::CmpFPredicate;
using I = arith::CmpIPredicate;

static const llvm::StringMap<BuiltinRow> table = {
    // The program.
    {"program_id", {raiseProgramId, 1}},
    {"num_programs", {raiseNumPrograms, 1}},
    // Creation, shape and order.
    {"make_range", {raiseMakeRange}},
    {"splat", {opOfType<tt::SplatOp>}},
    {"unsplat", {opOfType<tt::UnsplatOp>}},
    {"expand_dims", {raiseExpandDims}},
    {"broadcast", {opOfType<tt::BroadcastOp>}},
    {"reshape", {raiseReshape}},
    {"trans", {raiseTrans}},
    {"join", {opOfType<tt::JoinOp>}},
    {"split", {raiseSplit}},
    {"cat", {opOfType<tt::CatOp>}},
    {"gather", {raiseGather}},
    {"histogram", {raiseHistogram}},
    // Elementwise operations.
    {"add", {byKind<arith::AddFOp, arith::AddIOp>}},
    {"sub", {byKind<arith::SubFOp, arith::SubIOp>}},
    {"mul", {byKind<arith::MulFOp, arith::MulIOp>}},
    {"div", {byKind<arith::DivFOp, arith::DivSIOp, arith::DivUIOp>}},
    {"rem", {byKind<arith::RemFOp, arith::RemSIOp, arith::RemUIOp>}},
    {"bit_and", {op<arith::AndIOp>}},
    {"bit_or", {op<arith::OrIOp>}},
    {"bit_xor", {op<arith::XOrIOp>}},
    {"shl", {op<arith::ShLIOp>}},
    {"shr", {bySign<arith::ShRSIOp, arith::ShRUIOp>}},
    {"maxnum", {byKind<arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>}},
    {"minnum", {byKind<arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>}},
    {"maximum", {byKind<arith::MaximumFOp, arith::MaxSIOp, arith::MaxUIOp>}},
    {"minimum", {byKind<arith::MinimumFOp, arith::MinSIOp, arith::MinUIOp>}},
    {"neg", {raiseNegation}},
    {"less", {comparison<F::OLT, I::slt, I::ult>}},
    {"less_equal", {comparison<F::OLE, I::sle, I::ule>}},
    {"greater", {comparison<F::OGT, I::sgt, I::ugt>}},
    {"greater_equal", {comparison<F::OGE, I::sge, I::uge>}},
    {"equal", {comparison<F::OEQ, I::eq>}},
    {"not_equal", {comparison<F::UNE, I::ne>}},
    {"select", {op<arith::SelectOp>}},
    {"cast", {raiseConversion}},
    {"bitcast", {opOfType<tt::BitcastOp>}},
    // Functions.
    {"abs", {byKind<math::AbsFOp, math::AbsIOp>}},
    {"ceil", {widened<math::CeilOp>}},
    {"floor", {widened<math::FloorOp>}},
    {"trunc", {widened<math::TruncOp>}},
    {"round", {widened<math::RoundOp>}},
    {"rint", {widened<math::RoundEvenOp>}},
    {"popcount", {op<math::CtPopOp>}},
    {"clz", {op<math::CountLeadingZerosOp>}},
    {"exp", {widened<math::ExpOp>}},
    {"exp2", {widened<math::Exp2Op>}},
    {"log", {widened<math::LogOp>}},
    {"log2", {widened<math::Log2Op>}},
    {"cos", {widened<math::CosOp>}},
    {"sin", {widened<math::SinOp>}},
    {"tanh", {raiseTanh}},
    {"erf", {widened<math::ErfOp>}},
    {"sqrt", {widened<math::SqrtOp>}},
    // f64 operations are always precise, so Triton's precise operations are for f32 only.
    {"sqrt_rn", {widened<tt::PreciseSqrtOp, math::SqrtOp>}},
    {"rsqrt", {widened<math::RsqrtOp>}},
    {"pow", {raisePow}},
    {"div_rn", {widened<tt::PreciseDivFOp, arith::DivFOp>}},
    {"fma", {op<math::FmaOp>}},
    {"clamp", {raiseClamp}},
    // Memory.
    {"addptr", {opOfType<tt::AddPtrOp>}},
    {"load", {raiseLoad}},
    {"load_volatile", {raiseVolatileLoad}},
    {"store", {raiseStore}},
    {"atomic_rmw", {raiseAtomicRMW}},
    {"atomic_cas", {raiseAtomicCAS}},
    {"wait_signal", {raiseWaitSignal}},
    {"multimem_sum", {raiseMultimemSum}},
    {"multimem_store", {raiseMultimemStore}},
    {"multimem_add", {raiseMultimemAdd}},
    {"debug_barrier", {raiseDebugBarrier}},
    {"grid_dependency_wait", {raiseGridDependencyWait}},
    {"grid_dependency_launch", {raiseGridDependencyLaunch}},
    // Memory by tensor descriptors.
    {"make_tensor_descriptor", {raiseMakeTensorDescriptor}},
    {"unit_stride", {raiseUnitStride, noOperands}},
    {"descriptor_load", {raiseDescriptorLoad}},
    {"descriptor_store", {raiseDescriptorStore}},
    {"descriptor_reduce", {raiseDescriptorReduce}},
    {"descriptor_gather", {raiseDescriptorGather}},
    {"descriptor_scatter", {raiseDescriptorScatter}},
    // Linear algebra.
    {"dot", {raiseDot}},
    {"dot_scaled", {raiseDotScaled}},
    // Operations that call a function on elements. The function is their first parameter.
    {"reduce", {raiseReduce, 1}},
    {"scan", {raiseScan, 1}},
    {"map_elementwise", {raiseMapElementwise, 1}},
    {"yield", {raiseYield}},
    {"result", {raiseResult, 1}},
    // Escapes from the language. Texts are the first parameters.
    {"print", {raisePrint, 1}},
    {"print_formatted", {raisePrintFormatted, 1}},
    {"require", {raiseRequire, 1}},
    {"static_print", {raiseStaticPrint, noOperands}},
    {"record", {raiseRecord, 1}},
    {"inline_asm", {raiseInlineAsm}},
    // Calls of SIMT code. The SIMT function is the first parameter.
    {"call_threads", {raiseCallThreads, 1}},
    // Assumptions, and conditions of loops.
    {"assume", {raiseAssume}},
    {"whole_tile", {raiseWholeTile}},
    {"multiple_of", {raiseMultipleOf}},
    {"max_contiguous", {raiseMaxContiguous}},
    {"max_constancy", {raiseMaxConstancy}},
    {"range_goes_on", {raiseRangeGoesOn, noOperands}},
};

/// Creates the elementwise operation of tt that has the name of the builtin, with the type that the builtin returns.
static FailureOr<Value> raiseElementwise(KernelRaiser &, BuiltinCall &call) {
  OperationState state(call.loc, "tt." + call.signature.name);
  state.addOperands(call.args);
  state.addTypes(call.result);
  return call.builder.create(state)->getResult(0);
}

const BuiltinRow *findBuiltin(StringRef name, MLIRContext *context) {
  static const BuiltinRow libdevice = {raiseLibdevice}, elementwise = {raiseElementwise};
  if (name.starts_with("__nv_")) // a libdevice function keeps its own name
    return &libdevice;
  if (auto row = table.find(name); row != table.end())
    return &row->second;
  auto operation = RegisteredOperationName::lookup(("tt." + name).str(), context);
  return operation && operation->hasTrait<OpTrait::Elementwise>() ? &elementwise : nullptr;
}

//===--- calls ----------------------------------------------------------------------------------------------------===//

/// Returns true for a single 8-bit float, which scalar code handles as a byte.
static bool isByteToLLVM(const ValueType &type) {
  return type.element.isFloat8() && !type.isPointer && !type.isTile && !type.isDescriptor;
}

static Value asFloat8(OpBuilder &builder, Location loc, llvm::Value *byte, Value raised, FloatType type) {
  if (raised.getType() == type)
    return raised;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(byte))
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(),
                                     FloatAttr::get(type, APFloat(type.getFloatSemantics(), constant->getValue())));
  return tt::BitcastOp::create(builder, loc, type, raised);
}

/// Returns the `i`-th operand of a builtin.
Value KernelRaiser::builtinOperand(llvm::CallInst &call, const BuiltinSignature &signature, unsigned i) {
  const ValueType &type = signature.params[i];
  Type wanted = convertType(type, builder.getContext());
  llvm::Value *argument = call.getArgOperand(i);
  Location loc = locate(call);
  Value value = valueOf(argument, wanted, loc);
  if (value && isByteToLLVM(type))
    value = asFloat8(builder, loc, argument, value, cast<FloatType>(wanted));
  if (!value || value.getType() == wanted)
    return value;
  // A pointer may have another type elsewhere in the kernel.
  auto pointer = dyn_cast<tt::PointerType>(wanted);
  value = pointer ? asPointerTo(pointer.getPointeeType(), value, loc) : Value();
  if (!value)
    emitError(loc, "the address of a tile is not available in a tile kernel");
  return value;
}

FailureOr<Value> KernelRaiser::raiseBuiltin(llvm::CallInst &call, const BuiltinSignature &signature) {
  Location loc = locate(call);
  const BuiltinRow *row = findBuiltin(signature.name, builder.getContext());
  if (!row)
    reportBug(loc, "tt::builtin::" + signature.name + " has no row in the table of builtins");
  BuiltinCall operation{call, signature, builder, loc, {}, {}};
  if (!signature.result.isVoid())
    operation.result = convertType(signature.result, builder.getContext());
  for (unsigned i = row->firstOperand; i < call.arg_size(); ++i) {
    operation.args.push_back(builtinOperand(call, signature, i));
    if (!operation.args.back())
      return failure();
  }
  FailureOr<Value> result = row->raise(*this, operation);
  if (succeeded(result) && *result && isByteToLLVM(signature.result))
    return tt::BitcastOp::create(builder, loc, builder.getI8Type(), *result).getResult();
  return result;
}

} // namespace tilecc
