// OO7 in C++ in a mapped file.
//
//   oo7_mapped create FILE CONFIGURATION
//   oo7_mapped measure FILE OPERATION one|many
#include <cstdio>
#include <cstring>

#include "bench/support/cpp/mapped_heap.h"

// Include after the heap that holds the objects.
#include "bench/oo7/cpp/measure.h"

int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "create") == 0) {
    const oo7::Configuration configuration = oo7::ConfigurationOf(argv[3]);
    const bench::Spent from = bench::Start();
    heap::Create(argv[2]);
    oo7::Library* library = oo7::Build(configuration);
    heap::header().root = library;
    heap::Commit();
    bench::Tell("create", int64_t{library->next_composite} * configuration.atomic_parts, from,
                bench::Now());
    std::printf("objects bytes %zu\n", heap::header().used);
    return 0;
  }
  if (argc == 5 && std::strcmp(argv[1], "measure") == 0) {
    const int operation = oo7::OperationNamed(argv[3]);
    const bool many = std::strcmp(argv[4], "many") == 0;
    bench::Spent from = bench::Start();
    heap::Open(argv[2]);
    bench::Tell("open", 0, from, bench::Now());
    auto* library = static_cast<oo7::Library*>(heap::header().root);
    oo7::Measure(library, operation, many, [] { heap::Commit(); });
    from = bench::Start();
    heap::Commit();
    bench::Tell("commit", 0, from, bench::Now());
    bench::TellMemory();
    return 0;
  }
  bench::Fail("usage: oo7_mapped create FILE CONFIGURATION | measure FILE OPERATION one|many");
}
