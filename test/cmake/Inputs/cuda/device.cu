__device__ int addInDevice(int x) { return x + 1; }
