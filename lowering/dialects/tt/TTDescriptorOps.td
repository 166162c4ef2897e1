//===- TTDescriptorOps.td - accesses by tensor descriptors -----------------------------------------*- tablegen -*-===//
//
// A tensor descriptor describes a tensor in global memory by its address, sizes and strides. An access names a block of
// the tensor by the index of its first element. Elements of the block that are outside the tensor read as padding and
// are not written. From sm_90 on, descriptors are tensor maps of the tensor memory accelerator; on other targets,
// triton-rewrite-tensor-descriptor-to-pointer replaces them by pointers and masks.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_DESCRIPTOR_OPS
#define TILECC_TT_DESCRIPTOR_OPS

include "lowering/dialects/tt/TTOps.td"

def TT_TensorDescType : TypeDef<TT_Dialect, "TensorDesc"> {
  let mnemonic = "tensordesc";
  let summary = "a descriptor of a tensor in global memory that is accessed in blocks of one shape";
  let description = [{
    `!tt.tensordesc<tensor<64x64xf16>>` gives access to blocks of 64x64 elements. If the block has an encoding, it is
    the layout of a block in shared memory. Here, integers may have a sign (si32, ui8), by which async_tma_reduce and
    descriptor_reduce compare them, although tiles have signless integers. The form `!tt.tensordesc<64x64xf16>` of
    Triton 3.9 can be read as well.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::RankedTensorType":$blockType), [{
    return $_get(blockType.getContext(), blockType);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// Returns the block's type with signless integers, as in tiles.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
}

def TT_DescriptorReduceKind : TT_Enum<"DescriptorReduceKind", [
  I32EnumAttrCase<"ADD", 1, "add">, I32EnumAttrCase<"MIN", 2, "min">, I32EnumAttrCase<"MAX", 3, "max">,
  I32EnumAttrCase<"INC", 4, "inc">, I32EnumAttrCase<"DEC", 5, "dec">, I32EnumAttrCase<"AND", 6, "and">,
  I32EnumAttrCase<"OR", 7, "or">, I32EnumAttrCase<"XOR", 8, "xor">]>;

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, TT_NoTiles, SameVariadicOperandSize]> {
  let summary = "the descriptor of a tensor";
  let description = [{
    `strides` count elements; the last stride is 1. The address, and the other strides in bytes, are multiples of 16.
    `padding` says whether reads outside the tensor yield zeros or NaNs.
  }];
  let arguments = (ins TT_PointerType:$base, Variadic<I32>:$shape, Variadic<I64>:$strides,
                   DefaultValuedAttr<TT_PaddingOption, "::tilecc::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
  let hasVerifier = 1;
}

/// An access to memory through a descriptor.
class TT_DescriptorOp<string mnemonic, list<Trait> traits = []>
    : TT_Op<mnemonic, [TT_AnyLayout, TT_NoScratch, TT_AccessesTensor, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]
                      # traits> {
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_DescriptorOp<"descriptor_load"> {
  let summary = "reads a block";
  let arguments = (ins TT_TensorDescType:$desc, Variadic<I32>:$indices,
    DefaultValuedAttr<TT_CacheModifier, "::tilecc::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicy, "::tilecc::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict) attr-dict
    `:` qualified(type($desc)) `->` type($result)
  }];
}

def TT_DescriptorStoreOp : TT_DescriptorOp<"descriptor_store"> {
  let summary = "writes a block";
  let arguments = (ins TT_TensorDescType:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}

def TT_DescriptorReduceOp : TT_DescriptorOp<"descriptor_reduce"> {
  let summary = "atomically combines each element of a block with the one in memory";
  let arguments = (ins TT_DescriptorReduceKind:$kind, TT_TensorDescType:$desc, TT_Tensor:$src, Variadic<I32>:$indices);
  let assemblyFormat = "$kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)";
}

def TT_DescriptorGatherOp : TT_DescriptorOp<"descriptor_gather"> {
  let summary = "reads parts of the rows `x_offsets` from column `y_offset` on; the block has one row";
  let arguments = (ins TT_TensorDescType:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
}

def TT_DescriptorScatterOp : TT_DescriptorOp<"descriptor_scatter"> {
  let summary = "writes parts of the rows `x_offsets` from column `y_offset` on; the block has one row";
  let arguments = (ins TT_TensorDescType:$desc, RankedTensorOf<[I32]>:$x_offsets, I32:$y_offset, TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
}

#endif // TILECC_TT_DESCRIPTOR_OPS
