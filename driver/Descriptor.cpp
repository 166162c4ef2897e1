//===- Descriptor.cpp - tilecc/abi.h as LLVM constants --------------------------------------------------------------===//

#include "driver/Descriptor.h"
#include "runtime/include/tilecc/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace tilecc {

namespace {
class DescriptorBuilder {
public:
  explicit DescriptorBuilder(Module &module)
      : module(module), ctx(module.getContext()), ptr(PointerType::getUnqual(ctx)), i32(Type::getInt32Ty(ctx)),
        i64(Type::getInt64Ty(ctx)) {}

  void build(const ModuleEntry &entry);

private:
  Constant *u32(uint32_t value) { return ConstantInt::get(i32, value); }
  Constant *u64(uint64_t value) { return ConstantInt::get(i64, value); }
  Constant *null() { return ConstantPointerNull::get(ptr); }

  GlobalVariable *constant(Constant *value, StringRef name) {
    auto *global = new GlobalVariable(module, value->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, value,
                                      "__tilecc." + name);
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
    return global;
  }

  Constant *text(StringRef string) { return constant(ConstantDataArray::getString(ctx, string), "text"); }

  /// A table of structs of the same fields; null where it has no rows.
  Constant *table(ArrayRef<Constant *> rows, StringRef name) {
    if (rows.empty())
      return null();
    return constant(ConstantArray::get(ArrayType::get(rows[0]->getType(), rows.size()), rows), name);
  }

  Constant *row(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(ctx, fields); }

  Constant *function(StringRef name, FunctionType *type, bool hidden) {
    auto *fn = cast<Function>(module.getOrInsertFunction(name, type).getCallee());
    if (hidden)
      fn->setVisibility(GlobalValue::HiddenVisibility);
    return fn;
  }

  Constant *kernel(const KernelEntry &entry);
  Constant *variant(const VariantEntry &entry);
  void registerIn(Constant *descriptor, StringRef call, bool atStart);

  Module &module;
  LLVMContext &ctx;
  PointerType *ptr;
  IntegerType *i32, *i64;
};
} // namespace

Constant *DescriptorBuilder::variant(const VariantEntry &entry) {
  static_assert(sizeof(tilecc_gpu_entry) == 16 && sizeof(tilecc_variant) == 24);
  std::vector<Constant *> gpu;
  for (const GpuEntry &image : entry.gpu)
    gpu.push_back(row({u32(image.threads), u32(image.sharedBytes), u32(image.cluster), u32(0)}));
  return row({u32(entry.demands), u32(0), text(entry.symbol), table(gpu, "gpu")});
}

Constant *DescriptorBuilder::kernel(const KernelEntry &entry) {
  static_assert(sizeof(tilecc_param) == 16 && sizeof(tilecc_cpu_entry) == 24 && sizeof(tilecc_kernel) == 64);
  std::vector<Constant *> params, variants, cpu;
  for (const ParamEntry &param : entry.params)
    params.push_back(row({u32(param.size), u32(param.offset), u32(param.align), u32(param.kind)}));
  for (const VariantEntry &v : entry.variants)
    variants.push_back(variant(v));
  auto *runType = FunctionType::get(Type::getVoidTy(ctx), {ptr, ptr, ptr, ptr}, false);
  for (const CpuEntry &c : entry.cpu)
    cpu.push_back(row({u32(c.level), u32(0), u64(c.scratchBytes), function(c.symbol, runType, /*hidden=*/true)}));
  return row({module.getNamedValue(entry.symbol), text(entry.symbol), text(entry.displayName), table(params, "params"),
              table(variants, "variants"), table(cpu, "cpu"), u32(params.size()), u32(variants.size()),
              u32(cpu.size()), u32(0)});
}

/// void __tilecc.register() { __tilecc_register(&module); }, run before or after main
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
  // Ahead of the user's own constructors, which may launch kernels.
  constexpr int priority = 101;
  if (atStart)
    appendToGlobalCtors(module, self, priority);
  else
    appendToGlobalDtors(module, self, priority);
}

void DescriptorBuilder::build(const ModuleEntry &entry) {
  static_assert(sizeof(tilecc_image) == 24 && sizeof(tilecc_module) == 56);
  std::vector<Constant *> kernels, images;
  for (const KernelEntry &k : entry.kernels)
    kernels.push_back(kernel(k));
  for (const ImageEntry &image : entry.images)
    images.push_back(row({u32(image.kind), u32(image.arch), image.text.empty() ? null() : text(image.text),
                          u64(image.text.size())}));
  Constant *fatbin = null();
  if (!entry.fatbin.empty()) {
    // The section in which cuobjdump, cuda-gdb and Nsight look for device code.
    auto *global = constant(ConstantDataArray::getString(ctx, entry.fatbin, /*AddNull=*/false), "fatbin");
    global->setSection(".nv_fatbin");
    global->setAlignment(Align(8));
    fatbin = global;
  }
  Constant *descriptor = constant(
      row({u32(TILECC_ABI_VERSION), u32(kernels.size()), u32(images.size()), u32(0), table(kernels, "kernels"),
           table(images, "images"), fatbin, u64(entry.fatbin.size()), text(entry.source)}),
      "module");
  registerIn(descriptor, "__tilecc_register", /*atStart=*/true);
  registerIn(descriptor, "__tilecc_unregister", /*atStart=*/false);
}

void addDescriptor(Module &host, const ModuleEntry &entry) { DescriptorBuilder(host).build(entry); }

} // namespace tilecc
