// The operations of OO7 over any heap (objects.h): the twin of
// bench/oo7/tenure/{OO7,OO7Queries,OO7Operation}.m3.
//
// Of the indexes a heap has, besides those that build.h needs:
//   H::FindById(library, id), H::FindByTitle(library, title)   none if there is none
//   H::ForEachById(library, visit), H::ForEachByTitle(library, visit)   in order
//   H::ForEachFromDate(library, date, visit)   parts of this date and later ones, in order
// H::kQueries says whether the heap has all these; H::kFrees whether it has Free, without which
// structures do not change.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lab/oo7/build.h"
#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

inline constexpr const char* kOperations[] = {
    "T1", "T2A", "T2B", "T2C", "T3A", "T3B", "T3C", "T4", "T5", "T6",     "T7",    "T8",
    "T9", "CU",  "Q1",  "Q2",  "Q3",  "Q4",  "Q5",  "Q7", "Q8", "insert", "delete"};
inline constexpr int kOperationCount = sizeof(kOperations) / sizeof(kOperations[0]);
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
  kT7,
  kT8,
  kT9,
  kCU,
  kQ1,
  kQ2,
  kQ3,
  kQ4,
  kQ5,
  kQ7,
  kQ8,
  kInsert,
  kDelete
};
// The number of times that a hot iteration does each operation, as in
// bench/oo7/tenure/OO7Operation.i3.
inline constexpr int kRepeats[] = {1,      1, 1,     1,    1,   1,    1,    1, 1, 300, 100000, 100,
                                   100000, 1, 20000, 2000, 200, 1000, 2000, 5, 5, 1,   1};

// The operation's number; -1 if there is none.
inline int OperationOf(std::string_view name) {
  for (int i = 0; i < kOperationCount; ++i) {
    if (name == kOperations[i]) return i;
  }
  return -1;
}

// Notes visited parts in an array of marks, and allocates nothing.
struct BareStyle {
  static constexpr bool kSet = false, kIterators = false;
};

// The work of White & DeWitt's programs (1995, 6.3) besides the traversal: a set of the atomic
// parts that a search has visited, and for every visited node an iterator over its references in
// the transient heap.
template <bool kWithSet, bool kWithIterators>
struct PaperStyle {
  static constexpr bool kSet = kWithSet, kIterators = kWithIterators;
};

// A cursor over the references of a node.
struct Iterator {
  int next;
  int count;
};
// Not inlined, so that the compiler cannot do without the memory.
__attribute__((noinline)) inline Iterator* NewIterator(int count) {
  auto* const iterator = static_cast<Iterator*>(std::malloc(sizeof(Iterator)));
  *iterator = {0, count};
  return iterator;
}
__attribute__((noinline)) inline void DeleteIterator(Iterator* iterator) { std::free(iterator); }

template <class H, class Style = BareStyle>
class Operations {
 public:
  template <class T>
  using Local = typename H::template Local<T>;
  template <class T>
  using Param = typename H::template Param<T>;
  template <class T>
  using ArrayLocal = typename H::template ArrayLocal<T>;

  // Returns the count of OO7: parts visited, updates made, or what the query found. Each repeat
  // draws other random numbers, as in bench/oo7/tenure/OO7Operation.i3.
  static int64_t Perform(int operation, Param<Library<H>> library, Param<Module<H>> m,
                         int repeat = 0) {
    Prepare(library);
    StartRandom(static_cast<uint64_t>(operation) + 2 +
                static_cast<uint64_t>(repeat) * kOperationCount);
    switch (operation) {
      case kT1: return FromRoot(m, kT1);
      case kT2A:
      case kCU: return UpdateModule(m, kT2A);
      case kT2B: return UpdateModule(m, kT2B);
      case kT2C: return UpdateModule(m, kT2C);
      case kT3A: return FromRoot(m, kT3A);
      case kT3B: return FromRoot(m, kT3B);
      case kT3C: return FromRoot(m, kT3C);
      case kT4: return FromRoot(m, kT4);
      case kT5: return FromRoot(m, kT5);
      case kT6: return FromRoot(m, kT6);
      case kT7: return TraverseUp(library, m);
      case kT8: {
        const Local<Manual<H>> manual(m->manual);
        return CountIn(typename H::CharsLocal(manual->text.chars), manual->text.size, 'I');
      }
      case kT9: {
        const Local<Manual<H>> manual(m->manual);
        const typename H::CharsLocal chars(manual->text.chars);
        const int64_t size = manual->text.size;
        return H::CharAt(chars, 0) == H::CharAt(chars, size - 1);
      }
      case kQ5: return OutOfDate(library, m);
      default: break;
    }
    if constexpr (H::kQueries) {
      switch (operation) {
        case kQ1: return RandomParts(library);
        case kQ2: return RecentParts(library, 1);
        case kQ3: return RecentParts(library, 10);
        case kQ4: return UsersOfDocuments(library);
        case kQ7: return AllParts(library);
        case kQ8: return Join(library);
        default: break;
      }
    }
    if constexpr (H::kFrees) {
      if (operation == kInsert) return Builder<H>::Insert(library, m);
      if (operation == kDelete) return Builder<H>::Delete(library, m);
    }
    return 0;
  }

  // The preparation of the operation, which does not count as its time.
  static void PrepareFor(int operation, Param<Library<H>> library, Param<Module<H>> m) {
    if (operation == kCU) Perform(kT1, library, m);
    if (operation == kDelete) Perform(kInsert, library, m);
  }

  static Local<Module<H>> ModuleAt(Param<Library<H>> library, int i) {
    return H::At(ArrayLocal<Module<H>>(library->modules), i);
  }

  // The sum of what queries looked at, so that they look.
  static inline int64_t seen = 0;

  // ---- Traversals

  static void Update(Param<AtomicPart<H>> part) {
    const auto updated = H::Update(part);
    ++updated->x;
    ++updated->y;
  }

  static void UpdateIndexed(Param<AtomicPart<H>> part) {
    const int32_t id = part->id, date = part->build_date;
    H::EraseByDate(Local<Library<H>>(in_use), date, id);
    H::Update(part)->build_date = date + 1;
    H::InsertByDate(Local<Library<H>>(in_use), date + 1, id, part);
  }

  static int64_t Visit(Param<AtomicPart<H>> part) {
    int64_t count = 1;
    Mark(part->id);
    const IteratorOf iterator(kConnections);
    for (int i = 0; i < kConnections; ++i) {
      const Local<Connection<H>> connection(part->to[i]);
      const Local<AtomicPart<H>> next(connection->to);
      if (!IsMarked(next->id)) count += Visit(next);
    }
    return count;
  }

  template <void (*kUpdate)(Param<AtomicPart<H>>)>
  static int64_t VisitAndUpdate(Param<AtomicPart<H>> part, int64_t times) {
    int64_t count = times;
    Mark(part->id);
    for (int64_t i = 1; i <= times; ++i) kUpdate(part);
    const IteratorOf iterator(kConnections);
    for (int i = 0; i < kConnections; ++i) {
      const Local<Connection<H>> connection(part->to[i]);
      const Local<AtomicPart<H>> next(connection->to);
      if (!IsMarked(next->id)) count += VisitAndUpdate<kUpdate>(next, times);
    }
    return count;
  }

  static int64_t CountIn(typename H::CharsParam chars, int64_t size, char c) {
    int64_t count = 0;
    for (int64_t i = 0; i < size; ++i) {
      if (H::CharAt(chars, i) == c) ++count;
    }
    return count;
  }

  static int64_t Traverse(Param<Assembly<H>> assembly, int kind) {
    int64_t count = 0;
    if (assembly->base) {
      const Local<BaseAssembly<H>> base = H::template Cast<BaseAssembly<H>>(assembly);
      const IteratorOf iterator(kAssemblyParts);
      for (int i = 0; i < kAssemblyParts; ++i) {
        count += TraversePart(Local<CompositePart<H>>(base->parts[i]), kind);
      }
      for (Local<Component<H>> c(base->more); c; c = Local<Component<H>>(c->next)) {
        count += TraversePart(Local<CompositePart<H>>(c->part), kind);
      }
    } else {
      const Local<ComplexAssembly<H>> complex = H::template Cast<ComplexAssembly<H>>(assembly);
      const IteratorOf iterator(kSubAssemblies);
      for (int i = 0; i < kSubAssemblies; ++i) {
        count += Traverse(Local<Assembly<H>>(complex->sub[i]), kind);
      }
    }
    return count;
  }

  static int64_t TraverseUp(Param<Library<H>> library, Param<Module<H>> m) {
    const Local<CompositePart<H>> part =
        H::At(ArrayLocal<CompositePart<H>>(m->parts), Draw(m->part_count));
    const Local<AtomicPart<H>> atomic =
        H::At(ArrayLocal<AtomicPart<H>>(part->parts), Draw(library->configuration.atomic_parts));
    int64_t count = 0;
    const Local<CompositePart<H>> of(atomic->part_of);
    for (Local<Use<H>> use(of->users); use; use = Local<Use<H>>(use->next)) {
      const Local<BaseAssembly<H>> base(use->assembly);
      for (Local<Assembly<H>> a = H::template Cast<Assembly<H>>(base); a;
           a = H::template Cast<Assembly<H>>(Local<ComplexAssembly<H>>(a->parent))) {
        ++count;
      }
    }
    return count;
  }

  // ---- Queries

  static void Look(Param<AtomicPart<H>> part) { seen += part->x + part->y; }

  static int64_t RandomParts(Param<Library<H>> library) {
    const int64_t n = int64_t{library->next_composite} * library->configuration.atomic_parts;
    int64_t count = 0;
    for (int i = 0; i < 10; ++i) {
      const Local<AtomicPart<H>> found = H::FindById(library, Draw(n));
      if (!found) continue;
      Look(found);
      ++count;
    }
    return count;
  }

  static int64_t RecentParts(Param<Library<H>> library, int percent) {
    const int first = kLastDate + 1 - (kLastDate + 1 - kFirstDate) * percent / 100;
    int64_t count = 0;
    H::ForEachFromDate(library, first, [&](Param<AtomicPart<H>> part) {
      Look(part);
      ++count;
    });
    return count;
  }

  static int64_t UsersOfDocuments(Param<Library<H>> library) {
    int64_t count = 0;
    for (int i = 0; i < 10; ++i) {
      const Local<Document<H>> document =
          H::FindByTitle(library, TitleOf(Draw(library->next_composite)));
      if (!document) continue;
      const Local<CompositePart<H>> part(document->part);
      for (Local<Use<H>> use(part->users); use; use = Local<Use<H>>(use->next)) {
        const Local<BaseAssembly<H>> assembly(use->assembly);
        seen += assembly->build_date;
        ++count;
      }
    }
    return count;
  }

  static int64_t OutOfDate(Param<Library<H>> library, Param<Module<H>> m) {
    const int base_assemblies = library->configuration.base_assemblies();
    const ArrayLocal<BaseAssembly<H>> bases(m->bases);
    int64_t count = 0;
    for (int i = 0; i < base_assemblies; ++i) {
      const Local<BaseAssembly<H>> base = H::At(bases, i);
      for (int k = 0; k < kAssemblyParts; ++k) {
        const Local<CompositePart<H>> part(base->parts[k]);
        if (part->build_date > base->build_date) {
          ++count;
          break;
        }
      }
    }
    return count;
  }

  static int64_t AllParts(Param<Library<H>> library) {
    int64_t count = 0;
    H::ForEachById(library, [&](Param<AtomicPart<H>> part) {
      Look(part);
      ++count;
    });
    return count;
  }

  static int64_t Join(Param<Library<H>> library) {
    std::unordered_set<int64_t> documents;
    H::ForEachByTitle(library,
                      [&](Param<Document<H>> document) { documents.insert(document->id); });
    int64_t count = 0;
    H::ForEachById(library, [&](Param<AtomicPart<H>> part) {
      count += documents.contains(part->doc_id) ? 1 : 0;
    });
    return count;
  }

 private:
  // A part that the present search has visited is marked with the search's number, or in the set.
  static inline std::vector<int32_t> mark_storage;
  static inline int32_t* marks;
  static inline int32_t search = 0;
  static inline std::unordered_set<int32_t> visited;
  static inline RefIn<H, Library<H>> in_use;

  // In the transient heap, as long as its node is visited; or nothing.
  class IteratorOf {
   public:
    explicit IteratorOf(int count) {
      if constexpr (Style::kIterators) iterator_ = NewIterator(count);
    }
    ~IteratorOf() {
      if constexpr (Style::kIterators) DeleteIterator(iterator_);
    }
    IteratorOf(const IteratorOf&) = delete;
    IteratorOf& operator=(const IteratorOf&) = delete;

   private:
    [[maybe_unused]] Iterator* iterator_ = nullptr;
  };

  static void Prepare(Param<Library<H>> library) {
    const size_t size = static_cast<size_t>(library->next_composite) *
                        static_cast<size_t>(library->configuration.atomic_parts);
    in_use = library;
    if (mark_storage.size() < size) {
      mark_storage.assign(size + size / 8, 0);
      marks = mark_storage.data();
      search = 0;
    }
  }

  static void Mark(int32_t id) {
    if constexpr (Style::kSet) {
      visited.insert(id);
    } else {
      marks[id] = search;
    }
  }
  static bool IsMarked(int32_t id) {
    if constexpr (Style::kSet) {
      return visited.contains(id);
    } else {
      return marks[id] == search;
    }
  }

  static int64_t ReplaceInDocument(Param<Document<H>> document) {
    const std::string text = TextOf<H>(document->text);
    const bool there = text[0] == 'I';
    const std::string_view from = there ? "I am" : "This is", to = there ? "This is" : "I am";
    std::string replaced;
    int64_t count = 0;
    size_t at = 0;
    for (size_t next; (next = text.find(from, at)) != std::string::npos;
         at = next + from.size(), ++count) {
      replaced.append(text, at, next - at).append(to);
    }
    replaced.append(text, at);
    H::FreeChars(document->text.chars);
    const typename H::CharsLocal chars = H::MakeChars(replaced);
    const auto updated = H::Update(document);
    updated->text.chars = chars;
    updated->text.size = static_cast<int64_t>(replaced.size());
    return count;
  }

  static int64_t TraversePart(Param<CompositePart<H>> part, int kind) {
    if constexpr (Style::kSet) visited.clear();
    ++search;
    const IteratorOf iterator(1);
    switch (kind) {
      case kT1: return Visit(Local<AtomicPart<H>>(part->root));
      case kT6: {
        const Local<AtomicPart<H>> root(part->root);
        Mark(root->id);
        return 1;
      }
      case kT2A: {
        const Local<AtomicPart<H>> root(part->root);
        Update(root);
        Visit(root);
        return 1;
      }
      case kT2B: return VisitAndUpdate<Update>(Local<AtomicPart<H>>(part->root), 1);
      case kT2C: return VisitAndUpdate<Update>(Local<AtomicPart<H>>(part->root), 4);
      case kT3A: {
        const Local<AtomicPart<H>> root(part->root);
        UpdateIndexed(root);
        Visit(root);
        return 1;
      }
      case kT3B: return VisitAndUpdate<UpdateIndexed>(Local<AtomicPart<H>>(part->root), 1);
      case kT3C: return VisitAndUpdate<UpdateIndexed>(Local<AtomicPart<H>>(part->root), 4);
      case kT4: {
        const Local<Document<H>> document(part->document);
        return CountIn(typename H::CharsLocal(document->text.chars), document->text.size, 'I');
      }
      case kT5:
        if constexpr (H::kFrees) return ReplaceInDocument(Local<Document<H>>(part->document));
        break;
      default: break;
    }
    return 0;
  }

  static int64_t FromRoot(Param<Module<H>> m, int kind) {
    return Traverse(H::template Cast<Assembly<H>>(Local<ComplexAssembly<H>>(m->design_root)), kind);
  }

  static int64_t UpdateModule(Param<Module<H>> m, int kind) {
    const int64_t count = FromRoot(m, kind);
    H::Update(m)->updates += count;
    return count;
  }
};

}  // namespace tenure::lab::oo7
