// Tests compilation as a library, without command line and files: targets, shared code, messages, compiler bugs.
#include "compile/Attempt.h"
#include "compile/CodeHash.h"
#include "compile/Compile.h"
#include "compile/Fusion.h"
#include "targets/Registry.h"
#include "targets/RunPasses.h"
#include "lowering/dialects/tt/TT.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "gtest/gtest.h"
#include "targets/nvidia/Architectures.h"
#include "targets/cpu/CpuBackend.h"
#include <atomic>
#include <set>

using namespace tilecc;

namespace {

constexpr const char *doubled = R"(
module {
  tt.func public @doubled(%x: !tt.ptr<f32>, %n: i32) {
    %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    %limit = tt.splat %n : i32 -> tensor<512xi32>
    %mask = arith.cmpi slt, %i, %limit : tensor<512xi32>
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %at = tt.addptr %base, %i : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %v = tt.load %at, %mask : tensor<512x!tt.ptr<f32>>
    %w = arith.addf %v, %v : tensor<512xf32>
    tt.store %at, %w, %mask : tensor<512x!tt.ptr<f32>>
    tt.return
  }
})";

constexpr const char *callsThreads = R"(
module {
  tt.func public @doubled(%x: !tt.ptr<i32>) {
    tt.call_threads once "f"(%x) : (!tt.ptr<i32>) -> ()
    tt.return
  }
})";

class CompileTest : public testing::Test {
protected:
  CompileTest() : context(dialects()) { context.loadAllAvailableDialects(); }

  static mlir::DialectRegistry dialects() {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  std::vector<Kernel> kernels(const char *ttir) {
    std::vector<Kernel> result(1);
    result[0].symbol = result[0].displayName = "doubled";
    result[0].ttir = mlir::parseSourceString<mlir::ModuleOp>(ttir, &context);
    return result;
  }

  mlir::MLIRContext context;
};

TEST(TargetTest, SpellingsGoBothWays) {
  for (llvm::StringRef text : {"sm_80", "sm_90", "sm_90a", "sm_100f", "gfx942", "gfx1201", "cpu", "cpu:3", "cpu:5"})
    EXPECT_EQ(Target::parse(text)->str(), text);
  for (llvm::StringRef text : {"sm_", "sm_75", "sm_80a", "90", "gfx900", "gfx", "cpu:", "cpu:1", "cpu:6", "cpu3", ""})
    EXPECT_FALSE(Target::parse(text)) << text.str();
}

TEST(SideTaskTest, IsDoneWhenItHasBeenWaitedFor) {
  for (unsigned threads : {0, 1}) {
    std::atomic<bool> isDone = false;
    SideTask task(threads, [&] { isDone = true; });
    EXPECT_TRUE(threads == 0 || isDone);
    task.wait();
    EXPECT_TRUE(isDone);
    task.wait();
  }
}

TEST_F(CompileTest, KernelsForSeveralTargetsAtOnce) {
  std::vector<Kernel> all = kernels(doubled);
  CompileOptions options;
  options.targets = {nvidia::targetOf({80}), nvidia::targetOf({90}), nvidia::targetOf({90, 'a'}), cpuTarget("3")};
  auto codes = compile(all, options);
  ASSERT_TRUE(codes);
  ASSERT_EQ(codes->size(), 4u);
  EXPECT_NE((*codes)[0].code.find(".target sm_80"), std::string::npos);
  EXPECT_NE((*codes)[1].code.find(".target sm_90\n"), std::string::npos);
  EXPECT_NE((*codes)[2].code.find(".target sm_90a\n"), std::string::npos);
  EXPECT_EQ((*codes)[3].code.substr(1, 3), "ELF");
  ASSERT_EQ(all[0].variants.size(), 2u) << "p16 would widen nothing: n hides how the mask is aligned";
  EXPECT_EQ(all[0].variants[0].symbol, "doubled$a8") << "whose accesses are as wide as those of a16";
  EXPECT_EQ(all[0].variants[1].symbol, "doubled");
  EXPECT_EQ(all[0].variants[0].launches.size(), 3u) << "one for each GPU";
  EXPECT_EQ(all[0].variants[0].launches[0].threads, 128u);
  ASSERT_EQ(all[0].cpuFunctions.size(), 1u);
  EXPECT_EQ(all[0].cpuFunctions[0].level, 3u);
}

TEST_F(CompileTest, CodeThatIsTheSameForTargetsIsMadeOnce) {
  std::vector<Kernel> all = kernels(doubled);
  std::vector<std::string> parts;
  std::mutex mutex;
  CompileOptions options;
  options.targets = {nvidia::targetOf({90}), nvidia::targetOf({80}), nvidia::targetOf({90, 'a'}), nvidia::targetOf({120})};
  options.timing = [&](llvm::StringRef what, std::chrono::nanoseconds) {
    std::lock_guard lock(mutex);
    parts.push_back(what.str());
  };
  auto shared = compile(all, options);
  ASSERT_TRUE(shared);
  EXPECT_EQ(parts.size(), 12u) << "two variants, lowered and generated, for 8.0, for 9.0 and for 12.0";
  // The code equals that of a separate compilation, byte for byte.
  for (const TargetCode &code : *shared) {
    std::vector<Kernel> one = kernels(doubled);
    CompileOptions alone;
    alone.targets = {code.target};
    auto single = compile(one, alone);
    ASSERT_TRUE(single);
    EXPECT_EQ(single->front().code, code.code);
  }
}

constexpr const char *tells = R"(
module {
  tt.func public @NAME(%x: !tt.ptr<f32>, %n: i32) {
    %i = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>
    tt.print "n: " {hex = false, isSigned = array<i32: 1>} : %n : i32
    %base = tt.splat %x : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>
    %at = tt.addptr %base, %i : tensor<512x!tt.ptr<f32>>, tensor<512xi32>
    %v = tt.load %at : tensor<512x!tt.ptr<f32>>
    tt.store %at, %v : tensor<512x!tt.ptr<f32>>
    tt.return
  }
})";

TEST_F(CompileTest, PartsThatAreGeneratedSeparatelyMakeOneFile) {
  std::vector<std::string> codes;
  for (unsigned threads : {1, 4}) {
    std::vector<Kernel> all;
    for (std::string name : {"first", "second"}) {
      std::string text = tells;
      text.replace(text.find("NAME"), 4, name);
      all.push_back(std::move(kernels(text.c_str())[0]));
      all.back().symbol = all.back().displayName = name;
    }
    CompileOptions options;
    options.targets = {nvidia::targetOf({90})};
    options.form = Form::Assembly;
    options.threads = threads;
    auto compiled = compile(all, options);
    ASSERT_TRUE(compiled);
    codes.push_back(compiled->front().code);
  }
  EXPECT_EQ(codes[0], codes[1]) << "the number of threads must not matter";
  auto count = [&](llvm::StringRef text) { return llvm::StringRef(codes[0]).count(text); };
  EXPECT_EQ(count(".version "), 1u);
  EXPECT_EQ(count(".extern .func"), 1u) << "of vprintf";
  EXPECT_EQ(count("$first[") + count("$first "), count("$second[") + count("$second "))
      << "each kernel has its own strings:\n" << codes[0];
  EXPECT_EQ(count("\t.file\t"), 1u);
  EXPECT_GE(count(".visible .entry"), 2u);
}

TEST_F(CompileTest, AMistakeIsToldOnceForAllTargets) {
  for (unsigned threads : {1, 4}) {
    std::vector<Kernel> all = kernels(doubled);
    all[0].numWarps = 3;
    std::vector<std::string> errors;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
      errors.push_back(diagnostic.str());
      return mlir::success();
    });
    CompileOptions options;
    options.targets = {nvidia::targetOf({80}), nvidia::targetOf({90}), nvidia::targetOf({120})};
    options.threads = threads;
    EXPECT_FALSE(compile(all, options));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_NE(errors[0].find("must be powers of two"), std::string::npos);
  }
}

struct Breaks : mlir::PassWrapper<Breaks, mlir::OperationPass<mlir::ModuleOp>> {
  llvm::StringRef getArgument() const override { return "breaks"; }
  void runOnOperation() override {
    getOperation().walk([](tt::ReturnOp op) { op.erase(); });
  }
};

struct FailsSilently : mlir::PassWrapper<FailsSilently, mlir::OperationPass<mlir::ModuleOp>> {
  llvm::StringRef getArgument() const override { return "fails"; }
  void runOnOperation() override { signalPassFailure(); }
};

using CompileDeathTest = CompileTest;

TEST_F(CompileDeathTest, APassThatBreaksIRIsABug) {
  std::vector<Kernel> all = kernels(doubled);
  mlir::PassManager pm(&context);
  pm.addPass(std::make_unique<Breaks>());
  setenv("TILECC_VERIFY_PASSES", "1", /*overwrite=*/true);
  EXPECT_DEATH((void)runPasses(pm, *all[0].ttir), "the pass breaks left invalid IR");
  unsetenv("TILECC_VERIFY_PASSES");
#ifdef NDEBUG
  EXPECT_DEATH((void)runPasses(pm, *all[0].ttir), "one of the passes .* left invalid IR");
#endif
}

TEST_F(CompileDeathTest, APassThatFailsWithoutAWordIsABug) {
  std::vector<Kernel> all = kernels(doubled);
  mlir::PassManager pm(&context);
  pm.addPass(std::make_unique<FailsSilently>());
  EXPECT_DEATH((void)runPasses(pm, *all[0].ttir), "the pass fails failed and did not say why");
}

/// Changes the value of a member.
struct Change {
  void operator()(bool &value) { value = !value; }
  void operator()(FloatOptions &) {} // whose members are changed one by one
  void operator()(std::optional<int> &value) { value = value.value_or(0) + 1; }
  void operator()(std::vector<TargetHint> &hints) { hints.push_back({900, TargetHint::Occupancy, 2}); }
};

TEST_F(CompileTest, EveryOptionChangesTheHash) {
  std::vector<Kernel> all = kernels(doubled);
  CodeOptions options;
  std::set<uint64_t> hashes = {hashCode(all[0], options)};
  size_t members = 0, changed = 0;
  forEachMember(static_cast<KernelOptions &>(all[0]), [&](auto &) { ++members; });
  forEachMember(options.floats, [&](auto &) { ++members; });
  forEachMember(options, [&](auto &member) { members += std::is_same_v<decltype(member), bool &>; });
  for (size_t i = 0; i < members; ++i) { // one at a time: no member may hide another
    Kernel &kernel = all[0];
    KernelOptions before = kernel;
    CodeOptions code = options;
    size_t at = 0;
    auto visit = [&](auto &member) {
      if (at++ == i)
        Change()(member), ++changed;
    };
    forEachMember(static_cast<KernelOptions &>(kernel), visit);
    forEachMember(code.floats, visit);
    forEachMember(code, [&](auto &member) {
      if constexpr (std::is_same_v<decltype(member), bool &>)
        visit(member);
    });
    EXPECT_TRUE(hashes.insert(hashCode(kernel, code)).second) << "member " << i << " is not in the hash";
    static_cast<KernelOptions &>(kernel) = before;
  }
  EXPECT_EQ(changed, members);
  // Code of functions that the kernel does not call changes nothing, nor does what belongs to the machine.
  CodeOptions code = options;
  code.threadCode["sm_90a"] = "bitcode";
  code.libdevice = "libdevice.10.bc";
  code.cpuDebugFolder = "/home";
  EXPECT_EQ(hashCode(all[0], code), hashCode(all[0], options));
}

TEST_F(CompileTest, CodeOfThreadsChangesTheHash) {
  std::vector<Kernel> all = kernels(callsThreads);
  ASSERT_TRUE(all[0].ttir);
  std::set<uint64_t> hashes;
  for (const char *target : {"sm_80", "sm_90a"})
    for (const char *bitcode : {"1", "2"}) {
      CodeOptions code;
      code.threadCode[target] = bitcode;
      EXPECT_TRUE(hashes.insert(hashCode(all[0], code)).second);
    }
}

TEST_F(CompileTest, AJoinedKernelHasTheAttributesOfItsChain) {
  Chain chain;
  chain.arguments.resize(2);
  for (int launch : {0, 1}) {
    std::vector<Kernel> all = kernels(doubled);
    for (auto [i, attribute] : llvm::enumerate(kernelAttributes))
      if (i != 1 || launch) // each launch decides some of them
        all[0].*attribute.member = (i % 2 == launch) + 2;
    chain.launches.push_back({ttirForFusion(all[0], {true, false, true, false, true}), {0, 1}});
  }
  FloatOptions floats;
  std::string why;
  std::optional<Kernel> joined = joinChain(context, chain, floats, why);
  ASSERT_TRUE(joined) << why;
  for (const KernelAttribute &attribute : kernelAttributes)
    EXPECT_EQ((*joined).*attribute.member, 3) << attribute.name.str();
  EXPECT_EQ(floats, (FloatOptions{true, false, true, false, true}));
}

TEST_F(CompileTest, AnAttemptKnowsHowToRepeatIt) {
  std::vector<Kernel> all = kernels(doubled);
  all[0].displayName = "scale<float>";
  all[0].numWarps = 8;
  EXPECT_EQ(Attempt::current(), nullptr);
  {
    Attempt attempt(all[0], nvidia::targetOf({90, 'a'}));
    ASSERT_EQ(Attempt::current(), &attempt);
    EXPECT_EQ(attempt.name, "scale_float_");
    EXPECT_EQ(attempt.command, "tcc --emit=ptx -arch=compute_90a --num-warps=8 --num-stages=3 --num-ctas=1");
  }
  EXPECT_EQ(Attempt::current(), nullptr);
  EXPECT_EQ(Attempt(all[0], cpuTarget("3")).command, "tcc --emit=cpu-asm --cpu-level=3");
}

} // namespace
