#include "compiler/types/fingerprint.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "abi/fingerprint.h"
#include "compiler/types/entity.h"

namespace tenure::compiler {

namespace {

using abi::FingerprintHasher;

// Procedures are identified by link name, which is unique in a program.
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

// A type split into its label, which does not depend on its components, and the components in
// order.
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
    for (const Exception* exception : signature.raises) raises.push_back(exception->symbol);
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
      for (const Override& overriding : object->overrides) {
        hash.Add(overriding.name);
        AddProcedure(hash, overriding.procedure);
        // Tells which of several methods of that name is meant, when one of them is hidden.
        hash.Add(uint64_t{overriding.method});
        hash.Add(uint64_t{overriding.method_type != nullptr});
        if (overriding.method_type != nullptr) edge(overriding.method_type);
      }
      break;
    }
    default:
      // Builtin types, and opaque ones without a revelation: they are described by their name
      // alone.
      hash.Add(type->name);
      break;
  }
  node.label = hash.Finish();
  return node;
}

// Hopcroft's refinement of a partition of nodes: a class is split into nodes that refer to another
// class and nodes that do not. Only the smaller part has to split other classes later. For n nodes
// this takes time about n log n, for chains of any length.
class Partition {
 public:
  // On entry `class_of` has the numbers 0 to `count` - 1, each with at least one node. On return it
  // has the numbers of the finer classes.
  Partition(const std::vector<Node>& nodes, size_t count, std::vector<int>& class_of)
      : class_of_(class_of), order_(nodes.size()), place_(nodes.size()), classes_(count) {
    for (int its_class : class_of_) ++classes_[its_class].end;
    int begin = 0;
    for (Class& its_class : classes_) {
      const int size = its_class.end;
      its_class.begin = its_class.end = begin;
      begin += size;
    }
    for (size_t i = 0; i < nodes.size(); ++i) {
      place_[i] = classes_[class_of_[i]].end++;
      order_[place_[i]] = static_cast<int>(i);
    }
    referrers_.resize(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      for (size_t k = 0; k < nodes[i].edges.size(); ++k) {
        referrers_[nodes[i].edges[k]].emplace_back(static_cast<int>(k), static_cast<int>(i));
      }
    }
  }

  // Returns the number of classes.
  size_t Refine() {
    std::vector<int> splitters(classes_.size());
    std::iota(splitters.begin(), splitters.end(), 0);
    while (!splitters.empty()) {
      const Class splitter = classes_[splitters.back()];
      splitters.pop_back();
      // The splitter itself may be split below, so copy its nodes before.
      std::vector<std::pair<int, int>> referrers;
      for (int at = splitter.begin; at < splitter.end; ++at) {
        const auto& of_one = referrers_[order_[at]];
        referrers.insert(referrers.end(), of_one.begin(), of_one.end());
      }
      std::sort(referrers.begin(), referrers.end());
      for (size_t i = 0; i < referrers.size();) {
        const int component = referrers[i].first;
        std::vector<int> touched;
        for (; i < referrers.size() && referrers[i].first == component; ++i) {
          Mark(referrers[i].second, touched);
        }
        for (int its_class : touched) {
          if (Split(its_class)) splitters.push_back(static_cast<int>(classes_.size()) - 1);
        }
      }
    }
    return classes_.size();
  }

 private:
  // The nodes of the class are order_[begin..end-1], the marked ones first.
  struct Class {
    int begin = 0, end = 0, marked = 0;
  };

  void Mark(int node, std::vector<int>& touched) {
    Class& its_class = classes_[class_of_[node]];
    if (its_class.marked == 0) touched.push_back(class_of_[node]);
    const int to = its_class.begin + its_class.marked++;
    const int other = order_[to];
    std::swap(order_[to], order_[place_[node]]);
    std::swap(place_[other], place_[node]);
  }

  // The smaller part of the class becomes a new one; false: all were marked.
  bool Split(int its_class) {
    Class& old = classes_[its_class];
    const int middle = old.begin + old.marked;
    old.marked = 0;
    if (middle == old.end) return false;
    Class made;
    if (middle - old.begin <= old.end - middle) {
      made = {old.begin, middle, 0};
      old.begin = middle;
    } else {
      made = {middle, old.end, 0};
      old.end = middle;
    }
    for (int at = made.begin; at < made.end; ++at) {
      class_of_[order_[at]] = static_cast<int>(classes_.size());
    }
    classes_.push_back(made);
    return true;
  }

  std::vector<int>& class_of_;
  std::vector<int> order_, place_;
  std::vector<Class> classes_;
  std::vector<std::vector<std::pair<int, int>>> referrers_;  // (which component, of which node)
};

}  // namespace

struct Fingerprints::Impl {
  std::unordered_map<const Type*, int> node_of;
  std::vector<Node> nodes;
  std::vector<int> class_of;
  std::vector<int> representative;  // class to one of its nodes
  // By class, made at the first request: few types of a program have descriptors.
  mutable std::vector<std::optional<uint64_t>> fingerprints;
  mutable std::vector<uint32_t> number_of;  // of Hash: by class, 0 is not yet discovered

  int Collect(const Type* type) {
    auto [it, fresh] = node_of.insert({type, static_cast<int>(nodes.size())});
    if (fresh) nodes.push_back(Describe(type));
    return it->second;
  }

  // Coarsest partition in which nodes of one class have equal labels and component classes.
  void Refine() {
    std::map<std::pair<uint64_t, size_t>, int> by_label;
    class_of.resize(nodes.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      const std::pair key(nodes[i].label, nodes[i].edges.size());
      class_of[i] = by_label.insert({key, static_cast<int>(by_label.size())}).first->second;
    }
    const size_t count = Partition(nodes, by_label.size(), class_of).Refine();
    representative.assign(count, -1);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (representative[class_of[i]] < 0) representative[class_of[i]] = static_cast<int>(i);
    }
  }

  // If `from` reaches at most this many classes, all are hashed; else only the group of classes
  // that reach each other. So a program in which many types reach many types takes linear time.
  static constexpr size_t kWholeMax = 1000;
  static constexpr int kRoundsMax = 64;

  uint64_t FingerprintOf(int type_class) const {
    std::optional<uint64_t>& fingerprint = fingerprints[type_class];
    if (!fingerprint) fingerprint = Hash(type_class);
    if (!fingerprint) MakeGroups(type_class);
    return *fingerprints[type_class];
  }

  // No value if `from` reaches more than kWholeMax classes.
  std::optional<uint64_t> Hash(int from) const {
    std::vector<int> order;
    return Walk(from, [](int) { return true; }, kWholeMax, order);
  }

  // Strongly connected components of what `from` reaches (Tarjan 1972), each after those that it
  // refers to. Computes the fingerprints that are still missing.
  void MakeGroups(int from) const {
    struct Visit {
      int type_class;
      size_t next_edge;
    };
    std::unordered_map<int, int> index, low;  // of classes that are or were on the stack
    std::vector<Visit> visits;
    std::vector<int> stack;
    const auto enter = [&](int type_class) {
      const int number = static_cast<int>(index.size());
      index[type_class] = low[type_class] = number;
      visits.push_back({type_class, 0});
      stack.push_back(type_class);
    };
    enter(from);
    while (!visits.empty()) {
      const int current = visits.back().type_class;
      const std::vector<int>& edges = nodes[representative[current]].edges;
      if (visits.back().next_edge < edges.size()) {
        const int target = class_of[edges[visits.back().next_edge++]];
        if (fingerprints[target]) continue;
        if (const auto seen = index.find(target); seen == index.end()) {
          enter(target);
        } else {
          low[current] = std::min(low[current], seen->second);
        }
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        int& above = low[visits.back().type_class];
        above = std::min(above, low[current]);
      }
      if (low[current] != index[current]) continue;
      const auto begin = std::find(stack.rbegin(), stack.rend(), current).base() - 1;
      const std::vector<int> group(begin, stack.end());
      stack.erase(begin, stack.end());
      HashGroup(group);
    }
  }

  // The fingerprint of a class in a group consists of the group's fingerprint and the number of the
  // class in a walk from the group's first class. The first class is one whose neighbourhood is
  // rare in the group.
  void HashGroup(const std::vector<int>& group) const {
    // All classes of the group reach the same classes. If these are few, the result is that of the
    // whole hash.
    for (int member : group) {
      fingerprints[member] = Hash(member);
      if (!fingerprints[member]) break;
    }
    if (fingerprints[group[0]]) return;
    std::unordered_map<int, uint64_t> color;
    for (int member : group) color[member] = 0;
    std::vector<int> first = group;
    for (int round = 0; round < kRoundsMax && first.size() > 1; ++round) {
      std::unordered_map<int, uint64_t> finer;
      for (int member : group) {
        FingerprintHasher hash;
        const Node& node = nodes[representative[member]];
        hash.Add(node.label);
        for (int edge : node.edges) {
          const int target = class_of[edge];
          const auto inside = color.find(target);
          hash.Add(inside == color.end() ? *fingerprints[target] : inside->second);
        }
        finer[member] = hash.Finish();
      }
      color = std::move(finer);
      std::map<uint64_t, size_t> count;
      for (int member : group) ++count[color[member]];
      const uint64_t rarest =
          std::min_element(count.begin(), count.end(), [](const auto& a, const auto& b) {
            return std::pair(a.second, a.first) < std::pair(b.second, b.first);
          })->first;
      first.clear();
      for (int member : group) {
        if (color[member] == rarest) first.push_back(member);
      }
    }
    // Among classes that look alike so far, take the one whose walk has the least hash. The hashes
    // differ.
    const auto is_inside = [&](int type_class) { return color.contains(type_class); };
    std::vector<int> order, best;
    uint64_t best_hash = 0;
    for (int member : first) {
      const uint64_t hash = *Walk(member, is_inside, group.size(), order);
      if (best.empty() || hash < best_hash) {
        best_hash = hash;
        best = order;
      }
    }
    for (size_t i = 0; i < best.size(); ++i) {
      FingerprintHasher hash;
      hash.Add(best_hash);
      hash.Add(uint64_t{i});
      fingerprints[best[i]] = hash.Finish();
    }
  }

  // Walks depth first from the class through the classes for which is_inside(class) holds; the
  // other classes have fingerprints. A class that was seen before is represented by its number of
  // discovery. `order` has all visited classes. No value if there are more than `most`.
  template <typename IsInside>
  std::optional<uint64_t> Walk(int from, IsInside&& is_inside, size_t most,
                               std::vector<int>& order) const {
    FingerprintHasher hash;
    order.clear();
    std::vector<int> stack = {from};
    bool too_many = false;
    while (!stack.empty()) {
      const int current = stack.back();
      stack.pop_back();
      if (!is_inside(current)) {
        hash.Add(*fingerprints[current]);
        continue;
      }
      if (number_of[current] != 0) {
        hash.Add(uint64_t{number_of[current]});
        continue;
      }
      too_many = order.size() == most;
      if (too_many) break;
      order.push_back(current);
      number_of[current] = static_cast<uint32_t>(order.size());
      const Node& node = nodes[representative[current]];
      hash.Add(~uint64_t{0});
      hash.Add(node.label);
      for (size_t i = node.edges.size(); i-- > 0;) stack.push_back(class_of[node.edges[i]]);
    }
    for (int seen : order) number_of[seen] = 0;
    if (too_many) return std::nullopt;
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
  return impl_->FingerprintOf(impl_->class_of[node]);
}

}  // namespace tenure::compiler
