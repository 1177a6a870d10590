// Makes the objects of OO7 over any heap (objects.h), and changes their structure: the twin of
// bench/oo7/tenure/OO7Build.m3, with the same random numbers, so the same graph.
//
// Of the indexes a heap has:
//   H::InsertById(library, id, part), H::EraseById(library, id)
//   H::InsertByDate(library, date, id, part), H::EraseByDate(library, date, id)
//   H::InsertByTitle(library, title, document), H::EraseByTitle(library, title)
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "lab/oo7/objects.h"
#include "lab/support/random.h"

namespace tenure::lab::oo7 {

inline constexpr int kInsertedParts = 5, kInsertedUses = 10;

inline int32_t Date() { return kFirstDate + Draw(kLastDate - kFirstDate + 1); }

inline ShortText TypeText(int n) {
  ShortText type = {{'t', 'y', 'p', 'e', '0', '0', '0', 0, 0, 0}};
  for (int i = 6; i >= 4; --i) {
    type.chars[i] = static_cast<char>('0' + n % 10);
    n /= 10;
  }
  return type;
}

inline std::string TitleOf(int id) { return "Composite part " + std::to_string(id); }

template <class H>
std::string TextOf(const Text<H>& text) {
  const int64_t size = text.size;
  const typename H::CharsLocal chars(text.chars);
  std::string read(static_cast<size_t>(size), '\0');
  for (int64_t i = 0; i < size; ++i) read[static_cast<size_t>(i)] = H::CharAt(chars, i);
  return read;
}

template <class H>
class Builder {
 public:
  template <class T>
  using Local = typename H::template Local<T>;
  template <class T>
  using Param = typename H::template Param<T>;
  template <class T>
  using ArrayLocal = typename H::template ArrayLocal<T>;

  static Local<Library<H>> Build(const Configuration& configuration) {
    StartRandom(1);
    Builder builder(configuration);
    const Local<Library<H>> library = H::template Make<Library<H>>();
    H::Update(library)->configuration = configuration;
    const ArrayLocal<Module<H>> modules = H::template MakeArray<Module<H>>(configuration.modules);
    H::Update(library)->modules = modules;
    for (int i = 0; i < configuration.modules; ++i) {
      H::SetAt(modules, i, builder.MakeModule(library, i));
    }
    return library;
  }

  // Five composite parts more, used by ten base assemblies.
  static int64_t Insert(Param<Library<H>> library, Param<Module<H>> m) {
    Builder builder(library->configuration);
    const int64_t old = m->part_count;
    const ArrayLocal<CompositePart<H>> before(m->parts);
    const ArrayLocal<CompositePart<H>> parts =
        H::template MakeArray<CompositePart<H>>(old + kInsertedParts);
    for (int64_t i = 0; i < old; ++i) H::SetAt(parts, i, H::At(before, i));
    for (int64_t i = old; i < old + kInsertedParts; ++i) {
      const Local<CompositePart<H>> part = builder.MakeNextPart(library);
      H::SetAt(parts, i, part);
      int64_t x = 0, y = 0;
      AddSums(builder.configuration_, part, &x, &y);
      H::Update(m)->sum_x += x;
      H::Update(m)->sum_y += y;
    }
    for (int i = 0; i < kInsertedUses; ++i) {
      const ArrayLocal<BaseAssembly<H>> bases(m->bases);
      const Local<BaseAssembly<H>> assembly =
          H::At(bases, Draw(builder.configuration_.base_assemblies()));
      const Local<CompositePart<H>> part = H::At(parts, old + i % kInsertedParts);
      const Local<Component<H>> component = H::template Make<Component<H>>();
      {
        const auto updated = H::Update(component);
        updated->part = part;
        updated->next = Local<Component<H>>(assembly->more);
      }
      H::Update(assembly)->more = component;
      AddUse(part, assembly);
    }
    H::FreeArray(before);
    H::Update(m)->parts = parts;
    H::Update(m)->part_count += kInsertedParts;
    return kInsertedParts;
  }

  static int64_t Delete(Param<Library<H>> library, Param<Module<H>> m) {
    const Configuration configuration = library->configuration;
    const int64_t n =
        std::min<int64_t>(kInsertedParts, m->part_count - configuration.composite_parts);
    for (int64_t i = 0; i < n; ++i) {
      --H::Update(m)->part_count;
      const Local<CompositePart<H>> part =
          H::At(ArrayLocal<CompositePart<H>>(m->parts), m->part_count);
      for (Local<Use<H>> use(part->users); use;) {
        TakeOut(Local<BaseAssembly<H>>(use->assembly), part);
        const Local<Use<H>> next(use->next);
        H::Free(use);
        use = next;
      }
      if (part->id == library->next_composite - 1) --H::Update(library)->next_composite;
      FreePart(library, m, part);
    }
    return n;
  }

  static void SetText(Text<H>* text, const std::string& chars) {
    text->chars = H::MakeChars(chars);
    text->size = static_cast<int64_t>(chars.size());
  }

 private:
  explicit Builder(const Configuration& configuration) : configuration_(configuration) {}

  static std::string FilledText(const std::string& sentence, int size) {
    std::string text(static_cast<size_t>(size), '\0');
    for (size_t i = 0; i < text.size(); ++i) text[i] = sentence[i % sentence.size()];
    return text;
  }

  // ---- Composite parts

  static Local<Document<H>> MakeDocument(int id, Param<CompositePart<H>> part) {
    const Local<Document<H>> document = H::template Make<Document<H>>();
    const typename H::CharsLocal title = H::MakeChars(TitleOf(id));
    const typename H::CharsLocal text = H::MakeChars(FilledText(
        "I am the documentation for composite part " + std::to_string(id) + "\n", kDocumentSize));
    const auto updated = H::Update(document);
    updated->id = id;
    updated->title.chars = title;
    updated->title.size = static_cast<int64_t>(TitleOf(id).size());
    updated->text.chars = text;
    updated->text.size = kDocumentSize;
    updated->part = part;
    return document;
  }

  static void Connect(Param<AtomicPart<H>> from, int index, Param<AtomicPart<H>> to) {
    const Local<Connection<H>> connection = H::template Make<Connection<H>>();
    {
      const auto updated = H::Update(connection);
      updated->length = Draw(100);
      updated->type = TypeText(Draw(10));
      updated->from = from;
      updated->to = to;
      updated->next_from = Local<Connection<H>>(to->from);
    }
    H::Update(from)->to[index] = connection;
    H::Update(to)->from = connection;
  }

  Local<CompositePart<H>> MakeCompositePart(int id) {
    const int atomic_parts = configuration_.atomic_parts;
    H::BeginCluster();
    const Local<CompositePart<H>> part = H::template Make<CompositePart<H>>();
    {
      const auto updated = H::Update(part);
      updated->id = id;
      updated->build_date = Date();
      updated->type = TypeText(Draw(10));
    }
    {
      const Local<Document<H>> document = MakeDocument(id, part);
      H::Update(part)->document = document;
    }
    const ArrayLocal<AtomicPart<H>> parts = H::template MakeArray<AtomicPart<H>>(atomic_parts);
    H::Update(part)->parts = parts;
    for (int i = 0; i < atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic = H::template Make<AtomicPart<H>>();
      {
        const auto updated = H::Update(atomic);
        updated->id = id * atomic_parts + i;
        updated->build_date = Date();
        updated->x = Draw(100000);
        updated->y = Draw(100000);
        updated->doc_id = id;
        updated->type = TypeText(Draw(10));
        updated->part_of = part;
      }
      H::SetAt(parts, i, atomic);
    }
    {
      const Local<AtomicPart<H>> root = H::At(parts, 0);
      H::Update(part)->root = root;
    }
    for (int i = 0; i < atomic_parts; ++i) {
      for (int j = 0; j < kConnections; ++j) {
        // The first leads to the next part, so that the root reaches all.
        const int to = j == 0 ? (i + 1) % atomic_parts : Draw(atomic_parts);
        Connect(H::At(parts, i), j, H::At(parts, to));
      }
    }
    return part;
  }

  // Makes the next part and its entries in the indexes.
  Local<CompositePart<H>> MakeNextPart(Param<Library<H>> library) {
    const int32_t id = library->next_composite;
    H::Update(library)->next_composite = id + 1;
    const Local<CompositePart<H>> part = MakeCompositePart(id);
    H::InsertByTitle(library, TitleOf(id), Local<Document<H>>(part->document));
    const ArrayLocal<AtomicPart<H>> parts(part->parts);
    for (int i = 0; i < configuration_.atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic = H::At(parts, i);
      H::InsertById(library, atomic->id, atomic);
      H::InsertByDate(library, atomic->build_date, atomic->id, atomic);
    }
    return part;
  }

  static void AddSums(const Configuration& configuration, Param<CompositePart<H>> part, int64_t* x,
                      int64_t* y) {
    const ArrayLocal<AtomicPart<H>> parts(part->parts);
    for (int i = 0; i < configuration.atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic = H::At(parts, i);
      *x += atomic->x;
      *y += atomic->y;
    }
  }

  static void TakeOut(Param<BaseAssembly<H>> assembly, Param<CompositePart<H>> part) {
    Local<Component<H>> component(assembly->more), before{};
    while (Local<CompositePart<H>>(component->part) != part) {
      before = component;
      component = Local<Component<H>>(component->next);
    }
    const Local<Component<H>> next(component->next);
    if (before) {
      H::Update(before)->next = next;
    } else {
      H::Update(assembly)->more = next;
    }
    H::Free(component);
  }

  static void FreePart(Param<Library<H>> library, Param<Module<H>> m,
                       Param<CompositePart<H>> part) {
    const Local<Document<H>> document(part->document);
    H::EraseByTitle(library, TextOf<H>(document->title));
    H::FreeChars(document->title.chars);
    H::FreeChars(document->text.chars);
    H::Free(document);
    const ArrayLocal<AtomicPart<H>> parts(part->parts);
    const int atomic_parts = library->configuration.atomic_parts;
    for (int i = 0; i < atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic = H::At(parts, i);
      H::EraseById(library, atomic->id);
      H::EraseByDate(library, atomic->build_date, atomic->id);
      H::Update(m)->sum_x -= atomic->x;
      H::Update(m)->sum_y -= atomic->y;
      for (int j = 0; j < kConnections; ++j) H::Free(Local<Connection<H>>(atomic->to[j]));
      H::Free(atomic);
    }
    H::FreeArray(parts);
    H::Free(part);
  }

  // ---- Assemblies

  static void AddUse(Param<CompositePart<H>> part, Param<BaseAssembly<H>> assembly) {
    const Local<Use<H>> use = H::template Make<Use<H>>();
    {
      const auto updated = H::Update(use);
      updated->assembly = assembly;
      updated->next = Local<Use<H>>(part->users);
    }
    H::Update(part)->users = use;
  }

  Local<BaseAssembly<H>> MakeBaseAssembly(Param<Module<H>> m, Param<ComplexAssembly<H>> parent) {
    const Local<BaseAssembly<H>> assembly = H::template Make<BaseAssembly<H>>();
    {
      const auto updated = H::Update(assembly);
      updated->base = true;
      updated->id = next_assembly_++;
      updated->build_date = Date();
      updated->parent = parent;
    }
    H::SetAt(ArrayLocal<BaseAssembly<H>>(m->bases), next_base_++, assembly);
    const ArrayLocal<CompositePart<H>> parts(m->parts);
    for (int i = 0; i < kAssemblyParts; ++i) {
      const Local<CompositePart<H>> part = H::At(parts, Draw(configuration_.composite_parts));
      H::Update(assembly)->parts[i] = part;
      AddUse(part, assembly);
    }
    return assembly;
  }

  Local<ComplexAssembly<H>> MakeComplexAssembly(Param<Module<H>> m,
                                                Param<ComplexAssembly<H>> parent, int level) {
    const Local<ComplexAssembly<H>> assembly = H::template Make<ComplexAssembly<H>>();
    {
      const auto updated = H::Update(assembly);
      updated->id = next_assembly_++;
      updated->build_date = Date();
      updated->parent = parent;
    }
    for (int i = 0; i < kSubAssemblies; ++i) {
      const Local<Assembly<H>> sub =
          level + 1 < configuration_.assembly_levels
              ? H::template Cast<Assembly<H>>(MakeComplexAssembly(m, assembly, level + 1))
              : H::template Cast<Assembly<H>>(MakeBaseAssembly(m, assembly));
      H::Update(assembly)->sub[i] = sub;
    }
    return assembly;
  }

  // ---- Modules

  Local<Module<H>> MakeModule(Param<Library<H>> library, int id) {
    const Local<Module<H>> m = H::template Make<Module<H>>();
    {
      const auto updated = H::Update(m);
      updated->id = id;
      updated->build_date = Date();
    }
    const Local<Manual<H>> manual = H::template Make<Manual<H>>();
    H::Update(m)->manual = manual;
    {
      const std::string title = "Manual for module " + std::to_string(id);
      const typename H::CharsLocal title_chars = H::MakeChars(title);
      const typename H::CharsLocal text = H::MakeChars(FilledText(
          "I am the manual for module " + std::to_string(id) + "\n", configuration_.manual_size));
      const auto updated = H::Update(manual);
      updated->id = id;
      updated->title.chars = title_chars;
      updated->title.size = static_cast<int64_t>(title.size());
      updated->text.chars = text;
      updated->text.size = configuration_.manual_size;
    }
    const int composite_parts = configuration_.composite_parts;
    const ArrayLocal<CompositePart<H>> parts =
        H::template MakeArray<CompositePart<H>>(composite_parts);
    H::Update(m)->parts = parts;
    H::Update(m)->part_count = composite_parts;
    {
      const ArrayLocal<BaseAssembly<H>> bases =
          H::template MakeArray<BaseAssembly<H>>(configuration_.base_assemblies());
      H::Update(m)->bases = bases;
    }
    int64_t x = 0, y = 0;
    for (int i = 0; i < composite_parts; ++i) {
      const Local<CompositePart<H>> part = MakeNextPart(library);
      H::SetAt(parts, i, part);
      AddSums(configuration_, part, &x, &y);
    }
    next_base_ = 0;
    const Local<ComplexAssembly<H>> root = MakeComplexAssembly(m, Local<ComplexAssembly<H>>(), 1);
    const auto updated = H::Update(m);
    updated->design_root = root;
    updated->sum_x = x;
    updated->sum_y = y;
    return m;
  }

  const Configuration configuration_;
  int32_t next_assembly_ = 0;
  int next_base_ = 0;
};

}  // namespace tenure::lab::oo7
