// OO7 in PMDK's libpmemobj, in its usual style: persistent pointers are object ids, and objects are
// added to a transaction before they are changed. The operations are those of the record stores.
#include "bench/support/cpp/pmdk.h"

#include <vector>

#include "bench/oo7/peers/records.h"

namespace {

using oo7::kAssemblyParts;
using oo7::kConnections;
using oo7::Kind;
using oo7::ShortText;
using pmdk::Begin;
using pmdk::Commit;
using pmdk::Die;
using pmdk::Make;
using pmdk::pool;
using pmdk::Ref;

constexpr char kLayout[] = "oo7";
// Bytes of the pool for each atomic part, with its connections, its share of the documents, and
// slack.
constexpr size_t kBytesPerPart = 2000;

struct Composite;
struct Connection;

struct Atomic {
  int32_t id, build_date, x, y, doc_id;
  ShortText type;
  Ref<Connection> to[kConnections];
  Ref<Connection> from;
  Ref<Composite> part_of;
};

struct Connection {
  int32_t length;
  ShortText type;
  Ref<Atomic> from, to;
  Ref<Connection> next_from;
};

struct Chars {
  int64_t size;
  char chars[];
};

struct Document {
  int32_t id;
  Ref<Chars> title, text;
  Ref<Composite> part;
};

struct Composite {
  int32_t id, build_date;
  ShortText type;
  Ref<Document> document;
  Ref<Atomic> root;
  Ref<Ref<Atomic>> parts;
};

struct Assembly {
  int32_t id, build_date;
  bool base;
  Ref<Assembly> parent;
  Ref<Assembly> sub[kAssemblyParts];
  Ref<Composite> parts[kAssemblyParts];
};

struct Root {
  int64_t parts;  // atomic ones
  Ref<Assembly> design_root;
  Ref<Chars> manual;
};

Ref<Root> TheRoot() {
  const PMEMoid id = pmemobj_root(pool, sizeof(Root));
  if (OID_IS_NULL(id)) Die("no root");
  return {id};
}

// ---- Building: copies the C++ objects, a transaction for each composite part

Ref<Chars> Copy(const oo7::Text& text) {
  const auto size = static_cast<size_t>(text.size);
  const Ref<Chars> chars = Make<Chars>(sizeof(Chars) + size);
  chars->size = text.size;
  std::memcpy(chars->chars, text.chars, size);
  return chars;
}

Ref<Composite> CopyPart(const oo7::CompositePart* part, int atomic_parts) {
  const Ref<Composite> copy = Make<Composite>();
  copy->id = part->id;
  copy->build_date = part->build_date;
  copy->type = part->type;
  copy->document = Make<Document>();
  *copy->document.get() = {part->document->id, Copy(part->document->title),
                           Copy(part->document->text), copy};
  copy->parts = Make<Ref<Atomic>>(sizeof(Ref<Atomic>) * static_cast<size_t>(atomic_parts));
  Ref<Atomic>* const parts = copy->parts.get();
  const int first = part->parts[0]->id;
  for (int i = 0; i < atomic_parts; ++i) {
    const oo7::AtomicPart* atomic = part->parts[i];
    parts[i] = Make<Atomic>();
    Atomic* to = parts[i].get();
    to->id = atomic->id;
    to->build_date = atomic->build_date;
    to->x = atomic->x;
    to->y = atomic->y;
    to->doc_id = atomic->doc_id;
    to->type = atomic->type;
    to->part_of = copy;
  }
  copy->root = parts[0];
  for (int i = 0; i < atomic_parts; ++i) {
    for (int j = 0; j < kConnections; ++j) {
      const oo7::Connection* connection = part->parts[i]->to[j];
      const Ref<Connection> c = Make<Connection>();
      const Ref<Atomic> target = parts[connection->to->id - first];
      *c.get() = {connection->length, connection->type, parts[i], target, target->from};
      parts[i]->to[j] = c;
      target->from = c;
    }
  }
  return copy;
}

Ref<Assembly> CopyAssembly(const oo7::Assembly* a, Ref<Assembly> parent,
                           const std::vector<Ref<Composite>>& parts) {
  const Ref<Assembly> copy = Make<Assembly>();
  Assembly* to = copy.get();
  to->id = a->id;
  to->build_date = a->build_date;
  to->base = a->base;
  to->parent = parent;
  for (int i = 0; i < kAssemblyParts; ++i) {
    if (a->base) {
      const int id = static_cast<const oo7::BaseAssembly*>(a)->parts[i]->id;
      to->parts[i] = parts[static_cast<size_t>(id)];
    } else {
      to->sub[i] = CopyAssembly(static_cast<const oo7::ComplexAssembly*>(a)->sub[i], copy, parts);
    }
  }
  return copy;
}

void Create(const char* path, const oo7::Configuration& configuration) {
  const bench::Spent from = bench::Start();
  const oo7::Library* library = oo7::Build(configuration);
  const int64_t atomic = int64_t{library->next_composite} * configuration.atomic_parts;
  const size_t bytes =
      std::max<size_t>(size_t{64} << 20, static_cast<size_t>(atomic) * kBytesPerPart);
  pool = pmemobj_create(path, kLayout, bytes, 0600);
  if (pool == nullptr) Die(path);
  const oo7::Module* m = library->modules[0];
  std::vector<Ref<Composite>> parts;
  for (int64_t i = 0; i < m->part_count; ++i) {
    Begin();
    parts.push_back(CopyPart(m->parts[i], configuration.atomic_parts));
    Commit();
  }
  const Ref<Root> root = TheRoot();
  Begin();
  pmemobj_tx_add_range(root.id, 0, sizeof(Root));
  *root.get() = {atomic, CopyAssembly(m->design_root, {OID_NULL}, parts), Copy(m->manual->text)};
  Commit();
  bench::Tell("create", atomic, from, bench::Now());
  pmemobj_close(pool);
}

// ---- Operations

struct Traversal {
  Kind kind;
  std::vector<int32_t> marks;  // by atomic part: the number of the last search that met it
  int32_t search = 0;

  static void Update(Atomic* atomic) {
    pmemobj_tx_add_range_direct(&atomic->x, sizeof atomic->x + sizeof atomic->y);
    ++atomic->x;
    ++atomic->y;
  }

  int64_t Visit(Atomic* atomic, int times) {
    marks[static_cast<size_t>(atomic->id)] = search;
    for (int i = 0; i < times; ++i) Update(atomic);
    int64_t count = times == 0 ? 1 : times;
    for (const Ref<Connection>& connection : atomic->to) {
      Atomic* to = connection->to.get();
      if (marks[static_cast<size_t>(to->id)] != search) count += Visit(to, times);
    }
    return count;
  }

  int64_t Part(const Composite* part) {
    ++search;
    Atomic* root = part->root.get();
    switch (kind) {
      case Kind::kT1: return Visit(root, 0);
      case Kind::kT2B: return Visit(root, 1);
      case Kind::kT2C: return Visit(root, 4);
      case Kind::kT2A:
        Update(root);
        Visit(root, 0);
        return 1;
      default: marks[static_cast<size_t>(root->id)] = search; return 1;
    }
  }

  int64_t Traverse(const Assembly* assembly) {
    int64_t count = 0;
    for (int i = 0; i < kAssemblyParts; ++i) {
      count += assembly->base ? Part(assembly->parts[i].get()) : Traverse(assembly->sub[i].get());
    }
    return count;
  }
};

int64_t Perform(const Root* root, const std::string& operation) {
  if (operation == "T8") {
    const Chars* manual = root->manual.get();
    return oo7::CountIn({const_cast<char*>(manual->chars), manual->size}, 'I');
  }
  const Kind kind = oo7::KindOf(operation);
  return Traversal{kind, std::vector<int32_t>(static_cast<size_t>(root->parts))}.Traverse(
      root->design_root.get());
}

}  // namespace

// create PATH CONFIGURATION | measure PATH OPERATION one|many
int main(int argc, char** argv) {
  if (argc == 4 && std::strcmp(argv[1], "create") == 0) {
    Create(argv[2], oo7::ConfigurationOf(argv[3]));
    return 0;
  }
  if (argc != 5 || std::strcmp(argv[1], "measure") != 0) bench::Fail(oo7::kStoreUsage);
  const Root* root = nullptr;
  oo7::MeasureStore(
      argv[3], std::strcmp(argv[4], "many") == 0,
      [&] {
        pool = pmemobj_open(argv[2], kLayout);
        if (pool == nullptr) Die(argv[2]);
        root = TheRoot().get();
        Begin();
      },
      [&](const std::string& operation) { return Perform(root, operation); }, Commit, Begin);
  pmemobj_close(pool);
}
