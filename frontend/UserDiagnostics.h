//===- UserDiagnostics.h - messages at the user's line -----------------------------------------------------*- C++ -*-//
//
// An error inside a header of tcc is nearly always a mistake in the user's call, so it is reported there.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_FRONTEND_USERDIAGNOSTICS_H
#define TILECC_FRONTEND_USERDIAGNOSTICS_H

#include "frontend/Signature.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInstance.h"
#include <functional>
#include <memory>

namespace tilecc {

/// Prints messages like Clang, but moves errors inside our headers to the user's line. Each message is printed in one
/// piece together with its notes: by `print` or, if that is empty, to standard error.
std::unique_ptr<clang::DiagnosticConsumer> makeDiagnosticConsumer(clang::DiagnosticOptions &options,
                                                                  std::function<void(llvm::StringRef)> print);

/// While this object exists, Clang prints the errors of the raise, which have MLIR locations, at the source lines that
/// these locations name.
class MLIRErrorsThroughClang {
public:
  MLIRErrorsThroughClang(mlir::MLIRContext &context, clang::CompilerInstance &compiler, const FileNames &fileNames);

private:
  mlir::LogicalResult report(mlir::Diagnostic &diagnostic);
  clang::SourceLocation find(mlir::Location loc);
  llvm::SmallVector<clang::SourceLocation> findCalls(mlir::Location loc);

  clang::CompilerInstance &compiler;
  const FileNames &fileNames;
  clang::SourceLocation lastInLibrary; // the user's line with the last error inside a library call
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace tilecc

#endif // TILECC_FRONTEND_USERDIAGNOSTICS_H
