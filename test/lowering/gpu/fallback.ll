; The fallback variant, which a launch uses if no other variant fits, is compiled without straight-line strength
; reduction, which takes most of the time if each element has its own address.
; RUN: tcc-translate --llvm-to-ptx --arch=80 %s | FileCheck %s
; RUN: %tcc -w --emit=llvm -arch=sm_80 --variant=all --kernel='matmul<float, 64, 64, 32>' %source_dir/bench/compile-time/matmuls.tt.cpp \
; RUN:   | FileCheck %s --check-prefix=VARIANTS

; VARIANTS: define ptx_kernel void @"{{.*}}$a8"({{.*}} #[[#FIRST:]]
; VARIANTS: attributes #[[#FIRST]] = { nounwind "nvvm.reqntid"="128" }
; VARIANTS: define ptx_kernel void @_Z{{[^$]*}}({{.*}} #[[#SECOND:]]
; VARIANTS: attributes #[[#SECOND]] = { "nvvm.reqntid"="128" "tilecc-fallback" }

; CHECK-LABEL: .entry first
; CHECK-COUNT-1: mul.lo.s32
; CHECK-NOT: mul.lo.s32
; CHECK: shl.b32
define ptx_kernel void @first(ptr addrspace(1) %out, i32 %b, i32 %s) {
  %x = mul i32 %b, %s
  %b1 = add i32 %b, 2
  %y = mul i32 %b1, %s
  store volatile i32 %x, ptr addrspace(1) %out
  store volatile i32 %y, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: .entry fallback
; CHECK-COUNT-2: mul.lo.s32
define ptx_kernel void @fallback(ptr addrspace(1) %out, i32 %b, i32 %s) "tilecc-fallback" {
  %x = mul i32 %b, %s
  %b1 = add i32 %b, 2
  %y = mul i32 %b1, %s
  store volatile i32 %x, ptr addrspace(1) %out
  store volatile i32 %y, ptr addrspace(1) %out
  ret void
}
