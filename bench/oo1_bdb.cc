// OO1 in Berkeley DB, a record per object.
#include "bench/cpp/bdb.h"
#include "bench/oo1_cpp/by_key.h"

int main(int argc, char** argv) { return oo1::Main(argc, argv); }
