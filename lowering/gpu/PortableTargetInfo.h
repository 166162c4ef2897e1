//===- PortableTargetInfo.h - the TargetInfo of back ends without vendor-specific units -----------------*- C++ -*-===//
//
// The base class for targets without warp partitions, clusters and tensor maps. If such a target has matrix units, they
// take operands from registers (populatePatterns). The passes of these back ends create no operations that need
// anything else. A block runs one program, and launches do not overlap.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_LOWERING_GPU_PORTABLETARGETINFO_H
#define TILECC_LOWERING_GPU_PORTABLETARGETINFO_H

#include "lowering/gpu/Lowering.h"

namespace tilecc {

class PortableTargetInfo : public TargetInfo {
public:
  using TargetInfo::TargetInfo;

  void populatePatterns(mlir::RewritePatternSet &patterns, const TileTypeConverter &types,
                        const LoweringContext &lowering) const override;

  unsigned getGlobalAddressSpace() const override { return 1; }
  unsigned getSharedAddressSpace() const override { return 3; }

  mlir::Value getProgramInBlock(mlir::OpBuilder &builder, mlir::Location loc) const override {
    return constantI32(builder, loc, 0);
  }

  mlir::Value extendFloat8(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                           mlir::Value pair) const override;
  mlir::Value truncateToFloat8(mlir::OpBuilder &, mlir::Location, mlir::Type, mlir::ValueRange) const override {
    return {};
  }
};

} // namespace tilecc

#endif // TILECC_LOWERING_GPU_PORTABLETARGETINFO_H
