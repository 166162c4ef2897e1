//===- TileIR.h - kernels of CUDA Tile IR ------------------------------------------------------------------*- C++ -*-//
//
// Bytecode of CUDA Tile IR, which cuTile Python, cuTile.jl, cutile-rs and nvcc write, as kernels in TTIR.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEIR_TILEIR_H
#define TILECC_FRONTEND_TILEIR_TILEIR_H

#include "compile/Kernel.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

namespace tilecc {

/// Whether a file's bytes are bytecode of CUDA Tile IR, as its first eight tell.
bool isTileIR(llvm::StringRef bytes);

/// The kernels of a module, in its order; there may be none. `file` is its name for messages. Errors are emitted at the
/// place in the user's source that the module's debug information names. All dialects must be loaded.
mlir::FailureOr<std::vector<Kernel>> readTileIR(llvm::StringRef bytes, llvm::StringRef file,
                                                mlir::MLIRContext &context);

/// The versions of bytecode that can be read, the oldest first, such as "13.1".
std::vector<std::string> tileIRVersions();

} // namespace tilecc

#endif // TILECC_FRONTEND_TILEIR_TILEIR_H
