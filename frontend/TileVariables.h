//===- TileVariables.h - finds the variables of tile code and their types ----------------------------------*- C++ -*-//
//
// --emit=html and --emit=annotations show the types of tiles, which the source often does not spell out.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_TILEVARIABLES_H
#define TILECC_FRONTEND_TILEVARIABLES_H

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang

namespace tilecc {

/// A parameter, local variable or structured binding whose type is a tile, or the block of a tensor descriptor. A
/// variable in a template has an entry for each type that it has.
struct TileVariable {
  std::string name;
  std::string type; ///< tile<float, 128, 64>
  std::string file;
  unsigned line = 0, column = 0; ///< the position after the name; columns count bytes, from 1
  bool isDeduced = false; ///< the source declares it with `auto`
  auto operator<=>(const TileVariable &) const = default;
};

/// Returns the variables in those of `functions` that are in the user's files, ordered by location. The functions are
/// the instantiated functions that kernels reach. Variables whose names macros produce are omitted.
std::vector<TileVariable> findTileVariables(clang::ASTContext &context,
                                            llvm::ArrayRef<const clang::FunctionDecl *> functions);

} // namespace tilecc

#endif // TILECC_FRONTEND_TILEVARIABLES_H
