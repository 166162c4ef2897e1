//===- TileUnit.cpp - relocatable tile code in objects ------------------------------------------------------------===//
//
// The driver writes units for sources that are compiled with -rdc=true, and the device link reads them. This file also
// defines the symbols that connect the object of the device link to the other objects.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "compile/TileUnit.h"
#include "compile/MemberWriter.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace tilecc {

SmallVector<tt::FuncOp> declaredFunctions(mlir::ModuleOp module) {
  return SmallVector<tt::FuncOp>(
      make_filter_range(module.getOps<tt::FuncOp>(), [](tt::FuncOp function) { return function.isExternal(); }));
}

//===--- bytecode -------------------------------------------------------------------------------------------------===//

// A unit is a module of modules, one for each kernel and function. Attributes contain what TTIR does not express.
static constexpr StringLiteral unitAttr = "tilecc.unit", kernelAttr = "tilecc.kernel", functionAttr = "tilecc.function",
                               launchableAttr = "tilecc.launchable";

namespace {
/// Converts the members of a struct, in order, to and from an array attribute. Reading and writing use the same list of
/// members.
class Writer : public MemberWriter<Writer> {
public:
  explicit Writer(mlir::MLIRContext *context) : builder(context) {}
  void write(const std::string &text) { members.push_back(builder.getStringAttr(text)); }
  void write(int64_t number) { members.push_back(builder.getI64IntegerAttr(number)); }
  mlir::ArrayAttr get() { return builder.getArrayAttr(members); }

private:
  mlir::Builder builder;
  SmallVector<mlir::Attribute> members;
};

class Reader {
public:
  explicit Reader(mlir::ArrayAttr members) : members(members.getValue()) {}
  void operator()(std::string &text) { text = cast<mlir::StringAttr>(next()).str(); }
  template <typename T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  void operator()(T &number) {
    number = static_cast<T>(cast<mlir::IntegerAttr>(next()).getInt());
  }
  template <typename T> void operator()(std::optional<T> &value) {
    bool has;
    (*this)(has);
    T read;
    (*this)(read);
    value = has ? std::optional(std::move(read)) : std::nullopt;
  }
  template <typename T> void operator()(std::vector<T> &elements) {
    size_t count;
    (*this)(count);
    elements.resize(count);
    for (T &element : elements)
      (*this)(element);
  }
  template <typename T>
    requires(requires(T &t, Reader &r) { forEachMember(t, r); })
  void operator()(T &value) {
    forEachMember(value, *this);
  }

private:
  mlir::Attribute next() {
    mlir::Attribute first = members.front();
    members = members.drop_front();
    return first;
  }
  ArrayRef<mlir::Attribute> members;
};
} // namespace

template <typename... T> static void forEach(auto &visit, T &...members) { (visit(members), ...); }

template <typename Visit> static void forEachMember(KernelParam &p, Visit &visit) {
  forEach(visit, p.name, p.kind, p.size, p.align, p.offset, p.isFloat, p.noSpecialize, p.assumedPositive);
}
template <typename Visit> static void forEachMember(Kernel &k, Visit &visit) {
  forEach(visit, k.symbol, k.stub, k.displayName, k.file, k.line, k.params, static_cast<KernelOptions &>(k));
}
template <typename Visit> static void forEachMember(TileFunction &f, Visit &visit) {
  forEach(visit, f.symbol, f.name, f.isMergeable);
}
template <typename Visit> static void forEachMember(DeviceLaunch &l, Visit &visit) {
  forEach(visit, l.symbol, l.name, l.file, l.line);
}
template <typename Visit> static void forEachMember(TileUnit &u, Visit &visit) {
  forEach(visit, u.source, u.ids, u.floats, u.debugFolder, u.launches, u.isLaunched);
}

template <typename T> static mlir::ArrayAttr write(const T &value, mlir::MLIRContext *context) {
  Writer writer(context);
  writer(value);
  return writer.get();
}

std::string writeTileUnit(const TileUnit &unit, mlir::MLIRContext &context) {
  auto whole = mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::create(mlir::UnknownLoc::get(&context)));
  (*whole)->setAttr(unitAttr, write(unit, &context));
  auto add = [&](mlir::ModuleOp module, StringRef name, mlir::ArrayAttr members) {
    auto copy = cast<mlir::ModuleOp>(module->clone());
    copy->setAttr(name, members);
    whole->getBody()->push_back(copy);
  };
  for (const Kernel &kernel : unit.kernels)
    add(*const_cast<Kernel &>(kernel).ttir, kernelAttr, write(kernel, &context));
  for (const Kernel &kernel : unit.launchable)
    add(*const_cast<Kernel &>(kernel).ttir, launchableAttr, write(kernel, &context));
  for (const TileFunction &function : unit.functions)
    add(*const_cast<TileFunction &>(function).ttir, functionAttr, write(function, &context));
  std::string bytes;
  raw_string_ostream os(bytes);
  if (failed(mlir::writeBytecodeToFile(*whole, os, mlir::BytecodeWriterConfig("tcc " TILECC_VERSION))))
    report_fatal_error("tile code cannot be written as bytecode", /*gen_crash_diag=*/false);
  return bytes;
}

/// Returns true if this version of tcc wrote the bytecode. The producer is a string near the beginning.
static bool isOfThisVersion(StringRef bytes) {
  return bytes.take_front(64).contains(StringRef("tcc " TILECC_VERSION "\0", sizeof("tcc " TILECC_VERSION)));
}

mlir::LogicalResult readTileUnit(StringRef bytes, StringRef name, mlir::MLIRContext &context, TileUnit &unit) {
  auto fail = [&](const Twine &why) { return mlir::emitError(mlir::UnknownLoc::get(&context)) << name << ": " << why; };
  if (!isOfThisVersion(bytes))
    return fail("its tile code was compiled by another version of tcc; compile it again");
  mlir::ParserConfig config(&context);
  auto whole = mlir::parseSourceString<mlir::ModuleOp>(bytes, config);
  auto members = whole ? (*whole)->getAttrOfType<mlir::ArrayAttr>(unitAttr) : mlir::ArrayAttr();
  if (!members)
    return fail("its tile code cannot be read");
  Reader{members}(unit);
  for (auto module : make_early_inc_range(whole->getOps<mlir::ModuleOp>())) {
    auto readInto = [&](StringRef name, auto &list) {
      auto members = cast_or_null<mlir::ArrayAttr>(module->removeAttr(name));
      if (!members)
        return false;
      auto &element = list.emplace_back();
      Reader{members}(element);
      module->remove();
      element.ttir = module;
      return true;
    };
    readInto(kernelAttr, unit.kernels) || readInto(launchableAttr, unit.launchable) ||
        readInto(functionAttr, unit.functions);
  }
  return mlir::success();
}

//===--- in objects -----------------------------------------------------------------------------------------------===//

// The first bytes of a record. launchingMagic marks a unit whose SIMT code launches tile kernels; plainMagic marks any
// other unit.
static constexpr StringLiteral launchingMagic = "tileccL1", plainMagic = "tileccR1";
static constexpr uint64_t recordAlign = 8;

static std::string makeRecord(StringRef magic, StringRef bytes) {
  std::string record = magic.str();
  char size[8];
  support::endian::write64le(size, bytes.size());
  record.append(size, sizeof(size));
  record += bytes;
  record.resize(alignTo(record.size(), recordAlign));
  return record;
}

std::vector<TileRecord> readTileRecords(StringRef section) {
  std::vector<TileRecord> records;
  for (;;) {
    bool launches = section.consume_front(launchingMagic);
    if ((!launches && !section.consume_front(plainMagic)) || section.size() < 8)
      return records;
    uint64_t size = support::endian::read64le(section.data());
    records.push_back({section.substr(8, size), launches});
    section = section.drop_front(std::min<uint64_t>(section.size(), 8 + alignTo(size, recordAlign)));
  }
}

void embedTileUnit(Module &host, TileUnit &unit, mlir::MLIRContext &mlirContext) {
  LLVMContext &context = host.getContext();
  SmallVector<GlobalValue *> kept;
  for (Kernel &kernel : unit.kernels) {
    auto *stub = cast<Function>(host.getNamedValue(kernel.symbol));
    kept.push_back(stub);
    if (!stub->hasLocalLinkage())
      continue;
    // The object of the device link must be able to refer to the stub.
    kernel.stub = ("__tilecc_stub" + unit.ids.front() + kernel.symbol);
    auto *alias = GlobalAlias::create(GlobalValue::ExternalLinkage, kernel.stub, stub);
    alias->setVisibility(GlobalValue::HiddenVisibility);
  }
  Constant *bytes = ConstantDataArray::getString(
      context, makeRecord(unit.launches.empty() ? plainMagic : launchingMagic, writeTileUnit(unit, mlirContext)),
      /*AddNull=*/false);
  auto *record =
      new GlobalVariable(host, bytes->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, bytes, "tile_code");
  record->setSection(tileSection);
  record->setAlignment(Align(recordAlign));
  record->setMetadata(LLVMContext::MD_exclude, MDNode::get(context, {})); // the linker discards it
  kept.push_back(record);
  appendToCompilerUsed(host, kept);
  if (unit.kernels.empty())
    return;
  // Without the device link, these kernels would have no code. So a link without it must fail.
  auto *linked = new GlobalVariable(host, Type::getInt8Ty(context), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                    /*Initializer=*/nullptr, registerLinkedTiles + unit.ids.front());
  linked->setVisibility(GlobalValue::HiddenVisibility);
  auto *reference = new GlobalVariable(host, PointerType::getUnqual(context), /*isConstant=*/true,
                                       GlobalValue::PrivateLinkage, linked, "tile_link");
  appendToUsed(host, {reference});
}

void defineLinkedTiles(Module &module, ArrayRef<std::string> ids, ArrayRef<Kernel> kernels) {
  LLVMContext &context = module.getContext();
  for (const Kernel &kernel : kernels) {
    auto *stub = Function::Create(FunctionType::get(Type::getVoidTy(context), false), GlobalValue::ExternalLinkage,
                                  kernel.stub.empty() ? kernel.symbol : kernel.stub, module);
    if (!kernel.stub.empty())
      stub->setVisibility(GlobalValue::HiddenVisibility);
  }
  Type *byte = Type::getInt8Ty(context);
  for (const std::string &id : ids)
    (new GlobalVariable(module, byte, /*isConstant=*/true, GlobalValue::ExternalLinkage, ConstantInt::get(byte, 1),
                        registerLinkedTiles + id))
        ->setVisibility(GlobalValue::HiddenVisibility);
}

} // namespace tilecc
