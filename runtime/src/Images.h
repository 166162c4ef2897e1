//===-- Images.h - which GPU code of an object fits a device ---------------------------------------------------===//
#ifndef TILECC_RUNTIME_IMAGES_H
#define TILECC_RUNTIME_IMAGES_H

#include "Support.h"

namespace tilecc::rt {

enum { noImage = -1 };

// The image of a module for a device of this architecture (90 for sm_90), or noImage. Machine code runs on its own
// major version from its minor version on, the newest is taken; else the newest PTX that is not newer than the device.
// Code for sm_90a runs on exactly 9.0, code for sm_100f on its family, which is its major version from 10.0 on.
// `onlyPtx` passes machine code over. For anyArch, the newest of all. Images of other vendors' are none of these.
enum : unsigned { anyArch = 0 };
int chooseImage(const tilecc_module &module, unsigned arch, bool onlyPtx);

// The image of this kind for exactly this architecture, or noImage: SPIR-V for sub-groups of 16 lanes, code for gfx942.
int findImage(const tilecc_module &module, uint32_t kind, unsigned arch);

// 90 for sm_90, sm_90a and compute_90.
unsigned archNumber(const tilecc_image &image);

// "sm_80, sm_90a, compute_90, spirv64, gfx942", or "none", for messages. Returns `text`.
const char *listImages(const tilecc_module &module, char *text, size_t size);

} // namespace tilecc::rt
#endif
