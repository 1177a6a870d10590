// OO1 in C++ with the conservative collector libgc in place of malloc and free.
#include "bench/cpp/libgc_heap.h"
#include "bench/oo1_cpp/objects.h"

int main(int argc, char** argv) {
  GC_INIT();
  return oo1::MeasureInMemory(argc, argv);
}
