// A library of OO7 as text, the same for equal graphs in whatever system and order they lie.
#pragma once

#include <cstdint>
#include <string>

#include "lab/oo7/build.h"
#include "lab/oo7/objects.h"

namespace tenure::lab::oo7 {

// A line for each object but connections and uses, which stand with their parts. Objects are named
// by their numbers; bench/oo7/tenure writes the same lines.
template <class H>
class Exporter {
 public:
  template <class T>
  using Local = typename H::template Local<T>;
  template <class T>
  using Param = typename H::template Param<T>;
  template <class T>
  using ArrayLocal = typename H::template ArrayLocal<T>;

  // Calls write(line), without its end.
  template <class Write>
  static void Export(Param<Library<H>> library, const Write& write) {
    const Configuration configuration = library->configuration;
    write("library " + Number(configuration.modules) + Number(configuration.atomic_parts) +
          Number(configuration.manual_size) + Number(library->next_composite));
    const ArrayLocal<Module<H>> modules(library->modules);
    for (int i = 0; i < configuration.modules; ++i) {
      const Local<Module<H>> m = H::At(modules, i);
      const Local<Manual<H>> manual(m->manual);
      write("module " + Number(m->id) + Number(m->build_date) + Number(m->sum_x) +
            Number(m->sum_y) + Number(m->updates) + Number(manual->id) + TextOf<H>(manual->title) +
            " " + SumOf(TextOf<H>(manual->text)));
      const ArrayLocal<CompositePart<H>> parts(m->parts);
      const int64_t count = m->part_count;
      for (int64_t k = 0; k < count; ++k) ExportPart(configuration, H::At(parts, k), write);
      const ArrayLocal<BaseAssembly<H>> bases(m->bases);
      std::string line = "bases";
      for (int k = 0; k < configuration.base_assemblies(); ++k) {
        line += " " + Number(H::At(bases, k)->id);
      }
      write(line);
      const Local<ComplexAssembly<H>> root(m->design_root);
      ExportAssembly(H::template Cast<Assembly<H>>(root), write);
    }
  }

 private:
  static std::string Number(int64_t number) { return std::to_string(number) + " "; }

  // Of a long text.
  static std::string SumOf(const std::string& text) {
    uint32_t sum = 0;
    for (const char c : text) sum = (sum * 31 + static_cast<unsigned char>(c)) % 1000003;
    return std::to_string(text.size()) + ":" + std::to_string(sum);
  }
  static std::string TypeOf(const ShortText& type) { return std::string(type.chars) + " "; }

  template <class Write>
  static void ExportPart(const Configuration& configuration, Param<CompositePart<H>> part,
                         const Write& write) {
    const Local<Document<H>> document(part->document);
    const Local<AtomicPart<H>> root(part->root);
    const Local<CompositePart<H>> of_document(document->part);
    std::string line = "part " + Number(part->id) + Number(part->build_date) + TypeOf(part->type) +
                       Number(root->id) + Number(document->id) + Number(of_document->id) +
                       TextOf<H>(document->title) + " " + SumOf(TextOf<H>(document->text)) +
                       " used by";
    for (Local<Use<H>> use(part->users); use; use = Local<Use<H>>(use->next)) {
      line += " " + Number(Local<BaseAssembly<H>>(use->assembly)->id);
    }
    write(line);
    const ArrayLocal<AtomicPart<H>> parts(part->parts);
    for (int i = 0; i < configuration.atomic_parts; ++i) {
      const Local<AtomicPart<H>> atomic = H::At(parts, i);
      const Local<CompositePart<H>> of(atomic->part_of);
      line = "atomic " + Number(atomic->id) + Number(atomic->build_date) + Number(atomic->x) +
             Number(atomic->y) + Number(atomic->doc_id) + TypeOf(atomic->type) + Number(of->id) +
             "to";
      for (int j = 0; j < kConnections; ++j) {
        line += " " + NameOf(Local<Connection<H>>(atomic->to[j]));
      }
      line += " from";
      for (Local<Connection<H>> c(atomic->from); c; c = Local<Connection<H>>(c->next_from)) {
        line += " " + NameOf(c);
      }
      write(line);
    }
  }

  static std::string NameOf(Param<Connection<H>> connection) {
    const Local<AtomicPart<H>> from(connection->from), to(connection->to);
    return Number(from->id) + Number(to->id) + Number(connection->length) +
           TypeOf(connection->type);
  }

  template <class Write>
  static void ExportAssembly(Param<Assembly<H>> assembly, const Write& write) {
    const Local<ComplexAssembly<H>> parent(assembly->parent);
    std::string line = std::string(assembly->base ? "base " : "complex ") + Number(assembly->id) +
                       Number(assembly->build_date) + (parent ? Number(parent->id) : "none ");
    if (assembly->base) {
      const Local<BaseAssembly<H>> base = H::template Cast<BaseAssembly<H>>(assembly);
      for (int i = 0; i < kAssemblyParts; ++i) {
        line += Number(Local<CompositePart<H>>(base->parts[i])->id);
      }
      for (Local<Component<H>> c(base->more); c; c = Local<Component<H>>(c->next)) {
        line += Number(Local<CompositePart<H>>(c->part)->id);
      }
      write(line);
      return;
    }
    write(line);
    const Local<ComplexAssembly<H>> complex = H::template Cast<ComplexAssembly<H>>(assembly);
    for (int i = 0; i < kSubAssemblies; ++i) {
      ExportAssembly(Local<Assembly<H>>(complex->sub[i]), write);
    }
  }
};

}  // namespace tenure::lab::oo7
