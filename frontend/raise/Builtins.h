//===- Builtins.h - how calls of builtins become TTIR operations -------------------------------------------*- C++ -*-//
//
// The table in Builtins.cpp maps the names in tilecc/detail/builtins.h to handlers. Most handlers only create one
// operation that depends on the element type. The functions below are the others; each file contains those for one
// subject.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_BUILTINS_H
#define TILECC_FRONTEND_RAISE_BUILTINS_H

#include "frontend/Signature.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "llvm/IR/Instructions.h"

namespace tilecc {

class KernelRaiser;

/// The call of a builtin that is being raised to TTIR.
struct BuiltinCall {
  llvm::CallInst &call;
  const BuiltinSignature &signature;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type result; ///< null for void
  llvm::SmallVector<mlir::Value> args; ///< the operands, except texts and functions, which TTIR stores elsewhere

  /// Returns the element type of the first operand, by which most handlers choose the operation.
  const ElementType &element() const { return signature.params[0].element; }
  int64_t constant(unsigned i) const { return signature.constants[i]; }
};

/// Creates the operation and returns its result, which is null if the operation has none. If it fails, reports an error
/// at the user's line.
using BuiltinHandler = mlir::FailureOr<mlir::Value> (*)(KernelRaiser &raiser, BuiltinCall &call);

struct BuiltinRow {
  BuiltinHandler raise;
  /// The index of the first parameter that becomes an operand.
  unsigned firstOperand = 0;
};
inline constexpr unsigned noOperands = ~0u;

/// Returns the row of a builtin, or null if the headers declare the builtin but the table does not have it.
const BuiltinRow *findBuiltin(llvm::StringRef name, mlir::MLIRContext *context);

#define TILECC_BUILTIN(name) mlir::FailureOr<mlir::Value> name(KernelRaiser &raiser, BuiltinCall &call)

// BuiltinsMath.cpp
TILECC_BUILTIN(raiseNegation);
TILECC_BUILTIN(raiseClamp);
TILECC_BUILTIN(raiseConversion);
TILECC_BUILTIN(raiseTanh);
TILECC_BUILTIN(raisePow);
TILECC_BUILTIN(raiseLibdevice);
/// Creates a call of a function that Triton takes from libdevice. The call's library name says that tcc has its own
/// implementation.
mlir::Value createOwnFunction(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef symbol32,
                              llvm::StringRef symbol64, mlir::ValueRange in);
/// Creates a function that exists for f32 and f64: converts narrower operands to f32, calls `create`, and converts the
/// result back.
mlir::Value raiseWidened(BuiltinCall &call, llvm::function_ref<mlir::Value(mlir::ValueRange)> create);

// BuiltinsShape.cpp
TILECC_BUILTIN(raiseMakeRange);
TILECC_BUILTIN(raiseExpandDims);
TILECC_BUILTIN(raiseReshape);
TILECC_BUILTIN(raiseTrans);
TILECC_BUILTIN(raiseSplit);
TILECC_BUILTIN(raiseGather);
TILECC_BUILTIN(raiseHistogram);
TILECC_BUILTIN(raiseDot);
TILECC_BUILTIN(raiseDotScaled);

// BuiltinsMemory.cpp
TILECC_BUILTIN(raiseLoad);
TILECC_BUILTIN(raiseVolatileLoad);
TILECC_BUILTIN(raiseStore);
TILECC_BUILTIN(raiseAtomicRMW);
TILECC_BUILTIN(raiseAtomicCAS);
TILECC_BUILTIN(raiseWaitSignal);
TILECC_BUILTIN(raiseMultimemSum);
TILECC_BUILTIN(raiseMultimemStore);
TILECC_BUILTIN(raiseMultimemAdd);
TILECC_BUILTIN(raiseDebugBarrier);
TILECC_BUILTIN(raiseGridDependencyWait);
TILECC_BUILTIN(raiseGridDependencyLaunch);

// BuiltinsDescriptor.cpp
TILECC_BUILTIN(raiseMakeTensorDescriptor);
TILECC_BUILTIN(raiseUnitStride);
TILECC_BUILTIN(raiseDescriptorLoad);
TILECC_BUILTIN(raiseDescriptorStore);
TILECC_BUILTIN(raiseDescriptorReduce);
TILECC_BUILTIN(raiseDescriptorGather);
TILECC_BUILTIN(raiseDescriptorScatter);

// BuiltinsReduce.cpp
TILECC_BUILTIN(raiseReduce);
TILECC_BUILTIN(raiseScan);
TILECC_BUILTIN(raiseMapElementwise);
TILECC_BUILTIN(raiseYield);
TILECC_BUILTIN(raiseResult);

// BuiltinsEscape.cpp
TILECC_BUILTIN(raisePrint);
TILECC_BUILTIN(raisePrintFormatted);
TILECC_BUILTIN(raiseRequire);
TILECC_BUILTIN(raiseStaticPrint);
TILECC_BUILTIN(raiseRecord);
TILECC_BUILTIN(raiseInlineAsm);
TILECC_BUILTIN(raiseCallThreads);

// BuiltinsProgram.cpp
TILECC_BUILTIN(raiseProgramId);
TILECC_BUILTIN(raiseNumPrograms);
TILECC_BUILTIN(raiseAssume);
TILECC_BUILTIN(raiseWholeTile);
TILECC_BUILTIN(raiseMultipleOf);
TILECC_BUILTIN(raiseMaxContiguous);
TILECC_BUILTIN(raiseMaxConstancy);
TILECC_BUILTIN(raiseRangeGoesOn);

#undef TILECC_BUILTIN

} // namespace tilecc

#endif // TILECC_FRONTEND_RAISE_BUILTINS_H
