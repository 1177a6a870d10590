// The traversals of OO7 that Hosking & Chen (1999, 5.4) measure, over any heap (objects.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/oo7/build.h"

namespace tenure::lab::oo7 {

enum class Operation : uint8_t { kT1, kT2A, kT2B, kT2C, kT3A, kT3B, kT3C, kT6, kT9 };
inline constexpr std::string_view kOperationNames[] = {"T1",  "T2A", "T2B", "T2C", "T3A",
                                                       "T3B", "T3C", "T6",  "T9"};
inline constexpr int kOperations = 9;

template <class H>
class Traversal {
 public:
  template <class T>
  using Local = typename H::template Local<T>;

  // The count of OO7: parts visited, or updates made.
  static int64_t Perform(Operation operation, const Local<Library<H>>& library) {
    Traversal traversal(operation, library);
    const Local<Module<H>> m(Local<References<H, Module<H>>>(library->modules)->at[0]);
    if (operation == Operation::kT9) {
      const Local<Manual<H>> manual(m->manual);
      const Local<Chars<H>> text(manual->text);
      const int64_t size = text->size;
      return text->chars[0] == text->chars[size - 1];
    }
    return traversal.Traverse(Local<ComplexAssembly<H>>(m->design_root));
  }

 private:
  Traversal(Operation operation, const Local<Library<H>>& library)
      : operation_(operation),
        marks_(static_cast<size_t>(library->next_composite) *
               static_cast<size_t>(library->configuration.atomic_parts)) {}

  void Swap(const Local<AtomicPart<H>>& part) {
    const auto updated = H::Update(part);
    ++updated->x;
    ++updated->y;
  }
  void UpdateDate(const Local<AtomicPart<H>>& part) {
    const int32_t id = part->id, date = part->build_date;
    H::EraseByDate(date, id);
    H::Update(part)->build_date = date + 1;
    H::InsertByDate(date + 1, id, part);
  }

  int64_t Visit(const Local<AtomicPart<H>>& part) {
    int64_t count = 1;
    marks_[static_cast<size_t>(part->id)] = search_;
    for (int i = 0; i < kConnections; ++i) {
      const Local<Connection<H>> connection(part->to[i]);
      const Local<AtomicPart<H>> next(connection->to);
      if (marks_[static_cast<size_t>(next->id)] != search_) count += Visit(next);
    }
    return count;
  }

  template <class Update>
  int64_t VisitAndUpdate(const Local<AtomicPart<H>>& part, int times, const Update& update) {
    int64_t count = times;
    marks_[static_cast<size_t>(part->id)] = search_;
    for (int i = 0; i < times; ++i) update(part);
    for (int i = 0; i < kConnections; ++i) {
      const Local<Connection<H>> connection(part->to[i]);
      const Local<AtomicPart<H>> next(connection->to);
      if (marks_[static_cast<size_t>(next->id)] != search_) {
        count += VisitAndUpdate(next, times, update);
      }
    }
    return count;
  }

  int64_t TraversePart(const Local<CompositePart<H>>& part) {
    ++search_;
    const Local<AtomicPart<H>> root(part->root);
    const auto swap = [this](const Local<AtomicPart<H>>& atomic) { Swap(atomic); };
    const auto date = [this](const Local<AtomicPart<H>>& atomic) { UpdateDate(atomic); };
    switch (operation_) {
      case Operation::kT1: return Visit(root);
      case Operation::kT6: marks_[static_cast<size_t>(root->id)] = search_; return 1;
      case Operation::kT2A:
        Swap(root);
        (void)Visit(root);
        return 1;
      case Operation::kT2B: return VisitAndUpdate(root, 1, swap);
      case Operation::kT2C: return VisitAndUpdate(root, 4, swap);
      case Operation::kT3A:
        UpdateDate(root);
        (void)Visit(root);
        return 1;
      case Operation::kT3B: return VisitAndUpdate(root, 1, date);
      case Operation::kT3C: return VisitAndUpdate(root, 4, date);
      case Operation::kT9: break;
    }
    return 0;
  }

  int64_t Traverse(const Local<ComplexAssembly<H>>& assembly) {
    int64_t count = 0;
    for (int i = 0; i < kSubAssemblies; ++i) {
      const Local<ComplexAssembly<H>> sub(assembly->sub[i]);
      if (sub) {
        count += Traverse(sub);
        continue;
      }
      const Local<BaseAssembly<H>> base(assembly->bases[i]);
      for (int k = 0; k < kAssemblyParts; ++k) {
        count += TraversePart(Local<CompositePart<H>>(base->parts[k]));
      }
    }
    return count;
  }

  const Operation operation_;
  std::vector<int32_t> marks_;  // a part that the present search has visited: the search's number
  int32_t search_ = 0;
};

}  // namespace tenure::lab::oo7
