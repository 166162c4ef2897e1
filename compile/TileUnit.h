//===- TileUnit.h - relocatable tile code in objects ----------------------------------------------------*- C++ -*-===//
//
// With -rdc=true, a kernel that calls functions of other sources is not compiled with its source. The kernel, and the
// functions that other sources may call, stay TTIR in a section of the object that the linker discards:
//
//   .tilecc.rdc    records: "tileccR1" or "tileccL1", the size of the rest (8 bytes), MLIR bytecode, padding
//                  to 8 bytes
//
// The device link (TileLink.h) combines the units of all objects into one, in which every kernel has the functions that
// it calls.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILEUNIT_H
#define TILECC_COMPILE_TILEUNIT_H

#include "compile/Kernel.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/Module.h"

namespace tilecc {

/// A function marked __tile__.
struct TileFunction {
  std::string symbol;
  std::string name; ///< as in the source, with the types of its parameters
  bool isMergeable = false; ///< several definitions are merged, as for explicit instantiations
  mlir::OwningOpRef<mlir::ModuleOp> ttir; ///< with declarations of the functions that it calls
};

/// A launch of a tile kernel by SIMT code on the device.
struct DeviceLaunch {
  std::string symbol; ///< the kernel's
  std::string name; ///< as in the source
  std::string file;
  unsigned line = 0;
};

struct TileUnit {
  std::string source; ///< the main file, for messages
  std::vector<std::string> ids; ///< unique ids of the objects from which it comes
  FloatOptions floats; ///< for the kernels
  std::optional<std::string> debugFolder; ///< CodeOptions::cpuDebugFolder
  std::vector<Kernel> kernels;
  std::vector<TileFunction> functions;
  std::vector<DeviceLaunch> launches;
  std::vector<Kernel> launchable; ///< compiled with their source; SIMT code of any object may launch them
  bool isLaunched = false; ///< the device link created it from kernels that SIMT code launches
};

/// In TTIR, on functions of other sources: their names in the source.
inline constexpr llvm::StringLiteral functionNameAttr = "tilecc.name";

/// Returns the functions that `module` declares and does not define.
llvm::SmallVector<tt::FuncOp> declaredFunctions(mlir::ModuleOp module);

inline constexpr llvm::StringLiteral tileSection = ".tilecc.rdc";

/// Convert a unit to bytecode and back. Reading bytecode of another version fails with a diagnostic.
std::string writeTileUnit(const TileUnit &unit, mlir::MLIRContext &context);
mlir::LogicalResult readTileUnit(llvm::StringRef bytes, llvm::StringRef name, mlir::MLIRContext &context,
                                 TileUnit &unit);

/// A symbol that objects with kernels for the device link reference; the link's object defines it.
inline constexpr llvm::StringLiteral registerLinkedTiles = "__tileccRegisterLinkedBinary";

/// Embeds the unit in the host module of its source, and keeps its kernels' stubs for the device link.
void embedTileUnit(llvm::Module &host, TileUnit &unit, mlir::MLIRContext &context);

/// A record of a section.
struct TileRecord {
  llvm::StringRef bytecode;
  bool hasLaunches; ///< true if SIMT code launches tile kernels
};
std::vector<TileRecord> readTileRecords(llvm::StringRef section);

/// Begins the module of the device link's object: declares the stubs of the kernels, and defines the symbols that
/// objects reference.
void defineLinkedTiles(llvm::Module &module, llvm::ArrayRef<std::string> ids, llvm::ArrayRef<Kernel> kernels);

} // namespace tilecc

#endif // TILECC_COMPILE_TILEUNIT_H
