// The traversals of OO7 as one writes them in C++ with pointers, without templates: the measure of
// templates.cc.
#include <cstdint>
#include <vector>

namespace plain {

constexpr int kConnections = 3, kSubAssemblies = 3, kAssemblyParts = 3;
enum Operation : int {
  kT1,
  kT2A,
  kT2B,
  kT2C,
  kT3A,
  kT3B,
  kT3C,
  kT4,
  kT5,
  kT6,
};

struct Configuration {
  int32_t modules, atomic_parts, manual_size, composite_parts, assembly_levels;
  int32_t base_assemblies() const {
    int32_t n = 1;
    for (int32_t level = 1; level < assembly_levels; ++level) n *= kSubAssemblies;
    return n;
  }
};
struct ShortText {
  char chars[10];
};
struct AtomicPart;
struct BaseAssembly;
struct ComplexAssembly;
struct CompositePart;
struct Connection {
  int32_t length;
  ShortText type;
  AtomicPart *from, *to;
  Connection* next_from;
};
struct AtomicPart {
  int32_t id, build_date, x, y, doc_id;
  ShortText type;
  Connection* to[kConnections];
  Connection* from;
  CompositePart* part_of;
};
struct Text {
  char* chars;
  int64_t size;
};
struct Document {
  int32_t id;
  Text title, text;
  CompositePart* part;
};
struct Use {
  BaseAssembly* assembly;
  Use* next;
};
struct CompositePart {
  int32_t id, build_date;
  ShortText type;
  Document* document;
  AtomicPart* root;
  AtomicPart** parts;
  Use* users;
};
struct Component {
  CompositePart* part;
  Component* next;
};
struct Assembly {
  bool base;
  int32_t id, build_date;
  ComplexAssembly* parent;
};
struct ComplexAssembly : Assembly {
  Assembly* sub[kSubAssemblies];
};
struct BaseAssembly : Assembly {
  CompositePart* parts[kAssemblyParts];
  Component* more;
};
struct Manual {
  int32_t id;
  Text title, text;
};
struct Module {
  int32_t id, build_date;
  Manual* manual;
  ComplexAssembly* design_root;
  CompositePart** parts;
  int64_t part_count;
  BaseAssembly** bases;
  int64_t sum_x, sum_y, updates;
};
struct Library {
  Configuration configuration;
  int32_t next_composite;
  Module** modules;
};

inline uint64_t random_state = 1;

inline int32_t Draw(int64_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int32_t>((random_state >> 33) % static_cast<uint64_t>(n));
}

struct Code {
  static inline int32_t* marks;
  static inline int32_t search = 0;

  static void Update(AtomicPart* part) {
    ++part->x;
    ++part->y;
  }

  static int64_t Visit(AtomicPart* part) {
    int64_t count = 1;
    marks[part->id] = search;
    for (int i = 0; i < kConnections; ++i) {
      AtomicPart* const next = part->to[i]->to;
      if (marks[next->id] != search) count += Visit(next);
    }
    return count;
  }

  template <void (*kUpdate)(AtomicPart*)>
  static int64_t VisitAndUpdate(AtomicPart* part, int64_t times) {
    int64_t count = times;
    marks[part->id] = search;
    for (int64_t i = 1; i <= times; ++i) kUpdate(part);
    for (int i = 0; i < kConnections; ++i) {
      AtomicPart* const next = part->to[i]->to;
      if (marks[next->id] != search) count += VisitAndUpdate<kUpdate>(next, times);
    }
    return count;
  }

  static int64_t CountIn(const char* chars, int64_t size, char c) {
    int64_t count = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (chars[i] == c) ++count;
    }
    return count;
  }

  static int64_t TraverseUp(Library* library, Module* m) {
    CompositePart* const part = m->parts[Draw(m->part_count)];
    AtomicPart* const atomic = part->parts[Draw(library->configuration.atomic_parts)];
    int64_t count = 0;
    for (Use* use = atomic->part_of->users; use != nullptr; use = use->next) {
      for (Assembly* a = use->assembly; a != nullptr; a = a->parent) ++count;
    }
    return count;
  }

  static int64_t OutOfDate(Library* library, Module* m) {
    const int base_assemblies = library->configuration.base_assemblies();
    BaseAssembly** const bases = m->bases;
    int64_t count = 0;
    for (int i = 0; i < base_assemblies; ++i) {
      BaseAssembly* const base = bases[i];
      for (int k = 0; k < kAssemblyParts; ++k) {
        if (base->parts[k]->build_date > base->build_date) {
          ++count;
          break;
        }
      }
    }
    return count;
  }
};

}  // namespace plain

using plain::Code;

int64_t Use(int what, plain::Library* library, plain::Module* m, plain::AtomicPart* part) {
  switch (what) {
    case 0: return Code::Visit(part);
    case 1: return Code::VisitAndUpdate<Code::Update>(part, 4);
    case 3: return Code::TraverseUp(library, m);
    case 4: return Code::OutOfDate(library, m);
    default: return Code::CountIn(m->manual->text.chars, m->manual->text.size, 'I');
  }
}
