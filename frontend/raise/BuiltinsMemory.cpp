//===- BuiltinsMemory.cpp - loads, stores, atomic accesses and barriers -------------------------------------------===//
//
// These are handlers for the table in Builtins.cpp. The constants of an access are the numbers that TTIR has for its
// options. They are defined in tilecc/detail/numbers.h, and Numbers.cpp checks that they agree with TTIR's. In memory,
// a bool is a byte, and a pointer is its address.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/raise/Builtins.h"
#include "frontend/raise/KernelRaiser.h"
#include "lowering/dialects/tt/SignalOps.h"

using namespace mlir;

namespace tilecc {

static bool isBoolInMemory(const BuiltinCall &call) { return call.element().kind == ElementType::Bool; }

static bool isPointer(Type type) { return isa<tt::PointerType>(getElementTypeOrSelf(type)); }

static Value asInMemory(BuiltinCall &call, Value value) {
  if (isPointer(value.getType()))
    return tt::PtrToIntOp::create(call.builder, call.loc,
                                  tt::withElementType(value.getType(), call.builder.getI64Type()), value);
  if (!isBoolInMemory(call))
    return value;
  Type bytes = tt::withElementType(value.getType(), call.builder.getI8Type());
  return arith::ExtUIOp::create(call.builder, call.loc, bytes, value);
}

static Value createLoad(BuiltinCall &call, bool isVolatile) {
  OpBuilder &builder = call.builder;
  Value pointers = call.args[0], mask = call.args.size() > 1 ? call.args[1] : Value();
  Value other = call.args.size() > 2 ? asInMemory(call, call.args[2]) : Value();
  Value value = tt::LoadOp::create(builder, call.loc, tt::getPointeeType(pointers.getType()), pointers, mask, other,
                                   static_cast<tt::CacheModifier>(call.constant(0)),
                                   static_cast<tt::EvictionPolicy>(call.constant(1)), isVolatile);
  if (isPointer(call.result))
    return tt::IntToPtrOp::create(builder, call.loc, call.result, value);
  if (!isBoolInMemory(call))
    return value;
  Value zero = arith::ConstantOp::create(builder, call.loc, builder.getZeroAttr(value.getType()));
  return arith::CmpIOp::create(builder, call.loc, arith::CmpIPredicate::ne, value, zero);
}
FailureOr<Value> raiseLoad(KernelRaiser &, BuiltinCall &call) { return createLoad(call, /*isVolatile=*/false); }
FailureOr<Value> raiseVolatileLoad(KernelRaiser &, BuiltinCall &call) { return createLoad(call, /*isVolatile=*/true); }

FailureOr<Value> raiseStore(KernelRaiser &, BuiltinCall &call) {
  Value mask = call.args.size() > 2 ? call.args[2] : Value();
  tt::StoreOp::create(call.builder, call.loc, call.args[0], asInMemory(call, call.args[1]), mask,
                      static_cast<tt::CacheModifier>(call.constant(0)),
                      static_cast<tt::EvictionPolicy>(call.constant(1)));
  return Value();
}

FailureOr<Value> raiseAtomicRMW(KernelRaiser &, BuiltinCall &call) {
  return tt::AtomicRMWOp::create(call.builder, call.loc, call.args[1].getType(),
                                 static_cast<tt::RMWOp>(call.constant(0)), call.args[0], call.args[1], call.args[2],
                                 static_cast<tt::MemSemantic>(call.constant(1)),
                                 static_cast<tt::MemSyncScope>(call.constant(2)))
      .getResult();
}

FailureOr<Value> raiseAtomicCAS(KernelRaiser &, BuiltinCall &call) {
  return tt::AtomicCASOp::create(call.builder, call.loc, call.args[1].getType(), call.args[0], call.args[1],
                                 call.args[2], static_cast<tt::MemSemantic>(call.constant(0)),
                                 static_cast<tt::MemSyncScope>(call.constant(1)))
      .getResult();
}

FailureOr<Value> raiseWaitSignal(KernelRaiser &raiser, BuiltinCall &call) {
  if (raiser.elementOp) {
    emitError(call.loc, "tt::wait is not available in the combine function of a reduction");
    return failure();
  }
  tt::WaitSignalOp::create(call.builder, call.loc, call.args[0], call.args[1], call.args[2]);
  return Value();
}

FailureOr<Value> raiseMultimemSum(KernelRaiser &, BuiltinCall &call) {
  return tt::MultimemSumOp::create(call.builder, call.loc, call.result, call.args[0], call.args[1]).getResult();
}
FailureOr<Value> raiseMultimemStore(KernelRaiser &, BuiltinCall &call) {
  tt::MultimemStoreOp::create(call.builder, call.loc, call.args[0], call.args[1], call.args[2]);
  return Value();
}
FailureOr<Value> raiseMultimemAdd(KernelRaiser &, BuiltinCall &call) {
  tt::MultimemAddOp::create(call.builder, call.loc, call.args[0], call.args[1], call.args[2]);
  return Value();
}

FailureOr<Value> raiseDebugBarrier(KernelRaiser &raiser, BuiltinCall &call) {
  if (raiser.elementOp) { // threads combine different numbers of elements
    emitError(call.loc, "tt::debug_barrier is not available in the combine function of a reduction");
    return failure();
  }
  gpu::BarrierOp::create(call.builder, call.loc);
  return Value();
}

template <class Op>
static FailureOr<Value> raiseGridDependency(KernelRaiser &raiser, BuiltinCall &call, StringRef name) {
  if (raiser.elementOp) {
    emitError(call.loc, "tt::" + name + " is not available in the combine function of a reduction");
    return failure();
  }
  Op::create(call.builder, call.loc);
  return Value();
}

FailureOr<Value> raiseGridDependencyWait(KernelRaiser &raiser, BuiltinCall &call) {
  return raiseGridDependency<tt::GridDependencyWaitOp>(raiser, call, "grid_dependency_wait");
}

FailureOr<Value> raiseGridDependencyLaunch(KernelRaiser &raiser, BuiltinCall &call) {
  return raiseGridDependency<tt::GridDependencyLaunchOp>(raiser, call, "grid_dependency_launch");
}

} // namespace tilecc
