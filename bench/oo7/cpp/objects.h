// The objects of OO7 in C++, in any heap: the twin of bench/oo7/tenure/OO7.i3, object for object.
// Keep the two in step.
//
// Include a heap before this file (bench/support/cpp/malloc_heap.h).
#pragma once

#include <cstdint>
#include <utility>

#include "bench/support/cpp/containers.h"
#include "bench/support/cpp/random.h"

namespace oo7 {

using bench::Draw;
using bench::HeapString;
using bench::Index;
using bench::StartRandom;

constexpr int kCompositeParts = 500;  // number in a module, before any are inserted
constexpr int kConnections = 3;
constexpr int kAssemblyLevels = 7;
constexpr int kSubAssemblies = 3;
constexpr int kAssemblyParts = 3;
constexpr int kBaseAssemblies = 729;
constexpr int kDocumentSize = 2000;
constexpr int kFirstDate = 1000, kLastDate = 1999;

struct Configuration {
  int modules = 1;
  int atomic_parts = 20;
  int manual_size = 100 * 1000;
};

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

enum class Kind { kT1, kT6, kT2A, kT2B, kT2C, kT3A, kT3B, kT3C, kT4, kT5 };

// A mapped heap comes back in another process, where virtual tables may lie elsewhere; so each
// assembly has its kind as a field.
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
  Index<int64_t, AtomicPart*> by_id;
  Index<std::pair<int32_t, int32_t>, AtomicPart*> by_date;
  Index<HeapString, Document*> by_title;
};

}  // namespace oo7
