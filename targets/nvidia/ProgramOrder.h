//===- ProgramOrder.h - the order in which blocks run the programs of a grid ----------------------------*- C++ -*-===//
//
// A GPU starts blocks in the order of their numbers, in which x varies fastest. If programs differ in work, as in
// causal attention, the longest programs should start first, so that short ones fill the end of the launch, and
// programs that run at the same time should have about the same length. Passes that change which program a block runs
// share these functions.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
#define TILECC_TARGETS_NVIDIA_PROGRAMORDER_H

#include "lowering/analysis/ProgramWork.h"

namespace tilecc {

/// Returns the number of grid axes from x up to the last one whose program index the kernel uses, but at least 1.
unsigned countAskedAxes(tt::FuncOp kernel);

/// Appends `count` arguments of type i32, which are not negative, to a kernel, and returns them.
llvm::SmallVector<mlir::Value> addArguments(tt::FuncOp kernel, unsigned count);

/// Converts the number of a program to its index along each axis. The first of `extents` belongs to the axis that
/// varies fastest.
llvm::SmallVector<mlir::Value> splitNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                           llvm::ArrayRef<mlir::Value> extents);

/// Returns true if the programs of the kernel have the same effect in any order.
bool hasIndependentPrograms(tt::FuncOp kernel);

/// Returns the index along each axis of the program that runs at position `number`. Programs that are adjacent along x
/// have consecutive positions, unless the work grows or shrinks along x. In that case, the longest programs come first:
/// the programs of all other axes come before the next index along x. If `programsOfGroup` is not 0, programs that are
/// adjacent along the other axes form groups of at least that many programs. The groups follow each other, and each is
/// ordered in this way.
llvm::SmallVector<mlir::Value> orderPrograms(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                             llvm::ArrayRef<mlir::Value> extents, const ProgramWork &work,
                                             int32_t programsOfGroup = 0);

/// Replaces the kernel's queries for its program id and for the extents of the grid, inside `root`, by the given
/// values.
void replaceGridQueries(mlir::Operation *root, llvm::ArrayRef<mlir::Value> indices,
                        llvm::ArrayRef<mlir::Value> extents);

/// Makes a kernel compute the number of its program as the position of its block in the launch plus the number of the
/// launch's first program. The extents of the grid, and the number of the first program, become arguments after all
/// others (ttng.numbered).
void numberPrograms(tt::FuncOp kernel);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
