//===-- Variant.h - selects the variant of a kernel that the arguments allow -----------------------------------===//
//
// A kernel is compiled in several variants (compile/Variants.h). A launch runs the first one whose demands it
// satisfies.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_VARIANT_H
#define TILECC_RUNTIME_VARIANT_H

#include "LaunchCode.h"
#include "ProgramGrid.h"

#include <string.h>

namespace tilecc::rt {

// What variants depend on in the arguments of a launch. Sets have a bit for each parameter; the highest bit stands for
// all parameters that have no bit of their own.
struct ArgumentFacts {
  unsigned char pointers = 0;       // the lowest bytes of all pointers, combined by OR
  uint32_t ones = 0;                // integers equal to 1
  uint32_t notBy16 = 0, notBy8 = 0; // integers that are not a multiple of 16 or 8, or are negative
  uint32_t notStrides = 0;                // integers that are negative or above TILECC_MAX_STRIDE
  bool hasNegative = false;               // an integer is negative
  bool hasScales = false, arePositive = true; // about floating-point arguments that variants depend on
};

// The demands by which a variant is restricted to certain numbers of programs, or that depend on its code for a device.
enum : uint32_t {
  demandsOnGrid = TILECC_FEW_BLOCKS | TILECC_ONE_WAVE | TILECC_SHORTER_ROUNDS | TILECC_EVEN_SHARES | TILECC_PAIRS
};

// Returns true if some variants of a kernel depend on the number of programs. If so, the first variant does.
inline bool asksForGrid(const tilecc_kernel &kernel) { return kernel.variants[0].demands & demandsOnGrid; }

// What a device knows about the number of blocks that run at the same time, for one variant.
struct BlocksAtOnce {
  // the largest number of programs for which a variant with TILECC_FEW_BLOCKS, TILECC_ONE_WAVE or TILECC_EVEN_SHARES is
  // intended
  uint64_t maxPrograms = 0;
  // the number of blocks that run at once; set for variants with TILECC_SHORTER_ROUNDS, the variants after them, and
  // numbered variants
  uint64_t active = 0;
  const tilecc_gpu_entry *entry = nullptr; // set if the numbers above are known
  uint64_t processors = 0; // multiprocessors; set if maxPrograms is
};

// For devices that do not know how many blocks run at the same time. Variants with demands on the grid are then not
// chosen.
inline BlocksAtOnce unknownBlocks(uint32_t) { return {}; }

// Returns true if all rounds of blocks of `variant` together take less time for this grid than those of the variant
// after it. (A round is the blocks that run on the device at the same time.)
template <class Blocks>
inline bool hasShorterRounds(const tilecc_kernel &kernel, uint32_t variant, ttDim3 grid, Blocks blocksAtOnce) {
  auto count = [&](uint32_t v) -> uint64_t {
    const BlocksAtOnce blocks = blocksAtOnce(v);
    return blocks.active ? countRounds(grid, kernel.variants[v], *blocks.entry, blocks.active) : 0;
  };
  const BlocksAtOnce blocks = blocksAtOnce(variant);
  if (!blocks.entry || (blocks.entry->programs <= 1 && countParts(kernel.variants[variant]) > 1))
    return false; // parts of programs were to share blocks, but this code is for a device on which they do not
  const uint64_t own = count(variant), others = count(variant + 1);
  return own && others && own * kernel.variants[variant].round_percent < others * 100;
}

// Computes the number of iterations of a program's loop. Returns false if the variant does not say how, or if it cannot
// be computed for these arguments.
inline bool countIterations(const tilecc_kernel &kernel, const tilecc_variant &variant, void *const *args,
                            uint64_t *iterations) {
  int64_t stack[16];
  if (runCode(kernel, variant.iterations, variant.iterations_size, args, stack, 16) != 1)
    return false;
  *iterations = stack[0] > 0 ? stack[0] : 0;
  return true;
}

// Returns the largest number of blocks that can share a program's loop.
inline uint32_t countUsefulBlocks(const tilecc_kernel &kernel, const tilecc_variant &variant,
                                  const tilecc_gpu_entry &entry, void *const *args) {
  uint64_t iterations;
  if (!entry.least_iterations || !countIterations(kernel, variant, args, &iterations))
    return UINT32_MAX;
  const uint64_t blocks = iterations / entry.least_iterations;
  return blocks < 1 ? 1 : blocks < UINT32_MAX ? static_cast<uint32_t>(blocks) : UINT32_MAX;
}

// Returns true if rows of some tensor that `entry` copies do not begin with a cache line.
inline bool copiesCrossLines(const tilecc_kernel &kernel, const tilecc_gpu_entry &entry, void *const *args) {
  for (uint32_t i = 0; i < entry.map_count; ++i)
    if (crossesLines(kernel, entry.maps[i], args))
      return true;
  return false;
}

// Returns true if a launch satisfies TILECC_PAIRS.
inline bool gainsFromPairs(const tilecc_kernel &kernel, void *const *args, ttDim3 grid, const BlocksAtOnce &blocks) {
  return blocks.entry && countAll(grid) % 2 == 0 && copiesCrossLines(kernel, *blocks.entry, args);
}

// Returns true if a launch satisfies TILECC_EVEN_SHARES. Parts load operands more often than whole programs, which
// takes twice as long if rows do not begin with cache lines. If there are two multiprocessors for each program, they can
// split its loop instead.
inline bool hasEvenShares(const tilecc_kernel &kernel, const tilecc_variant &variant, void *const *args, ttDim3 grid,
                          const BlocksAtOnce &blocks) {
  const uint64_t programs = countAll(grid), parts = countParts(variant);
  if (!blocks.entry || programs * parts > blocks.maxPrograms || 2 * programs <= blocks.processors)
    return false;
  auto largestShare = [&](uint64_t count) { return (count + blocks.processors - 1) / blocks.processors; };
  return largestShare(programs * parts) * variant.round_percent < largestShare(programs) * parts * 100 &&
         !copiesCrossLines(kernel, *blocks.entry, args);
}

// Returns true if a launch of few programs satisfies TILECC_SHORT_LOOPS. A launch whose number of iterations cannot be
// computed from its arguments counts as one without iterations.
inline bool hasShortLoops(const tilecc_kernel &kernel, const tilecc_variant &variant, void *const *args, ttDim3 grid,
                          const BlocksAtOnce &blocksAtOnce) {
  uint64_t iterations = 0;
  countIterations(kernel, variant, args, &iterations);
  const uint64_t parts = countParts(variant), blocksOfPart = blocksAtOnce.processors / (countAll(grid) * parts);
  const uint64_t most = variant.max_iterations;
  // Small parts, whose blocks do not share iterations, load operands often, which takes twice as long if rows do not
  // begin with cache lines. If there is room for several blocks, sharing is faster with fewer iterations.
  if (const tilecc_gpu_entry *entry = blocksAtOnce.entry; entry && !entry->least_iterations)
    return !copiesCrossLines(kernel, *entry, args) && iterations <= (blocksOfPart > 1 ? most - most / 4 : most);
  return iterations <= most * parts * blocksOfPart;
}

// Returns true if the grid satisfies the demands of a variant.
template <class Blocks>
inline bool suitsGrid(const tilecc_kernel &kernel, uint32_t number, void *const *args, ttDim3 grid,
                      Blocks blocksAtOnce) {
  const tilecc_variant &variant = kernel.variants[number];
  constexpr uint32_t few = TILECC_FEW_BLOCKS | TILECC_ONE_WAVE;
  return (variant.parts <= 1 || uint64_t(grid.x) * variant.parts <= INT32_MAX) &&
         (!(variant.demands & few) || countAll(grid) * countParts(variant) <= blocksAtOnce(number).maxPrograms) &&
         (!(variant.demands & TILECC_SHORT_LOOPS) ||
          hasShortLoops(kernel, variant, args, grid, blocksAtOnce(number))) &&
         (!(variant.demands & TILECC_EVEN_SHARES) ||
          hasEvenShares(kernel, variant, args, grid, blocksAtOnce(number))) &&
         (!(variant.demands & TILECC_PAIRS) || gainsFromPairs(kernel, args, grid, blocksAtOnce(number))) &&
         (!(variant.demands & TILECC_SHORTER_ROUNDS) || hasShorterRounds(kernel, number, grid, blocksAtOnce));
}

inline bool isPositive(const tilecc_param &param, const void *value) {
  double number;
  if (param.size == sizeof(float))
    number = *static_cast<const float *>(value);
  else
    memcpy(&number, value, sizeof(number));
  return number > 0 && number <= __DBL_MAX__;
}

// Determines the facts about the arguments. Arguments are little-endian: the first byte shows whether a number is a
// multiple of 16 or 8, and the last byte whether it is negative.
inline ArgumentFacts examine(const tilecc_kernel &kernel, void *const *args) {
  static_assert(TILECC_UNIT_PARAMETERS == 31);
  ArgumentFacts facts;
  for (uint32_t i = 0; i < kernel.param_count; ++i) {
    const tilecc_param &param = kernel.params[i];
    if (param.kind == TILECC_PARAM_OTHER)
      continue;
    const unsigned char *bytes = static_cast<const unsigned char *>(args[i]), low = bytes[0];
    if (param.kind == TILECC_PARAM_POINTER) {
      facts.pointers |= low;
      continue;
    }
    if (param.kind == TILECC_PARAM_POSITIVE) {
      facts.hasScales = true;
      facts.arePositive &= isPositive(param, bytes);
      continue;
    }
    const uint32_t bit = 1u << (i < TILECC_UNIT_PARAMETERS ? i : TILECC_UNIT_PARAMETERS);
    const bool isNegative = bytes[param.size - 1] & 128;
    facts.notBy16 |= low & 15 || isNegative ? bit : 0;
    facts.notBy8 |= low & 7 || isNegative ? bit : 0;
    facts.hasNegative |= isNegative;
    uint64_t number = 0;
    memcpy(&number, bytes, param.size);
    facts.notStrides |= isNegative || number > TILECC_MAX_STRIDE ? bit : 0;
    if (number == 1 && i < TILECC_UNIT_PARAMETERS)
      facts.ones |= bit;
  }
  return facts;
}

inline bool areMet(const tilecc_variant &variant, const ArgumentFacts &facts) {
  const uint32_t exempt = variant.units | variant.free;
  return !(variant.demands & TILECC_POINTERS_DIVISIBLE_BY_16 && facts.pointers & 15) &&
         !(variant.units & ~facts.ones) && !(variant.strides & facts.notStrides) &&
         !(variant.demands & TILECC_INTEGERS_DIVISIBLE_BY_16 && facts.notBy16 & ~exempt) &&
         !(variant.demands & TILECC_INTEGERS_DIVISIBLE_BY_8 && facts.notBy8 & ~exempt) &&
         !(variant.demands & TILECC_FLOATS_POSITIVE && !facts.arePositive) &&
         !(variant.demands & TILECC_FEW_ROWS && facts.hasNegative);
}

// Returns true if the launch has as few rows as the variant assumes.
inline bool hasFewRows(const tilecc_kernel &kernel, const tilecc_variant &variant, void *const *args) {
  if (!(variant.demands & TILECC_FEW_ROWS))
    return true;
  uint64_t rows = 0; // little-endian; a negative number is a large one
  memcpy(&rows, args[variant.rows], kernel.params[variant.rows].size);
  return rows <= variant.max_rows;
}

// Returns the demands that the arguments satisfy, without the assumption that some integer is 1.
inline uint32_t demandsMet(const tilecc_kernel &kernel, void *const *args) {
  ArgumentFacts facts = examine(kernel, args);
  return (facts.pointers & 15 ? 0 : TILECC_POINTERS_DIVISIBLE_BY_16) |
         (facts.notBy16 ? 0 : TILECC_INTEGERS_DIVISIBLE_BY_16) | (facts.notBy8 ? 0 : TILECC_INTEGERS_DIVISIBLE_BY_8) |
         (facts.hasScales && facts.arePositive ? TILECC_FLOATS_POSITIVE : 0);
}

// Returns the first variant whose demands the launch satisfies; the last one has no demands. `blocksAtOnce(v)` returns
// the BlocksAtOnce of variant v. `mayBeImages` is true if the launch may still use tensor maps of images.
template <class Blocks = BlocksAtOnce (*)(uint32_t)>
inline uint32_t chooseVariant(const tilecc_kernel &kernel, void *const *args, ttDim3 grid = {},
                              Blocks blocksAtOnce = unknownBlocks, bool mayBeImages = true) {
  uint32_t last = kernel.variant_count - 1, variant = 0;
  if (last == 0)
    return 0;
  const ArgumentFacts facts = examine(kernel, args);
  auto fits = [&](uint32_t v) {
    const uint32_t demands = kernel.variants[v].demands;
    return areMet(kernel.variants[v], facts) && (mayBeImages || !(demands & TILECC_IMAGES)) &&
           suitsGrid(kernel, v, args, grid, blocksAtOnce) && hasFewRows(kernel, kernel.variants[v], args);
  };
  while (variant < last && !fits(variant))
    ++variant;
  return variant;
}

// The last programs of a launch, if another variant would run them faster.
struct Tail {
  uint32_t programs = 0; // 0: there is none
  uint32_t variant = 0;
};

// Chooses the tail of a launch of `variant`: the last programs, which do not fill a round of blocks, if there is a
// variant for few programs that divides their tiles.
template <class Blocks>
inline Tail chooseTail(const tilecc_kernel &kernel, void *const *args, uint32_t variant, ttDim3 grid,
                       Blocks blocksAtOnce) {
  const uint32_t programs = countTail(countAll(grid), blocksAtOnce(variant).active);
  if (!programs)
    return {};
  const ArgumentFacts facts = examine(kernel, args);
  for (uint32_t v = 0; v < variant; ++v) {
    const tilecc_variant &other = kernel.variants[v];
    if (!(other.demands & TILECC_FEW_BLOCKS) || other.parts <= 1 || !areMet(other, facts))
      continue;
    const BlocksAtOnce blocks = blocksAtOnce(v);
    if (uint64_t(programs) * other.parts <= blocks.processors && blocks.entry && blocks.entry->numbered &&
        !blocks.entry->persistent && hasFewRows(kernel, other, args))
      return {programs, v};
  }
  return {};
}

// Returns the variant to launch instead of one whose tensor maps cannot be encoded. If these are maps of images, it is
// the first variant without such maps; otherwise it is the last variant.
template <class Blocks>
inline uint32_t chooseAnother(const tilecc_kernel &kernel, void *const *args, uint32_t variant, ttDim3 grid,
                              Blocks blocksAtOnce) {
  bool hasImages = kernel.variants[variant].demands & TILECC_IMAGES;
  return hasImages ? chooseVariant(kernel, args, grid, blocksAtOnce, /*mayBeImages=*/false) : kernel.variant_count - 1;
}

// Sets `attributes` to what the entry of image `image` says about the code of the variant without demands.
inline void describeEntry(const tilecc_kernel &kernel, uint32_t image, ttFuncAttributes &attributes) {
  const tilecc_gpu_entry &entry = kernel.variants[kernel.variant_count - 1].gpu[image];
  attributes = {};
  attributes.threads = entry.threads;
  attributes.shared_bytes = entry.shared_bytes;
  attributes.cluster = entry.cluster;
}

} // namespace tilecc::rt
#endif
