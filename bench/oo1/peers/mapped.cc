// OO1 in C++ in a mapped file.
#include "bench/support/cpp/mapped_heap.h"

// Include after the heap that holds the objects.
#include "bench/oo1/cpp/objects.h"

int main(int argc, char** argv) {
  oo1::Database* db = nullptr;
  return oo1::StoreMain(
      argc, argv,
      [](const char* path) {
        heap::Create(path);
        heap::header().root = oo1::Build();
        heap::Commit();
      },
      [&](const char* path, bool) {
        heap::Open(path);
        db = static_cast<oo1::Database*>(heap::header().root);
        return db->parts;
      },
      [&](oo1::Operation operation) { oo1::Perform(db, operation); }, heap::Commit, [] {});
}
