/* A libcuda.so.1 that lacks what the runtime needs. Calling it would be wrong, too. */
#include <stdlib.h>
int cuInit(unsigned flags) {
  (void)flags;
  abort();
}
