// OO7 in C++ with the conservative collector libgc in place of malloc and free.
#include "bench/cpp/libgc_heap.h"
#include "bench/oo7_cpp/measure.h"

int main(int argc, char** argv) {
  GC_INIT();
  return oo7::MeasureInMemory(argc, argv);
}
