#include <tilecc/tt.h>
__tile__ tt::tile<float, 64> scaled(tt::tile<float, 64> x) { return 3.0f * x; }
