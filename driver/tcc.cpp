//===- tcc.cpp - the program tcc --------------------------------------------------------------------------------===//
//
// The compiler and its driver are in libtilecc.so, so that an installation contains them once.
//
//===--------------------------------------------------------------------------------------------------------------===//

extern "C" int tilecc_driver_main(int argc, char **argv); // main.cpp

/// jemalloc reads this if tcc is linked with it. A compiler allocates much memory and frees little, so large pages are
/// faster.
extern "C" const char *malloc_conf = "thp:always";

int main(int argc, char **argv) { return tilecc_driver_main(argc, argv); }
