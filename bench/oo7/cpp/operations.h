// The operations of OO7: the twin of bench/oo7/tenure/{OO7,OO7Queries,OO7Operation}.m3.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bench/oo7/cpp/build.h"

namespace oo7 {

// A part that the present search has visited is marked with the search's number.
inline std::vector<int32_t> mark_storage;
inline int32_t* marks;
inline int32_t search = 0;
inline Library* in_use;
inline int64_t seen = 0;

inline void Prepare(Library* library) {
  const size_t size =
      static_cast<size_t>(library->next_composite) * library->configuration.atomic_parts;
  in_use = library;
  if (mark_storage.size() < size) {
    mark_storage.assign(size + size / 8, 0);
    marks = mark_storage.data();
    search = 0;
  }
}

// ---- Traversals

inline void Update(AtomicPart* part) {
  ++part->x;
  ++part->y;
}

inline void UpdateIndexed(AtomicPart* part) {
  in_use->by_date.erase({part->build_date, part->id});
  ++part->build_date;
  in_use->by_date[{part->build_date, part->id}] = part;
}

inline int64_t Visit(AtomicPart* part) {
  int64_t count = 1;
  marks[part->id] = search;
  for (int i = 0; i < kConnections; ++i) {
    AtomicPart* next = part->to[i]->to;
    if (marks[next->id] != search) count += Visit(next);
  }
  return count;
}

template <void (*kUpdate)(AtomicPart*)>
int64_t VisitAndUpdate(AtomicPart* part, int64_t times) {
  int64_t count = times;
  marks[part->id] = search;
  for (int64_t i = 1; i <= times; ++i) kUpdate(part);
  for (int i = 0; i < kConnections; ++i) {
    AtomicPart* next = part->to[i]->to;
    if (marks[next->id] != search) count += VisitAndUpdate<kUpdate>(next, times);
  }
  return count;
}

inline int64_t CountIn(const Text& text, char c) {
  int64_t count = 0;
  for (int64_t i = 0; i < text.size; ++i) {
    if (text.chars[i] == c) ++count;
  }
  return count;
}

inline int64_t ReplaceInDocument(Document* document) {
  const bool there = document->text.chars[0] == 'I';
  const std::string_view from = there ? "I am" : "This is", to = there ? "This is" : "I am";
  const std::string_view text(document->text.chars, static_cast<size_t>(document->text.size));
  std::string replaced;
  int64_t count = 0;
  size_t at = 0;
  for (size_t next; (next = text.find(from, at)) != std::string_view::npos;
       at = next + from.size(), ++count) {
    replaced.append(text, at, next - at).append(to);
  }
  replaced.append(text, at);
  heap::Free(document->text.chars);
  document->text = MakeText(replaced);
  return count;
}

inline int64_t TraversePart(CompositePart* part, Kind kind) {
  ++search;
  switch (kind) {
    case Kind::kT1: return Visit(part->root);
    case Kind::kT6: marks[part->root->id] = search; return 1;
    case Kind::kT2A:
      Update(part->root);
      Visit(part->root);
      return 1;
    case Kind::kT2B: return VisitAndUpdate<Update>(part->root, 1);
    case Kind::kT2C: return VisitAndUpdate<Update>(part->root, 4);
    case Kind::kT3A:
      UpdateIndexed(part->root);
      Visit(part->root);
      return 1;
    case Kind::kT3B: return VisitAndUpdate<UpdateIndexed>(part->root, 1);
    case Kind::kT3C: return VisitAndUpdate<UpdateIndexed>(part->root, 4);
    case Kind::kT4: return CountIn(part->document->text, 'I');
    case Kind::kT5: return ReplaceInDocument(part->document);
  }
  return 0;
}

inline int64_t Traverse(Assembly* assembly, Kind kind) {
  int64_t count = 0;
  if (assembly->base) {
    BaseAssembly* base = static_cast<BaseAssembly*>(assembly);
    for (CompositePart* part : base->parts) count += TraversePart(part, kind);
    for (Component* c = base->more; c != nullptr; c = c->next) count += TraversePart(c->part, kind);
  } else {
    for (Assembly* sub : static_cast<ComplexAssembly*>(assembly)->sub) count += Traverse(sub, kind);
  }
  return count;
}

inline int64_t TraverseUp(const Library& library, const Module* m) {
  const CompositePart* part = m->parts[Draw(m->part_count)];
  const AtomicPart* atomic = part->parts[Draw(library.configuration.atomic_parts)];
  int64_t count = 0;
  for (const Use* use = atomic->part_of->users; use != nullptr; use = use->next) {
    for (const Assembly* a = use->assembly; a != nullptr; a = a->parent) ++count;
  }
  return count;
}

// ---- Queries

inline void Look(const AtomicPart* part) { seen += part->x + part->y; }

inline int64_t RandomParts(const Library& library) {
  const int64_t n = int64_t{library.next_composite} * library.configuration.atomic_parts;
  int64_t count = 0;
  for (int i = 0; i < 10; ++i) {
    const auto found = library.by_id.find(Draw(n));
    if (found == library.by_id.end()) continue;
    Look(found->second);
    ++count;
  }
  return count;
}

inline int64_t RecentParts(const Library& library, int percent) {
  const int first = kLastDate + 1 - (kLastDate + 1 - kFirstDate) * percent / 100;
  int64_t count = 0;
  for (auto at = library.by_date.lower_bound({first, 0}); at != library.by_date.end(); ++at) {
    Look(at->second);
    ++count;
  }
  return count;
}

inline int64_t UsersOfDocuments(const Library& library) {
  int64_t count = 0;
  for (int i = 0; i < 10; ++i) {
    const std::string title = TitleOf(Draw(library.next_composite));
    const auto found = library.by_title.find(HeapString(title.data(), title.size()));
    if (found == library.by_title.end()) continue;
    for (const Use* use = found->second->part->users; use != nullptr; use = use->next) {
      seen += use->assembly->build_date;
      ++count;
    }
  }
  return count;
}

inline int64_t OutOfDate(const Module* m) {
  int64_t count = 0;
  for (int i = 0; i < kBaseAssemblies; ++i) {
    for (const CompositePart* part : m->bases[i]->parts) {
      if (part->build_date > m->bases[i]->build_date) {
        ++count;
        break;
      }
    }
  }
  return count;
}

inline int64_t AllParts(const Library& library) {
  int64_t count = 0;
  for (const auto& [id, part] : library.by_id) {
    Look(part);
    ++count;
  }
  return count;
}

inline int64_t Join(const Library& library) {
  std::unordered_map<int64_t, const Document*> documents;
  for (const auto& [title, document] : library.by_title) documents[document->id] = document;
  int64_t count = 0;
  for (const auto& [id, part] : library.by_id) count += documents.contains(part->doc_id) ? 1 : 0;
  return count;
}

// ---- By name

constexpr const char* kOperations[] = {"T1", "T2A", "T2B", "T2C", "T3A", "T3B",    "T3C",   "T4",
                                       "T5", "T6",  "T7",  "T8",  "T9",  "CU",     "Q1",    "Q2",
                                       "Q3", "Q4",  "Q5",  "Q7",  "Q8",  "insert", "delete"};
// The number of times that a hot iteration does each operation, as in
// bench/oo7/tenure/OO7Operation.i3.
constexpr int kRepeats[] = {1,      1, 1,     1,    1,   1,    1,    1, 1, 300, 100000, 100,
                            100000, 1, 20000, 2000, 200, 1000, 2000, 5, 5, 1,   1};
constexpr int kOperationCount = sizeof(kOperations) / sizeof(kOperations[0]);

constexpr int kT1 = 0, kCU = 13, kInsert = 21, kDelete = 22;

// The operation's number; -1 if there is none.
inline int OperationOf(std::string_view name) {
  for (int i = 0; i < kOperationCount; ++i) {
    if (name == kOperations[i]) return i;
  }
  return -1;
}

inline int64_t UpdateModule(Module* m, Kind kind) {
  const int64_t count = Traverse(m->design_root, kind);
  m->updates += count;
  return count;
}

// Each repeat draws other random numbers, as in bench/oo7/tenure/OO7Operation.i3.
inline int64_t Perform(int operation, Library* library, Module* m, int repeat = 0) {
  Prepare(library);
  StartRandom(static_cast<uint64_t>(operation) + 2 +
              static_cast<uint64_t>(repeat) * kOperationCount);
  switch (operation) {
    case 0: return Traverse(m->design_root, Kind::kT1);
    case 1:
    case 13: return UpdateModule(m, Kind::kT2A);
    case 2: return UpdateModule(m, Kind::kT2B);
    case 3: return UpdateModule(m, Kind::kT2C);
    case 4: return Traverse(m->design_root, Kind::kT3A);
    case 5: return Traverse(m->design_root, Kind::kT3B);
    case 6: return Traverse(m->design_root, Kind::kT3C);
    case 7: return Traverse(m->design_root, Kind::kT4);
    case 8: return Traverse(m->design_root, Kind::kT5);
    case 9: return Traverse(m->design_root, Kind::kT6);
    case 10: return TraverseUp(*library, m);
    case 11: return CountIn(m->manual->text, 'I');
    case 12: return m->manual->text.chars[0] == m->manual->text.chars[m->manual->text.size - 1];
    case 14: return RandomParts(*library);
    case 15: return RecentParts(*library, 1);
    case 16: return RecentParts(*library, 10);
    case 17: return UsersOfDocuments(*library);
    case 18: return OutOfDate(m);
    case 19: return AllParts(*library);
    case 20: return Join(*library);
    case 21: return Insert(library, m);
    case 22: return Delete(library, m);
    default: return 0;
  }
}

// The preparation of the operation, which does not count as its time.
inline void PrepareFor(int operation, Library* library, Module* m) {
  if (operation == kCU) Perform(kT1, library, m);
  if (operation == kDelete) Perform(kInsert, library, m);
}

}  // namespace oo7
