// OO7 in C++ with malloc and no store: the limit that all others are measured by.
#include "bench/cpp/malloc_heap.h"
#include "bench/oo7_cpp/measure.h"

int main(int argc, char** argv) { return oo7::MeasureInMemory(argc, argv); }
