// OO7 in LMDB, a record per object.
#include "bench/cpp/lmdb.h"
#include "bench/oo7_records/by_key.h"

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
