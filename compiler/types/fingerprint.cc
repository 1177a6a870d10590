#include "compiler/types/fingerprint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "abi/fingerprint.h"
#include "compiler/types/entity.h"

namespace tenure::compiler {

namespace {

using abi::FingerprintHasher;

// By link name, which no other procedure of a program has.
void AddProcedure(FingerprintHasher& hash, const Procedure* procedure) {
  hash.Add(procedure == nullptr ? std::string_view() : std::string_view(procedure->symbol));
}

void AddConstant(FingerprintHasher& hash, const Constant* value) {
  if (value == nullptr) {
    hash.Add(uint64_t{0});
    return;
  }
  hash.Add(static_cast<uint64_t>(value->kind) + 1);
  switch (value->kind) {
    case Constant::Kind::kOrdinal: hash.Add(static_cast<uint64_t>(value->ordinal)); break;
    case Constant::Kind::kReal: hash.Add(std::bit_cast<uint64_t>(value->real)); break;
    case Constant::Kind::kText:
      hash.Add(uint64_t{value->text.size()});
      hash.Add(uint64_t{value->wide});
      for (char32_t c : value->text) hash.Add(uint64_t{c});
      break;
    case Constant::Kind::kNil: break;
    case Constant::Kind::kSet:
      hash.Add(uint64_t{value->set_words.size()});
      for (uint64_t word : value->set_words) hash.Add(word);
      break;
    case Constant::Kind::kProcedure: AddProcedure(hash, value->procedure); break;
    case Constant::Kind::kRecord:
    case Constant::Kind::kArray:
      hash.Add(uint64_t{value->components.size()});
      for (const Constant* component : value->components) AddConstant(hash, component);
      break;
  }
}

// A type without its components: what it says by itself, and the components in order.
struct Node {
  uint64_t label = 0;
  std::vector<const Type*> edge_types;
  std::vector<int> edges;
};

Node Describe(const Type* type) {
  Node node;
  FingerprintHasher hash;
  hash.Add(static_cast<uint64_t>(type->kind));
  auto edge = [&](const Type* component) { node.edge_types.push_back(Concrete(component)); };
  auto add_signature = [&](const Signature& signature) {
    hash.Add(uint64_t{signature.formals.size()});
    for (const Formal& formal : signature.formals) {
      hash.Add(formal.name);
      hash.Add(static_cast<uint64_t>(formal.mode));
      AddConstant(hash, formal.default_value);
      edge(formal.type);
    }
    hash.Add(uint64_t{signature.result != nullptr});
    if (signature.result != nullptr) edge(signature.result);
    hash.Add(uint64_t{signature.raises_any});
    std::vector<std::string_view> raises;
    for (const Exception* exception : signature.raises) raises.push_back(exception->name);
    std::sort(raises.begin(), raises.end());
    raises.erase(std::unique(raises.begin(), raises.end()), raises.end());
    hash.Add(uint64_t{raises.size()});
    for (std::string_view name : raises) hash.Add(name);
  };
  auto add_fields = [&](const std::vector<Field>& fields) {
    hash.Add(uint64_t{fields.size()});
    for (const Field& field : fields) {
      hash.Add(field.name);
      hash.Add(uint64_t{field.transient});
      AddConstant(hash, field.default_value);
      edge(field.type);
    }
  };
  auto add_brand = [&](const std::optional<std::string>& brand) {
    hash.Add(uint64_t{brand.has_value()});
    if (brand) hash.Add(*brand);
  };
  switch (type->kind) {
    case TypeKind::kEnumeration: {
      const auto* enumeration = As<EnumerationType>(type);
      hash.Add(static_cast<uint64_t>(enumeration->count));
      for (const std::string& element : enumeration->elements) hash.Add(element);
      break;
    }
    case TypeKind::kSubrange: {
      const auto* subrange = As<SubrangeType>(type);
      hash.Add(static_cast<uint64_t>(subrange->low));
      hash.Add(static_cast<uint64_t>(subrange->high));
      hash.Add(uint64_t{subrange->is_cardinal});
      edge(subrange->base);
      break;
    }
    case TypeKind::kArray:
      hash.Add(uint64_t{As<ArrayType>(type)->transient});
      edge(As<ArrayType>(type)->index);
      edge(As<ArrayType>(type)->element);
      break;
    case TypeKind::kOpenArray:
      hash.Add(uint64_t{As<OpenArrayType>(type)->transient});
      edge(As<OpenArrayType>(type)->element);
      break;
    case TypeKind::kRecord:
      hash.Add(uint64_t{As<RecordType>(type)->transient});
      add_fields(As<RecordType>(type)->fields);
      break;
    case TypeKind::kPacked:
      hash.Add(static_cast<uint64_t>(As<PackedType>(type)->bits));
      edge(As<PackedType>(type)->base);
      break;
    case TypeKind::kSet: edge(As<SetType>(type)->element); break;
    case TypeKind::kRef: {
      const auto* ref = As<RefType>(type);
      hash.Add(uint64_t{ref->traced});
      hash.Add(uint64_t{ref->transient});
      add_brand(ref->brand);
      edge(ref->referent);
      break;
    }
    case TypeKind::kProcedure:
      hash.Add(uint64_t{As<ProcedureType>(type)->c_convention});
      add_signature(As<ProcedureType>(type)->signature);
      break;
    case TypeKind::kObject: {
      const auto* object = As<ObjectType>(type);
      hash.Add(uint64_t{object->traced});
      hash.Add(uint64_t{object->transient});
      hash.Add(uint64_t{object->super != nullptr});
      add_brand(object->brand);
      if (object->super != nullptr) edge(object->super);
      add_fields(object->fields);
      hash.Add(uint64_t{object->methods.size()});
      for (const Method& method : object->methods) {
        hash.Add(method.name);
        AddProcedure(hash, method.default_procedure);
        add_signature(method.signature);
      }
      for (const Override& override_ : object->overrides) {
        hash.Add(override_.name);
        AddProcedure(hash, override_.procedure);
        // Which of several methods of that name, when one of them is hidden.
        hash.Add(uint64_t{override_.method});
        hash.Add(uint64_t{override_.method_type != nullptr});
        if (override_.method_type != nullptr) edge(override_.method_type);
      }
      break;
    }
    default:
      // Builtin types, and opaque ones without a revelation: their name is all they are.
      hash.Add(type->name);
      break;
  }
  node.label = hash.Finish();
  return node;
}

}  // namespace

struct Fingerprints::Impl {
  std::unordered_map<const Type*, int> node_of;
  std::vector<Node> nodes;
  std::vector<int> class_of;
  std::vector<int> representative;  // class to one of its nodes
  // By class, made when first asked for: few types of a program have descriptors.
  mutable std::vector<std::optional<uint64_t>> fingerprints;
  mutable std::vector<uint32_t> number_of;  // of Hash: by class, 0 is not yet discovered

  int Collect(const Type* type) {
    auto [it, fresh] = node_of.insert({type, static_cast<int>(nodes.size())});
    if (fresh) nodes.push_back(Describe(type));
    return it->second;
  }

  // Coarsest partition in which nodes of one class have equal labels and component classes.
  void Refine() {
    std::map<uint64_t, int> by_label;
    class_of.resize(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      class_of[i] =
          by_label.insert({nodes[i].label, static_cast<int>(by_label.size())}).first->second;
    }
    size_t count = by_label.size();
    while (true) {
      std::map<std::vector<int>, int> by_signature;
      std::vector<int> next(nodes.size());
      for (size_t i = 0; i < nodes.size(); ++i) {
        std::vector<int> signature = {class_of[i]};
        for (int target : nodes[i].edges) signature.push_back(class_of[target]);
        next[i] = by_signature.insert({std::move(signature), static_cast<int>(by_signature.size())})
                      .first->second;
      }
      class_of = std::move(next);
      if (by_signature.size() == count) break;
      count = by_signature.size();
    }
    representative.assign(count, -1);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (representative[class_of[i]] < 0) representative[class_of[i]] = static_cast<int>(i);
    }
  }

  // Depth first from the class; a class seen before is its number of discovery.
  uint64_t Hash(int from) const {
    FingerprintHasher hash;
    std::vector<int> discovered;
    std::vector<int> stack = {from};
    while (!stack.empty()) {
      const int current = stack.back();
      stack.pop_back();
      if (number_of[current] != 0) {
        hash.Add(uint64_t{number_of[current]});
        continue;
      }
      discovered.push_back(current);
      number_of[current] = static_cast<uint32_t>(discovered.size());
      const Node& node = nodes[representative[current]];
      hash.Add(~uint64_t{0});
      hash.Add(node.label);
      for (size_t i = node.edges.size(); i-- > 0;) stack.push_back(class_of[node.edges[i]]);
    }
    for (int seen : discovered) number_of[seen] = 0;
    return hash.Finish();
  }
};

Fingerprints::Fingerprints(const TypeTable& types) : impl_(new Impl) {
  for (const Type* type : types.all()) impl_->Collect(Concrete(type));
  for (size_t i = 0; i < impl_->nodes.size(); ++i) {
    std::vector<int> edges;
    for (const Type* target : std::vector<const Type*>(impl_->nodes[i].edge_types)) {
      edges.push_back(impl_->Collect(target));
    }
    impl_->nodes[i].edges = std::move(edges);
  }
  impl_->Refine();
  impl_->fingerprints.resize(impl_->representative.size());
  impl_->number_of.resize(impl_->representative.size());
}

Fingerprints::~Fingerprints() { delete impl_; }

uint64_t Fingerprints::Of(const Type* type) const {
  const int node = impl_->node_of.at(Concrete(type));
  const int type_class = impl_->class_of[node];
  std::optional<uint64_t>& fingerprint = impl_->fingerprints[type_class];
  if (!fingerprint) fingerprint = impl_->Hash(type_class);
  return *fingerprint;
}

}  // namespace tenure::compiler
