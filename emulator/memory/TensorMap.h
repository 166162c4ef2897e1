//===-- TensorMap.h - the description of a tensor for bulk tensor copies ----------------------------------------===//
//
// CUDA's CUtensorMap is 128 opaque bytes. cuTensorMapEncodeTiled creates them. Kernels receive them as a parameter or
// in memory and pass their address on, or build maps themselves. The emulator has its own layout (TensorMap.cpp), which
// begins with a magic number, so that invalid maps and those of a GPU are detected.
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
  enum : uint32_t { maxDimensions = 5, bytes = 128, alignment = 64 };
  // CUtensorMapDataType
  enum Type : uint8_t {
    u8,
    u16,
    u32,
    s32,
    u64,
    s64,
    f16,
    f32,
    f64,
    bf16,
    f32Ftz,
    tf32,
    tf32Ftz,
    // 16 numbers of 4 or 6 bits occupy 8 or 12 bytes of the tensor, and the first part of 16 bytes of shared memory.
    // (u4Align8 has no gaps in shared memory. It is not supported.)
    u4Align8,
    u4Align16,
    u6Align16,
    typeCount
  };
  // CUtensorMapSwizzle
  enum Swizzle : uint8_t { swizzleNone, swizzle32, swizzle64, swizzle128, swizzleCount };

  // The arguments of cuTensorMapEncodeTiled, whose first dimension is the innermost.
  uint64_t address = 0;
  uint32_t rank = 0;
  Type type = u8;
  Swizzle swizzle = swizzleNone;
  uint64_t dims[maxDimensions] = {1, 1, 1, 1, 1}; // in elements
  uint64_t strides[maxDimensions] = {}; // in bytes; for dimension 0, the element size
  uint32_t box[maxDimensions] = {1, 1, 1, 1, 1}; // in elements of the tensor
  uint32_t elementStrides[maxDimensions] = {1, 1, 1, 1, 1}; // every n-th element of the box is copied
  bool fillsWithNaN = false; // for elements outside the tensor; otherwise zeros
  // For maps from cuTensorMapEncodeIm2col: the rows of a box are pixels. box[0] is the number of channels, box[1] the
  // number of pixels. The dimensions between the channels and the last belong to an image. Along each, `lower` is the
  // first pixel visited, and the last one is at most `upper` past the tensor's last.
  bool isImage = false;
  int32_t lower[maxDimensions - 2] = {}, upper[maxDimensions - 2] = {};

  uint32_t imageDimensions() const { return isImage ? rank - 2 : 0; }

  uint32_t elementBytes() const; // in a box
  bool isFloat() const { return type >= f16 && type <= tf32Ftz; }
  bool isPacked() const { return type >= u4Align8; }
  // Returns the number of bytes of the tensor that correspond to these bytes of a box.
  uint64_t packed(uint64_t boxBytes) const {
    return type == u4Align16 ? boxBytes / 2 : type == u6Align16 ? boxBytes / 4 * 3 : boxBytes;
  }
  // Stores the NaN for elements outside the tensor.
  void storeNaN(std::byte *element) const;
  // Returns the number of elements of a box that are copied along a dimension. Dimension 0 is always dense.
  uint32_t boxElements(unsigned dimension) const {
    return dimension ? (box[dimension] + elementStrides[dimension] - 1) / elementStrides[dimension] : box[0];
  }
  // Returns the last pixel that a copy visits along a dimension of an image.
  int64_t lastPixel(unsigned dimension) const { return int64_t(dims[dimension]) - 1 + upper[dimension - 1]; }
  uint32_t rowBytes() const { return box[0] * elementBytes(); }
  uint32_t boxBytes() const;
  // Returns the address of byte `offset` of a box that begins at this address in shared memory.
  uint32_t swizzled(uint32_t start, uint32_t offset) const {
    uint32_t linear = start + offset, mask = swizzle == swizzleNone ? 0 : (1u << swizzle) - 1;
    return linear ^ (linear >> 7 & mask) << 4;
  }

  // Describes an error in the map; empty if there is none. The rules are those of NVIDIA's driver.
  std::string check() const;

  std::string checkImage() const; // rules for maps of images
  void store(std::byte (&to)[bytes]) const;
  // Returns the number of bits of corners and offsets for a number of image dimensions; corners are signed.
  static constexpr uint32_t imageBits(uint32_t dimensions) { return dimensions == 1 ? 16 : dimensions == 2 ? 8 : 5; }
  // Loads a map. Returns false if these bytes are not a map. check() then tells whether the map is valid.
  bool load(const std::byte *from);

  // The fields of tensormap.replace, and their numbers.
  enum class Field : uint8_t {
    globalAddress,
    rank,
    boxDim,
    globalDim,
    globalStride,
    elementStride,
    elementType,
    interleave,
    swizzle,
    fill,
    count
  };
  // Replaces a field of the map at `map`, which may also begin as 128 zeros. Returns an error message.
  static std::string replace(std::byte *map, Field field, unsigned dimension, uint64_t value);
};

// A row of a box, along dimension 0: part of the tensor, or of the area around it, which counts as zeros.
struct TensorRow {
  uint32_t offset; // of its first byte in the box
  uint32_t begin, end; // the bytes of the row that are in the tensor
  uint64_t address; // of the byte at `begin`, if there is one
};

// Calls use(TensorRow) for the rows of the box at these coordinates, in their order in shared memory.
template <class F> void eachRow(const TensorMap &map, const int32_t *coordinates, F use) {
  uint32_t row = 0, elementBytes = map.elementBytes();
  int64_t first = coordinates[0], last = first + map.box[0], width = static_cast<int64_t>(map.dims[0]);
  int64_t begin = first < 0 ? 0 : first, end = last > width ? width : last;
  uint32_t count[TensorMap::maxDimensions] = {};
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

// Does what eachRow() does, for the pixels of an image. The traversal starts at these coordinates and goes along the
// first dimension of the image to its upper corner, then from the lower corner in the next row, and so on; the last
// dimension has no corners. Each pixel is moved by `offsets`.
template <class F> void eachPixel(const TensorMap &map, const int32_t *coordinates, const uint32_t *offsets, F use) {
  uint32_t elementBytes = map.elementBytes();
  int64_t at[TensorMap::maxDimensions], width = static_cast<int64_t>(map.dims[0]);
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
