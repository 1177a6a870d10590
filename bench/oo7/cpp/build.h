// Makes the objects of OO7, and changes their structure: the twin of bench/oo7/tenure/OO7Build.m3.
#pragma once

#include <algorithm>
#include <cstring>
#include <new>

#include "bench/oo7/cpp/objects.h"

namespace oo7 {

constexpr int kInsertedParts = 5;
constexpr int kInsertedUses = 10;

inline int32_t next_assembly;
inline int next_base;

template <class T>
T* MakeArray(int64_t n) {
  void* place = heap::Allocate(static_cast<size_t>(n) * sizeof(T));
  memset(place, 0, static_cast<size_t>(n) * sizeof(T));
  return static_cast<T*>(place);
}

inline int32_t Date() { return kFirstDate + Draw(kLastDate - kFirstDate + 1); }

inline ShortText Type(int n) {
  ShortText type = {{'t', 'y', 'p', 'e', '0', '0', '0', 0, 0, 0}};
  for (int i = 6; i >= 4; --i) {
    type.chars[i] = static_cast<char>('0' + n % 10);
    n /= 10;
  }
  return type;
}

inline Text MakeTextOf(size_t size) {
  return {static_cast<char*>(heap::AllocateChars(size)), static_cast<int64_t>(size)};
}

inline Text MakeText(const std::string& s) {
  const Text text = MakeTextOf(s.size());
  s.copy(text.chars, s.size());
  return text;
}

inline Text MakeFilledText(const std::string& sentence, int size) {
  const Text text = MakeTextOf(static_cast<size_t>(size));
  for (int i = 0; i < size; ++i) text.chars[i] = sentence[i % sentence.size()];
  return text;
}

inline std::string TitleOf(int id) { return "Composite part " + std::to_string(id); }

// ---- Composite parts

inline Document* MakeDocument(int id, CompositePart* part) {
  Document* document = heap::Make<Document>();
  document->id = id;
  document->title = MakeText(TitleOf(id));
  document->text = MakeFilledText(
      "I am the documentation for composite part " + std::to_string(id) + "\n", kDocumentSize);
  document->part = part;
  return document;
}

inline void Connect(AtomicPart* from, int index, AtomicPart* to) {
  Connection* connection = heap::Make<Connection>();
  connection->length = Draw(100);
  connection->type = Type(Draw(10));
  connection->from = from;
  connection->to = to;
  connection->next_from = to->from;
  from->to[index] = connection;
  to->from = connection;
}

inline CompositePart* MakeCompositePart(int id, int atomic_parts) {
  CompositePart* part = heap::Make<CompositePart>();
  part->id = id;
  part->build_date = Date();
  part->type = Type(Draw(10));
  part->document = MakeDocument(id, part);
  part->parts = MakeArray<AtomicPart*>(atomic_parts);
  for (int i = 0; i < atomic_parts; ++i) {
    AtomicPart* atomic = heap::Make<AtomicPart>();
    atomic->id = id * atomic_parts + i;
    atomic->build_date = Date();
    atomic->x = Draw(100000);
    atomic->y = Draw(100000);
    atomic->doc_id = id;
    atomic->type = Type(Draw(10));
    atomic->part_of = part;
    part->parts[i] = atomic;
  }
  part->root = part->parts[0];
  for (int i = 0; i < atomic_parts; ++i) {
    for (int j = 0; j < kConnections; ++j) {
      // The first leads to the next part, so that the root reaches all.
      const int to = j == 0 ? (i + 1) % atomic_parts : Draw(atomic_parts);
      Connect(part->parts[i], j, part->parts[to]);
    }
  }
  return part;
}

// ---- Assemblies

inline void AddUse(CompositePart* part, BaseAssembly* assembly) {
  Use* use = heap::Make<Use>();
  *use = {assembly, part->users};
  part->users = use;
}

inline BaseAssembly* MakeBaseAssembly(Module* m, ComplexAssembly* parent) {
  BaseAssembly* assembly = heap::Make<BaseAssembly>();
  assembly->base = true;
  assembly->id = next_assembly++;
  assembly->build_date = Date();
  assembly->parent = parent;
  m->bases[next_base++] = assembly;
  for (CompositePart*& place : assembly->parts) {
    place = m->parts[Draw(kCompositeParts)];
    AddUse(place, assembly);
  }
  return assembly;
}

inline ComplexAssembly* MakeComplexAssembly(Module* m, ComplexAssembly* parent, int level) {
  ComplexAssembly* assembly = heap::Make<ComplexAssembly>();
  assembly->id = next_assembly++;
  assembly->build_date = Date();
  assembly->parent = parent;
  for (Assembly*& sub : assembly->sub) {
    if (level + 1 < kAssemblyLevels) {
      sub = MakeComplexAssembly(m, assembly, level + 1);
    } else {
      sub = MakeBaseAssembly(m, assembly);
    }
  }
  return assembly;
}

// ---- Modules

inline void Sum(const Library& library, const Module* m, int64_t* x, int64_t* y) {
  *x = *y = 0;
  for (int64_t i = 0; i < m->part_count; ++i) {
    for (int j = 0; j < library.configuration.atomic_parts; ++j) {
      *x += m->parts[i]->parts[j]->x;
      *y += m->parts[i]->parts[j]->y;
    }
  }
}

inline void Enter(Library* library, CompositePart* part) {
  const Text& title = part->document->title;
  library->by_title[HeapString(title.chars, static_cast<size_t>(title.size))] = part->document;
  for (int i = 0; i < library->configuration.atomic_parts; ++i) {
    AtomicPart* atomic = part->parts[i];
    library->by_id[atomic->id] = atomic;
    library->by_date[{atomic->build_date, atomic->id}] = atomic;
  }
}

inline Module* MakeModule(Library* library, int id) {
  const Configuration& configuration = library->configuration;
  Module* m = heap::Make<Module>();
  m->id = id;
  m->build_date = Date();
  m->manual = heap::Make<Manual>();
  m->manual->id = id;
  m->manual->title = MakeText("Manual for module " + std::to_string(id));
  m->manual->text = MakeFilledText("I am the manual for module " + std::to_string(id) + "\n",
                                   configuration.manual_size);
  m->parts = MakeArray<CompositePart*>(kCompositeParts);
  m->part_count = kCompositeParts;
  m->bases = MakeArray<BaseAssembly*>(kBaseAssemblies);
  for (int i = 0; i < kCompositeParts; ++i) {
    m->parts[i] = MakeCompositePart(library->next_composite++, configuration.atomic_parts);
    Enter(library, m->parts[i]);
  }
  next_base = 0;
  m->design_root = MakeComplexAssembly(m, nullptr, 1);
  Sum(*library, m, &m->sum_x, &m->sum_y);
  return m;
}

inline Library* Build(const Configuration& configuration) {
  StartRandom(1);
  next_assembly = 0;
  Library* library = new (heap::Allocate(sizeof(Library))) Library();
  library->configuration = configuration;
  library->modules = MakeArray<Module*>(configuration.modules);
  for (int i = 0; i < configuration.modules; ++i) library->modules[i] = MakeModule(library, i);
  return library;
}

// ---- Structural modifications

inline int64_t Insert(Library* library, Module* m) {
  const int64_t old = m->part_count;
  CompositePart** parts = MakeArray<CompositePart*>(old + kInsertedParts);
  std::copy(m->parts, m->parts + old, parts);
  for (int64_t i = old; i < old + kInsertedParts; ++i) {
    parts[i] = MakeCompositePart(library->next_composite++, library->configuration.atomic_parts);
    Enter(library, parts[i]);
    for (int j = 0; j < library->configuration.atomic_parts; ++j) {
      m->sum_x += parts[i]->parts[j]->x;
      m->sum_y += parts[i]->parts[j]->y;
    }
  }
  for (int i = 0; i < kInsertedUses; ++i) {
    BaseAssembly* assembly = m->bases[Draw(kBaseAssemblies)];
    CompositePart* part = parts[old + i % kInsertedParts];
    Component* component = heap::Make<Component>();
    *component = {part, assembly->more};
    assembly->more = component;
    AddUse(part, assembly);
  }
  heap::Free(m->parts);
  m->parts = parts;
  m->part_count += kInsertedParts;
  return kInsertedParts;
}

inline void TakeOut(BaseAssembly* assembly, CompositePart* part) {
  Component** place = &assembly->more;
  while ((*place)->part != part) place = &(*place)->next;
  Component* component = *place;
  *place = component->next;
  heap::Free(component);
}

inline void FreePart(Library* library, Module* m, CompositePart* part) {
  Document* document = part->document;
  library->by_title.erase(
      HeapString(document->title.chars, static_cast<size_t>(document->title.size)));
  heap::Free(document->title.chars);
  heap::Free(document->text.chars);
  heap::Free(document);
  for (int i = 0; i < library->configuration.atomic_parts; ++i) {
    AtomicPart* atomic = part->parts[i];
    library->by_id.erase(atomic->id);
    library->by_date.erase({atomic->build_date, atomic->id});
    m->sum_x -= atomic->x;
    m->sum_y -= atomic->y;
    for (Connection* connection : atomic->to) heap::Free(connection);
    heap::Free(atomic);
  }
  heap::Free(part->parts);
  heap::Free(part);
}

inline int64_t Delete(Library* library, Module* m) {
  const int64_t n = std::min<int64_t>(kInsertedParts, m->part_count - kCompositeParts);
  for (int64_t i = 0; i < n; ++i) {
    CompositePart* part = m->parts[--m->part_count];
    for (Use* use = part->users; use != nullptr;) {
      TakeOut(use->assembly, part);
      Use* next = use->next;
      heap::Free(use);
      use = next;
    }
    if (part->id == library->next_composite - 1) --library->next_composite;
    FreePart(library, m, part);
  }
  return n;
}

}  // namespace oo7
