//===- tcc.cpp - the program tcc --------------------------------------------------------------------------------===//
//
// The compiler and its driver are libtilecc.so, so that an installation has them once.
//
//===--------------------------------------------------------------------------------------------------------------===//

extern "C" int tilecc_driver_main(int argc, char **argv); // main.cpp

/// What jemalloc reads, where tcc is linked with it: a compiler asks for much and gives little back, so large pages pay.
extern "C" const char *malloc_conf = "thp:always";

int main(int argc, char **argv) { return tilecc_driver_main(argc, argv); }
