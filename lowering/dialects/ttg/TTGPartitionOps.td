//===- TTGPartitionOps.td - operations of warp-specialized partitions ------------------------------*- tablegen -*-===//
//
// A program may be launched with more warps than those over which its tiles are distributed. These additional warps,
// the worker warps, wait until the program starts partitions, which they execute. Partitions run concurrently with the
// program, and synchronize with its warps only through barriers in memory. Names and textual form are Triton's.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTG_PARTITION_OPS
#define TILECC_TTG_PARTITION_OPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "lowering/dialects/ttg/TTGOps.td"

def TTG_WarpSpecializeOp : Op<TTG_Dialect, "warp_specialize", [TT_AnyLayout, TT_NoScratch, TT_NoGlobalAccess,
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "runs the default region with the program's warps and each partition with its own warps, concurrently";
  let description = [{
    The operation ends when all regions have ended. Tiles have layouts for the warps that execute their region.
    Partitions can use the captured values, which must not be tiles in registers. `requestedRegisters` is the number of
    registers that each thread of a partition needs; the threads of the default region get the rest.
  }];
  let arguments = (ins Variadic<AnyType>:$explicitCaptures, DenseI32ArrayAttr:$partitionNumWarps,
    OptionalAttr<DenseI32ArrayAttr>:$warpGroupStartIds, OptionalAttr<DenseI32ArrayAttr>:$requestedRegisters,
    OptionalAttr<DenseI32ArrayAttr>:$actualRegisters);
  let results = (outs Variadic<AnyType>:$defaultPassthrough);
  let regions = (region SizedRegion<1>:$defaultRegion, SizedRegion<1>:$partitionOpHolder);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::mlir::ValueRange":$captures,
                             "::llvm::ArrayRef<int32_t>":$partitionNumWarps)>];
  let extraClassDeclaration = [{
    WarpSpecializePartitionsOp getPartitionsOp();
    ::mlir::MutableArrayRef<::mlir::Region> getPartitionRegions();
    unsigned getTotalPartitionWarps();
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def TTG_WarpSpecializePartitionsOp : Op<TTG_Dialect, "warp_specialize.partitions", [IsolatedFromAbove, TT_NoTiles,
    RecursiveMemoryEffects, Terminator, HasParent<"WarpSpecializeOp">]> {
  let summary = "holds the partitions, which can use only their arguments";
  let regions = (region VariadicRegion<MinSizedRegion<1>>:$partitionRegions);
}

def TTG_WarpYieldOp : Op<TTG_Dialect, "warp_yield", [Pure, Terminator, ReturnLike, HasParent<"WarpSpecializeOp">]> {
  let summary = "ends the default region with the operation's results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

def TTG_WarpReturnOp : Op<TTG_Dialect, "warp_return", [Pure, Terminator, ReturnLike,
                                                       HasParent<"WarpSpecializePartitionsOp">]> {
  let summary = "ends a partition";
  let assemblyFormat = "attr-dict";
}

//===--- once partitions are functions ----------------------------------------------------------------------------===//

def TTG_StartPartitionsOp : Op<TTG_Dialect, "start_partitions", [TT_NoTiles, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "makes worker warps run a function for each partition, all with the same arguments";
  let description = [{
    The attributes of each function specify the warps that execute it. All earlier accesses of all threads are complete
    when the partitions start. The arguments are passed in shared memory, starting at allocation.offset.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$partitions, Variadic<AnyType>:$captures);
  let assemblyFormat = "$partitions `(` $captures `)` attr-dict `:` type($captures)";
}

def TTG_JoinPartitionsOp : Op<TTG_Dialect, "join_partitions", [TT_NoTiles, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "waits until the partitions have ended";
  let assemblyFormat = "attr-dict";
}

#endif // TILECC_TTG_PARTITION_OPS
