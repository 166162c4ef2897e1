// RUN: tcc-opt %s --tcc-gpu-to-llvm='arch=90' | FileCheck %s
// tt.cat concatenates two tiles in registers if each thread then holds the elements that the result's layout assigns to
// it. Otherwise elements move as in a layout conversion.
#half = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#both = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#far = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @in_registers
  // CHECK-NOT: bar{{[.]|rier}}
  // CHECK: llvm.return
  tt.func public @in_registers(%x: !tt.ptr<i32>) {
    %a = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #half>
    %b = tt.make_range {start = 128 : i32, end = 256 : i32} : tensor<128xi32, #half>
    %c = tt.cat %a, %b : tensor<128xi32, #half> -> tensor<256xi32, #both>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #both>
    tt.store %p, %c : tensor<256x!tt.ptr<i32>, #both>
    tt.return
  }
  // CHECK-LABEL: @moved
  // CHECK: bar{{[.]|rier}}
  // CHECK: llvm.return
  tt.func public @moved(%x: !tt.ptr<i32>) {
    %a = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #half>
    %b = tt.make_range {start = 128 : i32, end = 256 : i32} : tensor<128xi32, #half>
    %c = tt.cat %a, %b : tensor<128xi32, #half> -> tensor<256xi32, #far>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #far>
    tt.store %p, %c : tensor<256x!tt.ptr<i32>, #far>
    tt.return
  }
}
