// tenure-db: the commands of `tenure` that need the run time's database code. `tenure` becomes this
// program for them.
#include <cstdio>
#include <string_view>

#include "dbtool/serve.h"

int main(int argc, char** argv) {
  if (argc >= 2 && std::string_view(argv[1]) == "serve") {
    return tenure::dbtool::Serve(argc - 2, argv + 2);
  }
  std::fprintf(stderr, "usage: tenure serve [--group GROUP] DIR\n");
  return 2;
}
