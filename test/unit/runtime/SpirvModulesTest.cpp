//===-- SpirvModulesTest.cpp - tests the search for the SPIR-V module of a kernel ---------------------------------===//
#include "runtime/src/opencl/SpirvModules.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

using tilecc::rt::findSpirvModule;

namespace {
enum : uint32_t { opEntryPoint = 15, opReturn = 253 };

using Words = std::vector<uint32_t>;

void add(Words &module, uint32_t opcode, std::initializer_list<uint32_t> operands) {
  module.push_back(uint32_t(operands.size() + 1) << 16 | opcode);
  module.insert(module.end(), operands);
}

// A module with a kernel whose name is this letter.
void addModule(Words &image, char name) {
  image.insert(image.end(), {0x07230203, 0x10300, 0, 9, 0});
  add(image, opEntryPoint, {6, 1, uint32_t(name)});
  add(image, opReturn, {});
}

// The offset of the module, or -1.
int find(const Words &image, const char *name, size_t *size) {
  const uint32_t *found = findSpirvModule(image.data(), image.size(), name, size);
  return found ? int(found - image.data()) : -1;
}
} // namespace

TEST(SpirvModules, FindsTheModuleOfAKernel) {
  Words image;
  addModule(image, 'a');
  size_t first = image.size(), size = 0;
  addModule(image, 'b');
  EXPECT_EQ(find(image, "a", &size), 0);
  EXPECT_EQ(size, first);
  EXPECT_EQ(find(image, "b", &size), int(first));
  EXPECT_EQ(size, image.size() - first);
}

TEST(SpirvModules, SaysThatThereIsNoSuchKernel) {
  Words image;
  size_t size;
  EXPECT_EQ(find(image, "a", &size), -1);
  addModule(image, 'a');
  EXPECT_EQ(find(image, "b", &size), -1);
  EXPECT_EQ(find(image, "ab", &size), -1);
  EXPECT_EQ(find(image, "", &size), -1);
}

TEST(SpirvModules, RefusesDamagedImages) {
  Words image;
  size_t size;
  addModule(image, 'a');
  addModule(image, 'b');
  for (size_t words = 0; words < image.size() - 2; ++words) // the last two are the entry point's name and the return
    EXPECT_EQ(find(Words(image.begin(), image.begin() + words), "b", &size), -1) << words;
  Words wrong = image;
  wrong[5] = 0 << 16 | opEntryPoint; // an instruction with zero words
  EXPECT_EQ(find(wrong, "b", &size), -1);
  wrong = image;
  wrong[0] = 1;
  EXPECT_EQ(find(wrong, "a", &size), -1);
}
