//===- TileWarnings.cpp - warnings about kernels ------------------------------------------------------------------===//
//
// The driver calls each of these functions as soon as the facts that it needs are known: after the front end, after
// compile(), or after ptxas.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "driver/TileWarnings.h"
#include "compile/Compile.h"
#include "compile/Warps.h"
#include "driver/Diagnostics.h"
#include "driver/OptionIds.h"
#include "driver/Programs.h"
#include "driver/UninitializedTiles.h"
#include "lowering/dialects/tt/LoopAttributes.h"
#include "lowering/dialects/tt/TT.h"
#include "lowering/passes/TTIRPipeline.h"
#include "targets/GpuFacts.h"
#include "targets/RunPasses.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include <set>

using namespace llvm;
using namespace tilecc::options;

namespace tilecc {

/// The names after "tile-", in the order of TileWarning.
static constexpr StringLiteral names[] = {"spill", "ptxas", "cpu", "loop", "view", "uninitialized", "size", "offset"};

/// The values of -Rtile=<what> for whole kernels; page::remarkKinds are those for operations.
static constexpr StringLiteral kernelRemarks[] = {"warps", "loops", "blocks"};

static bool tellsOf(const Context &ctx, StringRef what) {
  return any_of(ctx.args.filtered(OPT_Rtile_EQ), [&](const opt::Arg *arg) { return arg->getValue() == what; });
}

/// Returns true if -Rtile names the kind of `remark` or its pass, or if -Rtile-missed selects it.
static bool tellsOf(const Context &ctx, const page::OperationRemark &remark) {
  const auto &kind =
      *find_if(page::remarkKinds, [&](const page::RemarkKind &kind) { return kind.name == remark.kind; });
  return tellsOf(ctx, kind.name) || tellsOf(ctx, kind.pass) || (remark.isMissed && ctx.args.hasArg(OPT_Rtile_missed));
}

/// Returns true for the option -Wtile-spill=all.
static bool isSpillAll(const opt::Arg *arg) {
  return arg->getOption().matches(OPT_Wtile) && StringRef(arg->getValue()) == "spill=all";
}

bool looksAtAllVariants(const Context &ctx) {
  const opt::Arg *last = nullptr;
  for (const opt::Arg *arg : ctx.args.filtered(OPT_Wtile))
    if (StringRef(arg->getValue()).starts_with("spill"))
      last = arg;
  return last && isSpillAll(last);
}

void checkTileWarnings(Context &ctx) {
  for (const opt::Arg *arg : ctx.args.filtered(OPT_Wtile, OPT_Wno_tile, OPT_Werror_tile, OPT_Wno_error_tile))
    if (!is_contained(names, arg->getValue()) && !isSpillAll(arg))
      Warning(ctx) << "unknown warning option '" << arg->getAsString(ctx.args) << "'; warnings about kernels are tile-"
                   << join(ArrayRef(names), ", tile-");
  std::vector<std::string> known(std::begin(kernelRemarks), std::end(kernelRemarks)), passes;
  for (const page::RemarkKind &kind : page::remarkKinds) {
    known.push_back(kind.name.str());
    passes.push_back(kind.pass.str());
  }
  for (const opt::Arg *arg : ctx.args.filtered(OPT_Rtile_EQ))
    if (!is_contained(known, arg->getValue()) && !is_contained(passes, arg->getValue()))
      Error(ctx) << arg->getAsString(ctx.args) << ": there is only -Rtile=" << join(known, " and -Rtile=")
                 << ", and the passes " << join(passes, ", ");
}

namespace {
enum class Level { Ignored, Warning, Error };
} // namespace

static Level levelOf(const Context &ctx, TileWarning warning) {
  // Most kernels multiply rows by strides, and few tensors have 2^31 elements.
  bool enabled = !ctx.args.hasArg(OPT_w) && warning != TileWarning::Offset, isError = false;
  std::optional<bool> ownError; // -Werror=<name> and -Wno-error=<name> override -Werror
  for (const opt::Arg *arg : ctx.args) {
    const opt::Option option = arg->getOption();
    if (option.matches(OPT_W)) {
      StringRef value = arg->getValue();
      if (value == "error" || value == "no-error")
        isError = value == "error";
    } else if (arg->getNumValues() && StringRef(arg->getValue()).split('=').first == names[unsigned(warning)]) {
      if (option.matches(OPT_Wtile) || option.matches(OPT_Werror_tile))
        enabled = true;
      if (option.matches(OPT_Wno_tile))
        enabled = false;
      if (option.matches(OPT_Werror_tile) || option.matches(OPT_Wno_error_tile))
        ownError = option.matches(OPT_Werror_tile);
    }
  }
  return !enabled ? Level::Ignored : ownError.value_or(isError) ? Level::Error : Level::Warning;
}

static std::string withOption(const Twine &text, TileWarning warning, Level level) {
  return (text + (level == Level::Error ? " [-Werror,-Wtile-" : " [-Wtile-") + names[unsigned(warning)] + "]").str();
}

static void warnAt(mlir::Location loc, StringRef message, Level level) {
  if (level == Level::Error)
    mlir::emitError(loc) << message; // the diagnostic handler counts it
  else
    mlir::emitWarning(loc) << message;
}

void warnOfKernel(Context &ctx, TileWarning warning, const Kernel *kernel, StringRef file, const Twine &text) {
  Level level = levelOf(ctx, warning);
  if (level == Level::Ignored)
    return;
  std::string message = withOption(text, warning, level);
  if (!kernel) {
    if (level == Level::Error)
      Error(ctx) << file << ": " << message;
    else
      Warning(ctx) << file << ": " << message;
    return;
  }
  warnAt(locationOf(*kernel), message, level);
}

void remarkOnWarps(Context &ctx, const Kernel &kernel) {
  if (!tellsOf(ctx, "warps") || kernel.numWarps)
    return;
  WarpChoice choice = chooseWarps(kernel);
  mlir::emitRemark(locationOf(kernel)) << choice.warps << (choice.warps == 1 ? " warp runs" : " warps run")
                                       << " a program of " << kernel.displayName << ": " << choice.reason;
}

void remarkOnBlocks(Context &ctx, const Kernel &kernel) {
  if (!tellsOf(ctx, "blocks") || kernel.persistent)
    return;
  auto hasLaunch = [&](function_ref<bool(const Launch &)> is) {
    return any_of(kernel.variants, [&](const KernelVariant &variant) { return any_of(variant.launches, is); });
  };
  if (hasLaunch([](const Launch &launch) { return launch.maxBlocks > 1 && !launch.persistentAxes; }))
    mlir::emitRemark(locationOf(kernel)) << "the blocks of a cluster split the loop of " << kernel.displayName
                                         << " if a launch leaves multiprocessors idle; "
                                            "[[tt::num_consumers(1)]] gives each program a block";
  std::vector<std::string> parts;
  for (const KernelVariant &variant : kernel.variants) // several variants may have the same number of parts
    if (std::string count = std::to_string(variant.parts); variant.parts > 1 && !is_contained(parts, count))
      parts.push_back(count);
  if (!parts.empty())
    mlir::emitRemark(locationOf(kernel))
        << "launches of few programs, and the last programs of others, divide each tile of " << kernel.displayName
        << " between " << join(parts, " or ") << " programs; [[tt::num_consumers(1)]] prevents it";
  std::set<uint32_t> rows;
  for (const KernelVariant &variant : kernel.variants)
    if (variant.demands & TILECC_FEW_ROWS && rows.insert(variant.maxRows).second)
      mlir::emitRemark(locationOf(kernel))
          << "launches of " << kernel.displayName << " with " << kernel.params[variant.rows].name
          << " <= " << variant.maxRows << " compute only the first " << variant.maxRows << " rows of a tile";
  auto hasShorterRounds = [](const KernelVariant &variant) { return variant.demands & TILECC_SHORTER_ROUNDS; };
  if (auto variant = find_if(kernel.variants, hasShorterRounds); variant != kernel.variants.end()) {
    auto hasFewer = [](const Launch &a, const Launch &b) { return a.programs < b.programs; };
    if (const int programs = max_element(variant->launches, hasFewer)->programs; programs > 1)
      mlir::emitRemark(locationOf(kernel)) << "launches of many programs of " << kernel.displayName << " run "
                                           << programs << (variant->parts > 1 ? " halves of them" : " of them")
                                           << " in a block; [[tt::num_consumers(1)]] prevents it";
    else
      mlir::emitRemark(locationOf(kernel))
          << "launches of " << kernel.displayName
          << " have two stages if the GPU then runs all programs in fewer rounds; [[tt::num_stages]] prevents it";
  }
  if (hasLaunch([](const Launch &launch) { return launch.persistentAxes > 0; }))
    mlir::emitRemark(locationOf(kernel)) << "a block of " << kernel.displayName
                                         << " runs several programs, one after the other; "
                                            "[[tt::num_consumers(1)]] gives each a block";
}

/// Finds loops whose split attribute is false, because they are parts of a split loop or must not be split, and counts
/// them by location.
static MapVector<mlir::Location, int> findSplitLoops(mlir::ModuleOp module) {
  MapVector<mlir::Location, int> parts;
  module.walk([&](mlir::scf::ForOp loop) {
    if (auto split = loop->getAttrOfType<mlir::BoolAttr>(tt::splitAttr); split && !split.getValue())
      ++parts[loop.getLoc()];
  });
  return parts;
}

void remarkOnLoops(Context &ctx, const Kernel &kernel) {
  if (!tellsOf(ctx, "loops") || isForCpu(ctx.stage))
    return;
  mlir::ModuleOp source = kernel.ttir.get();
  mlir::OwningOpRef<mlir::ModuleOp> module = source.clone();
  mlir::PassManager passes(module->getContext());
  buildTTIRPipeline(passes);
  if (failed(runPasses(passes, *module)))
    return; // compiling it reports the reason
  MapVector<mlir::Location, int> unwanted = findSplitLoops(source);
  for (auto [loc, parts] : findSplitLoops(*module))
    if (!unwanted.count(loc))
      mlir::emitRemark(loc) << "this loop runs as " << parts << " loops: iterations that need no mask have none";
}

bool wantsOperationRemarks(const Context &ctx) {
  return ctx.args.hasArg(OPT_Rtile_missed, OPT_ftile_record_file_EQ) ||
         any_of(page::remarkKinds,
                [&](const page::RemarkKind &kind) { return tellsOf(ctx, kind.name) || tellsOf(ctx, kind.pass); });
}

void remarkOnOperations(Context &ctx, const Kernel &kernel, ArrayRef<Target> targets,
                        const page::RemarkCollector &collector) {
  if (!wantsOperationRemarks(ctx) || kernel.variants.empty())
    return;
  struct Found {
    page::OperationRemark remark;
    std::vector<std::string> gpus;
  };
  std::vector<Found> all;
  size_t gpus = 0;
  for (const Target &target : targets) {
    gpus += target.isGpu();
    for (const page::OperationRemark &remark : collector.getRemarks(target, getUsualVariant(kernel).symbol))
      if (tellsOf(ctx, remark)) {
        auto known = find_if(all, [&](const Found &found) { return found.remark == remark; });
        (known != all.end() ? *known : all.emplace_back(Found{remark, {}})).gpus.push_back(target.str());
      }
  }
  for (const Found &found : all)
    mlir::emitRemark(found.remark.loc) << found.remark.text
                                       << (found.gpus.size() == gpus ? "" : " (" + join(found.gpus, ", ") + ")");
}

bool writeTileRecord(Context &ctx, ArrayRef<Kernel> kernels, ArrayRef<Target> targets,
                     const page::RemarkCollector &collector) {
  std::string text;
  raw_string_ostream stream(text);
  auto serializer = cantFail(remarks::createRemarkSerializer(remarks::Format::YAML, stream));
  for (const Target &target : targets)
    for (const Kernel &kernel : kernels)
      for (const KernelVariant &variant : kernel.variants)
        for (const page::OperationRemark &remark : collector.getRemarks(target, variant.symbol)) {
          const auto &kind =
              *find_if(page::remarkKinds, [&](const page::RemarkKind &kind) { return kind.name == remark.kind; });
          std::string gpu = target.str();
          remarks::Remark record;
          record.RemarkType = remark.isMissed ? remarks::Type::Missed : remarks::Type::Passed;
          record.PassName = kind.pass;
          record.RemarkName = kind.name;
          record.FunctionName = variant.symbol;
          auto chains = page::findChains(remark.loc);
          if (!chains.empty()) {
            const page::Remark::Position &place = chains.front().front();
            record.Loc = remarks::RemarkLocation{place.file, place.line, place.column};
          }
          record.Args.emplace_back("Target", gpu);
          record.Args.emplace_back("String", remark.text);
          serializer->emit(record);
        }
  return writeOutput(ctx, ctx.args.getLastArgValue(OPT_ftile_record_file_EQ).str(), text);
}

static void warnOfViews(Context &ctx, mlir::ModuleOp module) {
  Level level = levelOf(ctx, TileWarning::View);
  for (auto function : module.getOps<tt::FuncOp>())
    if (auto notes = dyn_cast_or_null<mlir::ArrayAttr>(function->removeDiscardableAttr(narrowViewsAttr));
        notes && level != Level::Ignored)
      for (auto note : notes.getAsRange<mlir::NameLoc>())
        warnAt(note.getChildLoc(), withOption(note.getName().strref(), TileWarning::View, level), level);
}

static void warnOfLoops(Context &ctx, mlir::ModuleOp module) {
  Level level = levelOf(ctx, TileWarning::Loop);
  module.walk([&](mlir::arith::CmpIOp condition) {
    bool hasOptions = false; // a counted loop has consumed them
    for (StringRef name : tt::loopAttributes)
      hasOptions |= bool(condition->removeDiscardableAttr(name));
    if (hasOptions && level != Level::Ignored)
      warnAt(condition.getLoc(),
             withOption(
                 "this loop is left early, or counts in steps that may wrap around: the options of tt::range have no "
                 "effect on it",
                 TileWarning::Loop, level),
             level);
  });
}

static void warnOfUninitialized(Context &ctx, mlir::ModuleOp module) {
  Level level = levelOf(ctx, TileWarning::Uninitialized);
  if (level == Level::Ignored)
    return;
  for (auto [use, maybe] : findUninitializedTiles(module))
    warnAt(use->getLoc(),
           withOption(Twine("a tile is used here that has no value ") +
                          (maybe ? "where a condition did not hold" : "yet") +
                          ": `tt::tile<...> x{}` would be filled with zeros",
                      TileWarning::Uninitialized, level),
           level);
}

namespace {
/// Tracks values that grow with the problem size: they derive from a program id, a loop counter, a parameter or a
/// loaded value, and nothing bounds them.
class Unbounded {
public:
  bool operator()(mlir::Value value) {
    auto [known, isNew] = answers.try_emplace(value, false);
    return isNew ? answers[value] = find(value) : known->second;
  }

private:
  bool find(mlir::Value value) {
    mlir::Operation *op = value.getDefiningOp();
    if (!op || isa<tt::GetProgramIdOp, tt::LoadOp>(op))
      return true;
    if (isa<mlir::arith::RemSIOp, mlir::arith::RemUIOp, mlir::arith::AndIOp, mlir::arith::MinSIOp,
            mlir::arith::MinUIOp>(op))
      return all_of(op->getOperands(), std::ref(*this));
    return mlir::isPure(op) && any_of(op->getOperands(), std::ref(*this));
  }

  DenseMap<mlir::Value, bool> answers;
};
} // namespace

/// Warns about `row * stride` in 32 bits, unless it is known to stay below 2^31.
static void warnOfOffsets(Context &ctx, mlir::ModuleOp module) {
  Level level = levelOf(ctx, TileWarning::Offset);
  if (level == Level::Ignored)
    return;
  Unbounded isUnbounded;
  SetVector<mlir::Operation *> products, parts; // parts: values that offsets are computed from
  module.walk([&](tt::AddPtrOp access) {
    if (mlir::Operation *offset = access.getOffset().getDefiningOp())
      parts.insert(offset);
  });
  for (size_t i = 0; i < parts.size(); ++i) {
    mlir::Operation *op = parts[i];
    if (!mlir::isPure(op))
      continue;
    if (isa<mlir::arith::MulIOp>(op) && mlir::getElementTypeOrSelf(op->getResult(0)).getIntOrFloatBitWidth() <= 32 &&
        all_of(op->getOperands(), std::ref(isUnbounded)))
      products.insert(op);
    for (mlir::Value operand : op->getOperands())
      if (mlir::Operation *def = operand.getDefiningOp())
        parts.insert(def);
  }
  for (mlir::Operation *product : products)
    warnAt(
        product->getLoc(),
        withOption("this offset is a product of 32-bit integers, which overflows beyond 2^31: make one of them int64_t",
                   TileWarning::Offset, level),
        level);
}

void warnOfSizes(Context &ctx, const Kernel &kernel) {
  Level level = levelOf(ctx, TileWarning::Size);
  if (level == Level::Ignored || isForCpu(ctx.stage))
    return;
  mlir::Operation *largest = nullptr;
  mlir::ModuleOp module = kernel.ttir.get();
  const GpuFacts &facts = getGpuFacts(module);
  int64_t warps = kernel.numWarps ? *kernel.numWarps : chooseWarps(kernel).warps;
  int64_t threads = warps * facts.warpSize * kernel.getNumCtas();
  int64_t most = llvm::PowerOf2Ceil(facts.maxThreadRegisters) * threads; // sizes of tiles are powers of two
  module.walk([&](mlir::Operation *op) {
    // Values computed from a scalar or along one dimension are not stored element by element.
    if (isa<mlir::arith::ConstantOp, tt::SplatOp, tt::MakeRangeOp, tt::ExpandDimsOp, tt::BroadcastOp>(op))
      return;
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = dyn_cast<mlir::RankedTensorType>(type); tile && tile.getNumElements() > most) {
        most = tile.getNumElements();
        largest = op;
      }
  });
  if (largest)
    warnAt(largest->getLoc(),
           withOption("each of a program's " + Twine(threads) + " threads on a GPU would hold " +
                          Twine(most / threads) + " elements of this tile, and has " + Twine(facts.maxThreadRegisters) +
                          " registers: use smaller tiles or more warps, [[tt::num_warps(N)]]",
                      TileWarning::Size, level),
           level);
}

void warnOfSource(Context &ctx, mlir::ModuleOp module) {
  warnOfLoops(ctx, module);
  warnOfViews(ctx, module);
  warnOfUninitialized(ctx, module);
  warnOfOffsets(ctx, module);
}

} // namespace tilecc
