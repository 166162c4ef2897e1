#include <tilecc/runtime.h>
#include <tilecc/tt.h>
namespace {
__tile_global__ void say(int n) { tt::device_print("TEXT", n); }
} // namespace
void FUNCTION() {
  say<<<1>>>(7);
  ttDeviceSynchronize();
}
