// -Rtile=conversions, names of passes, -Rtile-missed, and -ftile-record-file.
// RUN: %tcc --emit=ptx -arch=compute_80 -Rtile=conversions %s -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %tcc --emit=ptx -arch=compute_80 -Rtile=tritongpu-remove-layout-conversions %s -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %tcc --emit=ptx -arch=compute_80 -Rtile-missed %s -o %t.ptx 2>&1 | FileCheck %s --check-prefixes=CHECK,MISSED --implicit-check-not=remark:
// RUN: not %tcc --emit=ptx -Rtile=coalesce %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: -Rtile=coalesce: there is only -Rtile=warps {{.*}} and -Rtile=pipelines, and the passes tritongpu-coalesce, {{.*}}
// The file has the format of Clang's optimization records, and remarks on all variants.
// RUN: %tcc --emit=ptx --variant=all -arch=compute_80 -ftile-record-file=%t.yaml %s -o %t.ptx && FileCheck %s --check-prefix=YAML < %t.yaml
// YAML: --- !Passed
// YAML-NEXT: Pass: tritongpu-pipeline
// YAML-NEXT: Name: pipelines
// YAML-NEXT: DebugLoc: { File: '{{.*}}tile-records.tt.cpp',{{ *}}
// YAML-NEXT: Line: [[#]], Column: 3 }
// YAML-NEXT: Function: {{.*}}product{{.*}}$p16
// YAML-NEXT: Args:
// YAML-NEXT: - Target: sm_80
// YAML-NEXT: - String: 'this loop is pipelined in 3 stages: loads start up to 2 iterations ahead'
// YAML: --- !Missed
// YAML-NEXT: Pass: tritongpu-remove-layout-conversions
// YAML: Function: {{.*}}product
// YAML: --- !Missed
// YAML-NEXT: Pass: tritongpu-coalesce
#include <tilecc/tt.h>

__tile_global__ void product(const float *a, const float *b, float *c, int n) {
  auto i = tt::arange<32>();
  auto tile = i.col() * 32 + i.row();
  auto sum = tt::zeros<float, 32, 32>();
  for (int k = 0; k < n; ++k)
    sum = tt::dot(tt::load(a + k * 1024 + tile), tt::load(b + k * 1024 + tile), sum);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: this tile moves through shared memory (4096 bytes), because tt.dot and tt.store distribute it differently: tensor<32x32xf32, #ttg.nvidia_mma<{{.*}}>> and tensor<32x32xf32, #ttg.blocked<{{.*}}>>
  tt::store(c + tile, sum + 1.0f);
}

__tile_global__ void strided(const float *x, float *out) {
  auto i = tt::arange<1024>();
  // MISSED: :[[#@LINE+1]]:{{[0-9]+}}: remark: each thread reads 4 bytes per instruction, because neighbouring elements are not known to be adjacent in memory
  tt::store(out + i, tt::load(x + i * 3));
}
