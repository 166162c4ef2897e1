//===- Signature.h - C++ types of tile values, taken from the AST ------------------------------------------*- C++ -*-//
//
// LLVM IR lacks information that tile operations need: signedness, element types behind opaque pointers, and shapes.
// The front end reads it from the FunctionDecl of each mangled name, and passes it to the raise in these structs.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_SIGNATURE_H
#define TILECC_FRONTEND_SIGNATURE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <string>
#include <vector>

namespace tilecc {

/// A numeric type.
struct ElementType {
  enum Kind { None, Bool, Signed, Unsigned, Float, BFloat, Float8E4M3FN, Float8E5M2 };
  Kind kind = None;
  unsigned bits = 0;
  bool isFloat() const { return kind >= Float; }
  /// Float8 types are classes that contain a byte, both in C++ and in LLVM IR. Only tiles treat them as numbers.
  bool isFloat8() const { return kind >= Float8E4M3FN; }
  bool isSigned() const { return kind == Signed; }
};

/// The type of a value: a scalar, a pointer, or a tile of scalars or pointers.
struct ValueType {
  ElementType element; ///< of a pointer: the pointee's type, which may be an address; None if not a number
  bool isPointer = false;
  bool isTile = false;
  bool isDescriptor = false; ///< it describes a tensor in memory; `shape` is that of one block
  llvm::SmallVector<int64_t, 4> shape;

  bool isVoid() const { return !isPointer && !isDescriptor && element.kind == ElementType::None; }
};

/// One specialization of a function in the namespace tt::builtin.
struct BuiltinSignature {
  std::string name;
  llvm::SmallVector<int64_t, 2> constants; ///< integral template arguments; packs are expanded
  llvm::SmallVector<std::string, 0> strings; ///< string literal arguments
  ValueType result;
  llvm::SmallVector<ValueType, 4> params;
  llvm::SmallVector<ValueType, 0> types; ///< template arguments that are tiles or scalars; packs are expanded
};

/// Where a declaration is in the source.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

/// A kernel whose body is in TileModule::module.
struct KernelSignature {
  std::string symbol;
  Place place; ///< where it is defined
  struct Param {
    std::string name;
    ValueType type; ///< void for a struct, whose layout is described by its LLVM type
    bool isEmpty = false; ///< a class without members
    int64_t divisible = 0; ///< [[tt::divisible(N)]]
    bool noSpecialize = false; ///< variants make no assumptions about the parameter
    bool isRestrict = false; ///< __restrict__: no other parameter points to the same memory
    bool isTemporary = false; ///< [[tt::temporary]]
  };
  std::vector<Param> params;
};

/// A scalar, pointer or tile that is a value or a member of a value.
struct ValuePart {
  ValueType type;
  uint64_t offset = 0; ///< in bytes
};

/// A __tile__ function that is called in one source and defined in another.
struct TileFunctionSignature {
  std::string symbol;
  std::string name; ///< the name in the source, with the types of its parameters
  Place place;
  bool isMergeable = false; ///< an explicit instantiation, which several sources may define
  struct Param {
    std::string name;
    std::vector<ValuePart> parts; ///< if it is a reference: the parts of the referenced object
    bool isReference = false; ///< or the `this` pointer of a member function
    bool isConst = false;
  };
  std::vector<Param> params; ///< for a member function, the object comes first
  std::vector<ValuePart> results;
  std::string whyNot; ///< the reason why other sources cannot call it; empty: they can
};

/// Maps the names of source files as -ffile-prefix-map and -fdebug-prefix-map require, and back. Several folders may be
/// mapped to the same one, so the original names are recorded.
class FileNames {
public:
  FileNames() = default;
  /// Pairs of real folders and their names in outputs.
  explicit FileNames(llvm::ArrayRef<std::pair<std::string, std::string>> folders)
      : folders(folders.begin(), folders.end()) {}

  std::string toOutput(llvm::StringRef file) {
    llvm::SmallString<128> result = file;
    for (const auto &[from, to] : llvm::reverse(folders)) // the last match wins
      if (llvm::sys::path::replace_path_prefix(result, from, to))
        break;
    sources.try_emplace(result, file.str());
    return result.str().str();
  }
  /// Returns the source file that was mapped to the name `output`, or an empty string if there is none.
  llvm::StringRef toSource(llvm::StringRef output) const {
    auto known = sources.find(output);
    return known == sources.end() ? llvm::StringRef() : llvm::StringRef(known->second);
  }

private:
  llvm::SmallVector<std::pair<std::string, std::string>> folders;
  llvm::StringMap<std::string> sources;
};

/// The output of the second code generator: every function that kernels reach, not optimized.
struct TileModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<KernelSignature> kernels;
  llvm::StringMap<BuiltinSignature> builtins; ///< by mangled name
  llvm::StringMap<std::string> declarations; ///< the names in the source of all other symbols
  llvm::StringMap<BuiltinSignature> threadFunctions; ///< SIMT functions that elements may be passed to, by mangled name
  llvm::StringSet<> simtFunctions; ///< these functions, in a source whose kernels cannot call SIMT code
  llvm::StringMap<Place> staticLocals; ///< static local variables
  llvm::StringSet<> hostFunctions; ///< functions that only host code may call
  bool isRelocatable = false; ///< functions may be defined in other sources
  std::vector<TileFunctionSignature> functions; ///< functions that other sources may call
  llvm::StringMap<TileFunctionSignature> calledFunctions; ///< functions of other sources, by mangled name
  FileNames fileNames; ///< names of the files in locations
};

} // namespace tilecc

#endif // TILECC_FRONTEND_SIGNATURE_H
