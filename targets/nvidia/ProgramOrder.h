//===- ProgramOrder.h - the order in which blocks run the programs of a grid ----------------------------*- C++ -*-===//
//
// A GPU starts blocks in the order of their numbers, with x as the fastest index. If programs differ in work, as in
// causal attention, the longest should come first, so that short ones fill the end of the launch, and programs that run
// at the same time should have about the same length.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
#define TILECC_TARGETS_NVIDIA_PROGRAMORDER_H

#include "lowering/analysis/ProgramWork.h"

namespace tilecc {

/// Returns the number of grid axes, from x up to the last one whose index the kernel uses, which is at least 1.
unsigned countAskedAxes(tt::FuncOp kernel);

/// Appends `count` non-negative arguments of type i32 to a kernel, and returns them.
llvm::SmallVector<mlir::Value> addArguments(tt::FuncOp kernel, unsigned count);

/// Returns the index along each axis of the program with linear number `number`, fastest axis first.
llvm::SmallVector<mlir::Value> splitNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                           llvm::ArrayRef<mlir::Value> extents);

/// Returns true if the programs have the same effect in any order.
bool hasIndependentPrograms(tt::FuncOp kernel);

/// Returns the index along each axis of the program at position `number`. Programs that are adjacent along x have
/// consecutive positions, unless the work grows or shrinks along x: then the longest programs come first, and those of
/// all other axes precede the next index along x. If `programsOfGroup` is not 0, programs that are adjacent along the
/// other axes form groups of at least that many programs, which follow each other, and each group has this order.
llvm::SmallVector<mlir::Value> orderPrograms(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                             llvm::ArrayRef<mlir::Value> extents, const ProgramWork &work,
                                             int32_t programsOfGroup = 0);

/// Replaces a kernel's queries of its program id and of the extents of the grid, inside `root`.
void replaceGridQueries(mlir::Operation *root, llvm::ArrayRef<mlir::Value> indices,
                        llvm::ArrayRef<mlir::Value> extents);

/// Makes a kernel number its programs by the position of its block in the launch plus the number of the launch's first
/// program. The extents of the grid and that number become arguments after all others (ttng.numbered).
void numberPrograms(tt::FuncOp kernel);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
