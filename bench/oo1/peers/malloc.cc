// OO1 in C++ with malloc and no store: the bound to which all others are compared.
#include "bench/support/cpp/malloc_heap.h"

// Include after the heap that holds the objects.
#include "bench/oo1/cpp/objects.h"

int main(int argc, char** argv) { return oo1::MeasureInMemory(argc, argv); }
