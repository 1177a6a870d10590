// OO7 small in C++ with malloc: the twin of bench/oo7, object for object, draw for draw. What is
// here and there must stay alike. Prints the lines that `oo7 memory` prints.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

constexpr int kCompositeParts = 500;
constexpr int kAtomicParts = 20;
constexpr int kConnections = 3;
constexpr int kAssemblyLevels = 7;
constexpr int kSubAssemblies = 3;
constexpr int kAssemblyParts = 3;
constexpr int kDocumentSize = 2000;
constexpr int kManualSize = 100 * 1000;
constexpr int kTotalAtomicParts = kCompositeParts * kAtomicParts;
constexpr int kHotIterations = 3;

struct AtomicPart;
struct BaseAssembly;
struct ComplexAssembly;
struct CompositePart;

struct ShortText {
  char chars[10];
};

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

struct Document {
  int32_t id;
  char* title;
  char* text;
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
  AtomicPart* parts[kAtomicParts];
  Use* users;
};

enum class Kind { kT1, kT6, kT2A, kT2B, kT2C };

struct Assembly {
  virtual ~Assembly() = default;
  virtual int64_t Traverse(Kind kind) = 0;
  int32_t id, build_date;
  ComplexAssembly* parent;
};

struct ComplexAssembly final : Assembly {
  int64_t Traverse(Kind kind) override;
  Assembly* sub[kSubAssemblies];
};

struct BaseAssembly final : Assembly {
  int64_t Traverse(Kind kind) override;
  CompositePart* parts[kAssemblyParts];
};

struct Manual {
  int32_t id;
  char* title;
  char* text;
  int64_t size;
};

struct Module {
  int32_t id, build_date;
  Manual* manual;
  ComplexAssembly* design_root;
  CompositePart* parts[kCompositeParts];
};

// ---- Building

uint64_t state;
int32_t next_assembly;

int32_t Random(int32_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int32_t>((state >> 33) % static_cast<uint64_t>(n));
}

int32_t Date() { return 1000 + Random(1000); }

ShortText Type(int n) {
  ShortText type = {{'t', 'y', 'p', 'e', '0', '0', '0', 0, 0, 0}};
  for (int i = 6; i >= 4; --i) {
    type.chars[i] = static_cast<char>('0' + n % 10);
    n /= 10;
  }
  return type;
}

char* NewText(const std::string& s) {
  char* text = new char[s.size() + 1];
  s.copy(text, s.size());
  text[s.size()] = 0;
  return text;
}

char* NewFilledText(const std::string& title, int size) {
  char* text = new char[size + 1];
  for (int i = 0; i < size; ++i) text[i] = title[i % title.size()];
  text[size] = 0;
  return text;
}

Document* NewDocument(int id, CompositePart* part) {
  const std::string title = "Composite part " + std::to_string(id) + " ";
  return new Document{id, NewText(title), NewFilledText(title, kDocumentSize), part};
}

void Connect(AtomicPart* from, int index, AtomicPart* to) {
  Connection* connection = new Connection;
  connection->length = Random(100);
  connection->type = Type(Random(10));
  connection->from = from;
  connection->to = to;
  connection->next_from = to->from;
  from->to[index] = connection;
  to->from = connection;
}

CompositePart* NewCompositePart(int id) {
  CompositePart* part = new CompositePart();
  part->id = id;
  part->build_date = Date();
  part->type = Type(Random(10));
  part->document = NewDocument(id, part);
  for (int i = 0; i < kAtomicParts; ++i) {
    AtomicPart* atomic = new AtomicPart();
    atomic->id = id * kAtomicParts + i;
    atomic->build_date = Date();
    atomic->x = Random(100000);
    atomic->y = Random(100000);
    atomic->doc_id = id;
    atomic->type = Type(Random(10));
    atomic->part_of = part;
    part->parts[i] = atomic;
  }
  part->root = part->parts[0];
  for (int i = 0; i < kAtomicParts; ++i) {
    for (int j = 0; j < kConnections; ++j) {
      // The first leads to the next part, so that the root reaches all.
      const int to = j == 0 ? (i + 1) % kAtomicParts : Random(kAtomicParts);
      Connect(part->parts[i], j, part->parts[to]);
    }
  }
  return part;
}

BaseAssembly* NewBaseAssembly(Module* m, ComplexAssembly* parent) {
  BaseAssembly* assembly = new BaseAssembly;
  assembly->id = next_assembly++;
  assembly->build_date = Date();
  assembly->parent = parent;
  for (CompositePart*& place : assembly->parts) {
    CompositePart* part = m->parts[Random(kCompositeParts)];
    place = part;
    part->users = new Use{assembly, part->users};
  }
  return assembly;
}

ComplexAssembly* NewComplexAssembly(Module* m, ComplexAssembly* parent, int level) {
  ComplexAssembly* assembly = new ComplexAssembly;
  assembly->id = next_assembly++;
  assembly->build_date = Date();
  assembly->parent = parent;
  for (Assembly*& sub : assembly->sub) {
    if (level + 1 < kAssemblyLevels) {
      sub = NewComplexAssembly(m, assembly, level + 1);
    } else {
      sub = NewBaseAssembly(m, assembly);
    }
  }
  return assembly;
}

Module* Build() {
  state = 1;
  next_assembly = 0;
  Module* m = new Module();
  m->build_date = Date();
  const std::string title = "Manual for module 0 ";
  m->manual = new Manual{0, NewText(title), NewFilledText(title, kManualSize), kManualSize};
  for (int i = 0; i < kCompositeParts; ++i) m->parts[i] = NewCompositePart(i);
  m->design_root = NewComplexAssembly(m, nullptr, 1);
  return m;
}

// ---- Traversing

// The parts that the present search has visited are those marked with its number.
int32_t* marks;
int32_t search = 0;

int64_t Visit(AtomicPart* part) {
  int64_t count = 1;
  marks[part->id] = search;
  for (int i = 0; i < kConnections; ++i) {
    AtomicPart* next = part->to[i]->to;
    if (marks[next->id] != search) count += Visit(next);
  }
  return count;
}

void Update(AtomicPart* part) {
  ++part->x;
  ++part->y;
}

int64_t VisitAndUpdate(AtomicPart* part, int64_t times) {
  int64_t count = times;
  marks[part->id] = search;
  for (int64_t i = 1; i <= times; ++i) Update(part);
  for (int i = 0; i < kConnections; ++i) {
    AtomicPart* next = part->to[i]->to;
    if (marks[next->id] != search) count += VisitAndUpdate(next, times);
  }
  return count;
}

int64_t TraversePart(CompositePart* part, Kind kind) {
  ++search;
  switch (kind) {
    case Kind::kT1: return Visit(part->root);
    case Kind::kT6: marks[part->root->id] = search; return 1;
    case Kind::kT2A:
      Update(part->root);
      Visit(part->root);
      return 1;
    case Kind::kT2B: return VisitAndUpdate(part->root, 1);
    case Kind::kT2C: return VisitAndUpdate(part->root, 4);
  }
  return 0;
}

int64_t ComplexAssembly::Traverse(Kind kind) {
  int64_t count = 0;
  for (Assembly* assembly : sub) count += assembly->Traverse(kind);
  return count;
}

int64_t BaseAssembly::Traverse(Kind kind) {
  int64_t count = 0;
  for (CompositePart* part : parts) count += TraversePart(part, kind);
  return count;
}

int64_t CountInManual(const Module* m, char c) {
  int64_t count = 0;
  for (int64_t i = 0; i < m->manual->size; ++i) {
    if (m->manual->text[i] == c) ++count;
  }
  return count;
}

int64_t CompareManualEnds(const Module* m) {
  return m->manual->text[0] == m->manual->text[m->manual->size - 1] ? 1 : 0;
}

// ---- Measuring

using Clock = std::chrono::steady_clock;

void Report(const char* name, int64_t count, Clock::time_point start) {
  const std::chrono::duration<double, std::milli> time = Clock::now() - start;
  std::printf("%s %lld %.3f ms\n", name, static_cast<long long>(count), time.count());
}

}  // namespace

int main() {
  marks = new int32_t[kTotalAtomicParts]();
  Clock::time_point start = Clock::now();
  Module* m = Build();
  Report("build", kTotalAtomicParts, start);
  int64_t count = 0;
  for (int i = 0; i <= kHotIterations; ++i) {
    start = Clock::now();
    count = m->design_root->Traverse(Kind::kT1);
    if (i == kHotIterations) Report("T1-hot", count, start);
  }
  constexpr const char* kNames[] = {"T1", "T6", "T2A", "T2B", "T2C"};
  for (int kind = 1; kind < 5; ++kind) {
    start = Clock::now();
    count = m->design_root->Traverse(static_cast<Kind>(kind));
    Report(kNames[kind], count, start);
  }
  start = Clock::now();
  count = CountInManual(m, 'o');
  Report("T8", count, start);
  start = Clock::now();
  count = CompareManualEnds(m);
  Report("T9", count, start);
}
