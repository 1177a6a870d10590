#include "compiler/heap/snapshot_report.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/exit_status.h"
#include "base/shown_text.h"

namespace tenure::compiler {

namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr uint32_t kRoot = 0;  // the node that refers to all targets of roots

struct Node {
  uint64_t bytes = 0;
  uint32_t type = 0;
  uint32_t first_edge = 0;
  uint32_t edge_count = 0;
  uint32_t parent = kNone;  // on a shortest path from the root
  uint32_t dominator = kNone;
  uint64_t retained = 0;
};

struct Snapshot {
  std::vector<Node> nodes{1};
  std::vector<uint32_t> edges;
  std::map<uint64_t, std::string> types;
  // By the node referred to.
  std::unordered_map<uint32_t, std::string> root_names;
  std::vector<std::pair<uint32_t, std::string>> stack_roots;

  std::string TypeOf(uint32_t node) const {
    const auto found = types.find(nodes[node].type);
    return found == types.end() ? "?" : found->second;
  }
};

// Words of a line, one after the other.
class Words {
 public:
  explicit Words(std::string_view line) : rest_(line) {}
  std::string_view Rest() const { return rest_; }
  bool Number(uint64_t* number) {
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), *number, 16);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    if (!rest_.empty() && rest_[0] != ' ') return false;
    if (!rest_.empty()) rest_.remove_prefix(1);
    return true;
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// Returns an empty text, or an error text.
std::string Read(const std::string& path, Snapshot* snapshot) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::strerror(errno);
  std::string line;
  if (!std::getline(file, line) || line != "tenure heap 1") {
    return "this is not a snapshot of a heap (@M3heapsnapshot=FILE makes one)";
  }
  std::unordered_map<uint64_t, uint32_t> node_at;
  std::vector<std::pair<uint64_t, std::string>> roots, stack_roots;
  std::vector<uint64_t> targets;  // as addresses, in the order of edges
  bool ended = false;
  int number = 1;
  while (!ended && std::getline(file, line)) {
    ++number;
    const auto bad = [&] { return "line " + std::to_string(number) + " is damaged"; };
    if (line == "end") {
      ended = true;
      continue;
    }
    if (line.size() < 3 || line[1] != ' ') return bad();
    Words words(std::string_view(line).substr(2));
    uint64_t first = 0, second = 0;
    if (!words.Number(&first)) return bad();
    switch (line[0]) {
      case 't': snapshot->types[first] = std::string(words.Rest()); break;
      case 'g':
        roots.emplace_back(first, "a global variable of " + std::string(words.Rest()));
        break;
      case 's':
        if (!words.Number(&second)) return bad();
        stack_roots.emplace_back(first, "the stack of thread " + std::to_string(second));
        break;
      case 'w': roots.emplace_back(first, "a waiting clean-up"); break;
      case 'o': {
        Node node;
        if (!words.Number(&second) || !words.Number(&node.bytes)) return bad();
        node.type = static_cast<uint32_t>(second);
        node.first_edge = static_cast<uint32_t>(targets.size());
        while (!words.empty()) {
          if (!words.Number(&second)) return bad();
          targets.push_back(second);
        }
        node.edge_count = static_cast<uint32_t>(targets.size()) - node.first_edge;
        if (!node_at.emplace(first, static_cast<uint32_t>(snapshot->nodes.size())).second) {
          return bad();
        }
        snapshot->nodes.push_back(node);
        break;
      }
      default: return bad();
    }
  }
  if (!ended) return "the snapshot ends too early";
  for (const uint64_t target : targets) {
    const auto found = node_at.find(target);
    if (found == node_at.end()) return "an object refers to an object that is not in the snapshot";
    snapshot->edges.push_back(found->second);
  }
  Node& root = snapshot->nodes[kRoot];
  root.first_edge = static_cast<uint32_t>(snapshot->edges.size());
  for (const auto& [target, name] : roots) {
    const auto found = node_at.find(target);
    if (found == node_at.end()) return "a root refers to an object that is not in the snapshot";
    if (!snapshot->root_names.emplace(found->second, name).second) continue;
    snapshot->edges.push_back(found->second);
    ++root.edge_count;
  }
  for (const auto& [target, name] : stack_roots) {
    const auto found = node_at.find(target);
    if (found == node_at.end()) return "a stack refers to an object that is not in the snapshot";
    snapshot->stack_roots.emplace_back(found->second, name);
  }
  return "";
}

// Sets the parent of each node that `from` reaches and that has no parent yet.
void FindShortestPaths(Snapshot* snapshot, uint32_t from) {
  std::vector<uint32_t> queue{from};
  for (size_t next = 0; next < queue.size(); ++next) {
    const Node& node = snapshot->nodes[queue[next]];
    for (uint32_t e = 0; e < node.edge_count; ++e) {
      const uint32_t to = snapshot->edges[node.first_edge + e];
      if (to == kRoot || snapshot->nodes[to].parent != kNone) continue;
      snapshot->nodes[to].parent = queue[next];
      queue.push_back(to);
    }
  }
}

// Words on stacks may be stale, so they count as roots only for objects that nothing else reaches.
void AddStackRoots(Snapshot* snapshot) {
  for (const auto& [target, name] : snapshot->stack_roots) {
    Node& node = snapshot->nodes[target];
    if (node.parent != kNone) continue;
    node.parent = kRoot;
    snapshot->root_names.emplace(target, name);
    snapshot->edges.push_back(target);
    ++snapshot->nodes[kRoot].edge_count;
    FindShortestPaths(snapshot, target);
  }
}

// The nodes that the root reaches, in the order in which a depth-first search finds them, and from
// where it found each: an index of `order`.
struct Search {
  std::vector<uint32_t> order;
  std::vector<uint32_t> found_from;
};

Search SearchDepthFirst(const Snapshot& snapshot) {
  struct Visit {
    uint32_t index;
    uint32_t edge;
  };
  std::vector<bool> seen(snapshot.nodes.size());
  Search search;
  std::vector<Visit> stack;
  const auto find = [&](uint32_t node, uint32_t from) {
    seen[node] = true;
    stack.push_back({static_cast<uint32_t>(search.order.size()), 0});
    search.order.push_back(node);
    search.found_from.push_back(from);
  };
  find(kRoot, 0);
  while (!stack.empty()) {
    Visit& visit = stack.back();
    const Node& node = snapshot.nodes[search.order[visit.index]];
    if (visit.edge == node.edge_count) {
      stack.pop_back();
      continue;
    }
    const uint32_t to = snapshot.edges[node.first_edge + visit.edge++];
    if (!seen[to]) find(to, visit.index);
  }
  return search;
}

// The algorithm of Lengauer and Tarjan (1979) with simple path compression; nodes are indexes of
// the search. Long lists are common in heaps, so no step may walk up the tree node by node.
class Dominators {
 public:
  Dominators(const Snapshot& snapshot, const Search& search)
      : found_from_(search.found_from),
        semi_(search.order.size()),
        least_(search.order.size()),
        above_(search.order.size(), kNone),
        dominator_(search.order.size(), 0) {
    std::iota(semi_.begin(), semi_.end(), 0);
    std::iota(least_.begin(), least_.end(), 0);
    const auto count = static_cast<uint32_t>(search.order.size());
    std::vector<uint32_t> index_of(snapshot.nodes.size(), kNone);
    for (uint32_t i = 0; i < count; ++i) index_of[search.order[i]] = i;
    // A pass along the edges meets each node's predecessors in the same order.
    std::vector<uint32_t> first(count + 1), predecessors;
    const auto for_each_edge = [&](const auto& visit) {
      for (uint32_t from = 0; from < count; ++from) {
        const Node& node = snapshot.nodes[search.order[from]];
        for (uint32_t e = 0; e < node.edge_count; ++e) {
          visit(from, index_of[snapshot.edges[node.first_edge + e]]);
        }
      }
    };
    for_each_edge([&](uint32_t, uint32_t to) { ++first[to + 1]; });
    std::partial_sum(first.begin(), first.end(), first.begin());
    predecessors.resize(first.back());
    std::vector<uint32_t> filled(first.begin(), first.end() - 1);
    for_each_edge([&](uint32_t from, uint32_t to) { predecessors[filled[to]++] = from; });

    // The nodes with a given semidominator, as lists.
    std::vector<uint32_t> list(count, kNone), next(count, kNone);
    for (uint32_t node = count; node-- > 1;) {
      for (uint32_t p = first[node]; p < first[node + 1]; ++p) {
        semi_[node] = std::min(semi_[node], semi_[Least(predecessors[p])]);
      }
      next[node] = list[semi_[node]];
      list[semi_[node]] = node;
      const uint32_t parent = found_from_[node];
      above_[node] = parent;
      for (uint32_t other = list[parent]; other != kNone; other = next[other]) {
        const uint32_t least = Least(other);
        dominator_[other] = semi_[least] < semi_[other] ? least : parent;
      }
      list[parent] = kNone;
    }
    for (uint32_t node = 1; node < count; ++node) {
      if (dominator_[node] != semi_[node]) dominator_[node] = dominator_[dominator_[node]];
    }
  }

  // Less than `node`, but for the root.
  uint32_t Of(uint32_t node) const { return dominator_[node]; }

 private:
  // The node with the least semidominator on the way from `node` up to, and without, the root of
  // its tree in the forest that `above_` makes.
  uint32_t Least(uint32_t node) {
    if (above_[node] == kNone) return node;
    path_.clear();
    for (uint32_t at = node; above_[above_[at]] != kNone; at = above_[at]) path_.push_back(at);
    for (size_t i = path_.size(); i-- > 0;) {
      const uint32_t at = path_[i], up = above_[at];
      if (semi_[least_[up]] < semi_[least_[at]]) least_[at] = least_[up];
      above_[at] = above_[up];
    }
    return least_[node];
  }

  const std::vector<uint32_t>& found_from_;
  std::vector<uint32_t> semi_, least_, above_, dominator_, path_;
};

// Sets the dominators, then adds up sizes from the leaves of their tree.
void FindDominators(Snapshot* snapshot) {
  std::vector<Node>& nodes = snapshot->nodes;
  const Search search = SearchDepthFirst(*snapshot);
  const Dominators dominators(*snapshot, search);
  const auto count = static_cast<uint32_t>(search.order.size());
  for (uint32_t i = 0; i < count; ++i) {
    Node& node = nodes[search.order[i]];
    node.retained = node.bytes;
    node.dominator = search.order[dominators.Of(i)];
  }
  for (uint32_t i = count; i-- > 1;) {
    const Node& node = nodes[search.order[i]];
    nodes[node.dominator].retained += node.retained;
  }
}

unsigned long long Number(uint64_t number) { return number; }

void PrintTypes(const Snapshot& snapshot, size_t top) {
  struct Row {
    uint64_t objects = 0, bytes = 0;
  };
  std::map<uint32_t, Row> rows;
  Row all, lost;
  for (size_t i = 1; i < snapshot.nodes.size(); ++i) {
    const Node& node = snapshot.nodes[i];
    for (Row* row : {&all, &(node.parent == kNone ? lost : rows[node.type])}) {
      ++row->objects;
      row->bytes += node.bytes;
    }
  }
  std::vector<std::pair<uint32_t, Row>> sorted(rows.begin(), rows.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  std::printf(
      "%llu objects, %llu bytes; not reached from roots (only from databases, "
      "or dead): %llu objects, %llu bytes\n\n",
      Number(all.objects), Number(all.bytes), Number(lost.objects), Number(lost.bytes));
  std::printf("   objects        bytes  type\n");
  for (size_t i = 0; i < std::min(top, sorted.size()); ++i) {
    const auto found = snapshot.types.find(sorted[i].first);
    std::printf("%10llu %12llu  %s\n", Number(sorted[i].second.objects),
                Number(sorted[i].second.bytes),
                found == snapshot.types.end() ? "?" : found->second.c_str());
  }
  if (sorted.size() > top) std::printf("           (%zu types more)\n", sorted.size() - top);
}

void PrintPath(const Snapshot& snapshot, uint32_t node) {
  constexpr int kLongest = 12;
  int steps = 0;
  for (; snapshot.nodes[node].parent != kRoot; ++steps) {
    node = snapshot.nodes[node].parent;
    if (steps < kLongest) std::printf("      <- %s\n", snapshot.TypeOf(node).c_str());
  }
  if (steps > kLongest) std::printf("      <- (%d objects more)\n", steps - kLongest);
  std::printf("      <- %s\n", snapshot.root_names.at(node).c_str());
}

// Leave out an object that another one of the list dominates: its bytes are counted there.
void PrintRetainers(const Snapshot& snapshot, const std::string& type, size_t top) {
  std::vector<uint32_t> sorted;
  for (uint32_t i = 1; i < snapshot.nodes.size(); ++i) {
    if (snapshot.nodes[i].parent == kNone) continue;
    if (type.empty() || snapshot.TypeOf(i) == type) sorted.push_back(i);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) {
    return snapshot.nodes[a].retained > snapshot.nodes[b].retained;
  });
  if (sorted.empty() && !type.empty()) {
    std::printf("\nno object has the type %s\n", type.c_str());
    return;
  }
  std::printf("\n  retained      own bytes  type, and what keeps it alive\n");
  // A node's dominator comes before the node, so its answer is final.
  enum : uint8_t { kUnknown, kNotBelow, kPrintedOrBelow };
  std::vector<uint8_t> known(snapshot.nodes.size());
  known[kRoot] = kNotBelow;
  size_t count = 0;
  for (const uint32_t node : sorted) {
    if (count == top) break;
    uint32_t up = node;
    while (known[up] == kUnknown) up = snapshot.nodes[up].dominator;
    const uint8_t found = known[up];
    for (up = node; known[up] == kUnknown; up = snapshot.nodes[up].dominator) known[up] = found;
    if (known[node] == kPrintedOrBelow) continue;
    known[node] = kPrintedOrBelow;
    ++count;
    std::printf("%10llu %14llu  %s\n", Number(snapshot.nodes[node].retained),
                Number(snapshot.nodes[node].bytes), snapshot.TypeOf(node).c_str());
    PrintPath(snapshot, node);
  }
}

}  // namespace

int ReportHeap(const std::string& file, const std::string& type, int top) {
  Snapshot snapshot;
  const std::string problem = Read(file, &snapshot);
  if (!problem.empty()) {
    std::fprintf(stderr, "tenure: '%s': %s\n", ShownText(file).c_str(), problem.c_str());
    return kExitEnvironment;
  }
  const auto is_asked_for = [&](const auto& known) { return known.second == type; };
  if (!type.empty() && std::ranges::none_of(snapshot.types, is_asked_for)) {
    std::fprintf(stderr, "tenure: '%s' has no type %s\n", ShownText(file).c_str(),
                 ShownText(type).c_str());
    return kExitProblems;
  }
  FindShortestPaths(&snapshot, kRoot);
  AddStackRoots(&snapshot);
  FindDominators(&snapshot);
  PrintTypes(snapshot, static_cast<size_t>(top));
  PrintRetainers(snapshot, type, static_cast<size_t>(top));
  return kExitOk;
}

}  // namespace tenure::compiler
