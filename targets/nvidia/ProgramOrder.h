//===- ProgramOrder.h - the order in which blocks run the programs of a grid ----------------------------*- C++ -*-===//
//
// A GPU starts blocks in the order of their numbers, x fastest. If programs differ in work, as in causal attention, the
// longest should come first, so that short ones fill the end of the launch; and those that run at the same time should
// be about equally long.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
#define TILECC_TARGETS_NVIDIA_PROGRAMORDER_H

#include "lowering/analysis/ProgramWork.h"

namespace tilecc {

/// Returns how many axes of the grid, from x on, there are up to the last one that the kernel asks for; at least 1.
unsigned countAskedAxes(tt::FuncOp kernel);

/// Gives a kernel so many more arguments of type i32, which are not negative, after all others, and returns them.
llvm::SmallVector<mlir::Value> addArguments(tt::FuncOp kernel, unsigned count);

/// Returns the indices of a program along the axes across which it has `number`, fastest axis first.
llvm::SmallVector<mlir::Value> splitNumber(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                           llvm::ArrayRef<mlir::Value> extents);

/// Returns true if the programs have the same effect in any order.
bool hasIndependentPrograms(tt::FuncOp kernel);

/// Returns the index along each axis of the program that comes at position `number`. Neighbours along x have consecutive
/// positions, unless the work grows or shrinks along x: then the longest programs come first, those of all other axes
/// before the next index along x. If `programsOfGroup` is not 0, groups of neighbours along the other axes that have at
/// least so many programs come one after the other, and each has this order.
llvm::SmallVector<mlir::Value> orderPrograms(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value number,
                                             llvm::ArrayRef<mlir::Value> extents, const ProgramWork &work,
                                             int32_t programsOfGroup = 0);

/// Replaces a kernel's questions for its program's indices, and for the extents of the grid, inside `root`.
void replaceGridQueries(mlir::Operation *root, llvm::ArrayRef<mlir::Value> indices,
                        llvm::ArrayRef<mlir::Value> extents);

/// Makes a kernel number its programs: by the position of its block in the launch and the number of the launch's first
/// program. The extents of the grid and the latter become arguments after all others (ttng.numbered).
void numberPrograms(tt::FuncOp kernel);

} // namespace tilecc

#endif // TILECC_TARGETS_NVIDIA_PROGRAMORDER_H
