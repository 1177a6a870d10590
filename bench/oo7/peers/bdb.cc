// OO7 in Berkeley DB, a record per object.
#include "bench/support/cpp/bdb.h"

#include "bench/oo7/peers/by_key.h"

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
