#pragma once

/// x[i] *= factor, on the device.
void scale(float *x, float factor, int n);
