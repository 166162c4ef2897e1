; What the front ends above LLVM hardly use: addresses split into bytes, wide integers, an alias, an indirect call.
target triple = "nvptx64-nvidia-cuda"

@wide = addrspace(1) global <2 x i64> <i64 1, i64 -2>
@wider = addrspace(1) global i128 -5
@uninitialized = internal addrspace(3) global [8 x float] undef, align 16
@halfs = addrspace(4) constant [3 x half] [half 1.0, half 2.0, half 3.0]
@elsewhere = external addrspace(1) global i32
@inside = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @wide, i64 8)
@generic = addrspace(1) global ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @wide to ptr), i64 8)
@packed = addrspace(1) global <{ i8, ptr addrspace(1), i16 }> <{ i8 5, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @wide, i64 8), i16 -2 }>
@flag = addrspace(1) global i1 true
@nan = addrspace(1) global double 0x7FF8000000000001
@single = addrspace(1) global float 1.5

define internal i32 @callee({i32, [3 x i8]} %a, <4 x float> %v, i1 %b) noinline {
  %x = extractvalue {i32, [3 x i8]} %a, 0
  ret i32 %x
}
@other_name = alias i32 ({i32, [3 x i8]}, <4 x float>, i1), ptr @callee

define ptx_kernel void @caller(ptr %function, i32 %n) {
  %r = call i32 @other_name({i32, [3 x i8]} {i32 1, [3 x i8] c"abc"}, <4 x float> zeroinitializer, i1 true)
  %s = call i32 (i32, ...) %function(i32 %r, double 2.0)
  store i32 %s, ptr addrspace(1) @elsewhere
  ret void
}
