// OO1 in C++ with malloc and no store: the limit that all others are measured by.
#include "bench/support/cpp/malloc_heap.h"

// After the heap that holds the objects.
#include "bench/oo1/cpp/objects.h"

int main(int argc, char** argv) { return oo1::MeasureInMemory(argc, argv); }
