// The objects of OO7, over any way to refer to objects: the twin of bench/oo7/cpp/objects.h, object
// for object.
//
// A *heap* H says how a program refers to objects:
//   Ref<T>           a reference in an object; all zero: none
//   Local<T>         a reference in a local variable; made of a Ref or a Local
//   local->field     reads the object; `if (local)` asks whether there is one
//   H::Update(local)->field = ...    writes the object
//   H::Make<T>()     a new object, all zero; H::MakeSized<T>(n) one with room for n elements
// and keeps the index of atomic parts by date:
//   H::InsertByDate(date, id, part), H::EraseByDate(date, id)
#pragma once

#include <cstdint>

namespace tenure::lab::oo7 {

inline constexpr int kCompositeParts = 500, kConnections = 3, kAssemblyLevels = 7,
                     kSubAssemblies = 3, kAssemblyParts = 3, kBaseAssemblies = 729,
                     kDocumentSize = 2000, kFirstDate = 1000, kLastDate = 1999;

struct Configuration {
  int32_t modules = 1;
  int32_t atomic_parts = 20;
  int32_t manual_size = 100 * 1000;
};

struct ShortText {
  char chars[10];
};

// Of each object: which references it has. The number is stored with the object.
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

// Characters; their number is known from the object's size.
template <class H>
struct Chars {
  static constexpr TypeNumber kType = TypeNumber::kChars;
  using Element = char;
  int64_t size;
  char chars[];
};

// References of one type. All kinds have the same number: their layout is the same.
template <class H, class T>
struct References {
  static constexpr TypeNumber kType = TypeNumber::kReferences;
  using Element = RefIn<H, T>;
  int64_t size;
  Element at[];
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
  RefIn<H, Chars<H>> title, text;
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
  RefIn<H, References<H, AtomicPart<H>>> parts;
  RefIn<H, Use<H>> users;
};

// An inner node has complex assemblies below it, or base assemblies: never both.
template <class H>
struct ComplexAssembly {
  static constexpr TypeNumber kType = TypeNumber::kComplexAssembly;
  int32_t id, build_date;
  RefIn<H, ComplexAssembly> parent;
  RefIn<H, ComplexAssembly> sub[kSubAssemblies];
  RefIn<H, BaseAssembly<H>> bases[kSubAssemblies];
};

template <class H>
struct BaseAssembly {
  static constexpr TypeNumber kType = TypeNumber::kBaseAssembly;
  int32_t id, build_date;
  RefIn<H, ComplexAssembly<H>> parent;
  RefIn<H, CompositePart<H>> parts[kAssemblyParts];
};

template <class H>
struct Manual {
  static constexpr TypeNumber kType = TypeNumber::kManual;
  int32_t id;
  RefIn<H, Chars<H>> title, text;
};

template <class H>
struct Module {
  static constexpr TypeNumber kType = TypeNumber::kModule;
  int32_t id, build_date;
  RefIn<H, Manual<H>> manual;
  RefIn<H, ComplexAssembly<H>> design_root;
  RefIn<H, References<H, CompositePart<H>>> parts;
  RefIn<H, References<H, BaseAssembly<H>>> bases;
};

template <class H>
struct Library {
  static constexpr TypeNumber kType = TypeNumber::kLibrary;
  Configuration configuration;
  int32_t next_composite;
  RefIn<H, References<H, Module<H>>> modules;
};

// Calls visit for each reference in the object at `object`, which has this type.
template <class H, class Visit>
void ForEachReference(TypeNumber type, void* object, const Visit& visit) {
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
      visit(o.title), visit(o.text), visit(o.part);
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
    case TypeNumber::kComplexAssembly: {
      auto& o = *static_cast<ComplexAssembly<H>*>(object);
      visit(o.parent), all(o.sub), all(o.bases);
      return;
    }
    case TypeNumber::kBaseAssembly: {
      auto& o = *static_cast<BaseAssembly<H>*>(object);
      visit(o.parent), all(o.parts);
      return;
    }
    case TypeNumber::kManual: {
      auto& o = *static_cast<Manual<H>*>(object);
      visit(o.title), visit(o.text);
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
      for (int64_t i = 0; i < o.size; ++i) visit(o.at[i]);
      return;
    }
    case TypeNumber::kChars: return;
  }
}

}  // namespace tenure::lab::oo7
