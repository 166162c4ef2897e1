//===-- ImagesTest.cpp - tests which image the runtime selects for which device ----------------------------------===//
#include "runtime/src/Images.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace tilecc::rt;

namespace {
constexpr unsigned A = TILECC_ARCH_SPECIFIC, F = TILECC_ARCH_FAMILY;
tilecc_image sm(unsigned arch) { return {TILECC_IMAGE_CUBIN, arch, nullptr, 0}; }
tilecc_image compute(unsigned arch) { return {TILECC_IMAGE_PTX, arch, nullptr, 0}; }

// Describes the chosen image.
std::string choice(const std::vector<tilecc_image> &images, unsigned device, bool onlyPtx = false) {
  tilecc_module module = {};
  module.images = images.data();
  module.image_count = images.size();
  int index = chooseImage(module, device, onlyPtx);
  if (index == noImage)
    return "-";
  module.images += index;
  module.image_count = 1;
  char text[64];
  return listImages(module, text, sizeof(text));
}
} // namespace

TEST(Images, MachineCodeRunsOnItsMajorVersionFromItsMinorOn) {
  std::vector<tilecc_image> images = {sm(80), sm(86), sm(90)};
  EXPECT_EQ(choice(images, 75), "-");
  EXPECT_EQ(choice(images, 80), "sm_80");
  EXPECT_EQ(choice(images, 86), "sm_86");
  EXPECT_EQ(choice(images, 89), "sm_86");
  EXPECT_EQ(choice(images, 90), "sm_90");
  EXPECT_EQ(choice(images, 100), "-");
  EXPECT_EQ(choice({sm(89)}, 86), "-");
}

TEST(Images, PtxServesWhereNoMachineCodeDoes) {
  std::vector<tilecc_image> images = {compute(80), sm(80), compute(90), sm(90)};
  EXPECT_EQ(choice(images, 89), "sm_80");
  EXPECT_EQ(choice(images, 90), "sm_90");
  EXPECT_EQ(choice(images, 100), "compute_90");
  EXPECT_EQ(choice(images, 120), "compute_90");
  EXPECT_EQ(choice(images, 75), "-");
  EXPECT_EQ(choice({compute(80), compute(90)}, 86), "compute_80");
  EXPECT_EQ(choice(images, 90, /*onlyPtx=*/true), "compute_90");
  EXPECT_EQ(choice({sm(90)}, 90, /*onlyPtx=*/true), "-");
}

TEST(Images, SpecificCodeRunsOnItsOwnArchitectureOnly) {
  std::vector<tilecc_image> images = {sm(90), sm(90 | A), compute(90 | A), compute(80)};
  EXPECT_EQ(choice(images, 90), "sm_90a");
  EXPECT_EQ(choice(images, 100), "compute_80");
  EXPECT_EQ(choice({sm(100 | A)}, 103), "-");
  EXPECT_EQ(choice({compute(90 | A)}, 90), "compute_90a");
  EXPECT_EQ(choice({compute(90 | A)}, 100), "-");
}

TEST(Images, FamilyCodeRunsOnItsFamily) {
  std::vector<tilecc_image> images = {sm(100 | F), sm(100), compute(90)};
  EXPECT_EQ(choice(images, 100), "sm_100f");
  EXPECT_EQ(choice(images, 103), "sm_100f");
  EXPECT_EQ(choice(images, 120), "compute_90");
  EXPECT_EQ(choice({sm(103 | F)}, 100), "-");
  EXPECT_EQ(choice({compute(100 | F)}, 103), "compute_100f");
  EXPECT_EQ(choice({compute(100 | F)}, 120), "-");
}

TEST(Images, AreListedForMessages) {
  tilecc_image images[] = {sm(80), sm(90 | A), sm(100 | F), compute(90)};
  tilecc_module module = {};
  char text[64];
  EXPECT_STREQ(listImages(module, text, sizeof(text)), "none");
  module.images = images;
  module.image_count = 4;
  EXPECT_STREQ(listImages(module, text, sizeof(text)), "sm_80, sm_90a, sm_100f, compute_90");
  EXPECT_STREQ(listImages(module, text, 10), "sm_80, sm");
}

TEST(Images, CodeObjectsAreForTheirProcessor) {
  tilecc_image images[] = {
      compute(80), {TILECC_IMAGE_HSACO, 0x90a, nullptr, 0}, {TILECC_IMAGE_HSACO, 0x942, nullptr, 0}};
  tilecc_module module = {};
  module.images = images;
  module.image_count = 3;
  EXPECT_EQ(chooseImage(module, anyArch, false), 0);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_HSACO, 0x942), 2);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_HSACO, 0x950), noImage);
  char text[64];
  EXPECT_STREQ(listImages(module, text, sizeof(text)), "compute_80, gfx90a, gfx942");
}

TEST(Images, GenericCodeObjectsServeWhereNoExactOneDoes) {
  tilecc_image images[] = {{TILECC_IMAGE_HSACO, 0x940 | F, nullptr, 0},
                           {TILECC_IMAGE_HSACO, 0x942, nullptr, 0},
                           {TILECC_IMAGE_HSACO, 0x1100 | F, nullptr, 0},
                           {TILECC_IMAGE_HSACO, 0x1200 | F, nullptr, 0}};
  tilecc_module module = {};
  module.images = images;
  module.image_count = 4;
  EXPECT_EQ(chooseCodeObject(module, 0x942), 1);
  EXPECT_EQ(chooseCodeObject(module, 0x950), 0);
  EXPECT_EQ(chooseCodeObject(module, 0x90a), noImage);
  EXPECT_EQ(chooseCodeObject(module, 0x1102), 2);
  EXPECT_EQ(chooseCodeObject(module, 0x1151), 2);
  EXPECT_EQ(chooseCodeObject(module, 0x1030), noImage);
  EXPECT_EQ(chooseCodeObject(module, 0x1200), 3);
  EXPECT_EQ(chooseCodeObject(module, 0x1250), noImage);
  char text[64];
  EXPECT_STREQ(listImages(module, text, sizeof(text)), "gfx9-4-generic, gfx942, gfx11-generic, gfx12-generic");
}

TEST(Images, SpirvIsForOpenCLAlone) {
  tilecc_image images[] = {compute(80), {TILECC_IMAGE_SPIRV, 16, nullptr, 0}, {TILECC_IMAGE_SPIRV, 32, nullptr, 0}};
  tilecc_module module = {};
  module.images = images;
  module.image_count = 3;
  EXPECT_EQ(chooseImage(module, 90, false), 0);
  EXPECT_EQ(chooseImage(module, anyArch, false), 0);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_SPIRV, 16), 1);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_SPIRV, 32), 2);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_SPIRV, 64), noImage);
  EXPECT_EQ(findImage(module, TILECC_IMAGE_HSACO, 16), noImage);
  char text[64];
  EXPECT_STREQ(listImages(module, text, sizeof(text)), "compute_80, spirv64:16, spirv64");
  module.images = images + 1;
  module.image_count = 2;
  EXPECT_EQ(chooseImage(module, 90, false), noImage);
  EXPECT_EQ(chooseImage(module, anyArch, false), noImage);
}
