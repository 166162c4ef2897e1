//===- Descriptor.h - the tables that tell the runtime about an object's kernels --------------------------------*- C++ -*-//
//
// Mirrors tilecc/abi.h as LLVM constants: one table per translation unit, registered by one call from a constructor.
//
//===----------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_DESCRIPTOR_H
#define TILECC_DRIVER_DESCRIPTOR_H

#include "llvm/IR/Module.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tilecc {

struct ParamEntry {
  uint32_t size, offset, align, kind;
};

struct GpuEntry {
  uint32_t threads = 0, sharedBytes = 0, cluster = 1;
  bool operator==(const GpuEntry &) const = default;
};

struct VariantEntry {
  uint32_t demands = 0;
  std::string symbol;
  std::vector<GpuEntry> gpu; ///< one for each image
};

struct CpuEntry {
  uint32_t level = 0;
  uint64_t scratchBytes = 0;
  std::string symbol; ///< of the function, in the object that will be combined with the host's
};

struct KernelEntry {
  std::string symbol; ///< mangled; the host stub has it
  std::string displayName;
  std::vector<ParamEntry> params;
  std::vector<VariantEntry> variants; ///< most demanding first
  std::vector<CpuEntry> cpu;          ///< best level first
};

struct ImageEntry {
  uint32_t kind = 0, arch = 0;
  std::string text; ///< of PTX; cubins are in the fatbinary alone
};

struct ModuleEntry {
  std::string source;
  std::vector<KernelEntry> kernels;
  std::vector<ImageEntry> images;
  std::string fatbin; ///< empty: none
};

/// Adds the tables, the fatbinary in .nv_fatbin, and the constructor and destructor to the host module.
void addDescriptor(llvm::Module &host, const ModuleEntry &entry);

} // namespace tilecc

#endif // TILECC_DRIVER_DESCRIPTOR_H
