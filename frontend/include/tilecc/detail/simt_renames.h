//===-- tilecc/detail/simt_renames.h - functions of Clang's wrapper that CUDA no longer has -----------------------===//
//
// Included ahead of Clang's wrapper of CUDA's headers, which declares shuffles without a mask. CUDA 13 has no such
// functions, and programs define their own with these names. tilecc/detail/simt.h ends the renaming.
//
//===--------------------------------------------------------------------------------------------------------------===//
#define __shfl __tilecc_legacy_shfl
#define __shfl_up __tilecc_legacy_shfl_up
#define __shfl_down __tilecc_legacy_shfl_down
#define __shfl_xor __tilecc_legacy_shfl_xor
// tilecc/simt/cuda.h tests this.
#define __TILECC_IN_WRAPPER
