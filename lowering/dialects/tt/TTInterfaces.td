//===- TTInterfaces.td - what operations state about themselves -----------------------------------*- tablegen -*-===//
//
// An operation states at its definition what passes must know of it. This file defines the questions. Every operation
// of our dialects answers those that concern it by a trait, an interface, or one of MLIR's own traits (Elementwise,
// ConstantLike); a unit test (OperationAnswersTest) fails for an operation that does not. docs/adding.md says which
// answers a new operation needs.
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
/// Each element of a result depends only on the operands' elements at the same position: all have one layout, and any
/// will do.
def TT_SameLayout : TT_Trait<"SameLayout">;
/// Operands and results may have any layouts: elements move where necessary, or each tile is used independently.
def TT_AnyLayout : TT_Trait<"AnyLayout">;
/// Threads exchange nothing through shared memory.
def TT_NoScratch : TT_Trait<"NoScratch">;

/// The operation is not pure, but accesses no global memory in a way that must be ordered with other accesses.
def TT_NoGlobalAccess : TT_Trait<"NoGlobalAccess">;

/// The operation may read and write any global memory, unless its memory effects say that it is pure.
def TT_MayAccessGlobal : TT_Trait<"MayAccessGlobal">;

/// The operation accesses global memory through a tensor descriptor, which its memory effects name.
def TT_AccessesTensor : TT_Trait<"AccessesTensor">;

/// The work for a vector of elements: see tt::Work.
class TT_Takes<string work> : ParamNativeOpTrait<"Takes", "::tilecc::tt::Work::" # work> {
  let cppNamespace = "::tilecc::tt";
}

def TT_LayoutRules : OpInterface<"LayoutRules"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    How the encodings of operands and results determine each other, if traits do not suffice to say it. Call
    tt::inferResultEncoding and tt::inferOperandEncoding, which also handle the traits.
  }];
  let methods = [
    InterfaceMethod<"The encoding of the tile results when tile operand `number` is encoded `operand`; null where none "
                    "follows.", "::mlir::Attribute", "inferResultEncoding",
                    (ins "::mlir::Attribute":$operand, "unsigned":$number), "", "return {};">,
    InterfaceMethod<"The encoding that tile operand `number` must have, or may have without an exchange of elements, when "
                    "the tile results are encoded `result`; null where none follows.", "::mlir::Attribute",
                    "inferOperandEncoding", (ins "::mlir::Attribute":$result, "unsigned":$number), "", "return {};">,
    InterfaceMethod<"Whether the layout of the results was chosen for a reason, in a program of `threads`: others follow "
                    "it, and it follows none.", "bool", "isLayoutAnchor", (ins "unsigned":$threads), "", "return false;">,
    InterfaceMethod<"Reports layouts of operands and results that do not fit together.", "::mlir::LogicalResult",
                    "verifyLayouts", (ins), "", "return ::tilecc::tt::verifyLayoutsAgree($_op);">,
  ];
}

def TT_LayoutTransform : OpInterface<"LayoutTransform"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Elements get other coordinates, but stay in place if a thread can hold them: a reshape, a transposition, a join, a
    split. If the layouts of operands and results do not match in this way, the operation moves elements like a
    conversion.
  }];
  let methods = [
    InterfaceMethod<"The layout of the results when operands have `layout` and no element moves; nothing where one thread "
                    "would have to hold what several do.", "std::optional<::tilecc::LinearLayout>", "transformLayout",
                    (ins "const ::tilecc::LinearLayout &":$layout)>,
    InterfaceMethod<"The same from results to operands.", "std::optional<::tilecc::LinearLayout>", "transformLayoutBack",
                    (ins "const ::tilecc::LinearLayout &":$layout)>,
  ];
}

def TT_IndexingMap : OpInterface<"IndexingMap"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Every element of a result is an element of the single operand, selected by its coordinates alone.
  }];
  let methods = [
    InterfaceMethod<"From the coordinates of an element of result `number` to those of the operand's element that it is: "
                    "each is one of the former or a constant.", "::mlir::AffineMap", "getIndexingMap",
                    (ins "unsigned":$number)>,
  ];
}

def TT_AccessesGlobal : OpInterface<"AccessesGlobal"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Reads or writes global memory, one element through each pointer. A read value is the result, or goes to shared
    memory (ttg.SharedEffects). Call tt::getGlobalAccess.
  }];
  let methods = [
    InterfaceMethod<"Through which pointers, and how.", "::tilecc::tt::GlobalAccess", "getGlobalAccess">,
  ];
}

def TT_UsesScratch : OpInterface<"UsesScratch"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Threads may exchange elements through shared memory: they write, wait for each other, and read. A plan in
    lowering/analysis computes the size (registerAnalysisModels), and the lowering follows that plan.
  }];
  let methods = [
    InterfaceMethod<"Bytes of shared memory that the operation needs while it runs.", "unsigned", "getScratchBytes">,
    InterfaceMethod<"Where they may begin: at multiples of so many.", "unsigned", "getScratchAlignment", (ins), "",
                    "return 1;">,
  ];
}

#endif // TILECC_TT_INTERFACES
