//===- TileLink.cpp - links tile code for devices -----------------------------------------------------------------===//
//
// The driver passes all objects and archives of a link to this linker.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/TileLink.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace tilecc {

static tt::FuncOp bodyOf(const TileFunction &function) {
  return const_cast<TileFunction &>(function).ttir->lookupSymbol<tt::FuncOp>(function.symbol);
}

static std::string nameOf(tt::FuncOp declaration) {
  return declaration->getAttrOfType<mlir::StringAttr>(functionNameAttr).str();
}

/// ns::scale<4>(float) -> scale
static StringRef unqualified(StringRef name) {
  name = name.split('(').first.split('<').first;
  return name.substr(name.rfind(':') + 1);
}

namespace {
class TileLinker {
public:
  TileLinker(std::vector<LinkedObject> &objects, mlir::MLIRContext &context) : objects(objects), context(context) {}
  std::optional<TileUnit> linkKernels();
  std::optional<TileUnit> linkLaunched();

private:
  struct Definition {
    const TileFunction *function;
    const LinkedObject *object;
  };

  bool takeObjects();
  void take(LinkedObject &object);
  void takeMembers();
  void checkOptions();
  void inlineCalls(Kernel &kernel, const LinkedObject &object);
  bool import(mlir::ModuleOp from, mlir::ModuleOp to, const LinkedObject &user, SmallVectorImpl<StringRef> &path);
  void reportUndefined();
  void addKernel(TileUnit &result, Kernel &kernel, StringRef id);
  std::pair<Kernel *, LinkedObject *> findKernel(StringRef symbol);

  std::vector<LinkedObject> &objects;
  mlir::MLIRContext &context;
  std::vector<LinkedObject *> taken;
  StringMap<Definition> definitions;
  StringSet<> wanted; ///< functions that the objects linked so far call
  /// Undefined functions by symbol, with the objects that call them.
  MapVector<StringRef, SmallVector<std::pair<mlir::ModuleOp, const LinkedObject *>>> undefined;
  StringSet<> reported; ///< functions that are invalid in themselves
  StringMap<std::string> owners; ///< by kernel symbol: the object's id; empty if any object may own it
  bool failed = false;
};
} // namespace

//===--- selection of objects -------------------------------------------------------------------------------------===//

void TileLinker::take(LinkedObject &object) {
  taken.push_back(&object);
  for (TileFunction &function : object.unit.functions) {
    auto [known, isNew] = definitions.try_emplace(function.symbol, Definition{&function, &object});
    if (!isNew && !(function.isMergeable && known->second.function->isMergeable)) {
      failed = true;
      mlir::InFlightDiagnostic error = mlir::emitError(bodyOf(function).getLoc());
      error << "tile function '" << function.name << "' is defined in '" << object.name << "' and in '"
            << known->second.object->name << "'";
      error.attachNote(bodyOf(*known->second.function).getLoc()) << "the other definition";
    }
  }
  auto want = [&](mlir::ModuleOp module) {
    for (tt::FuncOp declaration : declaredFunctions(module))
      wanted.insert(declaration.getName());
  };
  for (Kernel &kernel : object.unit.kernels)
    want(*kernel.ttir);
  for (TileFunction &function : object.unit.functions)
    want(*function.ttir);
}

void TileLinker::takeMembers() {
  auto isWanted = [&](const TileFunction &function) {
    return wanted.contains(function.symbol) && !definitions.contains(function.symbol);
  };
  SmallPtrSet<LinkedObject *, 8> done(taken.begin(), taken.end());
  for (bool changed = true; std::exchange(changed, false);)
    for (LinkedObject &object : objects)
      if (!done.contains(&object) && any_of(object.unit.functions, isWanted)) {
        done.insert(&object);
        take(object);
        changed = true;
      }
}

/// Checks that all kernels of an image use the same float options.
void TileLinker::checkOptions() {
  const LinkedObject *first = nullptr;
  for (const LinkedObject *object : taken) {
    if (object->unit.kernels.empty())
      continue;
    if (first && object->unit.floats != first->unit.floats) {
      failed = true;
      mlir::emitError(mlir::UnknownLoc::get(&context))
          << "'" << object->name << "' and '" << first->name << "' were compiled with different options of floating "
          << "point (-fmad, -ftz, -prec-div, -prec-sqrt, -use_fast_math); kernels that are linked together need the "
             "same";
      return;
    }
    first = first ? first : object;
  }
}

//===--- calls ----------------------------------------------------------------------------------------------------===//

/// Adds to `to` the bodies of the functions that `from` declares and, transitively, of the functions that these
/// declare. Returns false if a function is missing or recursive.
bool TileLinker::import(mlir::ModuleOp from, mlir::ModuleOp to, const LinkedObject &user,
                        SmallVectorImpl<StringRef> &path) {
  bool ok = true;
  SmallVector<std::string> symbols;
  for (tt::FuncOp declaration : declaredFunctions(from))
    symbols.push_back(declaration.getName().str());
  for (const std::string &symbol : symbols) {
    auto declaration = from.lookupSymbol<tt::FuncOp>(symbol);
    if (!declaration.isExternal())
      continue; // the kernel's module already has it because of another function
    auto found = definitions.find(symbol);
    if (found == definitions.end()) {
      undefined[declaration.getName()].push_back({from, &user});
      ok = false;
      continue;
    }
    const auto &[function, object] = found->second;
    tt::FuncOp body = bodyOf(*function);
    if (is_contained(path, function->symbol)) {
      if (reported.insert(symbol).second)
        mlir::emitError(body.getLoc()) << "tile function '" << function->name
                                       << "' calls itself: recursion is not available in a "
                                       << "tile kernel";
      failed = true;
      return false;
    }
    if (body.getFunctionType() != declaration.getFunctionType()) {
      failed = true;
      ok = false;
      if (!reported.insert(symbol).second)
        continue;
      mlir::InFlightDiagnostic error = mlir::emitError(body.getLoc());
      error << "tile function '" << function->name << "' is declared with other types where '" << user.name
            << "' calls it";
      error.attachNote(declaration.getLoc()) << "declared here";
      continue;
    }
    if (auto there = to.lookupSymbol<tt::FuncOp>(symbol); !there || there.isExternal()) {
      if (there)
        there.erase();
      to.push_back(body->clone());
    }
    path.push_back(function->symbol);
    ok &= import(*const_cast<TileFunction *>(function)->ttir, to, *object, path);
    path.pop_back();
  }
  return ok;
}

void TileLinker::inlineCalls(Kernel &kernel, const LinkedObject &object) {
  SmallVector<StringRef> path;
  if (!import(*kernel.ttir, *kernel.ttir, object, path))
    return;
  mlir::PassManager passes(&context);
  passes.addPass(mlir::createInlinerPass());
  passes.addPass(mlir::createSymbolDCEPass());
  passes.addPass(mlir::createCSEPass());
  if (mlir::failed(passes.run(*kernel.ttir)))
    report_fatal_error(StringRef("functions cannot be inlined into kernel " + kernel.symbol), /*gen_crash_diag=*/false);
}

/// Reports one error for each undefined function, at its first call.
void TileLinker::reportUndefined() {
  for (auto &[symbol, users] : undefined) {
    failed = true;
    std::string name = nameOf(users.front().first.lookupSymbol<tt::FuncOp>(symbol));
    SetVector<StringRef> files;
    for (auto &[module, object] : users)
      files.insert(object->name);
    mlir::Location place = users.front().first->getLoc();
    users.front().first->walk([&](tt::CallOp call) {
      if (call.getCallee() == symbol)
        place = call.getLoc();
    });
    mlir::InFlightDiagnostic error = mlir::emitError(place);
    error << "tile function '" << name << "' is not defined in any object or archive of the device link; used by ";
    for (auto [i, file] : enumerate(files))
      error << (i ? ", '" : "'") << file << "'";
    // Suggest the function that the user may have meant: a function of the same name with other types or in another
    // scope, or else the function with the closest spelling.
    const TileFunction *nearest = nullptr;
    unsigned best = ~0u;
    for (const LinkedObject &object : objects)
      for (const TileFunction &function : object.unit.functions) {
        bool sameName = unqualified(function.name) == unqualified(name);
        unsigned distance = unqualified(function.name).edit_distance(unqualified(name));
        if (sameName)
          error.attachNote(bodyOf(function).getLoc()) << "'" << object.name << "' defines '" << function.name << "'";
        else if (distance < best && distance <= unqualified(name).size() / 3)
          nearest = &function, best = distance;
      }
    if (nearest && error.getUnderlyingDiagnostic()->getNotes().empty())
      error.attachNote(bodyOf(*nearest).getLoc()) << "did you mean '" << nearest->name << "'?";
  }
}

//===--- the result -----------------------------------------------------------------------------------------------===//

/// Adds a kernel to the result. Instances of a template in several objects are the same kernel, because their stubs are
/// the same function. Kernels that are private to their objects may have equal names.
void TileLinker::addKernel(TileUnit &result, Kernel &kernel, StringRef id) {
  bool isPrivate = !kernel.stub.empty();
  auto [owner, isNew] = owners.try_emplace(kernel.symbol, isPrivate ? id.str() : std::string());
  if (!isNew && !isPrivate)
    return;
  if (!isNew) {
    std::string symbol = kernel.symbol + "$" + id.str();
    for (auto function : kernel.ttir->getOps<tt::FuncOp>())
      function.setName(symbol);
    kernel.symbol = symbol;
  }
  result.kernels.push_back(std::move(kernel));
}

bool TileLinker::takeObjects() {
  for (LinkedObject &object : objects)
    if (!object.isMember || !object.unit.kernels.empty() || !object.unit.launches.empty())
      take(object);
  takeMembers();
  checkOptions();
  return !failed;
}

std::optional<TileUnit> TileLinker::linkKernels() {
  if (!takeObjects())
    return std::nullopt;
  // From here on, each function has at most one definition.
  TileUnit result;
  for (LinkedObject *object : taken)
    for (Kernel &kernel : object->unit.kernels)
      inlineCalls(kernel, *object);
  reportUndefined();
  if (failed)
    return std::nullopt;
  for (LinkedObject *object : taken) {
    TileUnit &unit = object->unit;
    if (unit.kernels.empty())
      continue;
    if (result.ids.empty()) {
      result.source = unit.source;
      result.floats = unit.floats;
    }
    if (!result.debugFolder)
      result.debugFolder = unit.debugFolder;
    append_range(result.ids, unit.ids);
    for (Kernel &kernel : unit.kernels)
      addKernel(result, kernel, unit.ids.front());
  }
  return result;
}

//===--- kernels that SIMT code launches --------------------------------------------------------------------------===//

std::pair<Kernel *, LinkedObject *> TileLinker::findKernel(StringRef symbol) {
  for (LinkedObject &object : objects)
    for (std::vector<Kernel> *kernels : {&object.unit.kernels, &object.unit.launchable})
      for (Kernel &kernel : *kernels)
        if (kernel.symbol == symbol && kernel.stub.empty())
          return {&kernel, &object};
  return {nullptr, nullptr};
}

std::optional<TileUnit> TileLinker::linkLaunched() {
  if (!takeObjects())
    return std::nullopt;
  TileUnit result;
  result.isLaunched = true;
  StringSet<> done;
  for (LinkedObject *user : taken)
    for (const DeviceLaunch &launch : user->unit.launches) {
      if (!done.insert(launch.symbol).second)
        continue;
      auto [kernel, object] = findKernel(launch.symbol);
      if (!kernel) {
        failed = true;
        mlir::emitError(mlir::FileLineColLoc::get(&context, launch.file, launch.line, 0))
            << "tile kernel '" << launch.name << "', which SIMT code in '" << user->name
            << "' launches, is in no object or archive of the device link; compile its file with -rdc=true";
        continue;
      }
      inlineCalls(*kernel, *object);
      if (result.source.empty()) {
        result.source = object->unit.source;
        result.floats = object->unit.floats;
      }
      kernel->hasVariants = false; // arguments are only known on the device
      result.kernels.push_back(std::move(*kernel));
    }
  reportUndefined();
  return failed ? std::nullopt : std::optional(std::move(result));
}

std::optional<TileUnit> linkTileCode(std::vector<LinkedObject> objects, mlir::MLIRContext &context) {
  return TileLinker(objects, context).linkKernels();
}

std::optional<TileUnit> linkLaunchedKernels(std::vector<LinkedObject> objects, mlir::MLIRContext &context) {
  return TileLinker(objects, context).linkLaunched();
}

} // namespace tilecc
