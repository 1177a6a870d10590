// A module of OO7 as White & DeWitt (1995, 4.1) use it: objects on pages of 8 KB, with references
// of 4 bytes, padded so that a module has the size that the paper gives for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi/heap_constants.h"

namespace tenure::lab::recovery {

inline constexpr size_t kPageBytes = abi::kPageBytes;

// Where the pages of a module lie in a client's memory; page i behind page i - 1. Reference 0:
// none.
inline constexpr uintptr_t kModuleBase = 0x200000000000;
using Reference = uint32_t;

template <class T>
T* At(Reference reference) {
  return reinterpret_cast<T*>(kModuleBase + reference);
}

enum class ObjectKind : uint32_t { kOther, kFiller, kAtomicPart };

// In front of each object. Objects tile their page.
struct ObjectHead {
  uint32_t bytes;  // with the head
  ObjectKind kind;
};

struct AtomicPart {
  int32_t id, build_date, x, y, document_id;
  Reference to[3];
  Reference part_of;
  uint8_t rest[184 - sizeof(ObjectHead) - 9 * 4];
};

struct Connection {
  int32_t length;
  Reference from, to;
  uint8_t rest[120 - sizeof(ObjectHead) - 3 * 4];
};

struct CompositePart {
  int32_t id, build_date;
  Reference root, document;
  Reference parts[20];
  uint8_t rest[312 - sizeof(ObjectHead) - 24 * 4];
};

struct Document {
  int32_t id;
  uint8_t text[2000];
};

struct Assembly {
  int32_t id, build_date;
  Reference sub[3];    // assemblies; 0 in a base assembly
  Reference parts[3];  // composite parts of a base assembly
  uint8_t rest[96 - sizeof(ObjectHead) - 8 * 4];
};

struct ModuleHead {
  Reference root_assembly;
  int32_t composite_parts;
};

enum class Size : uint8_t { kSmall, kBig };
// Objects lie in the order of creation, or beside the objects that refer to them, level by level,
// with documents apart (as Tenure does).
enum class Placement : uint8_t { kCreation, kReachability };

// The pages of a module, one behind the other. `number` chooses among random modules.
std::vector<std::byte> MakeModule(Size size, Placement placement, uint32_t number);

// The traversals; each returns the number of updates. `Store` is how a field gets a value.
enum class Traversal : uint8_t { kT2A, kT2B, kT2C };
inline constexpr const char* kTraversalNames[] = {"T2A", "T2B", "T2C"};

template <class Store>
class Traverse {
 public:
  Traverse(Traversal traversal, Store& store)
      : times_(traversal == Traversal::kT2C ? 4 : 1),
        only_root_(traversal == Traversal::kT2A),
        store_(store) {}

  uint64_t Run() {
    const auto* const module = At<ModuleHead>(sizeof(ObjectHead));
    marks_.assign(static_cast<size_t>(module->composite_parts) * 20, 0);
    search_ = 0;
    return VisitAssembly(*At<Assembly>(module->root_assembly));
  }

 private:
  uint64_t VisitAssembly(const Assembly& assembly) {
    uint64_t count = 0;
    for (int i = 0; i < 3; ++i) {
      if (assembly.sub[i] != 0) {
        count += VisitAssembly(*At<Assembly>(assembly.sub[i]));
        continue;
      }
      ++search_;
      const auto* const part = At<CompositePart>(assembly.parts[i]);
      auto* const root = At<AtomicPart>(part->root);
      if (only_root_) count += Update(*root);
      const uint64_t visited = Visit(*root);
      if (!only_root_) count += visited;
    }
    return count;
  }
  uint64_t Visit(AtomicPart& part) {
    uint64_t count = only_root_ ? 0 : Update(part);
    marks_[static_cast<size_t>(part.id)] = search_;
    for (int i = 0; i < 3; ++i) {
      auto* const next = At<AtomicPart>(At<Connection>(part.to[i])->to);
      if (marks_[static_cast<size_t>(next->id)] != search_) count += Visit(*next);
    }
    return count;
  }
  uint64_t Update(AtomicPart& part) {
    for (uint64_t i = 0; i < times_; ++i) {
      store_.Set(&part.x, part.x + 1);
      store_.Set(&part.y, part.y + 1);
    }
    return times_;
  }

  const uint64_t times_;
  const bool only_root_;
  Store& store_;
  std::vector<uint32_t> marks_;
  uint32_t search_ = 0;
};

// The sums of x and of y of all atomic parts.
struct Sums {
  uint64_t x = 0, y = 0;
  friend bool operator==(const Sums&, const Sums&) = default;
};
// Adds up the module in this process's memory, which has `pages` pages.
Sums SumModule(size_t pages);

}  // namespace tenure::lab::recovery
