// OO1 in C++ with malloc and no store: the limit that all others are measured by.
#include "bench/cpp/malloc_heap.h"
#include "bench/oo1_cpp/objects.h"

int main(int argc, char** argv) { return oo1::MeasureInMemory(argc, argv); }
