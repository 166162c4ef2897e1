//===- Target.h - what kernels are compiled for ---------------------------------------------------------------*- C++ -*-//

#ifndef TILECC_COMPILE_TARGET_H
#define TILECC_COMPILE_TARGET_H

#include "lowering/nvidia/Architectures.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tilecc {

/// A back end and the architecture that it makes code for.
struct Target {
  enum Backend { Nvidia, Cpu };
  Backend backend = Nvidia;
  unsigned arch = 80; ///< 90 for sm_90; of a CPU one level of x86-64, or 0: all of them, and a program takes the best it can
  char suffix = 0;    ///< 'a' for sm_90a, see nvidia::Architecture

  static Target gpu(const nvidia::Architecture &arch) { return {Nvidia, arch.number, arch.suffix}; }
  static Target cpu(unsigned level = 0) { return {Cpu, level, 0}; }

  /// Of an NVIDIA GPU.
  nvidia::Architecture architecture() const { return {arch, suffix}; }

  /// "sm_90a", "cpu", "cpu:3". parse() takes what str() gives; nothing for what is no target.
  std::string str() const;
  static std::optional<Target> parse(llvm::StringRef text);

  bool operator==(const Target &) const = default;
};

} // namespace tilecc

#endif // TILECC_COMPILE_TARGET_H
