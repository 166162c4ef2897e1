//===- OptionIds.h - the options of Options.td ----------------------------------------------------------*- C++ -*-===//
//
// Options.td generates an identifier for each option. Files that only query options include this header.
//
//===-------------------------------------------------------------------------------------------------------------===//

#ifndef TILECC_DRIVER_OPTIONIDS_H
#define TILECC_DRIVER_OPTIONIDS_H

#include "llvm/Option/Option.h"

namespace tilecc {

namespace options {
enum ID {
  OPT_INVALID = 0,
#define OPTION(...) LLVM_MAKE_OPT_ID(__VA_ARGS__),
#include "driver/Options.inc"
#undef OPTION
};

/// Flags of options in Options.td, in addition to llvm::opt::DriverFlag.
enum Flag { CommaList = 1 << 4 };
} // namespace options

} // namespace tilecc

#endif // TILECC_DRIVER_OPTIONIDS_H
