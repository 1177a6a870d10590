// OO1 in LMDB, a record per object.
#include "bench/support/cpp/lmdb.h"

#include "bench/oo1/peers/by_key.h"

int main(int argc, char** argv) { return oo1::Main(argc, argv); }
