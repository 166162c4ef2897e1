//===- ImageBlocks.h - descriptor loads whose rows are pixels -------------------------------------------*- C++ -*-===//
//
// The verifiers and the lowering of tensor copies use these functions (PTX ISA, im2col mode).
//
//===--------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
#define TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H

#include "lowering/dialects/tt/TT.h"

namespace tilecc::tt {

/// Returns the number of indices of a descriptor load that are pixel offsets. If there are as many indices as the block
/// has axes, there are none. A load of images has one more index for each axis but the first and the last (PTX ISA,
/// im2col mode). The rows of its block are then pixels. They start at the pixel that the other indices specify, and
/// continue row by row through a box of the image, and image by image. Each pixel is displaced by the offsets, and
/// reads as zero if it is then outside the image. Only blocks with a layout in shared memory have such loads.
inline size_t countOffsets(TensorDescType descriptor, size_t numIndices) {
  mlir::RankedTensorType block = descriptor.getBlockType();
  size_t rank = block.getRank();
  return block.getEncoding() && rank > 2 && numIndices == 2 * rank - 2 ? rank - 2 : 0;
}

} // namespace tilecc::tt

#endif // TILECC_LOWERING_DIALECTS_TT_IMAGEBLOCKS_H
