// RUN: tcc-opt %s --triton-nvidia-optimize-descriptor-encoding --verify-diagnostics --split-input-file

// expected-error @+1 {{tensor maps have no blocks whose rows are shorter than 16 bytes: 'tensor<64x4xf16>'}}
tt.func @narrow(%a: !tt.tensordesc<64x4xf16>) {
  tt.return
}
