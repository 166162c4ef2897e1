//===- TTInterfaces.td - properties of operations that passes query --------------------------------*- tablegen -*-===//
//
// Passes need certain properties of every operation, such as the relation between the layouts of operands and results.
// This file defines traits and interfaces with which an operation states these properties in its own definition. Every
// operation of our dialects must have one trait or interface for each property below that applies to it; some of MLIR's
// traits also serve (Elementwise, ConstantLike). A unit test (OperationAnswersTest) fails otherwise. docs/adding.md
// lists what a new operation needs.
//
//   Element layout       Elementwise, ConstantLike, SameLayout, AnyLayout, LayoutTransform, LayoutRules; or NoTiles
//   Cost                 Takes<...>; otherwise one instruction per element
//   Shared memory        NoScratch, UsesScratch, LayoutTransform, SharedEffects (ttg); or implied by the element layout
//   Global memory        AccessesGlobal, AccessesTensor, MayAccessGlobal, or NoGlobalAccess; implied by Pure, NoTiles
//   Moves elements only  IndexingMap
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_INTERFACES
#define TILECC_TT_INTERFACES

include "mlir/IR/OpBase.td"

class TT_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::tilecc::tt";
}

/// No operand and no result is a tile in registers.
def TT_NoTiles : TT_Trait<"NoTiles">;
/// Each element of a result depends only on the operands' elements at the same position. All operand and result tiles
/// have the same layout, which may be any layout.
def TT_SameLayout : TT_Trait<"SameLayout">;
/// Operands and results may have arbitrary layouts: elements move if necessary, or each tile is used independently.
def TT_AnyLayout : TT_Trait<"AnyLayout">;
/// Threads do not exchange data through shared memory.
def TT_NoScratch : TT_Trait<"NoScratch">;

/// The operation is not pure, but it does not access global memory in a way that must be ordered with other accesses.
def TT_NoGlobalAccess : TT_Trait<"NoGlobalAccess">;

/// The operation may read and write any global memory, unless it is pure according to its memory effects.
def TT_MayAccessGlobal : TT_Trait<"MayAccessGlobal">;

/// The operation accesses global memory through a tensor descriptor, on which its memory effects are declared.
def TT_AccessesTensor : TT_Trait<"AccessesTensor">;

/// The work that the operation does for each element of a tile: see tt::Work.
class TT_Takes<string work> : ParamNativeOpTrait<"Takes", "::tilecc::tt::Work::" # work> {
  let cppNamespace = "::tilecc::tt";
}

def TT_LayoutRules : OpInterface<"LayoutRules"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Computes the encodings of results from those of operands, and vice versa, for operations whose traits do not
    describe this. Callers use tt::inferResultEncoding and tt::inferOperandEncoding, which also handle the traits.
  }];
  let methods = [
    InterfaceMethod<"Returns the encoding of the tile results if tile operand `number` has the encoding `operand`; "
                    "null if that does not determine it.", "::mlir::Attribute", "inferResultEncoding",
                    (ins "::mlir::Attribute":$operand, "unsigned":$number), "", "return {};">,
    InterfaceMethod<"Returns the encoding that tile operand `number` must have, or may have without moving "
                    "elements, if the tile results have the encoding `result`; null if that does not determine it.",
                    "::mlir::Attribute",
                    "inferOperandEncoding", (ins "::mlir::Attribute":$result, "unsigned":$number), "", "return {};">,
    InterfaceMethod<"Returns true if the layout of the results was chosen for a reason, in a program of `threads`: "
                    "other layouts follow it, and it follows none.",
                    "bool", "isLayoutAnchor", (ins "unsigned":$threads), "", "return false;">,
    InterfaceMethod<"Reports layouts of operands and results that do not fit together.", "::mlir::LogicalResult",
                    "verifyLayouts", (ins), "", "return ::tilecc::tt::verifyLayoutsAgree($_op);">,
  ];
}

def TT_LayoutTransform : OpInterface<"LayoutTransform"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    The operation gives elements other coordinates, as a reshape, a transposition, a join or a split does. If the
    layouts of operands and results correspond, each element stays in the register that holds it. Otherwise, the
    operation also moves elements, like a layout conversion.
  }];
  let methods = [
    InterfaceMethod<"Returns the layout of the results if the operands have `layout` and no element moves; nothing "
                    "if one thread would have to hold the elements of several.",
                    "std::optional<::tilecc::LinearLayout>", "transformLayout",
                    (ins "const ::tilecc::LinearLayout &":$layout)>,
    InterfaceMethod<"Returns the layout of the operands if the results have `layout` and no element moves.",
                    "std::optional<::tilecc::LinearLayout>", "transformLayoutBack",
                    (ins "const ::tilecc::LinearLayout &":$layout)>,
  ];
}

def TT_IndexingMap : OpInterface<"IndexingMap"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Every element of a result is an element of the single operand, selected by its coordinates alone.
  }];
  let methods = [
    InterfaceMethod<"Maps the coordinates of an element of result `number` to those of the equal element of the "
                    "operand. Each is one of the former or a constant.", "::mlir::AffineMap", "getIndexingMap",
                    (ins "unsigned":$number)>,
  ];
}

def TT_AccessesGlobal : OpInterface<"AccessesGlobal"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    The operation reads or writes global memory, one element through each pointer. A value that it reads becomes its
    result, or goes to shared memory (ttg.SharedEffects). Callers use tt::getGlobalAccess.
  }];
  let methods = [
    InterfaceMethod<"Returns the pointers through which the operation accesses memory, and how.",
                    "::tilecc::tt::GlobalAccess", "getGlobalAccess">,
  ];
}

def TT_UsesScratch : OpInterface<"UsesScratch"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Threads may exchange elements through shared memory: they write, wait for each other, and read. A plan in
    lowering/analysis computes the number of bytes that this needs (registerAnalysisModels), and the lowering follows
    the same plan.
  }];
  let methods = [
    InterfaceMethod<"Returns the bytes of shared memory that the operation needs while it runs.",
                    "unsigned", "getScratchBytes">,
    InterfaceMethod<"Returns the alignment of these bytes.", "unsigned", "getScratchAlignment", (ins), "",
                    "return 1;">,
  ];
}

#endif // TILECC_TT_INTERFACES
