/* A libamdhip64.so of HIP 5, which lacks what the runtime needs. Calling it would be wrong, too. */
#include <stdlib.h>
int hipInit(unsigned flags) {
  (void)flags;
  abort();
}
