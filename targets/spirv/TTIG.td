//===- TTIG.td - the dialect of Intel's matrix unit ------------------------------------------------*- tablegen -*-===//
//
// Only the encoding of the unit's results needs a dialect. Names are those of Intel's back end for Triton.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TARGETS_SPIRV_TTIG
#define TILECC_TARGETS_SPIRV_TTIG

include "lowering/dialects/ttg/TTGAttributes.td"

def TTIG_Dialect : Dialect {
  let name = "ttig";
  let cppNamespace = "::tilecc::ttig";
  let summary = "the encoding of results of Intel's matrix unit";
  let useDefaultAttributePrinterParser = 1;
}

def TTIG_DpasEncodingAttr
    : AttrDef<TTIG_Dialect, "DpasEncoding",
              [DeclareAttrInterfaceMethods<TTG_LayoutEncoding>, DeclareAttrInterfaceMethods<VerifiableTensorEncoding>,
               DeclareAttrInterfaceMethods<TTG_MatrixUnitEncoding>]> {
  let mnemonic = "dpas";
  let summary = "the result of a dot by the matrix unit of Intel's GPUs";
  let description = [{
    `#ttig.dpas<{repeatCount = 8, warpsPerCTA = [2, 2]}>` is the layout of the result of
    OpSubgroupMatrixMultiplyAccumulateINTEL in sub-groups of 16 lanes, with `warpsPerCTA` instructions side by side and
    the pattern repeated over registers. An instruction computes `repeatCount` rows (1, 2, 4 or 8) of 16 columns. A lane
    holds one column of the result and of the right operand. Of the left operand, it holds one column as well, so the
    result of a dot is a left operand of another one without movement between lanes. An operand's element is one of
    `kWidth` that fill 16 bits.
  }];
  let parameters = (ins "unsigned":$repeatCount, ArrayRefParameter<"unsigned">:$warpsPerCTA);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The lanes of a sub-group, and the columns of an instruction.
    static constexpr unsigned lanes = 16;
  }];
}

#endif
