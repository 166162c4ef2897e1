// Tests the table of architectures: spellings convert in both directions, each architecture has the features of older
// ones, and chip-specific features are marked.
#include "targets/nvidia/Architectures.h"
#include "lowering/dialects/ttg/TTG.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace tilecc;
using namespace tilecc::nvidia;

namespace {

mlir::OwningOpRef<mlir::ModuleOp> moduleFor(mlir::MLIRContext &context, llvm::StringRef target) {
  mlir::OpBuilder builder(&context);
  auto module = mlir::ModuleOp::create(builder, builder.getUnknownLoc());
  module->setAttr(ttg::targetAttr, builder.getStringAttr(target));
  return module;
}

TEST(Architectures, EveryTargetIsParsedAsItIsSpelled) {
  for (const Facts &facts : allArchitectures()) {
    std::string error;
    EXPECT_EQ(parseTarget(spellTarget(facts.arch), error), facts.arch) << error;
    EXPECT_EQ(Architecture::parse(facts.arch.str()), facts.arch);
    EXPECT_EQ(findFacts(facts.arch), &facts);
  }
}

TEST(Architectures, CodeForHopperIsThatChipsOwn) {
  EXPECT_EQ(spellTarget({90, 'a'}), "cuda:90");
  EXPECT_EQ(spellTarget({90}), "cuda:compute_90");
  EXPECT_EQ(spellTarget({80}), "cuda:80");
  EXPECT_EQ(spellTarget({100, 'a'}), "cuda:100a");
  EXPECT_EQ(architectureOfCode({90}), (Architecture{90, 'a'}));
  EXPECT_EQ(architectureOfCode({100}), Architecture{100});
}

TEST(Architectures, FeaturesGrow) {
  const Facts *before = nullptr;
  for (const Facts &facts : allArchitectures()) {
    if (facts.arch.suffix)
      EXPECT_EQ(findFacts({facts.arch.number})->features & ~facts.features, 0u) << facts.arch.sm();
    else if (before)
      EXPECT_EQ(before->features & ~facts.features, 0u) << facts.arch.sm();
    if (!facts.arch.suffix)
      before = &facts;
  }
}

TEST(Architectures, AnswersAreNoted) {
  mlir::MLIRContext context;
  auto code = moduleFor(context, "cuda:90");
  const Facts &ampere = *findFacts({80}), &ada = *findFacts({89}), &portable = *findFacts({90}), &chip = *findFacts({90, 'a'});
  Answers answers;
  Answers::Listener listener(answers);
  EXPECT_TRUE(answers.areThoseOf(ampere)) << "nothing has been asked";
  EXPECT_TRUE(hasFeature(*code, Feature::Clusters));
  EXPECT_TRUE(answers.areThoseOf(portable));
  EXPECT_FALSE(answers.areThoseOf(ampere)) << "it has no clusters";
  EXPECT_TRUE(hasFeature(*code, Feature::Wgmma));
  EXPECT_TRUE(answers.areThoseOf(chip));
  EXPECT_FALSE(answers.areThoseOf(portable));

  Answers ofMemory;
  Answers::Listener inner(ofMemory);
  EXPECT_TRUE(ampere.fits(64 << 10));
  EXPECT_TRUE(ofMemory.areThoseOf(ada));
  EXPECT_TRUE(ampere.fits(128 << 10));
  EXPECT_FALSE(ofMemory.areThoseOf(ada)) << "it has less";
  EXPECT_FALSE(ampere.fits(200 << 10));
  EXPECT_FALSE(ofMemory.areThoseOf(portable)) << "it has more";
}

} // namespace
