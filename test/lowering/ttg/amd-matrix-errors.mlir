// RUN: tcc-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{version = 1 is not supported: CDNA 2, 3 and 4 have MFMA of these shapes}}
#mma = #ttg.amd_mfma<{version = 1, warpsPerCTA = [4, 1], instrShape = [32, 32, 8], isTransposed = true}>

// -----

// expected-error @+1 {{instrShape must be [16, 16, depth] or [32, 32, depth]}}
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [64, 4, 4], isTransposed = true}>

// -----

// expected-error @+1 {{elementBitWidth must be 32, or 64 with instrShape = [16, 16, 4]}}
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [4, 1], instrShape = [32, 32, 4], isTransposed = true, elementBitWidth = 64}>

// -----

// expected-error @+1 {{warpsPerCTA must be powers of two, and this has 3}}
#mma = #ttg.amd_mfma<{version = 3, warpsPerCTA = [3, 1], instrShape = [32, 32, 8], isTransposed = true}>

// -----

// expected-error @+1 {{warpsPerCTA must have 2 or 3 axes, and this has 1}}
#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [4]}>

// -----

// expected-error @+1 {{version = 3 is not supported: WMMA of RDNA 3 is 1, that of RDNA 4 is 2}}
#mma = #ttg.amd_wmma<{version = 3, isTranspose = true, warpsPerCTA = [2, 2]}>

// -----

#mma = #ttg.amd_wmma<{version = 1, isTranspose = true, warpsPerCTA = [2, 2]}>
// expected-error @+1 {{kWidth must be a power of two up to 16, not 32}}
#operand = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 32}>
