//===- TensorMapPatterns.cpp - tensor maps that a kernel creates --------------------------------------------------===//
//
// A map is built field by field (PTX ISA, tensormap.replace) in shared memory, where setting a field takes a few
// cycles. A single instruction then copies the map to global memory and releases it to the copy units. The copy units
// have a separate cache for maps, so the kernel must acquire a map that it has created before it copies through the
// map. One warp executes all of this, and the other warps wait for it once, after the acquire.
//
//===-------------------------------------------------------------------------------------------------------------===//

#include "lowering/dialects/ttng/TTNG.h"
#include "targets/nvidia/NvidiaAccess.h"
#include "targets/nvidia/NvidiaPatterns.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilecc;

namespace {

/// Calls `create` to emit code that the first warp executes.
void createForFirstWarp(OpBuilder &builder, Location loc, const TargetInfo &target,
                        function_ref<void(ThreadPosition)> create) {
  ThreadPosition position = getThreadPosition(builder, loc, target);
  Value isFirst =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, position.warp, constantI32(builder, loc, 0));
  auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard keep(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  create(position);
}

/// A tensor map under construction in shared memory, whose fields one thread sets.
class MapInMaking {
public:
  MapInMaking(OpBuilder &builder, Location loc, Value map, Value isFirstLane)
      : builder(builder), loc(loc), map(map), isFirstLane(isFirstLane) {}

  /// Sets `field` to `value`. `axis` must be given for fields that exist once per axis.
  void replace(const Twine &field, Value value, std::optional<unsigned> axis = {}) {
    bool isWide = !value.getType().isInteger(32);
    emit(field, isWide ? "b64" : "b32", (axis ? std::to_string(*axis) + ", " : "") + "$2", {map, isFirstLane, value},
         isWide ? "r,b,l" : "r,b,r");
  }
  void replace(const Twine &field, unsigned number) {
    emit(field, "b32", std::to_string(number), {map, isFirstLane}, "r,b");
  }
  void replaceForAxes(const Twine &field, ArrayRef<ValueRange> values) {
    for (auto [axis, value] : llvm::enumerate(values))
      replace(field, value[0], axis);
  }

private:
  void emit(const Twine &field, StringRef type, const Twine &value, ValueRange operands, StringRef constraints) {
    assembly(builder, loc, TypeRange(), operands,
             ("@$1 tensormap.replace.tile." + field + ".shared::cta.b1024." + type + " [$0], " + value + ";").str(),
             constraints.str() + ",~{memory}");
  }
  OpBuilder &builder;
  Location loc;
  Value map, isFirstLane;
};

struct CreateMapPattern : TilePattern<ttng::TensormapCreateOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TensormapCreateOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    createForFirstWarp(rewriter, op.getLoc(), target,
                       [&](ThreadPosition position) { create(op, adaptor, rewriter, position.lane); });
    rewriter.eraseOp(op);
    return success();
  }

private:
  void create(ttng::TensormapCreateOp op, OneToNOpAdaptor adaptor, OpBuilder &builder, Value lane) const {
    Location loc = op.getLoc();
    Value map = getScratch(builder, op, target), zero = constantI32(builder, loc, 0);
    // Fields that PTX does not name are zero.
    Value word =
        LLVM::GEPOp::create(builder, loc, map.getType(), builder.getI32Type(), map, ArrayRef<LLVM::GEPArg>{lane});
    LLVM::StoreOp::create(builder, loc, zero, word);
    target.warpBarrier(builder, loc);
    Value isFirstLane = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, zero);
    MapInMaking fields(builder, loc, map, isFirstLane);
    fields.replace("global_address", adaptor.getGlobalAddress()[0]);
    fields.replace("rank", op.getGlobalDim().size() - 1);
    fields.replaceForAxes("box_dim", adaptor.getBoxDim());
    fields.replaceForAxes("global_dim", adaptor.getGlobalDim());
    fields.replaceForAxes("global_stride", adaptor.getGlobalStride());
    fields.replaceForAxes("element_stride", adaptor.getElementStride());
    fields.replace("elemtype", op.getElemType());
    fields.replace("interleave_layout", op.getInterleaveLayout());
    fields.replace("swizzle_mode", op.getSwizzleMode());
    fields.replace("fill_mode", op.getFillMode());
    target.warpBarrier(builder, loc);
    assembly(builder, loc, TypeRange(), {adaptor.getDescPtr()[0], map},
             "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], " +
                 std::to_string(op.mapBytes) + ";",
             "l,r,~{memory}");
    // A copy may write later to the memory in which the map was built.
    assembly(builder, loc, TypeRange(), {}, "fence.proxy.async.shared::cta;", "~{memory}");
  }
};

struct AcquireMapPattern : TilePattern<ttng::TensormapFenceproxyAcquireOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::TensormapFenceproxyAcquireOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    createForFirstWarp(rewriter, loc, target, [&](ThreadPosition) {
      Type generic = LLVM::LLVMPointerType::get(rewriter.getContext());
      Value map = LLVM::AddrSpaceCastOp::create(rewriter, loc, generic, adaptor.getDescPtr()[0]);
      // Like Triton, commit an empty group. Without it, some version of ptxas (Triton does not say which) drops a fence
      // after this one.
      assembly(rewriter, loc, TypeRange(), {map},
               "fence.proxy.tensormap::generic.acquire.gpu [$0], 128;\n\t"
               "cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group.read 0;",
               "l,~{memory}");
    });
    target.barrier(rewriter, loc);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReinterpretPattern : TilePattern<ttng::ReinterpretTensorDescOp> {
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(ttng::ReinterpretTensorDescOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Type descriptor = types.convertType(op.getType());
    rewriter.replaceOpWithNewOp<LLVM::AddrSpaceCastOp>(op, descriptor, adaptor.getRawDesc()[0]);
    return success();
  }
};

} // namespace

void tilecc::populateTensorMapPatterns(RewritePatternSet &patterns, const TileTypeConverter &types,
                                       const LoweringContext &lowering) {
  patterns.add<CreateMapPattern, AcquireMapPattern, ReinterpretPattern>(types, patterns.getContext(), lowering);
}
