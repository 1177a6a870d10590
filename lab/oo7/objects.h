// The objects of OO7, over any way to refer to objects: the twin of bench/oo7/tenure/OO7.i3, object
// for object. The programs of bench/oo7 use them with pointers (pointer_heap.h), the laboratory
// with the references of each system.
//
// A *heap* H says how a program refers to objects:
//   Ref<T>           a reference in an object; all zero: none
//   Local<T>         a reference in a local variable; made of a Ref or a Local
//   Param<T>         a parameter of a function: a Local, by value where that is faster
//   local->field     reads the object; `if (local)` asks whether there is one
//   H::Update(local)->field = ...    writes the object
//   H::Make<T>()     a new object, all zero; H::Free(local) one that nothing refers to any more
//   H::Cast<T>(local)                the same object as one of another type
// and how it refers to arrays of references, and to characters, whose numbers the program knows:
//   ArrayRef<T>, ArrayLocal<T>, H::MakeArray<T>(n), H::FreeArray(array)
//   H::At(array, i), H::SetAt(array, i, local)
//   CharsRef, CharsLocal, CharsParam, H::MakeChars(text), H::FreeChars(chars), H::CharAt(chars, i)
// and keeps the three indexes of a library (build.h and operations.h have the calls):
//   Indexes          what a library has of them
// H::BeginCluster() says that objects made from now on are used together.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tenure::lab::oo7 {

inline constexpr int kConnections = 3, kSubAssemblies = 3, kAssemblyParts = 3, kDocumentSize = 2000,
                     kFirstDate = 1000, kLastDate = 1999;

struct Configuration {
  int32_t modules = 1;
  int32_t atomic_parts = 20;  // of a composite part
  int32_t manual_size = 100 * 1000;
  int32_t composite_parts = 500;  // of a module, before any are inserted
  int32_t assembly_levels = 7;

  int64_t all_atomic_parts() const { return int64_t{modules} * composite_parts * atomic_parts; }
  // Leaves of the tree of assemblies.
  int32_t base_assemblies() const {
    int32_t n = 1;
    for (int32_t level = 1; level < assembly_levels; ++level) n *= kSubAssemblies;
    return n;
  }
};

struct ShortText {
  char chars[10];
};

// Of each object: which references it has. Stores of the laboratory keep the number with the
// object.
enum class TypeNumber : uint32_t {
  kConnection = 1,
  kAtomicPart,
  kDocument,
  kUse,
  kCompositePart,
  kComplexAssembly,
  kBaseAssembly,
  kManual,
  kModule,
  kLibrary,
  kChars,
  kReferences,
  kComponent,
  // Of OO1 (lab/oo1/objects.h).
  kOo1Connection,
  kOo1Part,
  kOo1WholePart,
  kOo1Database,
};

template <class H>
struct AtomicPart;
template <class H>
struct BaseAssembly;
template <class H>
struct ComplexAssembly;
template <class H>
struct CompositePart;

template <class H, class T>
using RefIn = typename H::template Ref<T>;
template <class H, class T>
using ArrayIn = typename H::template ArrayRef<T>;

template <class H>
struct Text {
  typename H::CharsRef chars;
  int64_t size;
};

template <class H>
struct Connection {
  static constexpr TypeNumber kType = TypeNumber::kConnection;
  int32_t length;
  ShortText type;
  RefIn<H, AtomicPart<H>> from, to;
  RefIn<H, Connection> next_from;
};

template <class H>
struct AtomicPart {
  static constexpr TypeNumber kType = TypeNumber::kAtomicPart;
  int32_t id, build_date, x, y, doc_id;
  ShortText type;
  RefIn<H, Connection<H>> to[kConnections];
  RefIn<H, Connection<H>> from;
  RefIn<H, CompositePart<H>> part_of;
};

template <class H>
struct Document {
  static constexpr TypeNumber kType = TypeNumber::kDocument;
  int32_t id;
  Text<H> title, text;
  RefIn<H, CompositePart<H>> part;
};

template <class H>
struct Use {
  static constexpr TypeNumber kType = TypeNumber::kUse;
  RefIn<H, BaseAssembly<H>> assembly;
  RefIn<H, Use> next;
};

template <class H>
struct CompositePart {
  static constexpr TypeNumber kType = TypeNumber::kCompositePart;
  int32_t id, build_date;
  ShortText type;
  RefIn<H, Document<H>> document;
  RefIn<H, AtomicPart<H>> root;
  ArrayIn<H, AtomicPart<H>> parts;
  RefIn<H, Use<H>> users;
};

// A composite part that a base assembly has got besides the first three.
template <class H>
struct Component {
  static constexpr TypeNumber kType = TypeNumber::kComponent;
  RefIn<H, CompositePart<H>> part;
  RefIn<H, Component> next;
};

// A store comes back in another process, where virtual tables may lie elsewhere; so each assembly
// has its kind as a field.
template <class H>
struct Assembly {
  bool base;
  int32_t id, build_date;
  RefIn<H, ComplexAssembly<H>> parent;
};

template <class H>
struct ComplexAssembly : Assembly<H> {
  static constexpr TypeNumber kType = TypeNumber::kComplexAssembly;
  RefIn<H, Assembly<H>> sub[kSubAssemblies];
};

template <class H>
struct BaseAssembly : Assembly<H> {
  static constexpr TypeNumber kType = TypeNumber::kBaseAssembly;
  RefIn<H, CompositePart<H>> parts[kAssemblyParts];
  RefIn<H, Component<H>> more;
};

template <class H>
struct Manual {
  static constexpr TypeNumber kType = TypeNumber::kManual;
  int32_t id;
  Text<H> title, text;
};

template <class H>
struct Module {
  static constexpr TypeNumber kType = TypeNumber::kModule;
  int32_t id, build_date;
  RefIn<H, Manual<H>> manual;
  RefIn<H, ComplexAssembly<H>> design_root;
  ArrayIn<H, CompositePart<H>> parts;
  int64_t part_count;
  ArrayIn<H, BaseAssembly<H>> bases;
  int64_t sum_x, sum_y, updates;
};

template <class H>
struct Library {
  static constexpr TypeNumber kType = TypeNumber::kLibrary;
  Configuration configuration;
  int32_t next_composite;
  ArrayIn<H, Module<H>> modules;
  [[no_unique_address]] typename H::Indexes indexes;
};

// For heaps to which an array of references is an object like any other. All such arrays have one
// type number: their layout is the same.
template <class H, class T>
struct References {
  static constexpr TypeNumber kType = TypeNumber::kReferences;
  using Element = RefIn<H, T>;
  Element at[1];  // or more
};

// The same for characters.
template <class H>
struct Chars {
  static constexpr TypeNumber kType = TypeNumber::kChars;
  using Element = char;
  char chars[1];  // or more
};

// Calls visit for each reference in the object of `bytes` bytes at `object`, which has this type,
// or in the part of an array of references there. For heaps with Chars and References.
template <class H, class Visit>
void ForEachReference(TypeNumber type, void* object, size_t bytes, const Visit& visit) {
  const auto all = [&](auto& refs) {
    for (auto& ref : refs) visit(ref);
  };
  switch (type) {
    case TypeNumber::kConnection: {
      auto& o = *static_cast<Connection<H>*>(object);
      visit(o.from), visit(o.to), visit(o.next_from);
      return;
    }
    case TypeNumber::kAtomicPart: {
      auto& o = *static_cast<AtomicPart<H>*>(object);
      all(o.to), visit(o.from), visit(o.part_of);
      return;
    }
    case TypeNumber::kDocument: {
      auto& o = *static_cast<Document<H>*>(object);
      visit(o.title.chars), visit(o.text.chars), visit(o.part);
      return;
    }
    case TypeNumber::kUse: {
      auto& o = *static_cast<Use<H>*>(object);
      visit(o.assembly), visit(o.next);
      return;
    }
    case TypeNumber::kCompositePart: {
      auto& o = *static_cast<CompositePart<H>*>(object);
      visit(o.document), visit(o.root), visit(o.parts), visit(o.users);
      return;
    }
    case TypeNumber::kComponent: {
      auto& o = *static_cast<Component<H>*>(object);
      visit(o.part), visit(o.next);
      return;
    }
    case TypeNumber::kComplexAssembly: {
      auto& o = *static_cast<ComplexAssembly<H>*>(object);
      visit(o.parent), all(o.sub);
      return;
    }
    case TypeNumber::kBaseAssembly: {
      auto& o = *static_cast<BaseAssembly<H>*>(object);
      visit(o.parent), all(o.parts), visit(o.more);
      return;
    }
    case TypeNumber::kManual: {
      auto& o = *static_cast<Manual<H>*>(object);
      visit(o.title.chars), visit(o.text.chars);
      return;
    }
    case TypeNumber::kModule: {
      auto& o = *static_cast<Module<H>*>(object);
      visit(o.manual), visit(o.design_root), visit(o.parts), visit(o.bases);
      return;
    }
    case TypeNumber::kLibrary: visit(static_cast<Library<H>*>(object)->modules); return;
    case TypeNumber::kReferences: {
      auto& o = *static_cast<References<H, Module<H>>*>(object);
      auto* const first = o.at;
      for (size_t i = 0; i < bytes / sizeof *first; ++i) visit(first[i]);
      return;
    }
    case TypeNumber::kChars:
    default: return;
  }
}

}  // namespace tenure::lab::oo7
