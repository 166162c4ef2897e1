//===-- Images.cpp ---------------------------------------------------------------------------------------------===//
//
// Selects the image of an object for a GPU.
//
//===----------------------------------------------------------------------------------------------------------===//
#include "Images.h"
#include "opencl/SpirvModules.h"

#include <stdio.h>

using namespace tilecc::rt;

static unsigned withoutSuffix(unsigned arch) {
  return arch & ~static_cast<unsigned>(TILECC_ARCH_SPECIFIC | TILECC_ARCH_FAMILY);
}

unsigned tilecc::rt::archNumber(const tilecc_image &image) { return withoutSuffix(image.arch); }

static bool runsOn(const tilecc_image &image, unsigned arch) {
  if (image.kind != TILECC_IMAGE_CUBIN && image.kind != TILECC_IMAGE_PTX)
    return false;
  if (arch == anyArch)
    return true;
  unsigned from = archNumber(image);
  if (image.arch & TILECC_ARCH_SPECIFIC)
    return from == arch;
  bool sameMajor = from / 10 == arch / 10;
  if (image.arch & TILECC_ARCH_FAMILY || image.kind == TILECC_IMAGE_CUBIN)
    return sameMajor && from <= arch;
  return image.kind == TILECC_IMAGE_PTX && from <= arch;
}

// Ranks machine code before PTX, newer before older, and, for the same number, the image that uses more features of the
// chip.
static unsigned rank(const tilecc_image &image) {
  unsigned specific = image.arch & TILECC_ARCH_SPECIFIC ? 2 : image.arch & TILECC_ARCH_FAMILY ? 1 : 0;
  return (image.kind == TILECC_IMAGE_CUBIN ? 1u << 16 : 0) + archNumber(image) * 4 + specific + 1;
}

int tilecc::rt::chooseImage(const tilecc_module &module, unsigned arch, bool onlyPtx) {
  int best = noImage;
  unsigned bestRank = 0;
  for (uint32_t i = 0; i < module.image_count; ++i) {
    const tilecc_image &image = module.images[i];
    if (onlyPtx && image.kind != TILECC_IMAGE_PTX)
      continue;
    if (runsOn(image, arch) && rank(image) > bestRank) {
      best = i;
      bestRank = rank(image);
    }
  }
  return best;
}

int tilecc::rt::findImage(const tilecc_module &module, uint32_t kind, unsigned arch) {
  for (uint32_t i = 0; i < module.image_count; ++i)
    if (module.images[i].kind == kind && module.images[i].arch == arch)
      return i;
  return noImage;
}

// Returns the architecture of code objects that run on all processors like this one, or 0 if there is none.
static unsigned genericArch(unsigned arch) {
  switch (arch) {
  case 0x940:
  case 0x941:
  case 0x942:
  case 0x950: return TILECC_ARCH_FAMILY | 0x940;
  case 0x1100:
  case 0x1101:
  case 0x1102:
  case 0x1103:
  case 0x1150:
  case 0x1151:
  case 0x1152:
  case 0x1153: return TILECC_ARCH_FAMILY | 0x1100;
  case 0x1200:
  case 0x1201: return TILECC_ARCH_FAMILY | 0x1200;
  }
  return 0;
}

int tilecc::rt::chooseCodeObject(const tilecc_module &module, unsigned arch) {
  const int exact = findImage(module, TILECC_IMAGE_HSACO, arch);
  const unsigned generic = genericArch(arch);
  return exact != noImage || !generic ? exact : findImage(module, TILECC_IMAGE_HSACO, generic);
}

int tilecc::rt::nameTarget(uint32_t kind, unsigned arch, char *text, size_t size) {
  if (kind == TILECC_IMAGE_SPIRV)
    return snprintf(text, size, "%s", spirvTargetName(arch));
  if (kind == TILECC_IMAGE_HSACO) {
    const unsigned number = withoutSuffix(arch), major = number >> 8, minor = number >> 4 & 15;
    if (!(arch & TILECC_ARCH_FAMILY))
      return snprintf(text, size, "gfx%x", number);
    return minor ? snprintf(text, size, "gfx%x-%x-generic", major, minor)
                 : snprintf(text, size, "gfx%x-generic", major);
  }
  if (kind > TILECC_IMAGE_HSACO)
    return snprintf(text, size, "%c%c%c%c", kind >> 24, kind >> 16 & 255, kind >> 8 & 255, kind & 255);
  const char *suffix = arch & TILECC_ARCH_SPECIFIC ? "a" : arch & TILECC_ARCH_FAMILY ? "f" : "";
  return snprintf(text, size, "%s_%u%s", kind == TILECC_IMAGE_CUBIN ? "sm" : "compute", withoutSuffix(arch), suffix);
}

const char *tilecc::rt::listImages(const tilecc_module &module, char *text, size_t size) {
  size_t length = snprintf(text, size, "%s", module.image_count ? "" : "none");
  for (uint32_t i = 0; i < module.image_count && length < size; ++i) {
    if (i)
      length += snprintf(text + length, size - length, ", ");
    if (length < size)
      length += nameTarget(module.images[i].kind, module.images[i].arch, text + length, size - length);
  }
  return text;
}
