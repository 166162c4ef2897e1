//===- Remarks.cpp - describes the compiler's decisions about operations ------------------------------------------===//
//
// The driver passes a RemarkCollector to compile() as its observer, for -Rtile= (driver/KernelJob.cpp) or as part of a
// page. Accesses, conversions and dots are described as they are in the final TTGIR, by the analysis that the lowering
// uses. The passes of software pipelining rewrite loops, so loops are described when they are scheduled.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "page/Remarks.h"
#include "lowering/analysis/AccessWidth.h"
#include "lowering/analysis/DataMovement.h"
#include "lowering/dialects/tt/GlobalAccess.h"
#include "lowering/dialects/ttg/TTG.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "lowering/pipeliner/PipelineAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace tilecc::page {

static std::string count(int64_t number, StringRef what) {
  return (Twine(number) + " " + what + (number == 1 ? "" : "s")).str();
}

static std::string spell(mlir::Type type) {
  std::string text;
  raw_string_ostream(text) << type;
  return text;
}

//===--- locations ------------------------------------------------------------------------------------------------===//

static void appendChains(mlir::Location loc, const std::vector<Remark::Position> &callers,
                         std::vector<std::vector<Remark::Position>> &found) {
  if (auto name = dyn_cast<mlir::NameLoc>(loc))
    return appendChains(name.getChildLoc(), callers, found);
  if (auto fused = dyn_cast<mlir::FusedLoc>(loc)) {
    for (mlir::Location part : fused.getLocations())
      appendChains(part, callers, found);
    return;
  }
  if (auto site = dyn_cast<mlir::CallSiteLoc>(loc)) {
    std::vector<std::vector<Remark::Position>> outer;
    appendChains(site.getCaller(), callers, outer);
    if (outer.empty())
      outer.push_back(callers);
    for (const std::vector<Remark::Position> &chain : outer)
      appendChains(site.getCallee(), chain, found);
    return;
  }
  if (auto place = dyn_cast<mlir::FileLineColRange>(loc); place && place.getStartLine()) {
    std::vector<Remark::Position> chain = {{place.getFilename().str(), place.getStartLine(), place.getStartColumn()}};
    chain.insert(chain.end(), callers.begin(), callers.end());
    found.push_back(std::move(chain));
  }
}

std::vector<std::vector<Remark::Position>> findChains(mlir::Location loc) {
  std::vector<std::vector<Remark::Position>> found;
  appendChains(loc, {}, found);
  return found;
}

//===--- accesses -------------------------------------------------------------------------------------------------===//

namespace {
struct WidthRequest {
  mlir::Value pointers, mask;
  int64_t assumed = 1; ///< a known contiguity, in addition to that of the analysis
};
} // namespace

namespace {
struct Description {
  std::string text; ///< empty: no remark
  bool isMissed = false;
};
} // namespace

/// Explains why an access of `width` elements is not wider. Unless the tile has no more elements, this counts as
/// missed.
static Description whyNotWider(const AxisInfoAnalysis &axisInfo, const WidthRequest &request, int64_t width,
                               unsigned bytes) {
  mlir::Value pointers = request.pointers;
  auto tile = cast<mlir::RankedTensorType>(pointers.getType());
  unsigned fastest = axisInfo.getOrder(pointers)[0];
  AxisInfo info = axisInfo.get(pointers);
  if (width == ttg::getElementsPerThread(tile))
    return {"the tile has only " + count(width, "element") + " for each thread"};
  if (int64_t neighbours = getAccessibleNeighbours(axisInfo, pointers, request.mask, request.assumed);
      width < neighbours)
    return {"its layout gives a thread only " + count(width, "neighbour") + " of the " + std::to_string(neighbours) +
                " that one instruction could access",
            true};
  if (tile.getDimSize(fastest) == width)
    return {"the tile has only " + count(width, "element") + " along dimension " + std::to_string(fastest)};
  if (request.mask && width < std::max(axisInfo.getAlignedContiguity(pointers, fastest), request.assumed))
    return {width == 1 ? "neighbouring elements may have different bits of the mask"
                       : "only " + std::to_string(width) + " neighbours are known to have the same bit of the mask",
            true};
  int64_t contiguity = info.getContiguity(fastest);
  if (contiguity == 1)
    return {"neighbouring elements are not known to be adjacent in memory", true};
  if (contiguity == width)
    return {"only " + count(width, "neighbour") + " are known to be adjacent in memory", true};
  return {"the addresses are only known to be multiples of " + count(width * bytes, "byte"), true};
}

static Description describeWidth(const AxisInfoAnalysis &axisInfo, const WidthRequest &request, StringRef verb) {
  mlir::Type type = request.pointers.getType();
  auto tile = dyn_cast<mlir::RankedTensorType>(type);
  unsigned bytes = getBytesInMemory(cast<tt::PointerType>(mlir::getElementTypeOrSelf(type)).getPointeeType());
  if (!tile)
    return {("one thread " + verb + " " + count(bytes, "byte") + ", a scalar").str()};
  int64_t width = getAccessWidth(axisInfo, request.pointers, request.mask, request.assumed);
  std::string text = ("each thread " + verb + " " + count(width * bytes, "byte") + " per instruction").str();
  if (width > 1)
    text += " (" + count(width, "element") + ")";
  if (width * bytes * 8 >= widestAccessBits)
    return {text + ", the most that one instruction can access"};
  Description why = whyNotWider(axisInfo, request, width, bytes);
  return {text + ", because " + why.text, why.isMissed};
}

static Description describeBlockCopy(mlir::Type block, StringRef what) {
  auto shaped = cast<mlir::ShapedType>(block);
  int64_t bytes = shaped.getNumElements() * getBytesInMemory(shaped.getElementType());
  return {
      ("the tensor memory accelerator " + what + " " + count(bytes, "byte") + " at once; one thread starts it").str()};
}

static Description describeAccess(mlir::Operation *op, const AxisInfoAnalysis &axisInfo) {
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op))
    return describeWidth(axisInfo, {copy.getSrc(), copy.getMask(), copy.getContiguity()},
                         "copies, asynchronously and to shared memory,");
  if (auto copy = dyn_cast<ttng::AsyncTMACopyGlobalToLocalOp>(op))
    return describeBlockCopy(copy.getResult().getType(), "loads");
  if (auto copy = dyn_cast<ttng::AsyncBulkCopyGlobalToLocalOp>(op))
    return describeBlockCopy(copy.getResult().getType(), "loads");
  if (auto copy = dyn_cast<ttng::AsyncTMACopyLocalToGlobalOp>(op))
    return describeBlockCopy(copy.getSrc().getType(), "stores");
  if (auto copy = dyn_cast<ttng::AsyncTMAStoreTileOp>(op))
    return describeBlockCopy(copy.getSrc().getType(), "stores");
  if (auto copy = dyn_cast<ttng::AsyncTMAReduceOp>(op))
    return describeBlockCopy(copy.getSrc().getType(), "combines");
  std::optional<tt::GlobalAccess> access = tt::getGlobalAccess(op);
  if (!access || !isa<tt::PointerType>(mlir::getElementTypeOrSelf(access->pointers.getType())))
    return {};
  return describeWidth(axisInfo, {access->pointers, access->mask},
                       access->isRead && access->isWrite ? "updates"
                       : access->isRead                  ? "reads"
                                                         : "writes");
}

//===--- conversions ----------------------------------------------------------------------------------------------===//

/// Returns the operation that gives `value` its layout, such as a dot. Elementwise operations keep the layout of an
/// operand, and loops keep the layout of the values that they yield.
static mlir::Operation *findOrigin(mlir::Value value) {
  mlir::Operation *op = value.getDefiningOp();
  while (op) {
    if (auto loop = dyn_cast<mlir::scf::ForOp>(op)) {
      value = loop.getYieldedValues()[cast<mlir::OpResult>(value).getResultNumber()];
    } else if (op->hasTrait<mlir::OpTrait::Elementwise>() && op->getNumOperands() > 0) {
      auto isComputed = [](mlir::Value operand) {
        mlir::Operation *origin = operand.getDefiningOp();
        return origin && !origin->hasTrait<mlir::OpTrait::ConstantLike>() && !isa<tt::SplatOp>(origin);
      };
      auto computed = find_if(op->getOperands(), isComputed);
      if (computed == op->operand_end())
        break;
      value = *computed;
    } else {
      break;
    }
    op = value.getDefiningOp();
  }
  return op;
}

static std::string nameOf(mlir::Operation *op) { return op ? op->getName().getStringRef().str() : "a loop"; }

static std::string describeConversion(ttg::ConvertLayoutOp op) {
  if (op->use_empty())
    return {};
  ConversionPlan plan = planConversion(op);
  if (plan.kind == ConversionPlan::Kind::Registers)
    return {}; // renames registers
  std::string reason = ", because " + nameOf(findOrigin(op.getSrc())) + " and " + nameOf(*op->user_begin()) +
                       " distribute it differently: " + spell(op.getSrc().getType()) + " and " + spell(op.getType());
  if (plan.kind == ConversionPlan::Kind::Shuffles)
    return "the lanes of a warp exchange this tile by shuffles" + reason;
  return "this tile moves through shared memory (" + count(plan.getScratchBytes(), "byte") + ")" + reason;
}

//===--- dots -----------------------------------------------------------------------------------------------------===//

static std::string shapeOf(ArrayRef<unsigned> sizes) {
  static constexpr StringLiteral axes[] = {"m", "n", "k"};
  std::string text;
  for (auto [axis, size] : zip(axes, sizes))
    text += (axis + Twine(size)).str();
  return text;
}

static std::string describeOperands(mlir::Type a, mlir::Type b, mlir::Type sum) {
  return " (" + spell(mlir::getElementTypeOrSelf(a)) + " times " + spell(mlir::getElementTypeOrSelf(b)) +
         ", added in " + spell(mlir::getElementTypeOrSelf(sum)) + ")";
}

static std::string describeDot(tt::DotOp dot) {
  mlir::Type element = mlir::getElementTypeOrSelf(dot.getA().getType());
  std::string operands = describeOperands(dot.getA().getType(), dot.getB().getType(), dot.getType());
  mlir::Attribute encoding = cast<mlir::RankedTensorType>(dot.getType()).getEncoding();
  auto unit = dyn_cast<ttg::MatrixUnitEncoding>(encoding);
  auto operand =
      dyn_cast<ttg::DotOperandEncodingAttr>(cast<mlir::RankedTensorType>(dot.getA().getType()).getEncoding());
  if (!unit || !operand) {
    bool isExact = element.isF32() && dot.getInputPrecision() == tt::InputPrecision::IEEE;
    return "threads compute the dot by fused multiply-adds" + operands + ": " +
           (isExact ? "with precision ieee, no matrix instruction multiplies f32"
                    : "no matrix instruction of the target has these types and sizes");
  }
  std::string precision = element.isF32() ? ", rounded to tf32" : "";
  return TypeSwitch<mlir::Attribute, std::string>(encoding)
      .Case([&](ttg::NvidiaMmaEncodingAttr mma) {
        SmallVector<unsigned> shape(mma.getInstrShape());
        shape.push_back(unit.getOperandDepth(operand.getKWidth()));
        return "mma.sync." + shapeOf(shape) + " computes the dot" + operands + precision;
      })
      .Case([&](ttg::AmdMfmaEncodingAttr mfma) {
        return "MFMA " + shapeOf(mfma.getInstrShape()) + " computes the dot" + operands;
      })
      .Case([&](ttg::AmdWmmaEncodingAttr wmma) { return "WMMA computes the dot" + operands; })
      .Default([&](mlir::Attribute) { return "matrix instructions compute the dot" + operands; });
}

static std::string describeDot(ttng::WarpGroupDotOp dot) {
  auto mma = cast<ttg::NvidiaMmaEncodingAttr>(cast<mlir::RankedTensorType>(dot.getType()).getEncoding());
  constexpr unsigned rowsOfWarpGroup = 64;
  SmallVector<unsigned> shape(mma.getInstrShape());
  shape[0] = rowsOfWarpGroup; // the encoding has the rows of one warp
  bool isInRegisters = isa<mlir::RankedTensorType>(dot.getA().getType());
  return "wgmma." + shapeOf(shape) + " computes the dot" +
         describeOperands(dot.getA().getType(), dot.getB().getType(), dot.getType()) + "; its left operand is in " +
         (isInRegisters ? "registers" : "shared memory");
}

static std::string describeDot(ttng::MMAv5OpInterface dot) {
  auto memory = cast<ttng::TensorMemoryEncodingAttr>(cast<ttg::MemDescType>(dot.getD().getType()).getEncoding());
  return "tcgen05.mma with blocks of " + std::to_string(memory.getBlockM()) + " x " +
         std::to_string(memory.getBlockN()) + " computes the dot in tensor memory" +
         describeOperands(dot.getA().getType(), dot.getB().getType(), dot.getD().getType());
}

static std::string describeDot(mlir::Operation *op) {
  return TypeSwitch<mlir::Operation *, std::string>(op)
      .Case<tt::DotOp, ttng::WarpGroupDotOp, ttng::MMAv5OpInterface>([](auto dot) { return describeDot(dot); })
      .Default(std::string());
}

//===--- loops ----------------------------------------------------------------------------------------------------===//

/// Describes a loop after tritongpu-schedule-loops.
static std::string describeScheduledLoop(mlir::scf::ForOp loop) {
  if (int64_t last = pipeline::getInteger(loop, pipeline::maxStageAttr, 0))
    return "this loop is pipelined in " + count(last + 1, "stage") + ": loads start up to " + count(last, "iteration") +
           " ahead";
  if (auto reason = loop->getAttrOfType<mlir::StringAttr>(pipeline::notPipelinedAttr))
    return "this loop is not pipelined: " + reason.str();
  return {};
}

static std::string describePartitions(ttg::WarpSpecializeOp op) {
  return "producer warps (" + std::to_string(op.getTotalPartitionWarps()) +
         " beside those of the program) load the operands of this loop's dots ahead of their use";
}

//===--- collecting -----------------------------------------------------------------------------------------------===//

void RemarkCollector::sawState(const ObservedVariant &variant, const ObservedState &state) {
  std::vector<OperationRemark> found;
  auto add = [&](StringLiteral kind, mlir::Operation *op, std::string text, bool isMissed = false) {
    // Report each remark once, although loops are split and their loads are copied to the prologue.
    if (OperationRemark remark{kind, op->getLoc(), std::move(text), isMissed};
        !remark.text.empty() && !is_contained(found, remark))
      found.push_back(std::move(remark));
  };
  auto store = [&](std::vector<OperationRemark> OfVariant::*list) {
    std::lock_guard lock(mutex);
    remarks[{variant.target.str(), variant.variant.symbol}].*list = std::move(found);
  };
  mlir::ModuleOp module = state.module;
  if (state.pass == "tritongpu-schedule-loops") {
    module.walk([&](mlir::scf::ForOp loop) {
      add("pipelines", loop, describeScheduledLoop(loop), loop->hasAttr(pipeline::notPipelinedAttr));
    });
    store(&OfVariant::pipelines);
  } else if (state.form == Form::TTGIR) {
    AxisInfoAnalysis axisInfo(module);
    module.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      if (auto partitions = dyn_cast<ttg::WarpSpecializeOp>(op))
        add("pipelines", op, describePartitions(partitions));
      Description access = describeAccess(op, axisInfo);
      add("accesses", op, std::move(access.text), access.isMissed);
      if (auto conversion = dyn_cast<ttg::ConvertLayoutOp>(op))
        add("conversions", op, describeConversion(conversion), /*isMissed=*/true);
      auto dot = dyn_cast<tt::DotOp>(op);
      add("dots", op, describeDot(op),
          dot && !isa<ttg::MatrixUnitEncoding>(cast<mlir::RankedTensorType>(dot.getType()).getEncoding()));
    });
    store(&OfVariant::operations);
  }
}

std::vector<OperationRemark> RemarkCollector::getRemarks(const Target &target, StringRef symbol) const {
  auto seen = remarks.find({target.str(), symbol.str()});
  if (seen == remarks.end())
    return {};
  std::vector<OperationRemark> all = seen->second.pipelines;
  append_range(all, seen->second.operations);
  return all;
}

} // namespace tilecc::page
