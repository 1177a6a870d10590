// OO7 with a record per object and ids for references, as is usual for a record store, and the
// operations that make sense there. The records are made from the C++ objects, so that all programs
// count the same.
//
// A program includes this, defines the functions of namespace store, and calls oo7::Main.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/support/cpp/malloc_heap.h"
#include "bench/support/cpp/store.h"

// Include after the heap that holds the objects.
#include "bench/oo7/cpp/measure.h"

namespace oo7 {

struct AtomicRecord {
  int32_t id, build_date, x, y, doc_id;
  ShortText type;
  int32_t part_of;
};

// The connections from one part have consecutive ids, from kConnections times the part's id on.
struct ConnectionRecord {
  int32_t id, length;
  ShortText type;
  int32_t from, to;
};

struct CompositeRecord {
  int32_t id, build_date;
  ShortText type;
  int32_t document, root;
};

struct AssemblyRecord {
  int32_t id, base, build_date, parent;
  int32_t below[kAssemblyParts];  // assemblies, or composite parts
};

struct TextRecord {
  int32_t id;
  std::string title, text;
};

}  // namespace oo7

namespace store {

// See bench/support/cpp/store.h. Get expects that the record exists.
void Get(int32_t id, oo7::AtomicRecord* record);
void GetConnections(int32_t from, oo7::ConnectionRecord* records);  // kConnections of them
void Get(int32_t id, oo7::CompositeRecord* record);
void Get(int32_t id, oo7::AssemblyRecord* record);
void GetManual(int32_t id, std::string* text);
void Put(const oo7::AtomicRecord& record);
void Update(const oo7::AtomicRecord& record);  // x and y of an existing part
void Put(const oo7::ConnectionRecord& record);
void Put(const oo7::CompositeRecord& record);
void Put(const oo7::AssemblyRecord& record);
void PutDocument(const oo7::TextRecord& record);
void PutManual(const oo7::TextRecord& record);

}  // namespace store

namespace oo7 {

// ---- Building

inline TextRecord TextOf(int32_t id, const Text& title, const Text& text) {
  return {id, std::string(title.chars, static_cast<size_t>(title.size)),
          std::string(text.chars, static_cast<size_t>(text.size))};
}

inline void PutAssembly(const Assembly* a) {
  AssemblyRecord record = {a->id, a->base, a->build_date, a->parent ? a->parent->id : -1, {}};
  for (int i = 0; i < kAssemblyParts; ++i) {
    record.below[i] = a->base ? static_cast<const BaseAssembly*>(a)->parts[i]->id
                              : static_cast<const ComplexAssembly*>(a)->sub[i]->id;
  }
  store::Put(record);
  if (a->base) return;
  for (const Assembly* sub : static_cast<const ComplexAssembly*>(a)->sub) PutAssembly(sub);
}

inline void PutPart(const CompositePart* part, int atomic_parts) {
  store::Put(
      CompositeRecord{part->id, part->build_date, part->type, part->document->id, part->root->id});
  store::PutDocument(TextOf(part->document->id, part->document->title, part->document->text));
  for (int i = 0; i < atomic_parts; ++i) {
    const AtomicPart* atomic = part->parts[i];
    AtomicRecord record = {atomic->id,     atomic->build_date, atomic->x, atomic->y,
                           atomic->doc_id, atomic->type,       part->id};
    for (int j = 0; j < kConnections; ++j) {
      const Connection* connection = atomic->to[j];
      store::Put(ConnectionRecord{atomic->id * kConnections + j, connection->length,
                                  connection->type, atomic->id, connection->to->id});
    }
    store::Put(record);
  }
}

inline void PutAll(const Library& library) {
  for (int i = 0; i < library.configuration.modules; ++i) {
    const Module* m = library.modules[i];
    store::PutManual(TextOf(m->id, m->manual->title, m->manual->text));
    for (int64_t j = 0; j < m->part_count; ++j) {
      PutPart(m->parts[j], library.configuration.atomic_parts);
    }
    PutAssembly(m->design_root);
  }
}

// ---- Operations

struct RecordTraversal {
  Kind kind;
  std::vector<int32_t> marks;  // by atomic part: the number of the last search that met it
  int32_t search = 0;

  int32_t& MarkOf(int32_t id) {
    const auto index = static_cast<size_t>(id);
    if (index >= marks.size()) marks.resize(index + index / 2 + 1);
    return marks[index];
  }

  // Each update is a separate one, as T2C requires.
  void Update(AtomicRecord* atomic) {
    ++atomic->x;
    ++atomic->y;
    store::Update(*atomic);
  }

  int64_t Visit(int32_t id, int times) {
    AtomicRecord atomic;
    store::Get(id, &atomic);
    MarkOf(id) = search;
    for (int i = 1; i <= times; ++i) Update(&atomic);
    int64_t count = times == 0 ? 1 : times;
    ConnectionRecord connections[kConnections];
    store::GetConnections(id, connections);
    for (const ConnectionRecord& connection : connections) {
      if (MarkOf(connection.to) != search) count += Visit(connection.to, times);
    }
    return count;
  }

  int64_t Part(int32_t id) {
    CompositeRecord part;
    store::Get(id, &part);
    ++search;
    switch (kind) {
      case Kind::kT2B: return Visit(part.root, 1);
      case Kind::kT2C: return Visit(part.root, 4);
      case Kind::kT1: return Visit(part.root, 0);
      default: break;
    }
    AtomicRecord root;
    store::Get(part.root, &root);
    if (kind == Kind::kT2A) {
      Update(&root);
      Visit(part.root, 0);
    }
    return 1;
  }

  int64_t Assembly(int32_t id) {
    AssemblyRecord assembly;
    store::Get(id, &assembly);
    int64_t count = 0;
    for (const int32_t below : assembly.below) {
      count += assembly.base ? Part(below) : Assembly(below);
    }
    return count;
  }
};

// T1, T2A, T2B, T2C or T6.
inline Kind KindOf(const std::string& operation) {
  constexpr std::pair<const char*, Kind> kTraversals[] = {{"T1", Kind::kT1},
                                                          {"T6", Kind::kT6},
                                                          {"T2A", Kind::kT2A},
                                                          {"T2B", Kind::kT2B},
                                                          {"T2C", Kind::kT2C}};
  for (const auto& [name, kind] : kTraversals) {
    if (operation == name) return kind;
  }
  Fail("'" + operation +
       "' is not an operation of record stores; they have T1, T2A, T2B, T2C, T6, T8");
}

inline int64_t PerformOnRecords(const std::string& operation) {
  if (operation == "T8") {
    std::string text;
    store::GetManual(0, &text);
    return CountIn({text.data(), static_cast<int64_t>(text.size())}, 'I');
  }
  return RecordTraversal{KindOf(operation), {}}.Assembly(0);
}

constexpr char kStoreUsage[] = "usage: create PATH CONFIGURATION | measure PATH OPERATION one|many";

// Five iterations of an operation, in one transaction or in many. `open` also begins the first.
template <class Open, class Operation, class Commit, class Begin>
void MeasureStore(const std::string& operation, bool many, const Open& open,
                  const Operation& perform, const Commit& commit, const Begin& begin) {
  Spent from = Start();
  open();
  Tell("open", 0, from, Now());
  for (int i = 1; i <= kIterations; ++i) {
    from = Start();
    const int64_t count = perform(operation);
    const Spent to = Now();
    Tell("iteration", count, from, to);
    if (!many || i == kIterations) continue;
    commit();
    begin();
    Tell("chain", 0, to, Now());
  }
  from = Start();
  commit();
  Tell("commit", 0, from, Now());
  TellMemory();
}

// create PATH CONFIGURATION | measure PATH OPERATION one|many
inline int Main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "create") == 0) {
    const Configuration configuration = ConfigurationOf(argv[3]);
    const Spent from = Start();
    store::Create(argv[2]);
    const Library* library = Build(configuration);
    store::Begin(true);
    PutAll(*library);
    store::Commit();
    Tell("create", int64_t{library->next_composite} * configuration.atomic_parts, from, Now());
    store::Close();
    return 0;
  }
  if (argc == 5 && std::strcmp(argv[1], "measure") == 0) {
    const bool write = std::string_view(argv[3]).starts_with("T2");
    const auto begin = [&] { store::Begin(write); };
    MeasureStore(
        argv[3], std::strcmp(argv[4], "many") == 0,
        [&] {
          store::Open(argv[2]);
          begin();
        },
        PerformOnRecords, store::Commit, begin);
    store::Close();
    return 0;
  }
  Fail(kStoreUsage);
}

}  // namespace oo7
