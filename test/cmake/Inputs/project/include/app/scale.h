#pragma once
#define OFFSET 1
void scale(float *x, int n);
