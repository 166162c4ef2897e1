//===- TestPrintSharedMemory.cpp - prints shared memory analyses as remarks ---------------------------------------===//
//
// These passes are for tests. They have the names and output formats of Triton's passes (test-print-allocation,
// test-print-alias, test-print-membar), so that the results can be compared.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lowering/analysis/Allocation.h"
#include "lowering/passes/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tilecc;

namespace tilecc {
#define GEN_PASS_DEF_TESTPRINTALIAS
#define GEN_PASS_DEF_TESTPRINTALLOCATION
#define GEN_PASS_DEF_TESTPRINTMEMBAR
#include "lowering/passes/Passes.h.inc"
} // namespace tilecc

namespace {

struct TestPrintAllocation : tilecc::impl::TestPrintAllocationBase<TestPrintAllocation> {
  void runOnOperation() override {
    getOperation().walk([](tt::FuncOp func) {
      if (func.isExternal())
        return;
      func.emitRemark() << func.getSymName();
      Allocation allocation(func);
      for (const Allocation::Buffer &buffer : allocation.getBuffers())
        buffer.owner->emitRemark() << (isa<ttg::LocalAllocOp>(buffer.owner) ? "" : "scratch ")
                                   << "offset = " << buffer.offset << ", size = " << getSharedBytes(buffer.owner);
      func.emitRemark() << "size = " << allocation.getBytes();
    });
  }
};

struct TestPrintAlias : tilecc::impl::TestPrintAliasBase<TestPrintAlias> {
  void runOnOperation() override {
    getOperation().walk([](tt::FuncOp func) {
      if (func.isExternal())
        return;
      func.emitRemark() << func.getSymName();
      AsmState names(func);
      auto print = [&](Value value, Location loc) {
        if (!isa<ttg::MemDescType>(value.getType()))
          return;
        std::string text;
        llvm::raw_string_ostream os(text);
        value.printAsOperand(os, names);
        os << " -> ";
        llvm::interleave(
            getAllocations(value), os,
            [&](Operation *owner) {
              if (owner)
                owner->getResult(0).printAsOperand(os, names);
              else
                os << "<unknown>";
            },
            ",");
        emitRemark(loc) << text;
      };
      func.walk([&](Operation *op) {
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (BlockArgument argument : block.getArguments())
              print(argument, op->getLoc());
        for (Value result : op->getResults())
          print(result, op->getLoc());
      });
    });
  }
};

struct TestPrintMembar : tilecc::impl::TestPrintMembarBase<TestPrintMembar> {
  void runOnOperation() override {
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(createTritonGPULowerControlFlow());
    passes.addPass(createAllocateSharedMemory());
    passes.addPass(createTritonGPUMembar());
    if (failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};

} // namespace
