// RUN: tcc-opt %s --split-input-file --verify-diagnostics --tritongpu-outline-partitions

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%n: i32) {
  // expected-error @+1 {{has a partition whose arguments are not what is captured}}
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: i64) num_warps(4) {
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%n: i32) {
  // expected-error @+1 {{has a partition of 3 warps, which is no power of two}}
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32) num_warps(3) {
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%n: i32) -> i32 {
  // expected-error @+1 {{must have a default region that ends with ttg.warp_yield of its results}}
  %0 = ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32) num_warps(4) {
    ttg.warp_return
  } : (i32) -> i32
  tt.return %0 : i32
}
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%n: tensor<128xi32, #blocked>) {
  // expected-error @+1 {{captures a tile in registers, which only the warps that hold it have}}
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: tensor<128xi32, #blocked>) num_warps(4) {
    ttg.warp_return
  } : (tensor<128xi32, #blocked>) -> ()
  tt.return
}
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
tt.func @f(%n: i32) {
  // expected-note @+1 {{the first one}}
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32) num_warps(4) {
    ttg.warp_return
  } : (i32) -> ()
  // expected-error @+1 {{has other partitions than the kernel's first one}}
  ttg.warp_specialize(%n)
  default {
    ttg.warp_yield
  }
  partition0(%m: i32) num_warps(8) {
    ttg.warp_return
  } : (i32) -> ()
  tt.return
}
}

// -----

// A thread block has barriers for six partitions.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "cuda:90"} {
tt.func @f() {
  // expected-error @+1 {{has 7 partitions, and a thread block can have 6 on cuda:90}}
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(1) {
    ttg.warp_return
  }
  partition1() num_warps(1) {
    ttg.warp_return
  }
  partition2() num_warps(1) {
    ttg.warp_return
  }
  partition3() num_warps(1) {
    ttg.warp_return
  }
  partition4() num_warps(1) {
    ttg.warp_return
  }
  partition5() num_warps(1) {
    ttg.warp_return
  }
  partition6() num_warps(1) {
    ttg.warp_return
  } : () -> ()
  tt.return
}
}

// -----

// GPUs of other vendors have no barriers for parts of a thread block.
module attributes {"ttg.num-warps" = 4 : i32, ttg.target = "hip:gfx942"} {
tt.func @f() {
  // expected-error @+1 {{has 1 partition, and a thread block can have 0 on hip:gfx942}}
  ttg.warp_specialize()
  default {
    ttg.warp_yield
  }
  partition0() num_warps(1) {
    ttg.warp_return
  } : () -> ()
  tt.return
}
}
