// OO1 in C++ with the conservative collector libgc in place of malloc and free.
#include "bench/support/cpp/libgc_heap.h"

// Include after the heap that holds the objects.
#include "bench/oo1/cpp/objects.h"

int main(int argc, char** argv) {
  GC_INIT();
  return oo1::MeasureInMemory(argc, argv);
}
