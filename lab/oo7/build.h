// Makes the objects of OO7 over any heap (objects.h), with the random numbers of
// bench/oo7/cpp/build.h: the same graph.
#pragma once

#include <cstdint>
#include <string>

#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

inline uint64_t random_state = 1;

inline void StartRandom(uint64_t seed) { random_state = seed; }

// A number from 0 to n - 1.
inline int32_t Draw(int64_t n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<int32_t>((random_state >> 33) % static_cast<uint64_t>(n));
}

inline int32_t Date() { return kFirstDate + Draw(kLastDate - kFirstDate + 1); }

inline ShortText TypeText(int n) {
  ShortText type = {{'t', 'y', 'p', 'e', '0', '0', '0', 0, 0, 0}};
  for (int i = 6; i >= 4; --i) {
    type.chars[i] = static_cast<char>('0' + n % 10);
    n /= 10;
  }
  return type;
}

template <class H>
class Builder {
 public:
  template <class T>
  using Local = typename H::template Local<T>;

  static Local<Library<H>> Build(const Configuration& configuration) {
    StartRandom(1);
    Builder builder(configuration);
    const Local<Library<H>> library = H::template Make<Library<H>>();
    H::Update(library)->configuration = configuration;
    const Local<References<H, Module<H>>> modules =
        H::template MakeSized<References<H, Module<H>>>(configuration.modules);
    H::Update(library)->modules = modules;
    for (int i = 0; i < configuration.modules; ++i) {
      H::Update(modules)->at[i] = builder.MakeModule(i);
    }
    H::Update(library)->next_composite = builder.next_composite_;
    return library;
  }

 private:
  explicit Builder(const Configuration& configuration) : configuration_(configuration) {}

  static Local<Chars<H>> MakeChars(const std::string& text) {
    const Local<Chars<H>> chars =
        H::template MakeSized<Chars<H>>(static_cast<int64_t>(text.size()));
    const auto updated = H::Update(chars);
    text.copy(updated->chars, text.size());
    return chars;
  }
  static Local<Chars<H>> MakeFilledText(const std::string& sentence, int size) {
    std::string text;
    for (int i = 0; i < size; ++i) {
      text += sentence[static_cast<size_t>(i) % sentence.size()];
    }
    return MakeChars(text);
  }

  static Local<Document<H>> MakeDocument(int id, const Local<CompositePart<H>>& part) {
    const Local<Document<H>> document = H::template Make<Document<H>>();
    const Local<Chars<H>> title = MakeChars("Composite part " + std::to_string(id));
    const Local<Chars<H>> text = MakeFilledText(
        "I am the documentation for composite part " + std::to_string(id) + "\n", kDocumentSize);
    const auto updated = H::Update(document);
    updated->id = id;
    updated->title = title;
    updated->text = text;
    updated->part = part;
    return document;
  }

  static void Connect(const Local<AtomicPart<H>>& from, int index, const Local<AtomicPart<H>>& to) {
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
    const Local<CompositePart<H>> part = H::template Make<CompositePart<H>>();
    {
      const int32_t date = Date();
      const ShortText type = TypeText(Draw(10));
      const auto updated = H::Update(part);
      updated->id = id;
      updated->build_date = date;
      updated->type = type;
    }
    H::Update(part)->document = MakeDocument(id, part);
    const Local<References<H, AtomicPart<H>>> parts =
        H::template MakeSized<References<H, AtomicPart<H>>>(atomic_parts);
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
      H::Update(parts)->at[i] = atomic;
    }
    H::Update(part)->root = Local<AtomicPart<H>>(parts->at[0]);
    for (int i = 0; i < atomic_parts; ++i) {
      for (int j = 0; j < kConnections; ++j) {
        // The first leads to the next part, so that the root reaches all.
        const int to = j == 0 ? (i + 1) % atomic_parts : Draw(atomic_parts);
        Connect(Local<AtomicPart<H>>(parts->at[i]), j, Local<AtomicPart<H>>(parts->at[to]));
      }
    }
    for (int i = 0; i < atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic(parts->at[i]);
      H::InsertByDate(atomic->build_date, atomic->id, atomic);
    }
    return part;
  }

  static void AddUse(const Local<CompositePart<H>>& part, const Local<BaseAssembly<H>>& assembly) {
    const Local<Use<H>> use = H::template Make<Use<H>>();
    {
      const auto updated = H::Update(use);
      updated->assembly = assembly;
      updated->next = Local<Use<H>>(part->users);
    }
    H::Update(part)->users = use;
  }

  Local<BaseAssembly<H>> MakeBaseAssembly(const Local<Module<H>>& m,
                                          const Local<ComplexAssembly<H>>& parent) {
    const Local<BaseAssembly<H>> assembly = H::template Make<BaseAssembly<H>>();
    {
      const auto updated = H::Update(assembly);
      updated->id = next_assembly_++;
      updated->build_date = Date();
      updated->parent = parent;
    }
    const Local<References<H, BaseAssembly<H>>> bases(m->bases);
    H::Update(bases)->at[next_base_++] = assembly;
    const Local<References<H, CompositePart<H>>> parts(m->parts);
    for (int i = 0; i < kAssemblyParts; ++i) {
      const Local<CompositePart<H>> part(parts->at[Draw(kCompositeParts)]);
      H::Update(assembly)->parts[i] = part;
      AddUse(part, assembly);
    }
    return assembly;
  }

  Local<ComplexAssembly<H>> MakeComplexAssembly(const Local<Module<H>>& m,
                                                const Local<ComplexAssembly<H>>& parent,
                                                int level) {
    const Local<ComplexAssembly<H>> assembly = H::template Make<ComplexAssembly<H>>();
    {
      const auto updated = H::Update(assembly);
      updated->id = next_assembly_++;
      updated->build_date = Date();
      updated->parent = parent;
    }
    for (int i = 0; i < kSubAssemblies; ++i) {
      if (level + 1 < kAssemblyLevels) {
        const Local<ComplexAssembly<H>> sub = MakeComplexAssembly(m, assembly, level + 1);
        H::Update(assembly)->sub[i] = sub;
      } else {
        const Local<BaseAssembly<H>> base = MakeBaseAssembly(m, assembly);
        H::Update(assembly)->bases[i] = base;
      }
    }
    return assembly;
  }

  Local<Module<H>> MakeModule(int id) {
    const Local<Module<H>> m = H::template Make<Module<H>>();
    {
      const auto updated = H::Update(m);
      updated->id = id;
      updated->build_date = Date();
    }
    const Local<Manual<H>> manual = H::template Make<Manual<H>>();
    H::Update(m)->manual = manual;
    H::Update(manual)->id = id;
    H::Update(manual)->title = MakeChars("Manual for module " + std::to_string(id));
    H::Update(manual)->text = MakeFilledText(
        "I am the manual for module " + std::to_string(id) + "\n", configuration_.manual_size);
    const Local<References<H, CompositePart<H>>> parts =
        H::template MakeSized<References<H, CompositePart<H>>>(kCompositeParts);
    H::Update(m)->parts = parts;
    H::Update(m)->bases = H::template MakeSized<References<H, BaseAssembly<H>>>(kBaseAssemblies);
    for (int i = 0; i < kCompositeParts; ++i) {
      const Local<CompositePart<H>> part = MakeCompositePart(next_composite_++);
      H::Update(parts)->at[i] = part;
    }
    next_base_ = 0;
    H::Update(m)->design_root = MakeComplexAssembly(m, Local<ComplexAssembly<H>>(), 1);
    return m;
  }

  const Configuration configuration_;
  int32_t next_composite_ = 0, next_assembly_ = 0;
  int next_base_ = 0;
};

}  // namespace tenure::lab::oo7
