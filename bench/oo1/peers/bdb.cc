// OO1 in Berkeley DB, a record per object.
#include "bench/support/cpp/bdb.h"

#include "bench/oo1/peers/by_key.h"

int main(int argc, char** argv) { return oo1::Main(argc, argv); }
