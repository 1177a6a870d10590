// OO1 in LMDB, a record per object.
#include "bench/cpp/lmdb.h"
#include "bench/oo1_cpp/by_key.h"

int main(int argc, char** argv) { return oo1::Main(argc, argv); }
