//===- Passes.td - passes that structure raised kernels --------------------------------------------------------------//
//
// Raising a kernel from LLVM IR yields a graph of basic blocks. These passes turn it into nested scf operations, and as
// many loops as possible into scf.for, the only kind of loop that is pipelined. They run in the order in which they are
// declared here, with MLIR's canonicalizer and CSE in between (see RaisePipeline.cpp).
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_RAISE_PASSES
#define TILECC_FRONTEND_RAISE_PASSES

include "mlir/Pass/PassBase.td"

def TTLiftControlFlow : Pass<"tt-lift-control-flow", "::mlir::ModuleOp"> {
  let summary = "Turn branches into scf.if and scf.while";
  let description = [{
    The pass runs MLIR's transformCFGToSCF on tt.func and on the regions of tt.reduce. A switch becomes a chain of
    scf.if, because Triton has no scf.index_switch. A loop gets the location of its closing branch, to which Clang
    assigns the line of the loop statement. In IR that comes from Triton, kernels may keep branches that return early;
    the functions that kernels call may not, because inlining a call in a loop requires a single block.
  }];
  let options = [Option<"kernels", "kernels", "bool", /*default=*/"true",
                        "also lift kernels; the functions that they call are always lifted">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect"];
}

def TTSinkIntoIf : Pass<"tt-sink-into-if", "::mlir::ModuleOp"> {
  let summary = "Fold conditions that only depend on which branch was taken";
  let description = [{
    If a lifted loop has several exits, each path yields a number that identifies the exit, and comparisons of this
    number follow the loop. If a comparison or cast is the only use of such a result of an scf.if, this pass moves it
    into both branches, where it folds. The pass also applies all canonicalization patterns, and replaces selects of
    bools by arith.andi and arith.ori.
  }];
}

def TTMoveWhileBody : Pass<"tt-move-while-body", "::mlir::ModuleOp"> {
  let summary = "Move the guarded body of a while loop after its condition";
  let description = [{
    After lifting, everything in a loop happens before its condition: `while { if (c) { body } ; condition(c) } {}`. If
    nothing but the exit of the loop depends on the scf.if, the body of the scf.if moves to the second region of the
    loop, after the condition. MLIR's canonicalizer does this only if the two conditions are the same value; here one
    may be the negation of the other.
  }];
}

def TTHoistWhileCondition : Pass<"tt-hoist-while-condition", "::mlir::ModuleOp"> {
  let summary = "Hoist loop-invariant operations from a while loop's condition";
  let description = [{
    Bounds such as `k < cdiv(K, BK)` are computed in the condition although they do not change. The condition executes
    at least once, so operations without side effects can be hoisted from it, even those that must not be speculated
    (divisions). Loads can be hoisted too, if the loop writes nothing.
  }];
}

def TTWhileToFor : Pass<"tt-while-to-for", "::mlir::ModuleOp"> {
  let summary = "Turn counted while loops into scf.for";
  let description = [{
    Supported are `<`, `<=`, `>`, `>=` and `!=`, signed and unsigned, steps other than one, induction variables that are
    narrower than the bound, and do-while loops. If an induction variable is used after the loop, its final value is
    computed. All other loops stay scf.while. WhileToFor.cpp explains why each case is correct.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect", "::mlir::ub::UBDialect"];
}

def TTStripOverflowFlags : Pass<"tt-strip-overflow-flags", "::mlir::ModuleOp"> {
  let summary = "Drop nsw and nuw from integer arithmetic";
  let description = [{
    Clang sets these flags because signed variables do not overflow, and tt-while-to-for relies on them. Afterwards the
    pass drops them, because Triton's IR has no such flags, and patterns that move arithmetic would have to drop them
    anyway.
  }];
}

#endif // TILECC_FRONTEND_RAISE_PASSES
