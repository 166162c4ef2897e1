//===- Descriptor.cpp - tilecc/abi.h as LLVM constants ------------------------------------------------------------===//
//
// The descriptor is the last addition to a host module before its code is generated. The driver and libtilecc use this
// file.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "compile/Descriptor.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace tilecc {

namespace {
class DescriptorBuilder {
public:
  DescriptorBuilder(Module &module, ArrayRef<Image> images)
      : module(module), images(images), ctx(module.getContext()), ptr(PointerType::getUnqual(ctx)),
        i32(Type::getInt32Ty(ctx)), i64(Type::getInt64Ty(ctx)) {}

  GlobalVariable *build(StringRef source, ArrayRef<Kernel> kernels, StringRef fatbin, StringRef tuneTable);
  void registerObject(Constant *descriptor);
  void makeStubs(ArrayRef<Kernel> kernels);
  void exportLibrary(Constant *descriptor);

private:
  Constant *u32(uint32_t value) { return ConstantInt::get(i32, value); }
  Constant *u16(uint16_t value) { return ConstantInt::get(Type::getInt16Ty(ctx), value); }
  Constant *u64(uint64_t value) { return ConstantInt::get(i64, value); }
  Constant *null() { return ConstantPointerNull::get(ptr); }

  GlobalVariable *constant(Constant *value, StringRef name) {
    auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value,
                                      "__tilecc." + name);
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }

  /// Returns constant bytes. They are aligned, because the driver reads cubins as ELF files.
  Constant *bytes(StringRef string) {
    GlobalVariable *global = constant(ConstantDataArray::getString(ctx, string), "image");
    global->setAlignment(Align(16));
    return global;
  }

  Constant *text(StringRef string) { return constant(ConstantDataArray::getString(ctx, string), "text"); }

  /// Returns a table of structs that have the same fields; null if the table has no rows.
  Constant *table(ArrayRef<Constant *> rows, StringRef name) {
    if (rows.empty())
      return null();
    return constant(ConstantArray::get(ArrayType::get(rows[0]->getType(), rows.size()), rows), name);
  }

  /// Words of a LaunchCode.
  Constant *code(ArrayRef<int64_t> words) {
    std::vector<Constant *> numbers;
    for (int64_t word : words)
      numbers.push_back(ConstantInt::getSigned(i64, word));
    return table(numbers, "code");
  }

  Constant *row(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(ctx, fields); }

  Constant *function(StringRef name, FunctionType *type, bool hidden) {
    auto *fn = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
    if (hidden)
      fn->setVisibility(GlobalValue::HiddenVisibility);
    return fn;
  }

  void bundleImages(StringRef section, MutableArrayRef<Constant *> addresses);
  Constant *kernel(const Kernel &kernel);
  Constant *variant(const KernelVariant &variant);
  Constant *tensorMap(const TensorMap &map);
  void registerIn(Constant *descriptor, StringRef call, bool atStart);

  Module &module;
  ArrayRef<Image> images;
  LLVMContext &ctx;
  PointerType *ptr;
  IntegerType *i32, *i64;
};
} // namespace

Constant *DescriptorBuilder::variant(const KernelVariant &variant) {
  static_assert(sizeof(tilecc_gpu_entry) == 48 && sizeof(tilecc_variant) == 64);
  std::vector<Constant *> gpu;
  for (const Image &image : images) {
    const Launch &launch = variant.launches[image.target];
    std::vector<Constant *> maps;
    for (const TensorMap &map : launch.maps)
      maps.push_back(tensorMap(map));
    gpu.push_back(
        row({u32(launch.threads), u32(launch.sharedBytes), u32(launch.cluster), u32(maps.size()), table(maps, "maps"),
             u16(launch.persistentAxes), u16(launch.maxBlocks), u16(launch.programs), u16(launch.axis),
             u32(launch.numberedAxes), u32(launch.clusterBytes), u32(launch.waits), u32(launch.leastIterations)}));
  }
  return row({u32(variant.demands), u32(variant.units), text(variant.symbol), table(gpu, "gpu"), u32(variant.free),
              u32(variant.parts), u32(variant.rows), u32(variant.maxRows), u32(variant.roundPercent),
              u32(variant.maxIterations), code(variant.iterations), u32(variant.iterations.size()),
              u32(variant.strides)});
}

Constant *DescriptorBuilder::tensorMap(const TensorMap &map) {
  static_assert(sizeof(tilecc_tensor_map) == 112 && TILECC_MAP_DIMENSIONS == TensorMap::axes);
  return row({u32(map.bytes), u32(map.swizzle), u32(map.parameter), ConstantDataArray::get(ctx, map.limits),
              u32(map.base), ConstantDataArray::get(ctx, map.sizes), ConstantDataArray::get(ctx, map.strides),
              ConstantDataArray::get(ctx, map.box), u32(map.imageDimensions), u32(map.code.size()), code(map.code)});
}

static uint16_t paramKind(const KernelParam &param) {
  if (param.noSpecialize)
    return TILECC_PARAM_OTHER; // launches do not examine it
  if (param.assumedPositive)
    return TILECC_PARAM_POSITIVE;
  switch (param.kind) {
  case KernelParam::Pointer: return TILECC_PARAM_POINTER;
  case KernelParam::Integer: return TILECC_PARAM_INTEGER;
  case KernelParam::Other: return TILECC_PARAM_OTHER;
  }
  llvm_unreachable("a kind of parameter that is none");
}

static uint16_t paramType(const KernelParam &param) {
  switch (param.kind) {
  case KernelParam::Pointer: return TILECC_TYPE_POINTER;
  case KernelParam::Integer: return TILECC_TYPE_INTEGER;
  case KernelParam::Other: return param.isFloat ? TILECC_TYPE_FLOAT : TILECC_TYPE_OTHER;
  }
  llvm_unreachable("a kind of parameter that is none");
}

Constant *DescriptorBuilder::kernel(const Kernel &kernel) {
  static_assert(sizeof(tilecc_param) == 16 && sizeof(tilecc_cpu_entry) == 24 && sizeof(tilecc_kernel) == 88);
  std::vector<Constant *> params, variants, cpu;
  for (const KernelParam &param : kernel.params)
    params.push_back(
        row({u32(param.size), u32(param.offset), u32(param.align), u16(paramKind(param)), u16(paramType(param))}));
  for (const KernelVariant &v : kernel.variants)
    variants.push_back(variant(v));
  auto *runType = FunctionType::get(Type::getVoidTy(ctx), {ptr, ptr, ptr, ptr}, false);
  for (const CpuFunction &c : kernel.cpuFunctions)
    cpu.push_back(
        row({u32(c.level), u32(c.programs), u64(c.scratchBytes), function(c.symbol, runType, /*hidden=*/true)}));
  return row({module.getNamedValue(kernel.stub.empty() ? kernel.symbol : kernel.stub), text(kernel.symbol),
              text(kernel.displayName), table(params, "params"), table(variants, "variants"), table(cpu, "cpu"),
              u32(params.size()), u32(variants.size()), u32(cpu.size()), u32(0), u64(kernel.codeHash),
              kernel.keptTTIR.empty() ? null() : text(kernel.keptTTIR), u64(kernel.keptTTIR.size())});
}

/// Adds a bundle of all images that belong to `section`, in the format of clang-offload-bundler, and sets their
/// addresses.
void DescriptorBuilder::bundleImages(StringRef section, MutableArrayRef<Constant *> addresses) {
  constexpr uint64_t alignment = 4096;
  constexpr StringLiteral magic = "__CLANG_OFFLOAD_BUNDLE__";
  auto isBundled = [&](const Image &image) { return image.bundleSection == section; };
  // The first entry stands for the host, which has no code in the bundle.
  std::vector<std::pair<std::string, StringRef>> entries = {{"host-" + module.getTargetTriple().str() + "-", {}}};
  for (const Image &image : make_filter_range(images, isBundled))
    entries.emplace_back(image.bundleEntry, image.data);
  uint64_t headerBytes = magic.size() + sizeof(uint64_t);
  for (const auto &[name, data] : entries)
    headerBytes += 3 * sizeof(uint64_t) + name.size();
  std::string header, codes;
  raw_string_ostream stream(header);
  support::endian::Writer writer(stream, endianness::little);
  stream << magic;
  writer.write<uint64_t>(entries.size());
  const uint64_t begin = alignTo(headerBytes, alignment);
  std::vector<uint64_t> offsets;
  for (const auto &[name, data] : entries) {
    codes.resize(alignTo(codes.size(), alignment));
    offsets.push_back(begin + codes.size());
    writer.write<uint64_t>(offsets.back());
    writer.write<uint64_t>(data.size());
    writer.write<uint64_t>(name.size());
    stream << name;
    codes += data;
  }
  header.resize(begin);
  GlobalVariable *bundle =
      constant(ConstantDataArray::getString(ctx, header + codes, /*AddNull=*/false), section.ltrim('.'));
  bundle->setSection(section);
  bundle->setAlignment(Align(alignment));
  size_t entry = 1;
  for (auto [image, address] : zip_equal(images, addresses))
    if (isBundled(image))
      address = ConstantExpr::getInBoundsGetElementPtr(Type::getInt8Ty(ctx), bundle, u64(offsets[entry++]));
}

/// Creates void __tilecc.register() { __tilecc_register(&module); }. This function runs before or after main.
void DescriptorBuilder::registerIn(Constant *descriptor, StringRef call, bool atStart) {
  auto *type = FunctionType::get(Type::getVoidTy(ctx), {ptr}, false);
  auto *self = Function::Create(FunctionType::get(Type::getVoidTy(ctx), false), GlobalValue::InternalLinkage,
                                "__tilecc." + call.drop_front(StringRef("__tilecc_").size()), module);
  self->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  self->addFnAttr(Attribute::NoUnwind);
  if (module.getUwtable() != UWTableKind::None)
    self->setUWTableKind(module.getUwtable());
  IRBuilder<> builder(BasicBlock::Create(ctx, "", self));
  builder.CreateCall(type, function(call, type, /*hidden=*/false), {descriptor});
  builder.CreateRetVoid();
  // Registration must run before the user's own constructors, which may launch kernels.
  constexpr int priority = 101;
  if (atStart)
    appendToGlobalCtors(module, self, priority);
  else
    appendToGlobalDtors(module, self, priority);
}

GlobalVariable *DescriptorBuilder::build(StringRef source, ArrayRef<Kernel> kernels, StringRef fatbin,
                                         StringRef tuneTable) {
  static_assert(sizeof(tilecc_image) == 24 && sizeof(tilecc_module) == 64);
  std::vector<Constant *> kernelRows, imageRows;
  for (const Kernel &k : kernels)
    kernelRows.push_back(kernel(k));
  std::vector<Constant *> inBundles(images.size());
  SmallSetVector<StringRef, 2> sections;
  for (const Image &image : images)
    if (!image.bundleSection.empty() && sections.insert(image.bundleSection))
      bundleImages(image.bundleSection, inBundles);
  for (auto [image, inBundle] : zip_equal(images, inBundles)) {
    Constant *data = inBundle ? inBundle : image.data.empty() ? null() : bytes(image.data);
    imageRows.push_back(row({u32(image.kind), u32(image.arch), data, u64(image.data.size())}));
  }
  Constant *fatbinary = null();
  if (!fatbin.empty()) {
    // cuobjdump, cuda-gdb and Nsight look for device code in this section.
    auto *global = constant(ConstantDataArray::getString(ctx, fatbin, /*AddNull=*/false), "fatbin");
    global->setSection(".nv_fatbin");
    global->setAlignment(Align(8));
    fatbinary = global;
  }
  bool checks = any_of(kernels, [](const Kernel &k) {
    return any_of(k.cpuFunctions, [](const CpuFunction &function) { return function.checksAccesses; });
  });
  return constant(row({u32(TILECC_ABI_VERSION), u32(kernelRows.size()), u32(imageRows.size()), u32(checks),
                       table(kernelRows, "kernels"), table(imageRows, "images"), fatbinary, u64(fatbin.size()),
                       text(source), tuneTable.empty() ? null() : text(tuneTable)}),
                  "module");
}

void DescriptorBuilder::registerObject(Constant *descriptor) {
  registerIn(descriptor, "__tilecc_register", /*atStart=*/true);
  registerIn(descriptor, "__tilecc_unregister", /*atStart=*/false);
}

/// Creates a byte for each kernel as its stub. The address of this byte is unique, and the runtime identifies kernels
/// by such addresses.
void DescriptorBuilder::makeStubs(ArrayRef<Kernel> kernels) {
  auto *type = Type::getInt8Ty(ctx);
  for (const Kernel &kernel : kernels) {
    auto *stub = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::InternalLinkage,
                                    ConstantInt::get(type, 0), kernel.symbol);
    stub->setAlignment(Align(16)); // the table of kernels expects the alignment of functions
  }
}

/// Creates the library's table, and the runtime functions that code for the CPU calls, such as
///   static const tilecc_cpu_calls *calls;
///   void __tilecc_cpu_assertion_failed(...) { calls->assertion_failed(...); }
///   const tilecc_library __tilecc_library = {..., &module, &calls};
/// The runtime sets the variable. Thus a program that links the runtime does not have to export functions.
void DescriptorBuilder::exportLibrary(Constant *descriptor) {
  static_assert(sizeof(tilecc_library) == 24 && sizeof(tilecc_cpu_calls) == 40);
  auto *calls = new GlobalVariable(module, ptr, /*isConstant=*/false, GlobalValue::InternalLinkage, null(), "calls");
  const std::pair<StringRef, std::vector<Type *>> functions[] = {
      // in the order of tilecc_cpu_calls
      {"__tilecc_cpu_assertion_failed", {ptr, i32, ptr, ptr}},
      {"__tilecc_cpu_check_access", {ptr, ptr, ptr, ptr, ptr, i32, i64}},
      {"__tilecc_cpu_wait", {ptr, i32, i64}},
      {"__tilecc_cpu_wait_over", {}},
      {"__tilecc_cpu_record", {ptr, i32}}};
  for (auto [i, called] : enumerate(functions)) {
    auto *type = FunctionType::get(Type::getVoidTy(ctx), called.second, false);
    auto *forward = cast<Function>(function(called.first, type, /*hidden=*/true));
    IRBuilder<> builder(BasicBlock::Create(ctx, "", forward));
    SmallVector<Value *> args;
    for (Argument &arg : forward->args())
      args.push_back(&arg);
    Value *entry = builder.CreateConstInBoundsGEP1_64(ptr, builder.CreateLoad(ptr, calls), i);
    builder.CreateCall(type, builder.CreateLoad(ptr, entry), args);
    builder.CreateRetVoid();
  }
  Constant *library = row({u32(TILECC_ABI_VERSION), u32(0), descriptor, calls});
  new GlobalVariable(module, library->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage, library,
                     TILECC_LIBRARY_SYMBOL);
}

void addDescriptor(Module &host, StringRef source, ArrayRef<Kernel> kernels, ArrayRef<Image> images, StringRef fatbin,
                   StringRef tuneTable) {
  DescriptorBuilder builder(host, images);
  builder.registerObject(builder.build(source, kernels, fatbin, tuneTable));
}

void addLibrary(Module &library, StringRef source, ArrayRef<Kernel> kernels, ArrayRef<Image> images) {
  DescriptorBuilder builder(library, images);
  builder.makeStubs(kernels);
  builder.exportLibrary(builder.build(source, kernels, /*fatbin=*/{}, /*tuneTable=*/{}));
}

} // namespace tilecc
