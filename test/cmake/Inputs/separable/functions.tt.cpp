#include "functions.h"
__tile__ tt::tile<int, 32> doubled(tt::tile<int, 32> x) { return x + x; }
