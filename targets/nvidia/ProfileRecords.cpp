//===- ProfileRecords.cpp - kernels that record times -------------------------------------------------------------===//
//
// A record must cost little, and must not change how the code around it is compiled: it may stand between products of a
// warp group that run. So it is straight-line code of four instructions, and only the store depends on the thread:
//
//     mov.u32 t, %clock;  setp.lt.u64 p, place, end;  @p st.global.v2.b32 [place], {t, event};  add.u64 place, place, 8;
//
// `place` and `end` are 0 in all threads that do not record, and without a buffer. They are registers of the whole kernel,
// so functions with records (partitions) are inlined first.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "targets/nvidia/ProfileRecords.h"
#include "lowering/gpu/Lowering.h"
#include "runtime/include/tilecc/profile.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tilecc {

namespace {

constexpr unsigned globalMemory = 1;
constexpr unsigned warpSize = 32;

/// Returns the callee's name if `instruction` is a record.
bool isRecord(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == recordStartSymbol || callee->getName() == recordEndSymbol);
}

/// Inlines the functions that have records into `kernel`.
void inlineRecords(Module &module, Function &kernel) {
  auto hasRecord = [](Function &function) {
    return any_of(function, [](BasicBlock &block) { return any_of(block, isRecord); });
  };
  for (bool isDone = false; !isDone;) {
    isDone = true;
    for (Function &function : make_early_inc_range(module)) {
      if (&function == &kernel || !hasRecord(function))
        continue;
      for (User *user : make_early_inc_range(function.users())) {
        InlineFunctionInfo info;
        if (!InlineFunction(*cast<CallBase>(user), info).isSuccess())
          reportFatalInternalError("a function with records cannot be inlined");
        isDone = false;
      }
      if (function.hasLocalLinkage())
        function.eraseFromParent();
    }
  }
}

class Recorder {
public:
  Recorder(Function &kernel, uint32_t recordingWarps)
      : kernel(kernel), module(*kernel.getParent()), recordingWarps(recordingWarps), builder(module.getContext()),
        i32(builder.getInt32Ty()), i64(builder.getInt64Ty()), global(builder.getPtrTy(globalMemory)) {}

  void run() {
    SmallVector<CallInst *> records;
    SmallVector<ReturnInst *> returns;
    for (BasicBlock &block : kernel)
      for (Instruction &instruction : block) {
        if (isRecord(instruction))
          records.push_back(cast<CallInst>(&instruction));
        else if (auto *end = dyn_cast<ReturnInst>(&instruction))
          returns.push_back(end);
      }
    constexpr uint32_t end = 1;
    for (CallInst *record : records)
      events.push_back(record->getCalledFunction()->getName() == recordEndSymbol ? end : 2 * getScope(*record));
    defineVariable();
    begin();
    for (auto [record, event] : zip_equal(records, events))
      write(*record, event);
    for (ReturnInst *end : returns)
      finish(*end);
  }

private:
  /// Returns the number of the record's scope.
  unsigned getScope(const CallInst &record) {
    auto *text = cast<GlobalVariable>(record.getArgOperand(0)->stripPointerCasts());
    StringRef scope = cast<ConstantDataArray>(text->getInitializer())->getAsString();
    return scopes.insert({scope, unsigned(scopes.size())}).first->second;
  }

  void defineVariable() {
    static_assert(sizeof(tilecc_gpu_profile) == 16);
    std::string text;
    for (const auto &[scope, number] : scopes)
      text += scope;
    Constant *value =
        ConstantStruct::getAnon({builder.getInt64(0), builder.getInt32(scopes.size()), builder.getInt32(text.size()),
                                 ConstantDataArray::getString(module.getContext(), text, /*AddNull=*/false)});
    variable = new GlobalVariable(module, value->getType(), /*isConstant=*/false, GlobalValue::ExternalLinkage, value,
                                  kernel.getName() + "$profile", nullptr, GlobalValue::NotThreadLocal, globalMemory,
                                  /*isExternallyInitialized=*/true);
    variable->setAlignment(Align(8));
  }

  Value *at(Value *address, uint64_t offset) {
    return builder.CreateIntToPtr(builder.CreateAdd(address, builder.getInt64(offset)), global);
  }
  void store(Value *value, Value *address, uint64_t offset) {
    builder.CreateAlignedStore(value, at(address, offset), Align(value->getType()->getIntegerBitWidth() / 8));
  }
  Value *load(Type *type, Value *address, uint64_t offset) { return builder.CreateLoad(type, at(address, offset)); }

  Value *readRegister(Type *type, StringRef name) {
    auto *assembly = InlineAsm::get(FunctionType::get(type, false),
                                    ("mov." + Twine(type == i64 ? "u64" : "u32") + " $0, " + name + ";").str(),
                                    type == i64 ? "=l,~{memory}" : "=r,~{memory}", /*hasSideEffects=*/true);
    return builder.CreateCall(assembly);
  }

  /// Returns the bytes of a part with `records` records each.
  Value *getPartBytes(Value *records) {
    return builder.CreateAdd(
        builder.CreateMul(builder.CreateZExt(records, i64), builder.getInt64(sizeof(tilecc_profile_record))),
        builder.getInt64(sizeof(tilecc_profile_part) + sizeof(tilecc_profile_end)));
  }

  /// Takes a part at the beginning of the kernel, if this thread records and there is a part left.
  void begin() {
    Instruction *first = &*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
    builder.SetInsertPoint(first);
    place = builder.CreateAlloca(i64, nullptr, "place");
    Value *thread = builder.CreateIntrinsic(i32, Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    Value *warp = builder.CreateLShr(thread, builder.getInt32(5));
    Value *isFirst = builder.CreateIsNull(builder.CreateAnd(thread, builder.getInt32(warpSize - 1)));
    Value *records =
        builder.CreateTrunc(builder.CreateLShr(builder.getInt32(recordingWarps), warp), builder.getInt1Ty());
    Value *buffer = builder.CreateLoad(i64, variable);
    Value *takes = builder.CreateAnd(builder.CreateAnd(isFirst, records), builder.CreateIsNotNull(buffer));
    BasicBlock *before = builder.GetInsertBlock();

    Instruction *claims = SplitBlockAndInsertIfThen(takes, first, /*Unreachable=*/false);
    builder.SetInsertPoint(claims);
    Value *number = builder.CreateAtomicRMW(AtomicRMWInst::Add, at(buffer, offsetof(tilecc_profile_buffer, claimed)),
                                            builder.getInt32(1), MaybeAlign(4), AtomicOrdering::Monotonic);
    Value *isThere = builder.CreateICmpULT(number, load(i32, buffer, offsetof(tilecc_profile_buffer, part_count)));
    BasicBlock *claiming = builder.GetInsertBlock();

    Instruction *starts = SplitBlockAndInsertIfThen(isThere, claims, /*Unreachable=*/false);
    builder.SetInsertPoint(starts);
    Value *bytes = getPartBytes(load(i32, buffer, offsetof(tilecc_profile_buffer, records)));
    Value *part = builder.CreateAdd(builder.CreateAdd(buffer, builder.getInt64(sizeof(tilecc_profile_buffer))),
                                    builder.CreateMul(builder.CreateZExt(number, i64), bytes));
    Value *partEnd = builder.CreateSub(builder.CreateAdd(part, bytes), builder.getInt64(sizeof(tilecc_profile_end)));
    store(builder.getInt64(0), partEnd, offsetof(tilecc_profile_end, end_time));
    store(warp, part, offsetof(tilecc_profile_part, warp));
    constexpr Intrinsic::ID blockIds[] = {Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                          Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
    for (auto [axis, id] : enumerate(blockIds))
      store(builder.CreateIntrinsic(i32, id, {}), part, offsetof(tilecc_profile_part, block) + 4 * axis);
    store(readRegister(i32, "%smid"), part, offsetof(tilecc_profile_part, multiprocessor));
    Value *firstRecord = builder.CreateAdd(part, builder.getInt64(sizeof(tilecc_profile_part)));
    store(readRegister(i64, "%globaltimer"), part, offsetof(tilecc_profile_part, begin_time));
    store(readRegister(i32, "%clock"), part, offsetof(tilecc_profile_part, begin_clock));

    PHINode *claimed[2];
    Value *range[] = {firstRecord, partEnd};
    BasicBlock *starting = starts->getParent(), *joined = claims->getParent();
    builder.SetInsertPoint(joined, joined->begin());
    for (auto [phi, value] : zip_equal(claimed, range)) {
      phi = builder.CreatePHI(i64, 2);
      phi->addIncoming(builder.getInt64(0), claiming);
      phi->addIncoming(value, starting);
    }
    BasicBlock *rest = first->getParent();
    builder.SetInsertPoint(rest, rest->begin());
    PHINode *taken[2];
    for (auto [phi, value] : zip_equal(taken, claimed)) {
      phi = builder.CreatePHI(i64, 2);
      phi->addIncoming(builder.getInt64(0), before);
      phi->addIncoming(value, joined);
    }
    builder.SetInsertPoint(first);
    builder.CreateStore(taken[0], place);
    end = taken[1];
  }

  void write(CallInst &record, uint32_t event) {
    builder.SetInsertPoint(&record);
    Value *now = builder.CreateLoad(i64, place);
    auto *assembly = InlineAsm::get(
        FunctionType::get(builder.getVoidTy(), {i64, i64, i32}, false),
        "{ .reg .pred p; .reg .b32 t; mov.u32 t, %clock; setp.lt.u64 p, $0, $1; @p st.global.v2.b32 [$0], {t, $2}; }",
        "l,l,n,~{memory}", /*hasSideEffects=*/true);
    builder.CreateCall(assembly, {now, end, builder.getInt32(event)});
    builder.CreateStore(builder.CreateAdd(now, builder.getInt64(sizeof(tilecc_profile_record))), place);
    record.eraseFromParent();
  }

  void finish(ReturnInst &returned) {
    builder.SetInsertPoint(&returned);
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(builder.CreateIsNotNull(end), &returned, /*Unreachable=*/false));
    store(builder.CreateLoad(i64, place), end, offsetof(tilecc_profile_end, next));
    store(readRegister(i32, "%clock"), end, offsetof(tilecc_profile_end, end_clock));
    store(readRegister(i64, "%globaltimer"), end, offsetof(tilecc_profile_end, end_time));
  }

  Function &kernel;
  Module &module;
  uint32_t recordingWarps;
  IRBuilder<> builder;
  Type *i32, *i64, *global;
  MapVector<StringRef, unsigned> scopes; ///< their texts, which constants own
  SmallVector<uint32_t> events; ///< of the records, in order
  GlobalVariable *variable = nullptr;
  AllocaInst *place = nullptr; ///< of the next record
  Value *end = nullptr; ///< of the records of the part; 0: this thread does not record
};

} // namespace

void defineProfile(Module &module, StringRef symbol, uint32_t recordingWarps) {
  Function &kernel = *module.getFunction(symbol);
  inlineRecords(module, kernel);
  Function *declared[] = {module.getFunction(recordStartSymbol), module.getFunction(recordEndSymbol)};
  if (!declared[0] && !declared[1])
    return;
  Recorder(kernel, recordingWarps).run();
  for (Function *function : declared)
    if (function)
      function->eraseFromParent();
}

} // namespace tilecc
