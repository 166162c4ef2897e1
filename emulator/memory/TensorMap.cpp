//===-- TensorMap.cpp - the emulator's 128 bytes of a CUtensorMap ----------------------------------------------===//
#include "emulator/memory/TensorMap.h"

#include <cstring>
#include <iterator>

using namespace tilecc::emu;

namespace {

struct Layout {
  char mark[8];
  uint64_t address;
  uint8_t lastDimension, type, swizzle, reserved[5]; // 128 zeros, from which kernels build maps, have one dimension
  uint32_t lastIndex[TensorMap::maxDimensions]; // a dimension may have 2^32 elements
  uint16_t box[TensorMap::maxDimensions];
  uint8_t elementStrides[TensorMap::maxDimensions], fill;
  uint32_t padding;
  uint64_t strides[TensorMap::maxDimensions - 1];
  int16_t lower[TensorMap::maxDimensions - 2], upper[TensorMap::maxDimensions - 2];
  uint8_t isImage, rest[19];
};
static_assert(sizeof(Layout) == TensorMap::bytes);

constexpr char mark[8] = {'t', 'c', 'c', 'T', 'M', 'A', 'P', '1'};

} // namespace

uint32_t TensorMap::elementBytes() const {
  static constexpr uint8_t sizes[typeCount] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4, 1, 1, 1};
  return sizes[type];
}

void TensorMap::storeNaN(std::byte *element) const {
  // The NaN of an H200, for every type.
  constexpr uint16_t half = 0x7ff7;
  for (uint32_t at = 0; at < elementBytes(); at += sizeof(half))
    std::memcpy(element + at, &half, sizeof(half));
}

uint32_t TensorMap::boxBytes() const {
  uint32_t size = rowBytes();
  if (isImage)
    return size * box[1];
  for (unsigned d = 1; d < rank; ++d)
    size *= boxElements(d);
  return size;
}

std::string TensorMap::checkImage() const {
  auto number = [](int64_t value) { return std::to_string(value); };
  if (rank < 3)
    return "the tensor has " + number(rank) + " dimensions; images have 3 to 5";
  if (isPacked())
    return "images of numbers of 4 and 6 bits are not supported by the emulator";
  if (box[0] == 0 || box[0] > 256)
    return "a copy has " + number(box[0]) + " channels of a pixel; it must have 1 to 256";
  if (box[1] == 0 || box[1] > 1024)
    return "a copy has " + number(box[1]) + " pixels; it must have 1 to 1024";
  int32_t most = (1 << (imageBits(rank - 2) - 1)) - 1, least = -most - 1;
  for (unsigned d = 1; d + 1 < rank; ++d) {
    for (int32_t corner : {lower[d - 1], upper[d - 1]})
      if (corner < least || corner > most)
        return "a corner is " + number(corner) + " along dimension " + number(d) + "; it must be " + number(least) +
               " to " + number(most);
    if (lastPixel(d) < lower[d - 1])
      return "the box has no pixels along dimension " + number(d) + ", from " + number(lower[d - 1]) + " to " +
             number(lastPixel(d));
  }
  return {};
}

std::string TensorMap::check() const {
  auto number = [](uint64_t value) { return std::to_string(value); };
  if (rank == 0)
    return "the tensor has no dimensions; it must have 1 to 5";
  if (fillsWithNaN && !isFloat())
    return "elements outside of the tensor cannot be NaN, because the tensor's elements are integers";
  if (address % 16)
    return "the tensor's address must be aligned to 16 bytes";
  for (unsigned d = 0; d < rank; ++d) {
    std::string along = " along dimension " + number(d);
    if (dims[d] == 0 || dims[d] > uint64_t(1) << 32)
      return "the tensor has " + number(dims[d]) + " elements" + along + "; it must have 1 to 2^32";
    if (!isImage && (box[d] == 0 || box[d] > 256))
      return "the box has " + number(box[d]) + " elements" + along + "; it must have 1 to 256";
    if (elementStrides[d] == 0 || elementStrides[d] > 8)
      return "the element stride is " + number(elementStrides[d]) + along + "; it must be 1 to 8";
    if (d && (strides[d] % 16 || strides[d] >= uint64_t(1) << 40))
      return "the stride is " + number(strides[d]) + " bytes" + along + "; it must be a multiple of 16 below 2^40";
  }
  if (std::string why = isImage ? checkImage() : std::string(); !why.empty())
    return why;
  constexpr uint32_t packedBox = 128; // numbers
  if (isPacked() && (box[0] != packedBox || dims[0] % packedBox || address % 32))
    return "numbers of 4 and 6 bits need boxes of 128 along dimension 0, a multiple of that in the tensor, and an "
           "address that is a multiple of 32";
  if (isPacked() && swizzle != swizzleNone && swizzle != swizzle128)
    return "numbers of 4 and 6 bits need a swizzle of 128 bytes, or none";
  if (rowBytes() % 16)
    return "a row of the box has " + number(rowBytes()) + " bytes, which is no multiple of 16";
  if (uint32_t most = 16u << swizzle; swizzle != swizzleNone && rowBytes() > most)
    return "a row of the box has " + number(rowBytes()) + " bytes, more than the " + number(most) + " of its swizzle";
  return {};
}

void TensorMap::store(std::byte (&to)[bytes]) const {
  Layout layout = {};
  std::memcpy(layout.mark, mark, sizeof(mark));
  layout.address = address;
  layout.lastDimension = rank - 1;
  layout.type = type;
  layout.swizzle = swizzle;
  layout.fill = fillsWithNaN;
  layout.isImage = isImage;
  std::copy(std::begin(lower), std::end(lower), layout.lower);
  std::copy(std::begin(upper), std::end(upper), layout.upper);
  for (unsigned d = 0; d < maxDimensions; ++d) {
    layout.lastIndex[d] = static_cast<uint32_t>(dims[d] - 1);
    layout.box[d] = box[d];
    layout.elementStrides[d] = elementStrides[d];
    if (d)
      layout.strides[d - 1] = strides[d];
  }
  std::memcpy(to, &layout, sizeof(layout));
}

bool TensorMap::load(const std::byte *from) {
  Layout layout;
  std::memcpy(&layout, from, sizeof(layout));
  if (std::memcmp(layout.mark, mark, sizeof(mark)) || layout.lastDimension >= maxDimensions ||
      layout.type >= typeCount || layout.swizzle >= swizzleCount)
    return false;
  address = layout.address;
  rank = layout.lastDimension + 1;
  type = Type(layout.type);
  swizzle = Swizzle(layout.swizzle);
  fillsWithNaN = layout.fill;
  isImage = layout.isImage;
  std::copy(std::begin(layout.lower), std::end(layout.lower), lower);
  std::copy(std::begin(layout.upper), std::end(layout.upper), upper);
  for (unsigned d = 0; d < maxDimensions; ++d) {
    dims[d] = uint64_t(layout.lastIndex[d]) + 1;
    box[d] = layout.box[d];
    elementStrides[d] = layout.elementStrides[d];
    strides[d] = d ? layout.strides[d - 1] : elementBytes();
  }
  return true;
}

std::string TensorMap::replace(std::byte *map, Field field, unsigned dimension, uint64_t value) {
  // PTX's type numbers differ from CUDA's.
  static constexpr Type types[] = {u8, u16, u32, s32, u64, s64, f16, f32, f32Ftz, f64, bf16, tf32, tf32Ftz};
  Layout layout;
  std::memcpy(&layout, map, sizeof(layout));
  constexpr Layout zeros = {};
  if (!std::memcmp(&layout, &zeros, sizeof(layout)))
    std::memcpy(layout.mark, mark, sizeof(mark));
  else if (std::memcmp(layout.mark, mark, sizeof(mark)))
    return "a field is replaced of 128 bytes that are neither a tensor map nor zeros";
  auto unsupported = [&](const char *what) {
    return std::string(what) + " " + std::to_string(value) + " is not supported by the emulator";
  };
  switch (field) {
  case Field::globalAddress: layout.address = value; break;
  case Field::rank:
    if (value >= maxDimensions)
      return "a tensor map gets rank " + std::to_string(value) +
             ", which is one less than the dimensions; it is 0 to 4";
    layout.lastDimension = value;
    break;
  case Field::boxDim: layout.box[dimension] = value; break;
  case Field::globalDim: layout.lastIndex[dimension] = value - 1; break;
  case Field::globalStride: layout.strides[dimension] = value; break;
  case Field::elementStride: layout.elementStrides[dimension] = value; break;
  case Field::elementType:
    if (value >= std::size(types))
      return unsupported("elemtype");
    layout.type = types[value];
    break;
  case Field::interleave:
    if (value != 0)
      return unsupported("interleave_layout");
    break;
  case Field::swizzle:
    if (value >= swizzleCount)
      return unsupported("swizzle_mode");
    layout.swizzle = value;
    break;
  case Field::fill: layout.fill = value != 0; break;
  case Field::count: break;
  }
  std::memcpy(map, &layout, sizeof(layout));
  return {};
}
