//===- Passes.td - passes that structure raised kernels --------------------------------------------------------------//
//
// A raised kernel is a graph of blocks. These passes turn it into nested scf operations, and as many loops as possible
// into scf.for, the only kind of loop that is pipelined. They run in the order of declaration, with MLIR's
// canonicalizer and CSE in between (see RaisePipeline.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_PASSES
#define TILECC_FRONTEND_RAISE_PASSES

include "mlir/Pass/PassBase.td"

def TTLiftControlFlow : Pass<"tt-lift-control-flow", "::mlir::ModuleOp"> {
  let summary = "Turn branches into scf.if and scf.while";
  let description = [{
    Runs MLIR's transformCFGToSCF on tt.func and on the regions of tt.reduce. A switch becomes a chain of scf.if,
    because Triton has no scf.index_switch. Loops take the location of their closing branch, to which Clang assigns the
    line of the loop's statement. In Triton's IR, kernels may keep branches that return early. The functions that they
    call may not, because a call in a loop is inlined as one block.
  }];
  let options = [Option<"kernels", "kernels", "bool", /*default=*/"true",
                        "also lift kernels; the functions that they call are always lifted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def TTSinkIntoIf : Pass<"tt-sink-into-if", "::mlir::ModuleOp"> {
  let summary = "Fold conditions that only depend on which branch was taken";
  let description = [{
    A lifted loop with several exits yields, on each path, a number that identifies the exit, and compares that number
    afterwards. If a comparison or cast is the only use of such a result, this pass moves it into both branches of the
    scf.if, where it folds. The pass also applies all canonicalization patterns, and replaces selects of bools by
    arith.andi and arith.ori.
  }];
}

def TTMoveWhileBody : Pass<"tt-move-while-body", "::mlir::ModuleOp"> {
  let summary = "Move the guarded body of a while loop after its condition";
  let description = [{
    A lifted loop does everything before its condition: `while { if (c) { body } ; condition(c) } {}`. When nothing but
    the loop's own exit depends on the scf.if, its body moves to the loop's second region, after the condition. MLIR's
    canonicalizer does this only where the two conditions are the same value; here one may be the other's negation.
  }];
}

def TTHoistWhileCondition : Pass<"tt-hoist-while-condition", "::mlir::ModuleOp"> {
  let summary = "Hoist loop-invariant operations from a while loop's condition";
  let description = [{
    Bounds like `k < cdiv(K, BK)` are part of the condition and do not change. The condition runs at least once, so
    operations without side effects may be hoisted from it, even those that must not be speculated (divisions), and also
    loads if the loop writes nothing.
  }];
}

def TTWhileToFor : Pass<"tt-while-to-for", "::mlir::ModuleOp"> {
  let summary = "Turn counted while loops into scf.for";
  let description = [{
    Supports `<`, `<=`, `>`, `>=` and `!=`, signed and unsigned, steps other than one, induction variables narrower than
    the bound, and do-while. An induction variable that is used after the loop keeps its value. Other loops stay
    scf.while. WhileToFor.cpp explains why each case is correct.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def TTStripOverflowFlags : Pass<"tt-strip-overflow-flags", "::mlir::ModuleOp"> {
  let summary = "Drop nsw and nuw from integer arithmetic";
  let description = [{
    Clang sets these flags because signed variables do not overflow, and tt-while-to-for relies on them. Triton's IR has
    no such flags, and patterns that move arithmetic must not keep them.
  }];
}

#endif // TILECC_FRONTEND_RAISE_PASSES
