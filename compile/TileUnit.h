//===- TileUnit.h - relocatable tile code, as objects carry it ---------------------------------------------*- C++ -*-//
//
// With -rdc=true a kernel that calls functions of other sources is not compiled with its source. It stays TTIR, as do
// the functions that other sources may call, in a section of the object that no link takes over:
//
//   .tilecc.rdc    records: "tileccR1" or "tileccL1", the size of what follows (8 bytes), bytecode of MLIR, padding
//                  to 8 bytes
//
// The device link (TileLink.h) makes one unit of all objects' units, in which every kernel has what it calls.
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
  std::string name;                       ///< as written, with the types of its parameters
  bool isMergeable = false;               ///< several definitions are one: an explicit instantiation
  mlir::OwningOpRef<mlir::ModuleOp> ttir; ///< with declarations of what it calls
};

/// A launch of a tile kernel by SIMT code, on the device.
struct DeviceLaunch {
  std::string symbol; ///< the kernel's
  std::string name;   ///< as written
  std::string file;
  unsigned line = 0;
};

struct TileUnit {
  std::string source;                     ///< the main file, for messages
  std::vector<std::string> ids;           ///< of the objects that it is of: no other object's
  FloatOptions floats;                    ///< of the kernels
  std::optional<std::string> debugFolder; ///< CodeOptions::cpuDebugFolder
  std::vector<Kernel> kernels;
  std::vector<TileFunction> functions;
  std::vector<DeviceLaunch> launches;
  std::vector<Kernel> launchable; ///< compiled with their source; any object's SIMT code may launch them
  bool isLaunched = false;        ///< it is what the device link has made of kernels that SIMT code launches
};

/// In TTIR, of functions of other sources: how they are written.
inline constexpr llvm::StringLiteral functionNameAttr = "tilecc.name";

/// What `module` declares and does not define.
llvm::SmallVector<tt::FuncOp> declaredFunctions(mlir::ModuleOp module);

inline constexpr llvm::StringLiteral tileSection = ".tilecc.rdc";

/// Bytecode of a unit, and back. Reading fails, after a diagnostic, with another version's.
std::string writeTileUnit(const TileUnit &unit, mlir::MLIRContext &context);
mlir::LogicalResult readTileUnit(llvm::StringRef bytes, llvm::StringRef name, mlir::MLIRContext &context,
                                 TileUnit &unit);

/// What an object refers to that has kernels for the device link to compile; the link's object defines it.
inline constexpr llvm::StringLiteral registerLinkedTiles = "__tileccRegisterLinkedBinary";

/// Puts the unit in the host module of its source, and keeps its kernels' stubs for the device link.
void embedTileUnit(llvm::Module &host, TileUnit &unit, mlir::MLIRContext &context);

/// The records of a section.
struct TileRecord {
  llvm::StringRef bytecode;
  bool hasLaunches; ///< of tile kernels by SIMT code
};
std::vector<TileRecord> readTileRecords(llvm::StringRef section);

/// Begins the module of the device link's object: declares the stubs of the kernels, and defines what objects refer to.
void defineLinkedTiles(llvm::Module &module, llvm::ArrayRef<std::string> ids, llvm::ArrayRef<Kernel> kernels);

} // namespace tilecc

#endif // TILECC_COMPILE_TILEUNIT_H
