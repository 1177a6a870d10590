// OO7 in LMDB, a record per object.
#include "bench/support/cpp/lmdb.h"

#include "bench/oo7/peers/by_key.h"

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
