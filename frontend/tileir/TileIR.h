//===- TileIR.h - reads kernels of CUDA Tile IR ------------------------------------------------------------*- C++ -*-//
//
// CUDA Tile IR is the bytecode that cuTile Python, cuTile.jl, cutile-rs and nvcc write. It is translated to TTIR.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_TILEIR_H
#define TILECC_FRONTEND_TILEIR_TILEIR_H

#include "compile/Kernel.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace tilecc {

/// Returns true if the first eight bytes identify CUDA Tile IR bytecode.
bool isTileIR(llvm::StringRef bytes);

/// Returns the kernels of a module, in order; there may be none. `file` is the module's name in messages. Errors are
/// reported at the location in the user's source that the debug information of the module names. All dialects must be
/// loaded.
mlir::FailureOr<std::vector<Kernel>> readTileIR(llvm::StringRef bytes, llvm::StringRef file,
                                                mlir::MLIRContext &context);

/// Returns the supported versions of bytecode, oldest first, such as "13.1".
std::vector<std::string> tileIRVersions();

} // namespace tilecc

#endif // TILECC_FRONTEND_TILEIR_TILEIR_H
