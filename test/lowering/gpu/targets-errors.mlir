// These inputs must give errors, because LLVM would abort for them.
// RUN: not tcc-translate --to-ptx --arch=75 %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not tcc-translate --to-ptx --arch=80a %s 2>&1 | FileCheck %s --check-prefix=SUFFIX
// RUN: not tcc-translate --to-ptx --arch=100 --ptx-version=80 %s 2>&1 | FileCheck %s --check-prefix=LOW
// RUN: not tcc-translate --to-ptx --arch=80 --ptx-version=91 %s 2>&1 | FileCheck %s --check-prefix=HIGH

// OLD: error: sm_75 is not supported: sm_80 is the oldest
// SUFFIX: error: sm_80a is not a GPU that kernels can be compiled for
// LOW: error: there is no PTX 8.0 for sm_100: it takes 8.6 to 9.0
// HIGH: error: there is no PTX 9.1 for sm_80: it takes 7.4 to 9.0
llvm.func @f() {
  llvm.return
}
