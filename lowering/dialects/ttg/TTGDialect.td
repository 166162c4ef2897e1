//===- TTGDialect.td - the dialect of tile layouts -------------------------------------------------*- tablegen -*-===//
//
// TTGIR is TTIR in which every tile's type has an encoding, which defines the register and thread that hold each
// element. This dialect defines the encodings (TTGAttributes.td), tiles in shared memory (TTGTypes.td), and the
// operations that move data between memories (TTGOps.td). Names and textual form are those of Triton 3.6's `ttg`
// dialect. The meaning of an encoding is its linear layout (lowering/layouts), which is the only property that passes
// use.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TTG_DIALECT
#define TILECC_TTG_DIALECT

include "mlir/IR/DialectBase.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::tilecc::ttg";
  let summary = "Placement of tiles in registers, threads and shared memory";
  let dependentDialects = ["::tilecc::tt::TTDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    /// Adds the interface through which tt's operations query encodings (tt::EncodingAlgebra).
    void addEncodingAlgebra();
  }];
}

#endif // TILECC_TTG_DIALECT
