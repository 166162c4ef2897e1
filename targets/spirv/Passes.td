//===- Passes.td - passes for OpenCL devices ----------------------------------------------------------*- tablegen -*-//
//
// SpirvCodeGenerator.cpp runs them among those of lowering/passes.
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_SPIRV_PASSES
#define TILECC_TARGETS_SPIRV_PASSES

include "mlir/Pass/PassBase.td"

def SpirvPromoteProducts : Pass<"spirv-promote-products", "::mlir::ModuleOp"> {
  let summary = "gives products types that can be multiplied and added";
  let description = [{
    OpenCL devices are not asked for matrix units: tt.dot is computed by fused multiply and add, in the accumulator's
    type. 8-bit floats become f16, which has all their numbers. An accumulator of 16 bits becomes f32, and the result is
    rounded once.
  }];
  let dependentDialects = ["::tilecc::tt::TTDialect", "::mlir::arith::ArithDialect"];
}

#endif // TILECC_TARGETS_SPIRV_PASSES
