// OO7 with a record per object and ids for references, as one writes it for a record store; and the
// operations that make sense there. The records come from the C++ objects, so that all count the
// same.
//
// A program includes this, defines the functions of namespace store, and calls oo7::Main.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace heap {

inline void* Allocate(size_t bytes) {
  void* place = std::malloc(bytes);
  if (place == nullptr) std::abort();
  return place;
}

inline void Free(void* place) { std::free(place); }

template <class T>
T* Make() {
  return new (Allocate(sizeof(T))) T();
}

}  // namespace heap

#include "bench/oo7_cpp/measure.h"

namespace oo7 {

struct AtomicRecord {
  int32_t id, build_date, x, y, doc_id;
  ShortText type;
  int32_t to[kConnections];  // connections
  int32_t part_of;
};

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

// Each ends the program with a message when it fails. Get expects what it asks for to be there.
void Create(const char* path);
void Open(const char* path);
void Close();
void Begin(bool write);
void Commit();

void Get(int32_t id, oo7::AtomicRecord* record);
void Get(int32_t id, oo7::ConnectionRecord* record);
void Get(int32_t id, oo7::CompositeRecord* record);
void Get(int32_t id, oo7::AssemblyRecord* record);
void GetManual(int32_t id, std::string* text);
void Put(const oo7::AtomicRecord& record);
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
                           atomic->doc_id, atomic->type,       {},        part->id};
    for (int j = 0; j < kConnections; ++j) {
      const Connection* connection = atomic->to[j];
      record.to[j] = atomic->id * kConnections + j;
      store::Put(ConnectionRecord{record.to[j], connection->length, connection->type, atomic->id,
                                  connection->to->id});
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
  std::unordered_map<int32_t, int32_t> visited;  // to the number of the search
  int32_t search = 0;

  void Update(AtomicRecord* atomic, int times) {
    atomic->x += times;
    atomic->y += times;
    store::Put(*atomic);
  }

  int64_t Visit(int32_t id, int times) {
    AtomicRecord atomic;
    store::Get(id, &atomic);
    visited[id] = search;
    for (int i = 1; i <= times; ++i) Update(&atomic, 1);
    int64_t count = times == 0 ? 1 : times;
    for (const int32_t to : atomic.to) {
      ConnectionRecord connection;
      store::Get(to, &connection);
      if (visited[connection.to] != search) count += Visit(connection.to, times);
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
      Update(&root, 1);
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

inline int64_t PerformOnRecords(const std::string& operation) {
  constexpr std::pair<const char*, Kind> kTraversals[] = {{"T1", Kind::kT1},
                                                          {"T6", Kind::kT6},
                                                          {"T2A", Kind::kT2A},
                                                          {"T2B", Kind::kT2B},
                                                          {"T2C", Kind::kT2C}};
  for (const auto& [name, kind] : kTraversals) {
    if (operation == name) return RecordTraversal{kind, {}}.Assembly(0);
  }
  if (operation == "T8") {
    std::string text;
    store::GetManual(0, &text);
    return CountIn({text.data(), static_cast<int64_t>(text.size())}, 'I');
  }
  Fail("'" + operation + "' is no operation of record stores; they have T1, T2A, T2B, T2C, T6, T8");
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
    const std::string operation = argv[3];
    const bool write = operation.starts_with("T2");
    const bool many = std::strcmp(argv[4], "many") == 0;
    Spent from = Start();
    store::Open(argv[2]);
    store::Begin(write);
    Tell("open", 0, from, Now());
    for (int i = 1; i <= kIterations; ++i) {
      from = Start();
      const int64_t count = PerformOnRecords(operation);
      const Spent to = Now();
      Tell("iteration", count, from, to);
      if (!many || i == kIterations) continue;
      store::Commit();
      store::Begin(write);
      Tell("chain", 0, to, Now());
    }
    from = Start();
    store::Commit();
    Tell("commit", 0, from, Now());
    TellMemory();
    store::Close();
    return 0;
  }
  Fail("usage: create PATH CONFIGURATION | measure PATH OPERATION one|many");
}

}  // namespace oo7
