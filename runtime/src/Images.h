//===-- Images.h - selects the GPU code that fits a device -----------------------------------------------------===//
//
// An object contains images of its kernels for several GPUs. The runtime loads the best one for each device.
//
//===-------------------------------------------------------------------------------------------------------------===//
#ifndef TILECC_RUNTIME_IMAGES_H
#define TILECC_RUNTIME_IMAGES_H

#include "Support.h"

namespace tilecc::rt {

enum { noImage = -1 };

// Returns the index of the image of a module that a device of architecture `arch` (90 for sm_90) should run, or
// noImage. Machine code runs on its own major version, from its minor version on; if there is such an image, the newest
// is selected. Otherwise, the newest PTX that is not newer than the device is selected. Code for sm_90a runs only on
// 9.0. Code for sm_100f runs on its family: major version 10, from 10.0 on. With `onlyPtx`, machine code is skipped;
// anyArch selects the newest image. Images for other vendors are never selected.
enum : unsigned { anyArch = 0 };
int chooseImage(const tilecc_module &module, unsigned arch, bool onlyPtx);

// Returns the image of this kind for exactly this architecture, or noImage.
int findImage(const tilecc_module &module, uint32_t kind, unsigned arch);

// Returns the code object for this AMD processor or, if there is none, the one for a generic target that includes it.
int chooseCodeObject(const tilecc_module &module, unsigned arch);

// Returns the number of an image's architecture: 90 for sm_90, sm_90a and compute_90.
unsigned archNumber(const tilecc_image &image);

// Writes the target of images of this kind and architecture as the compiler's option -arch names it ("sm_90a"); for an
// image of a plug-in, its four letters. Returns the length, as snprintf does.
int nameTarget(uint32_t kind, unsigned arch, char *text, size_t size);

// Writes the names of the targets of a module's images, or "none", for messages. Returns `text`.
const char *listImages(const tilecc_module &module, char *text, size_t size);

} // namespace tilecc::rt
#endif
