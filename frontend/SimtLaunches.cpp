//===- SimtLaunches.cpp - launches by SIMT kernels on the device -------------------------------------------------===//
//
// For child<<<grid, block, shared, stream>>>(args) in device code, Clang calls the first version of CUDA's device
// runtime, which does not support the streams for fire-and-forget and tail launches:
//
//   buffer = cudaGetParameterBuffer(64, size); ...stores to it...;
//   cudaLaunchDevice(f, buffer, grid, block, shared, stream)
//
// nvcc uses the second version, which takes the configuration first. So this pass packs the arguments into a variable,
// and replaces the launch by
//
//   buffer = cudaGetParameterBufferV2(f, grid, block, shared);
//   if (buffer) { memcpy(buffer, arguments, size); cudaLaunchDeviceV2(buffer, stream); }
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "frontend/Simt.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilecc {

/// Creates the function int __tilecc.launch(buffer, arguments, size, stream).
static Function *makeLaunch(Module &module) {
  LLVMContext &context = module.getContext();
  IRBuilder<> builder(context);
  Type *ptr = builder.getPtrTy(), *i32 = builder.getInt32Ty();
  auto *launch = Function::Create(FunctionType::get(i32, {ptr, ptr, builder.getInt64Ty(), ptr}, false),
                                  GlobalValue::InternalLinkage, "__tilecc.launch", module);
  launch->addFnAttr(Attribute::AlwaysInline);
  auto *entry = BasicBlock::Create(context, "entry", launch), *send = BasicBlock::Create(context, "send", launch),
       *done = BasicBlock::Create(context, "done", launch);
  Value *buffer = launch->getArg(0);
  builder.SetInsertPoint(entry);
  builder.CreateCondBr(builder.CreateIsNull(buffer), done, send);
  builder.SetInsertPoint(send);
  builder.CreateMemCpy(buffer, Align(16), launch->getArg(1), Align(16), launch->getArg(2));
  Value *error = builder.CreateCall(module.getOrInsertFunction("__cudaCDP2LaunchDeviceV2", i32, ptr, ptr),
                                    {buffer, launch->getArg(3)});
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  PHINode *result = builder.CreatePHI(i32, 2);
  result->addIncoming(builder.getInt32(0), entry); // the launch failed; cudaGetLastError() has the reason
  result->addIncoming(error, send);
  builder.CreateRet(result);
  return launch;
}

static void replaceLaunch(CallInst &call, Function *launch) {
  Module &module = *call.getModule();
  Value *kernel = call.getArgOperand(0), *stream = call.getArgOperand(5);
  auto *get = dyn_cast<CallInst>(call.getArgOperand(1)->stripPointerCasts());
  auto *size = get ? dyn_cast<ConstantInt>(get->getArgOperand(1)) : nullptr;
  if (!size)
    return; // the user's own call, not a launch

  IRBuilder<> builder(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Type *bytes = ArrayType::get(builder.getInt8Ty(), std::max<uint64_t>(size->getZExtValue(), 1));
  AllocaInst *arguments = builder.CreateAlloca(bytes, nullptr, "launch.arguments");
  arguments->setAlignment(Align(64));

  builder.SetInsertPoint(&call);
  Type *dim3 = call.getParamByValType(2);
  FunctionCallee getBuffer =
      module.getOrInsertFunction("__cudaCDP2GetParameterBufferV2", builder.getPtrTy(), builder.getPtrTy(),
                                 builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty());
  CallInst *buffer =
      builder.CreateCall(getBuffer, {kernel, call.getArgOperand(2), call.getArgOperand(3), call.getArgOperand(4)});
  auto *callee = cast<Function>(getBuffer.getCallee());
  for (unsigned i : {1, 2}) {
    for (Attribute attribute : {Attribute::getWithByValType(module.getContext(), dim3),
                                Attribute::getWithAlignment(module.getContext(), Align(4))}) {
      callee->addParamAttr(i, attribute);
      buffer->addParamAttr(i, attribute);
    }
  }
  call.replaceAllUsesWith(builder.CreateCall(launch, {buffer, arguments, size, stream}));
  get->replaceAllUsesWith(arguments);
  call.eraseFromParent();
  get->eraseFromParent();
}

/// Makes a launch, cudaLaunchDevice(kernel, buffer, grid, block, shared, stream), use the block size and the shared
/// memory that the kernel's code requires.
static void launchTileKernel(CallInst &call, Function &kernel) {
  Module &device = *call.getModule();
  Type *i32 = Type::getInt32Ty(device.getContext()), *values = ArrayType::get(i32, 4);
  std::string name = (kernel.getName() + "$launch").str();
  GlobalVariable *needs = device.getNamedGlobal(name);
  if (!needs)
    needs = new GlobalVariable(device, values, /*isConstant=*/true, GlobalValue::ExternalLinkage, nullptr, name,
                               nullptr, GlobalValue::NotThreadLocal, /*AddressSpace=*/4);
  needs->setAlignment(Align(16));
  IRBuilder<> builder(&call);
  auto read = [&](unsigned i) {
    return builder.CreateLoad(i32, builder.CreateConstInBoundsGEP2_32(values, needs, 0, i));
  };
  // This variable belongs to this call. The source has set it to 1 or left it empty.
  builder.CreateStore(read(0), call.getArgOperand(3));
  call.setArgOperand(4, read(1));
}

void launchTileKernelsOnDevice(Module &device, const SmallPtrSetImpl<Function *> &tileKernels) {
  for (Function &function : device)
    if (function.getName().contains("LaunchDevice") && function.arg_size() == 6)
      for (User *user : function.users()) {
        auto *call = dyn_cast<CallInst>(user);
        auto *kernel = call ? dyn_cast<Function>(call->getArgOperand(0)->stripPointerCasts()) : nullptr;
        if (kernel && tileKernels.contains(kernel))
          launchTileKernel(*call, *kernel);
      }
}

void useSecondLaunchInterface(Module &device) {
  // These are static functions of cuda_device_runtime_api.h.
  Function *first = device.getFunction("_ZL16cudaLaunchDevicePvS_4dim3S0_jP11CUstream_st");
  if (!first)
    return;
  Function *launch = makeLaunch(device);
  for (User *user : make_early_inc_range(first->users()))
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == first)
      replaceLaunch(*call, launch);
}

} // namespace tilecc
