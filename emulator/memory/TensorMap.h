//===-- TensorMap.h - what a bulk tensor copy knows of its tensor -----------------------------------------------===//
//
// CUDA's CUtensorMap is 128 bytes that nobody looks into: cuTensorMapEncodeTiled makes them, kernels get them as a
// parameter or in memory, and pass their address on, or put maps together themselves. The emulator has its own layout (TensorMap.cpp), which begins with
// a mark, so that what is no map, or a GPU's, is noticed.
//
//===----------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_EMULATOR_MEMORY_TENSORMAP_H
#define TILECC_EMULATOR_MEMORY_TENSORMAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tilecc::emu {

struct TensorMap {
  enum : uint32_t { mostDimensions = 5, bytes = 128, alignment = 64 };
  // CUtensorMapDataType
  enum Type : uint8_t {
    u8, u16, u32, s32, u64, s64, f16, f32, f64, bf16, f32Ftz, tf32, tf32Ftz,
    // 16 numbers of 4 or 6 bits are 8 or 12 bytes of the tensor, and the first of 16 bytes of shared memory. (u4Align8
    // has no gaps in shared memory. It is not supported.)
    u4Align8, u4Align16, u6Align16, typeCount
  };
  // CUtensorMapSwizzle
  enum Swizzle : uint8_t { swizzleNone, swizzle32, swizzle64, swizzle128, swizzleCount };

  // The arguments of cuTensorMapEncodeTiled, which counts dimensions from the innermost.
  uint64_t address = 0;
  uint32_t rank = 0;
  Type type = u8;
  Swizzle swizzle = swizzleNone;
  uint64_t dims[mostDimensions] = {1, 1, 1, 1, 1};           // elements
  uint64_t strides[mostDimensions] = {};                     // bytes; of dimension 0 an element's
  uint32_t box[mostDimensions] = {1, 1, 1, 1, 1};            // elements of the tensor
  uint32_t elementStrides[mostDimensions] = {1, 1, 1, 1, 1}; // each such element of the box is copied
  bool fillsWithNaN = false;                                 // what of a box is outside of the tensor; else zeros
  // Of maps by cuTensorMapEncodeIm2col: the rows of a box are pixels. box[0] is channels, box[1] pixels. The dimensions
  // between the channels and the last are an image's; the first pixel that is visited along each is `lower`, the last
  // is at most `upper` behind the tensor's last.
  bool isImage = false;
  int32_t lower[mostDimensions - 2] = {}, upper[mostDimensions - 2] = {};

  uint32_t imageDimensions() const { return isImage ? rank - 2 : 0; }

  uint32_t elementBytes() const; // in a box
  bool isFloat() const { return type >= f16 && type <= tf32Ftz; }
  bool isPacked() const { return type >= u4Align8; }
  // How many bytes of the tensor these bytes of a box are.
  uint64_t packed(uint64_t boxBytes) const {
    return type == u4Align16 ? boxBytes / 2 : type == u6Align16 ? boxBytes / 4 * 3 : boxBytes;
  }
  // The NaN that elements outside of the tensor are.
  void storeNaN(std::byte *element) const;
  // Elements of a box that are copied, along a dimension. Dimension 0 is always dense.
  uint32_t boxElements(unsigned dimension) const {
    return dimension ? (box[dimension] + elementStrides[dimension] - 1) / elementStrides[dimension] : box[0];
  }
  // Of an image's dimension: the last that a copy visits.
  int64_t lastPixel(unsigned dimension) const { return int64_t(dims[dimension]) - 1 + upper[dimension - 1]; }
  uint32_t rowBytes() const { return box[0] * elementBytes(); }
  uint32_t boxBytes() const;
  // Where byte `offset` of a box lies that begins at this address of shared memory.
  uint32_t swizzled(uint32_t start, uint32_t offset) const {
    uint32_t linear = start + offset, mask = swizzle == swizzleNone ? 0 : (1u << swizzle) - 1;
    return linear ^ (linear >> 7 & mask) << 4;
  }

  // What is wrong with it, in words; empty if nothing. The rules are those of NVIDIA's driver.
  std::string check() const;

  std::string checkImage() const; // what is particular to these
  void store(std::byte (&to)[bytes]) const;
  // Corners and offsets of images of so many dimensions have so many bits; corners are signed.
  static constexpr uint32_t imageBits(uint32_t dimensions) { return dimensions == 1 ? 16 : dimensions == 2 ? 8 : 5; }
  // False if these bytes are no map. check() says whether it is whole.
  bool load(const std::byte *from);

  // The fields that tensormap.replace names, and its numbers.
  enum class Field : uint8_t {
    globalAddress, rank, boxDim, globalDim, globalStride, elementStride, elementType, interleave, swizzle, fill, count
  };
  // Replaces a field of the map at `map`, or of one that begins as 128 zeros. Returns what is wrong with that, in words.
  static std::string replace(std::byte *map, Field field, unsigned dimension, uint64_t value);
};

// A row of a box, along dimension 0: a piece of the tensor, or of what lies around it, which counts as zeros.
struct TensorRow {
  uint32_t offset;        // of its first byte in the box
  uint32_t begin, end;    // the bytes of it that are in the tensor
  uint64_t address;       // of the byte at `begin`, if there are any
};

// Calls use(TensorRow) for the rows of the box at these coordinates, in the order in which they lie in shared memory.
template <class F> void eachRow(const TensorMap &map, const int32_t *coordinates, F use) {
  uint32_t row = 0, elementBytes = map.elementBytes();
  int64_t first = coordinates[0], last = first + map.box[0], width = static_cast<int64_t>(map.dims[0]);
  int64_t begin = first < 0 ? 0 : first, end = last > width ? width : last;
  uint32_t count[TensorMap::mostDimensions] = {};
  auto at = [&](unsigned d) -> int64_t {
    return d < map.rank ? coordinates[d] + int64_t(count[d]) * map.elementStrides[d] : 0;
  };
  for (;;) {
    bool inside = begin < end;
    uint64_t address = map.address + map.packed(begin * elementBytes);
    for (unsigned d = 1; d < map.rank; ++d) {
      inside = inside && at(d) >= 0 && at(d) < static_cast<int64_t>(map.dims[d]);
      address += at(d) * map.strides[d];
    }
    uint32_t from = inside ? (begin - first) * elementBytes : 0, to = inside ? (end - first) * elementBytes : 0;
    use(TensorRow{row++ * map.rowBytes(), from, to, address});
    unsigned d = 1;
    while (d < map.rank && ++count[d] == map.boxElements(d))
      count[d++] = 0;
    if (d >= map.rank)
      return;
  }
}

// The same for the pixels from these coordinates on, each of which is moved by `offsets`: along the first dimension of
// the image to its upper corner, then from the lower corner on in the next row, and so on; the last dimension has no
// corners.
template <class F> void eachPixel(const TensorMap &map, const int32_t *coordinates, const uint32_t *offsets, F use) {
  uint32_t elementBytes = map.elementBytes();
  int64_t at[TensorMap::mostDimensions], width = static_cast<int64_t>(map.dims[0]);
  std::copy_n(coordinates, map.rank, at);
  int64_t first = at[0], begin = std::clamp<int64_t>(first, 0, width),
          end = std::clamp<int64_t>(first + map.box[0], begin, width);
  for (uint32_t pixel = 0; pixel < map.box[1]; ++pixel) {
    bool inside = begin < end;
    uint64_t address = map.address + map.packed(begin * elementBytes);
    for (unsigned d = 1; d < map.rank; ++d) {
      int64_t place = at[d] + (d + 1 < map.rank ? int64_t(offsets[d - 1]) : 0);
      inside = inside && place >= 0 && place < static_cast<int64_t>(map.dims[d]);
      address += place * map.strides[d];
    }
    uint32_t from = inside ? (begin - first) * elementBytes : 0, to = inside ? (end - first) * elementBytes : 0;
    use(TensorRow{pixel * map.rowBytes(), from, to, address});
    unsigned d = 1;
    for (; d + 1 < map.rank; ++d) {
      at[d] += map.elementStrides[d];
      if (at[d] <= map.lastPixel(d))
        break;
      at[d] = map.lower[d - 1];
    }
    if (d + 1 == map.rank)
      ++at[d];
  }
}

} // namespace tilecc::emu
#endif
