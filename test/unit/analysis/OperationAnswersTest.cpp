// Checks that every operation of our dialects answers the queries of passes (lowering/dialects/tt/TTInterfaces.td). An
// operation without an answer would be handled by a default, and silently compiled to wrong or slow code.
#include "lowering/analysis/AxisInfo.h"
#include "lowering/analysis/Models.h"
#include "lowering/clusters/Distribution.h"
#include "lowering/dialects/ttng/TTNG.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tilecc;

namespace {

class OperationAnswers : public testing::Test {
protected:
  OperationAnswers() {
    DialectRegistry registry;
    registry.insert<tt::TTDialect, ttg::TTGDialect, ttng::TTNGDialect>();
    registerAnalysisModels(registry);
    registerDistributionModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Our operations, except functions, calls, terminators and branches: control flow determines the tiles that these
  /// pass on.
  std::vector<RegisteredOperationName> getOperations() {
    std::vector<RegisteredOperationName> operations;
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.getDialectNamespace().starts_with("tt") && !name.hasTrait<OpTrait::IsTerminator>() &&
          !name.hasInterface<FunctionOpInterface>() && !name.hasInterface<CallOpInterface>() &&
          !name.hasInterface<RegionBranchOpInterface>())
        operations.push_back(name);
    return operations;
  }

  static bool keepsElementsInPlace(RegisteredOperationName name) {
    return name.hasTrait<OpTrait::Elementwise>() || name.hasTrait<OpTrait::ConstantLike>() ||
           name.hasTrait<tt::SameLayout>();
  }

  MLIRContext context;
};

TEST_F(OperationAnswers, ThereAreOperations) { EXPECT_GT(getOperations().size(), 40u); }

TEST_F(OperationAnswers, WhereElementsLie) {
  for (RegisteredOperationName name : getOperations()) {
    int answers = keepsElementsInPlace(name) + name.hasTrait<tt::NoTiles>() + name.hasInterface<tt::LayoutTransform>() +
                  (name.hasTrait<tt::AnyLayout>() || name.hasInterface<tt::LayoutRules>());
    EXPECT_EQ(answers, 1) << name.getStringRef().str()
                          << " must say how layouts of its tiles determine each other: Elementwise, SameLayout, AnyLayout, "
                             "LayoutTransform, LayoutRules or NoTiles";
  }
}

TEST_F(OperationAnswers, WhichPartsBlocksOfAClusterHave) {
  for (RegisteredOperationName name : getOperations()) {
    bool isKnown = keepsElementsInPlace(name) || name.hasTrait<tt::NoTiles>();
    EXPECT_TRUE(isKnown || name.hasInterface<DistributionRules>())
        << name.getStringRef().str() << " must say how its tiles are distributed over the blocks of a cluster: a model of "
        << "DistributionRules (lowering/clusters/DistributionRules.cpp), if it does not keep elements in their places";
  }
}

TEST_F(OperationAnswers, WhatTheyDoToSharedMemory) {
  for (RegisteredOperationName name : getOperations()) {
    bool inPlace = keepsElementsInPlace(name) || name.hasTrait<tt::NoScratch>();
    int answers = (inPlace || name.hasTrait<tt::NoTiles>() || name.hasInterface<ttg::SharedEffects>()) +
                  name.hasInterface<tt::LayoutTransform>() + name.hasInterface<tt::UsesScratch>();
    EXPECT_EQ(answers, 1) << name.getStringRef().str()
                          << " must say whether threads exchange elements through shared memory: NoScratch, "
                             "LayoutTransform, UsesScratch (with a model in lowering/analysis) or SharedEffects";
  }
}

TEST_F(OperationAnswers, WhatTheyDoToGlobalMemory) {
  for (RegisteredOperationName name : getOperations()) {
    bool isPure = name.hasTrait<OpTrait::AlwaysSpeculatableImplTrait>();
    bool hasNone = isPure || name.hasTrait<tt::NoTiles>() || name.hasTrait<tt::NoGlobalAccess>() ||
                   name.hasTrait<tt::AccessesTensor>() || name.hasTrait<tt::MayAccessGlobal>() ||
                   (name.hasInterface<ttg::SharedEffects>() && !name.hasInterface<tt::AccessesGlobal>());
    EXPECT_EQ(hasNone + name.hasInterface<tt::AccessesGlobal>(), 1)
        << name.getStringRef().str()
        << " must say what it does to global memory: AccessesGlobal, AccessesTensor, MayAccessGlobal or "
           "NoGlobalAccess, if it is not Pure";
  }
}

TEST_F(OperationAnswers, WhatIsKnownOfNumbers) {
  for (RegisteredOperationName name : getOperations()) {
    // Operations on shared memory have no axis information, except those that load from it.
    bool hasNumbers = !name.hasTrait<OpTrait::ZeroResults>() &&
                      (name.getDialectNamespace() == "tt" || !name.hasInterface<ttg::SharedEffects>()) &&
                      !(name.getDialectNamespace() != "tt" && name.hasTrait<tt::NoTiles>());
    EXPECT_TRUE(!hasNumbers || name.hasTrait<OpTrait::Elementwise>() || name.hasInterface<tt::IndexingMap>() ||
                name.hasInterface<AxisInfoRules>())
        << name.getStringRef().str()
        << " must say what it does to contiguity, divisibility and constancy: Elementwise, IndexingMap or AxisInfoRules "
           "(with a model in lowering/analysis/AxisInfoInference.cpp, which may be inferNothing)";
  }
}

} // namespace
