//===- TTInterfaces.td - what an operation says of itself ------------------------------------------------*- tablegen -*-//
//
// What passes must know of an operation stands at the operation: here are the questions. Every operation of our dialects
// answers those that concern it, by a trait, an interface, or one of MLIR's own traits (Elementwise, ConstantLike), and a
// unit test (OperationAnswersTest) fails for one that does not. docs/adding.md says which answers a new operation needs.
//
//   Where do its elements lie?    Elementwise, ConstantLike, SameLayout, AnyLayout, LayoutTransform, LayoutRules; or NoTiles
//   What work is it?              Takes<...>; one instruction for each element otherwise
//   What of shared memory?        NoScratch, UsesScratch, LayoutTransform, SharedEffects (ttg); or what follows from the
//                                 first answer
//   What of global memory?        AccessesGlobal, AccessesTensor, MayAccessGlobal, or NoGlobalAccess; what is Pure or has NoTiles
//                                 has said enough
//   Are its results moved elements? IndexingMap
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_TT_INTERFACES
#define TILECC_TT_INTERFACES

include "mlir/IR/OpBase.td"

class TT_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::tilecc::tt";
}

/// No operand and no result is a tile in registers.
def TT_NoTiles : TT_Trait<"NoTiles">;
/// Each element of a result depends on what operands have in its place alone: any one layout does for all of them.
def TT_SameLayout : TT_Trait<"SameLayout">;
/// Operands and results may have any layouts: elements go where they have to, or each tile is used by itself.
def TT_AnyLayout : TT_Trait<"AnyLayout">;
/// Threads exchange nothing through shared memory.
def TT_NoScratch : TT_Trait<"NoScratch">;

/// The operation is not pure, but no access to global memory that others had to be ordered with.
def TT_NoGlobalAccess : TT_Trait<"NoGlobalAccess">;

/// The operation may read and write any global memory, unless its memory effects say that it is pure.
def TT_MayAccessGlobal : TT_Trait<"MayAccessGlobal">;

/// The operation accesses global memory by a tensor descriptor; its memory effects name it.
def TT_AccessesTensor : TT_Trait<"AccessesTensor">;

/// How much work a vector of elements is: see tt::Work.
class TT_Takes<string work> : ParamNativeOpTrait<"Takes", "::tilecc::tt::Work::" # work> {
  let cppNamespace = "::tilecc::tt";
}

def TT_LayoutRules : OpInterface<"LayoutRules"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    How the encodings of operands and results determine each other, where that takes more than a trait to say. Ask by
    tt::inferResultEncoding and tt::inferOperandEncoding, which also know the traits.
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
    Elements get other coordinates and stay where they are, wherever a thread can have them: a reshape, a transposition, a
    join, a split. Where layouts of operands and results were chosen otherwise, the operation moves elements as a
    conversion does.
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
    Every element of a result is an element of the one operand, and which one is a matter of its coordinates alone.
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
    Reads or writes global memory, an element through each pointer. What is read is the result, or goes to shared memory
    (ttg.SharedEffects). Ask by tt::getGlobalAccess.
  }];
  let methods = [
    InterfaceMethod<"Through which pointers, and how.", "::tilecc::tt::GlobalAccess", "getGlobalAccess">,
  ];
}

def TT_UsesScratch : OpInterface<"UsesScratch"> {
  let cppNamespace = "::tilecc::tt";
  let description = [{
    Threads may exchange elements through shared memory: they write, wait for each other, and read. How much, a plan in
    lowering/analysis says (registerAnalysisModels), which the lowering carries out.
  }];
  let methods = [
    InterfaceMethod<"Bytes of shared memory that the operation needs while it runs.", "unsigned", "getScratchBytes">,
    InterfaceMethod<"Where they may begin: at multiples of so many.", "unsigned", "getScratchAlignment", (ins), "",
                    "return 1;">,
  ];
}

#endif // TILECC_TT_INTERFACES
