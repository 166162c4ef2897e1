//===-- VariantTest.cpp - tests which variant the arguments of a launch allow ------------------------------------===//
#include "runtime/src/Variant.h"

#include <gtest/gtest.h>

using namespace tilecc::rt;

namespace {
constexpr uint32_t P = TILECC_POINTERS_DIVISIBLE_BY_16, I = TILECC_INTEGERS_DIVISIBLE_BY_16,
                   I8 = TILECC_INTEGERS_DIVISIBLE_BY_8;

// The variant chosen for a kernel (pointer, int64_t, int8_t, double) with three variants, the first of which needs
// integers with the property `integers`.
uint32_t choice(uint64_t pointer, int64_t large, int8_t small, uint32_t integers = I) {
  static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_POINTER},
                                        {8, 8, 8, TILECC_PARAM_INTEGER},
                                        {1, 16, 1, TILECC_PARAM_INTEGER},
                                        {8, 24, 8, TILECC_PARAM_OTHER}};
  const tilecc_variant variants[] = {{P | integers, 0, "both", nullptr}, {P, 0, "pointers", nullptr}, {0, 0, "any", nullptr}};
  tilecc_kernel kernel = {};
  kernel.params = params;
  kernel.param_count = 4;
  kernel.variants = variants;
  kernel.variant_count = 3;
  double other = 1.1; // its bits must not matter
  void *args[] = {&pointer, &large, &small, &other};
  return chooseVariant(kernel, args);
}
} // namespace

TEST(Variant, IsTheFirstWhoseDemandsHold) {
  EXPECT_EQ(choice(0x1000, 32, 16), 0u);
  EXPECT_EQ(choice(0, 0, 0), 0u);
  EXPECT_EQ(choice(0x1000, (int64_t(1) << 40) + 16, 16), 0u);
  EXPECT_EQ(choice(0x1000, 33, 16), 1u);
  EXPECT_EQ(choice(0x1000, 32, 1), 1u);
  EXPECT_EQ(choice(0x1000, -1, 0), 1u);
  EXPECT_EQ(choice(0x1000, -16, 16), 1u);
  EXPECT_EQ(choice(0x1000, 16, -128), 1u);
  EXPECT_EQ(choice(0xffffffffffff1000, 16, 16), 0u); // pointers are unsigned
  EXPECT_EQ(choice(0x1008, 32, 16), 2u);
  EXPECT_EQ(choice(0x1001, 33, 16), 2u);
}

TEST(Variant, MayWantMultiplesOfEight) {
  EXPECT_EQ(choice(0x1000, 1000, 8, I8), 0u);
  EXPECT_EQ(choice(0x1000, 32, 16, I8), 0u);
  EXPECT_EQ(choice(0x1000, 1000, 8, I), 1u);
  EXPECT_EQ(choice(0x1000, 1004, 8, I8), 1u);
  EXPECT_EQ(choice(0x1000, -8, 8, I8), 1u);
  EXPECT_EQ(choice(0x1008, 1000, 8, I8), 2u);
}

TEST(Variant, MayWantUnitsToBeOne) {
  static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_INTEGER}, {8, 8, 8, TILECC_PARAM_INTEGER}, {2, 16, 2, TILECC_PARAM_INTEGER}};
  const tilecc_variant variants[] = {
      {I, 0b110, "last", nullptr}, {I, 0b010, "other", nullptr}, {I, 0, "integers", nullptr}, {0, 0, "any", nullptr}};
  tilecc_kernel kernel = {};
  kernel.params = params;
  kernel.param_count = 3;
  kernel.variants = variants;
  kernel.variant_count = 4;
  auto choose = [&](int64_t first, int64_t wide, int16_t narrow) {
    void *args[] = {&first, &wide, &narrow};
    return chooseVariant(kernel, args);
  };
  EXPECT_EQ(choose(16, 1, 1), 0u);
  EXPECT_EQ(choose(16, 1, 32), 1u);
  EXPECT_EQ(choose(16, 16, 32), 2u);
  EXPECT_EQ(choose(16, (int64_t(1) << 32) + 1, 1), 3u); // neither 1 nor a multiple
  EXPECT_EQ(choose(16, 1, 0x101), 3u);
  EXPECT_EQ(choose(16, -1, 1), 3u);
  EXPECT_EQ(choose(17, 1, 1), 3u);
  EXPECT_EQ(choose(1, 1, 1), 3u); // no variant has this one as 1
}

TEST(Variant, MayWantPositiveNumbers) {
  static const tilecc_param params[] = {{4, 0, 4, TILECC_PARAM_POSITIVE}, {8, 8, 8, TILECC_PARAM_POSITIVE}};
  const tilecc_variant variants[] = {{TILECC_FLOATS_POSITIVE, 0, "positive", nullptr}, {0, 0, "any", nullptr}};
  tilecc_kernel kernel = {};
  kernel.params = params;
  kernel.param_count = 2;
  kernel.variants = variants;
  kernel.variant_count = 2;
  auto choose = [&](float narrow, double wide) {
    void *args[] = {&narrow, &wide};
    return chooseVariant(kernel, args);
  };
  EXPECT_EQ(choose(0.125f, 1e-300), 0u);
  EXPECT_EQ(choose(0.125f, -1.0), 1u);
  EXPECT_EQ(choose(0.0f, 1.0), 1u);
  EXPECT_EQ(choose(-0.125f, 1.0), 1u);
  EXPECT_EQ(choose(__builtin_inff(), 1.0), 1u);
  EXPECT_EQ(choose(1.0f, __builtin_nan("")), 1u);
}

TEST(Variant, IsTheTwinWhereAnImageHasNoMap) {
  const tilecc_variant variants[] = {{TILECC_IMAGES | TILECC_FEW_BLOCKS, 0, "few", nullptr},
                                     {TILECC_FEW_BLOCKS, 0, "few_plain", nullptr},
                                     {TILECC_IMAGES | TILECC_ONE_WAVE, 0, "wave", nullptr},
                                     {TILECC_IMAGES, 0, "many", nullptr},
                                     {TILECC_POINTERS_DIVISIBLE_BY_16, 0, "many_plain", nullptr},
                                     {0, 0, "any", nullptr}};
  tilecc_kernel kernel = {};
  kernel.variants = variants;
  kernel.variant_count = 6;
  auto blocksAtOnce = [](uint32_t variant) { return BlocksAtOnce{variant < 2 ? 132u : 264u}; };
  auto choose = [&](ttDim3 grid) { return chooseVariant(kernel, nullptr, grid, blocksAtOnce); };
  auto chooseNext = [&](uint32_t variant, ttDim3 grid) {
    return chooseAnother(kernel, nullptr, variant, grid, blocksAtOnce);
  };
  EXPECT_EQ(choose({66, 2, 1}), 0u);
  EXPECT_EQ(choose({133, 1, 1}), 2u);
  EXPECT_EQ(choose({66, 2, 2}), 2u);
  EXPECT_EQ(choose({265, 1, 1}), 3u);
  EXPECT_EQ(choose({1u << 31, 65535, 65535}), 3u);
  EXPECT_EQ(chooseNext(0, {66, 2, 1}), 1u);
  EXPECT_EQ(chooseNext(2, {66, 2, 2}), 4u);
  EXPECT_EQ(chooseNext(3, {265, 1, 1}), 4u);
  EXPECT_EQ(chooseNext(4, {265, 1, 1}), 5u); // other maps
  EXPECT_EQ(chooseVariant(kernel, nullptr), 3u) << "a device that does not know how many blocks it runs";
}

TEST(Variant, MayWantStridesToBeSmall) {
  static const tilecc_param params[] = {{8, 0, 8, TILECC_PARAM_INTEGER}, {4, 8, 4, TILECC_PARAM_INTEGER}, {2, 12, 2, TILECC_PARAM_INTEGER}};
  tilecc_variant variants[] = {{0, 0, "near", nullptr}, {0, 0, "any", nullptr}};
  variants[0].strides = 0b101;
  tilecc_kernel kernel = {};
  kernel.params = params;
  kernel.param_count = 3;
  kernel.variants = variants;
  kernel.variant_count = 2;
  auto choose = [&](int64_t wide, int32_t other, int16_t narrow) {
    void *args[] = {&wide, &other, &narrow};
    return chooseVariant(kernel, args);
  };
  EXPECT_EQ(choose(TILECC_MAX_STRIDE, -1, 32767), 0u);
  EXPECT_EQ(choose(0, TILECC_MAX_STRIDE + 1, 0), 0u);
  EXPECT_EQ(choose(TILECC_MAX_STRIDE + 1, 1, 1), 1u);
  EXPECT_EQ(choose(int64_t(1) << 32, 1, 1), 1u);
  EXPECT_EQ(choose(-1, 1, 1), 1u);
  EXPECT_EQ(choose(1, 1, -1), 1u);
}

TEST(Variant, RunsPartsOfProgramsWhereFewAreLaunched) {
  const tilecc_variant variants[] = {{TILECC_FEW_BLOCKS | TILECC_FEW_ROWS, 0, "rows", nullptr, 0, 0, /*rows=*/0, 64},
                                     {TILECC_FEW_BLOCKS | TILECC_FEW_ROWS, 0, "wide_rows", nullptr, 0, 0, /*rows=*/1, 64},
                                     {TILECC_FEW_BLOCKS, 0, "quarters", nullptr, 0, 4},
                                     {TILECC_FEW_BLOCKS, 0, "halves", nullptr, 0, 2},
                                     {TILECC_FEW_BLOCKS, 0, "few", nullptr},
                                     {0, 0, "any", nullptr}};
  const tilecc_param params[] = {{4, 0, 4, TILECC_PARAM_INTEGER, TILECC_TYPE_INTEGER},
                                 {8, 8, 8, TILECC_PARAM_INTEGER, TILECC_TYPE_INTEGER}};
  tilecc_kernel kernel = {};
  kernel.params = params;
  kernel.param_count = 2;
  kernel.variants = variants;
  kernel.variant_count = 6;
  auto choose = [&](int32_t narrow, int64_t wide, unsigned programs) {
    void *args[] = {&narrow, &wide};
    return chooseVariant(kernel, args, {programs, 1, 1}, [](uint32_t) { return BlocksAtOnce{132}; });
  };
  constexpr int64_t many = int64_t(1) << 32;
  EXPECT_EQ(choose(64, many, 132), 0u);
  EXPECT_EQ(choose(0, many, 132), 0u);
  EXPECT_EQ(choose(65, 64, 132), 1u);
  EXPECT_EQ(choose(64, -1, 132), 4u); // another integer is negative
  EXPECT_EQ(choose(-1, many, 33), 2u);
  EXPECT_EQ(choose(65, -1, 34), 3u);
  EXPECT_EQ(choose(65, many, 66), 3u);
  EXPECT_EQ(choose(65, many, 67), 4u);
  EXPECT_EQ(choose(1, 1, 133), 5u);
}

TEST(Variant, RunsPartsOfProgramsWhereLoopsAreShort) {
  const int64_t code[] = {TILECC_CODE_PARAMETER, 0, TILECC_CODE_NUMBER, 64, TILECC_CODE_DIVIDE};
  const tilecc_variant variants[] = {{TILECC_FEW_BLOCKS | TILECC_SHORT_LOOPS, 0, "halves", nullptr, 0,
                                      /*parts=*/2, 0, 0, 0, /*max_iterations=*/32, code, 5},
                                     {TILECC_FEW_BLOCKS, 0, "few", nullptr},
                                     {0, 0, "any", nullptr}};
  const tilecc_param param = {4, 0, 4, TILECC_PARAM_INTEGER, TILECC_TYPE_INTEGER};
  tilecc_kernel kernel = {};
  kernel.params = &param;
  kernel.param_count = 1;
  kernel.variants = variants;
  kernel.variant_count = 3;
  auto choose = [&](int32_t depth, unsigned programs) {
    void *args[] = {&depth};
    return chooseVariant(kernel, args, {programs, 1, 1}, [](uint32_t) { return BlocksAtOnce{264, 0, nullptr, 132}; });
  };
  EXPECT_EQ(choose(32 * 2 * 64, 66), 0u) << "a block for each half";
  EXPECT_EQ(choose(32 * 2 * 64 + 64, 66), 1u);
  EXPECT_EQ(choose(64, 67), 1u) << "no multiprocessor for each half";
  EXPECT_EQ(choose(32 * 2 * 64 + 64, 34), 1u);
  EXPECT_EQ(choose(32 * 4 * 64, 33), 0u) << "two blocks split the iterations of each half";
  EXPECT_EQ(choose(32 * 132 * 64, 1), 0u);
  EXPECT_EQ(choose(32 * 132 * 64 + 64, 1), 1u);
  EXPECT_EQ(choose(-1, 66), 0u) << "no iterations";
  const tilecc_gpu_entry alone = {}; // blocks of this code do not share iterations
  auto chooseAlone = [&](int32_t depth, unsigned programs) {
    void *args[] = {&depth};
    return chooseVariant(kernel, args, {programs, 1, 1}, [&](uint32_t) { return BlocksAtOnce{264, 0, &alone, 132}; });
  };
  EXPECT_EQ(chooseAlone(24 * 64, 33), 0u);
  EXPECT_EQ(chooseAlone(24 * 64 + 64, 33), 1u) << "there is room for two blocks for each half";
  EXPECT_EQ(chooseAlone(32 * 64, 34), 0u);
  EXPECT_EQ(chooseAlone(32 * 64, 132), 0u) << "two halves on each multiprocessor";
  EXPECT_EQ(chooseAlone(32 * 64 + 64, 132), 1u);
  EXPECT_EQ(chooseAlone(64, 133), 1u) << "no room for halves";
  EXPECT_EQ(choose(64, 265), 2u);
  kernel.params = nullptr; // must not be read
  const int64_t byZero[] = {TILECC_CODE_NUMBER, 1, TILECC_CODE_NUMBER, 0, TILECC_CODE_DIVIDE};
  tilecc_variant changed[] = {variants[0], variants[1], variants[2]};
  changed[0].iterations = byZero;
  kernel.variants = changed;
  kernel.param_count = 0;
  EXPECT_EQ(choose(1, 66), 0u) << "code without a result";
}

TEST(Variant, HasShorterRoundsThanTheNextOne) {
  const tilecc_variant variants[] = {{TILECC_SHORTER_ROUNDS, 0, "shared", nullptr, 0, /*parts=*/2, 0, 0, /*round=*/130},
                                     {0, 0, "persistent", nullptr}};
  tilecc_gpu_entry entries[] = {{512, 0, 1, 0, nullptr, 0, 0, /*programs=*/3, /*axis=*/0},
                                {384, 0, 1, 0, nullptr, /*persistent=*/2}};
  tilecc_kernel kernel = {};
  kernel.variants = variants;
  kernel.variant_count = 2;
  auto choose = [&](ttDim3 grid) {
    return chooseVariant(kernel, nullptr, grid, [&](uint32_t v) { return BlocksAtOnce{0, 100, &entries[v]}; });
  };
  // 10x20 programs in 2 rounds are 140 blocks of three halves, in 2 rounds, too.
  EXPECT_EQ(choose({10, 20, 1}), 1u);
  // 30x20 programs in 6 rounds are 400 blocks, in 4 rounds that take as long as 5.2.
  EXPECT_EQ(choose({30, 20, 1}), 0u);
  // 20x25 programs in 5 rounds are 350 blocks, in 4 rounds that take as long as 5.2.
  EXPECT_EQ(choose({20, 25, 1}), 1u);
  EXPECT_EQ(choose({1u << 30, 20, 1}), 1u) << "more halves than a grid may have along x";
  EXPECT_EQ(choose({1u << 28, 20, 1}), 1u) << "more programs than the next variant can number";
  entries[0].programs = 1;
  EXPECT_EQ(choose({30, 20, 1}), 1u) << "code for a device on which programs share no block";
  EXPECT_EQ(chooseVariant(kernel, nullptr, {30, 20, 1}), 1u) << "a device that does not know how many blocks it runs";
}

TEST(Variant, RunsPartsThatGiveEvenShares) {
  const tilecc_variant variants[] = {{TILECC_EVEN_SHARES, 0, "halves", nullptr, 0, /*parts=*/2, 0, 0, /*percent=*/125},
                                     {0, 0, "whole", nullptr}};
  const tilecc_param width = {4, 0, 4, TILECC_PARAM_INTEGER, TILECC_TYPE_INTEGER};
  tilecc_tensor_map map = {};
  map.strides[0] = 2; // bytes of an element
  map.parameter = 0;
  tilecc_gpu_entry entry = {};
  entry.maps = &map;
  entry.map_count = 1;
  tilecc_kernel kernel = {};
  kernel.params = &width;
  kernel.param_count = 1;
  kernel.variants = variants;
  kernel.variant_count = 2;
  auto choose = [&](unsigned programs, int32_t elements = 1024) {
    void *args[] = {&elements};
    return chooseVariant(kernel, args, {programs, 1, 1}, [&](uint32_t) { return BlocksAtOnce{396, 0, &entry, 132}; });
  };
  EXPECT_EQ(choose(132), 1u) << "a whole program on each multiprocessor";
  EXPECT_EQ(choose(133), 0u) << "at most three halves, or two whole programs";
  EXPECT_EQ(choose(198), 0u);
  EXPECT_EQ(choose(199), 1u) << "four halves";
  EXPECT_EQ(choose(66), 1u) << "two multiprocessors for each program";
  EXPECT_EQ(choose(144, 1000), 1u) << "rows do not begin with cache lines";
  int32_t elements = 1024;
  void *args[] = {&elements};
  EXPECT_EQ(chooseVariant(kernel, args, {144, 1, 1}), 1u) << "a device that does not know its multiprocessors";
  tilecc_variant pairs[] = {{TILECC_PAIRS, 0, "pairs", nullptr}, variants[1]};
  kernel.variants = pairs;
  EXPECT_EQ(choose(1000, 1000), 0u);
  EXPECT_EQ(choose(1001, 1000), 1u) << "a program has no partner";
  EXPECT_EQ(choose(1000, 1024), 1u) << "rows begin with cache lines";
  EXPECT_EQ(chooseVariant(kernel, args, {144, 1, 1}), 1u) << "a device without tensor maps";
}

TEST(Variant, RunsPartsOfTheLastPrograms) {
  const tilecc_variant variants[] = {{TILECC_FEW_BLOCKS, 0, "quarters", nullptr, 0, /*parts=*/4},
                                     {TILECC_FEW_BLOCKS, 0, "halves", nullptr, 0, /*parts=*/2},
                                     {TILECC_FEW_BLOCKS, 0, "few", nullptr},
                                     {0, 0, "any", nullptr}};
  tilecc_gpu_entry numbered = {128, 0, 1, 1, nullptr, 0, 1, 1, 0, /*numbered=*/2, 0}, plain = numbered;
  plain.numbered = 0;
  tilecc_kernel kernel = {};
  kernel.variants = variants;
  kernel.variant_count = 4;
  uint64_t active = 132;
  auto choose = [&](ttDim3 grid, const tilecc_gpu_entry *entry) {
    Tail tail = chooseTail(kernel, nullptr, 3, grid, [&](uint32_t) { return BlocksAtOnce{264, active, entry, 132}; });
    return std::pair(tail.programs, tail.variant);
  };
  using Result = std::pair<uint32_t, uint32_t>;
  EXPECT_EQ(choose({13, 11, 1}, &numbered), Result(11, 0));
  EXPECT_EQ(choose({18, 18, 1}, &numbered), Result(60, 1));
  EXPECT_EQ(choose({66, 3, 1}, &numbered), Result(66, 1));
  EXPECT_EQ(choose({199, 1, 1}, &numbered), Result(0, 0)) << "67 programs have no room for halves";
  EXPECT_EQ(choose({132, 2, 1}, &numbered), Result(0, 0)) << "full rounds";
  EXPECT_EQ(choose({131, 1, 1}, &numbered), Result(0, 0)) << "less than a round";
  EXPECT_EQ(choose({1 + 132 * 20, 1, 1}, &numbered), Result(0, 0)) << "many rounds";
  active = 264;
  EXPECT_EQ(choose({18, 18, 1}, &numbered), Result(60, 1)) << "of two blocks on each multiprocessor";
  EXPECT_EQ(choose({13, 11, 1}, &numbered), Result(0, 0)) << "less than a round";
  EXPECT_EQ(choose({400, 1, 1}, &numbered), Result(0, 0)) << "a round is more than half full";
  active = 132;
  tilecc_gpu_entry persistent = numbered;
  persistent.persistent = 2;
  EXPECT_EQ(choose({13, 11, 1}, &persistent), Result(0, 0)) << "code that begins with the first program";
  EXPECT_EQ(choose({13, 11, 1}, &plain), Result(0, 0)) << "code that runs all programs of the grid";
  active = 0;
  EXPECT_EQ(choose({13, 11, 1}, &numbered), Result(0, 0)) << "a device that does not know how many blocks it runs";
}

TEST(Variant, NumbersProgramsAlongTheAxesThatTheKernelAsksFor) {
  tilecc_gpu_entry entry = {128, 0, 1, 1, nullptr, 0, 1, 1, 0, /*numbered=*/2, 0};
  EXPECT_TRUE(numbersAll(entry, {5, 7, 1}));
  EXPECT_FALSE(numbersAll(entry, {5, 7, 2}));
  entry.numbered = 1;
  EXPECT_TRUE(numbersAll(entry, {5, 1, 1}));
  EXPECT_FALSE(numbersAll(entry, {5, 7, 1}));
  entry.numbered = 0;
  EXPECT_FALSE(numbersAll(entry, {5, 1, 1}));
}

TEST(Variant, PassesTheNumbersOfProgramsOfALaunch) {
  tilecc_variant variant = {0, 0, "any", nullptr};
  auto numbersOf = [&](uint16_t persistent, uint32_t numbered) {
    tilecc_gpu_entry entry = {128, 0, 1, 1, nullptr, persistent, 1, 1, 0, numbered, 0};
    ProgramGrid laidOut = {};
    EXPECT_TRUE(layOutPrograms({5, 7, 2}, variant, entry, &laidOut));
    return std::vector(laidOut.numbers, laidOut.numbers + countNumbers(entry));
  };
  using Numbers = std::vector<uint32_t>;
  EXPECT_EQ(numbersOf(0, 0), Numbers());
  EXPECT_EQ(numbersOf(2, 0), Numbers({5, 7}));
  EXPECT_EQ(numbersOf(0, 2), Numbers({5, 7, 0})) << "the first program";
  EXPECT_EQ(numbersOf(2, 2), Numbers({5, 7, 35})) << "all programs";
}

TEST(Variant, RunsFewProgramsByClusters) {
  // of a GPU with 132 multiprocessors in groups of 16 and 18
  constexpr uint32_t active[] = {132, 66, 44, 32, 24, 16, 16, 16};
  auto count = [&](uint64_t programs, uint32_t maxBlocks, uint32_t usefulBlocks = UINT32_MAX) {
    return countClusters(programs, maxBlocks, usefulBlocks, [&](uint32_t size) { return active[size - 1]; });
  };
  EXPECT_EQ(count(1, 8), 16u) << "of eight blocks, although single ones would use all multiprocessors";
  EXPECT_EQ(count(2, 8), 8u);
  EXPECT_EQ(count(9, 8), 7u) << "of two blocks: 126 multiprocessors instead of 72";
  EXPECT_EQ(count(16, 8), 1u) << "eight blocks each";
  EXPECT_EQ(count(66, 8), 1u);
  EXPECT_EQ(count(100, 8), 1u);
  EXPECT_LE(count(200, 8), 1u) << "more than run at once";
  EXPECT_EQ(count(40, 1), 3u) << "code without clusters";
  EXPECT_EQ(count(1, 8, 40), 5u) << "40 blocks have iterations";
  EXPECT_EQ(count(1, 8, 9), 1u) << "a single cluster is enough";
  EXPECT_EQ(count(40, 1, 2), 2u);
}

TEST(Variant, BlocksHaveIterations) {
  const int64_t code[] = {TILECC_CODE_PARAMETER, 0, TILECC_CODE_NUMBER, 64, TILECC_CODE_DIVIDE};
  tilecc_variant variant = {0, 0, "few", nullptr};
  const tilecc_param param = {4, 0, 4, TILECC_PARAM_INTEGER, TILECC_TYPE_INTEGER};
  tilecc_kernel kernel = {};
  kernel.params = &param;
  kernel.param_count = 1;
  tilecc_gpu_entry entry = {};
  auto count = [&](int32_t depth) {
    void *args[] = {&depth};
    return countUsefulBlocks(kernel, variant, entry, args);
  };
  EXPECT_EQ(count(512), UINT32_MAX) << "blocks do not share iterations";
  entry.least_iterations = 16;
  EXPECT_EQ(count(512), UINT32_MAX) << "the number of iterations is not known";
  variant.iterations = code;
  variant.iterations_size = 5;
  EXPECT_EQ(count(512), 1u);
  EXPECT_EQ(count(-1), 1u);
  EXPECT_EQ(count(64 * 31), 1u);
  EXPECT_EQ(count(64 * 32), 2u);
  EXPECT_EQ(count(1 << 20), 1024u);
}

TEST(Variant, AKernelMayHaveOneAlone) {
  tilecc_variant variant = {0, 0, "any", nullptr};
  tilecc_kernel kernel = {};
  kernel.variants = &variant;
  kernel.variant_count = 1;
  EXPECT_EQ(chooseVariant(kernel, nullptr), 0u);
}
