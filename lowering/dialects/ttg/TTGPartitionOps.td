//===- TTGPartitionOps.td - warps that run code of their own ---------------------------------------------*- tablegen -*-//
//
// A program may have more warps than those its tiles are distributed over. They wait beside it until it gives them work:
// partitions, which run at the same time and meet the others at barriers in memory alone. Names and textual form are
// Triton's.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTG_PARTITION_OPS
#define TILECC_TTG_PARTITION_OPS

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "lowering/dialects/ttg/TTGOps.td"

def TTG_WarpSpecializeOp : Op<TTG_Dialect, "warp_specialize", [TT_AnyLayout, TT_NoScratch, TT_NoGlobalAccess,
    RecursiveMemoryEffects, DeclareOpInterfaceMethods<RegionBranchOpInterface>]> {
  let summary = "runs the default region with the program's warps, and each partition with warps of its own, at the same time";
  let description = [{
    The operation ends when all have ended. Tiles have the layouts of the warps that run a region. Partitions see what is
    captured, which no tile in registers is. `requestedRegisters`: for each partition, what its threads need; the default
    region's threads get what is left.
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
  let summary = "holds the partitions, which see nothing but their arguments";
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

//===--- once partitions are functions ------------------------------------------------------------------------------===//

def TTG_StartPartitionsOp : Op<TTG_Dialect, "start_partitions", [TT_NoTiles, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<TTG_SharedEffects, ["getSharedWait"]>]> {
  let summary = "has the warps beside the program run a function for each partition, all with the same arguments";
  let description = [{
    Each function has attributes that say which warps run it. Accesses of all threads that came before have happened. The
    arguments are handed over in shared memory, from allocation.offset on.
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
