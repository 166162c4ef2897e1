//===- tcc.cpp - the program tcc --------------------------------------------------------------------------------===//
//
// The compiler and its driver are libtilecc.so, so that an installation has them once.
//
//===--------------------------------------------------------------------------------------------------------------===//

extern "C" int tilecc_driver_main(int argc, char **argv); // main.cpp

int main(int argc, char **argv) { return tilecc_driver_main(argc, argv); }
