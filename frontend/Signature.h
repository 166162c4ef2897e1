//===- Signature.h - C++ types of tile values, as the AST has them ------------------------------------------*- C++ -*-//
//
// LLVM IR forgets what a tile operation needs to know: signedness, element types behind opaque pointers, shapes. The
// front end reads them from the FunctionDecl behind each mangled name and hands them to the raise in this form.
//
//===----------------------------------------------------------------------------------------------------------------===//

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

/// A number's type.
struct ElementType {
  enum Kind { None, Bool, Signed, Unsigned, Float, BFloat, Float8E4M3FN, Float8E5M2 };
  Kind kind = None;
  unsigned bits = 0;
  bool isFloat() const { return kind >= Float; }
  /// To C++ and LLVM these are classes around a byte, and only to tiles are they numbers.
  bool isFloat8() const { return kind >= Float8E4M3FN; }
  bool isSigned() const { return kind == Signed; }
};

/// A scalar, a pointer, or a tile of either.
struct ValueType {
  ElementType element; ///< of a pointer, what it points to, an address being a number; None where that is none
  bool isPointer = false;
  bool isTile = false;
  bool isDescriptor = false; ///< of a tensor in memory, of which `shape` is a block
  llvm::SmallVector<int64_t, 4> shape;

  bool isVoid() const { return !isPointer && !isDescriptor && element.kind == ElementType::None; }
};

/// A function of tt::builtin as one specialization was called.
struct BuiltinSignature {
  std::string name;
  llvm::SmallVector<int64_t, 2> constants; ///< its integral template arguments, packs expanded
  llvm::SmallVector<std::string, 0> strings; ///< those that are literals
  ValueType result;
  llvm::SmallVector<ValueType, 4> params;
  llvm::SmallVector<ValueType, 0> types; ///< its template arguments that are tiles or scalars, packs expanded
};

/// Where something is declared.
struct Place {
  std::string file;
  unsigned line = 0, column = 0;
};

/// One kernel's body in TileModule::module.
struct KernelSignature {
  std::string symbol;
  Place place; ///< of its definition
  struct Param {
    std::string name;
    ValueType type; ///< of a struct: void; its LLVM type says how it is built
    bool isEmpty = false;  ///< a class without members
    int64_t divisible = 0; ///< [[tt::divisible(N)]]
    bool noSpecialize = false; ///< variants assume nothing of it
    bool isRestrict = false;   ///< __restrict__: no other parameter leads to its memory
    bool isTemporary = false;  ///< [[tt::temporary]]
  };
  std::vector<Param> params;
};

/// A scalar, a pointer or a tile that is all of a value, or a member of one.
struct ValuePart {
  ValueType type;
  uint64_t offset = 0; ///< bytes
};

/// A function marked __tile__ that is called in one source and has its body in another.
struct TileFunctionSignature {
  std::string symbol;
  std::string name; ///< as written, with the types of its parameters
  Place place;
  bool isMergeable = false; ///< sources may have a definition each: an explicit instantiation
  struct Param {
    std::string name;
    std::vector<ValuePart> parts; ///< of a reference: of what it refers to
    bool isReference = false;     ///< or a pointer to the object whose member the function is
    bool isConst = false;
  };
  std::vector<Param> params; ///< the object comes first
  std::vector<ValuePart> results;
  std::string whyNot; ///< why it cannot be called from other sources; empty: it can
};

/// Names of source files as -ffile-prefix-map and -fdebug-prefix-map want them in outputs, and back: several folders may
/// be mapped to one, so the way back is remembered.
class FileNames {
public:
  FileNames() = default;
  /// Folders as they are, and as outputs shall name them.
  explicit FileNames(llvm::ArrayRef<std::pair<std::string, std::string>> folders)
      : folders(folders.begin(), folders.end()) {}

  std::string toOutput(llvm::StringRef file) {
    llvm::SmallString<128> result = file;
    for (const auto &[from, to] : llvm::reverse(folders)) // the last one given wins
      if (llvm::sys::path::replace_path_prefix(result, from, to))
        break;
    sources.try_emplace(result, file.str());
    return result.str().str();
  }
  /// Empty where no file was given that name.
  llvm::StringRef toSource(llvm::StringRef output) const {
    auto known = sources.find(output);
    return known == sources.end() ? llvm::StringRef() : llvm::StringRef(known->second);
  }

private:
  llvm::SmallVector<std::pair<std::string, std::string>> folders;
  llvm::StringMap<std::string> sources;
};

/// What the second code generator made: every function that kernels reach, not optimized.
struct TileModule {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  std::vector<KernelSignature> kernels;
  llvm::StringMap<BuiltinSignature> builtins;    ///< by mangled name
  llvm::StringMap<std::string> declarations;     ///< what the source calls the other symbols
  llvm::StringMap<Place> staticLocals;           ///< static variables of functions
  llvm::StringSet<> hostFunctions;               ///< those that only host code may call
  bool isRelocatable = false;                    ///< functions may be other sources'
  std::vector<TileFunctionSignature> functions;  ///< that other sources may call
  llvm::StringMap<TileFunctionSignature> calledFunctions; ///< other sources', by mangled name
  FileNames fileNames;                           ///< of the files that locations name
};

} // namespace tilecc

#endif // TILECC_FRONTEND_SIGNATURE_H
