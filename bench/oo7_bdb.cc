// OO7 in Berkeley DB, a record per object.
#include "bench/cpp/bdb.h"
#include "bench/oo7_records/by_key.h"

int main(int argc, char** argv) { return oo7::Main(argc, argv); }
