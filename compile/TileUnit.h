//===- TileUnit.h - relocatable tile code in objects ----------------------------------------------------*- C++ -*-===//
//
// With -rdc=true, a kernel that calls functions of other sources cannot be compiled together with its own source. Such
// kernels, and the functions that other sources may call, stay in the object as TTIR, in a section that the linker
// discards:
//
//   .tilecc.rdc    records: "tileccR1" or "tileccL1", the size of the rest (8 bytes), MLIR bytecode, padding
//                  to 8 bytes
//
// The device link (TileLink.h) combines the units of all objects into one unit, in which every kernel has the functions
// that it calls.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_COMPILE_TILEUNIT_H
#define TILECC_COMPILE_TILEUNIT_H

#include "compile/Kernel.h"
#include "lowering/dialects/tt/TT.h"
#include "llvm/IR/Module.h"

namespace tilecc {

/// A function that is marked __tile__.
struct TileFunction {
  std::string symbol;
  std::string name; ///< the name in the source, with the types of its parameters
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
  std::vector<std::string> ids; ///< unique ids of the objects whose code the unit contains
  FloatOptions floats; ///< for the kernels
  std::optional<std::string> debugFolder; ///< CodeOptions::cpuDebugFolder
  std::vector<Kernel> kernels;
  std::vector<TileFunction> functions;
  std::vector<DeviceLaunch> launches;
  std::vector<Kernel> launchable; ///< kernels compiled with their source, which SIMT code of any object may launch
  bool isLaunched = false; ///< the device link has created it from kernels that SIMT code launches
};

/// An attribute of functions of other sources in TTIR: the function's name in its source.
inline constexpr llvm::StringLiteral functionNameAttr = "tilecc.name";

/// Returns the functions that `module` declares and does not define.
llvm::SmallVector<tt::FuncOp> declaredFunctions(mlir::ModuleOp module);

inline constexpr llvm::StringLiteral tileSection = ".tilecc.rdc";

/// Convert a unit to bytecode and back. Reading bytecode that another version has written fails with a diagnostic.
std::string writeTileUnit(const TileUnit &unit, mlir::MLIRContext &context);
mlir::LogicalResult readTileUnit(llvm::StringRef bytes, llvm::StringRef name, mlir::MLIRContext &context,
                                 TileUnit &unit);

/// A symbol that objects reference if they have kernels for the device link. The object that the link creates defines
/// it.
inline constexpr llvm::StringLiteral registerLinkedTiles = "__tileccRegisterLinkedBinary";

/// Embeds the unit in the host module of its source, and keeps the stubs of its kernels for the device link.
void embedTileUnit(llvm::Module &host, TileUnit &unit, mlir::MLIRContext &context);

/// One record in a section of an object.
struct TileRecord {
  llvm::StringRef bytecode;
  bool hasLaunches; ///< true if SIMT code launches tile kernels
};
std::vector<TileRecord> readTileRecords(llvm::StringRef section);

/// Starts the module for the object that the device link creates: declares the stubs of the kernels, and defines the
/// symbols that other objects reference.
void defineLinkedTiles(llvm::Module &module, llvm::ArrayRef<std::string> ids, llvm::ArrayRef<Kernel> kernels);

} // namespace tilecc

#endif // TILECC_COMPILE_TILEUNIT_H
