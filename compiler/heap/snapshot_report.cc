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

// The nodes that the root reaches; each node comes before the nodes reached only through it.
std::vector<uint32_t> ReversePostorder(const Snapshot& snapshot) {
  struct Visit {
    uint32_t node;
    uint32_t edge;
  };
  std::vector<bool> seen(snapshot.nodes.size());
  std::vector<uint32_t> order;
  std::vector<Visit> stack{{kRoot, 0}};
  seen[kRoot] = true;
  while (!stack.empty()) {
    Visit& visit = stack.back();
    const Node& node = snapshot.nodes[visit.node];
    if (visit.edge == node.edge_count) {
      order.push_back(visit.node);
      stack.pop_back();
      continue;
    }
    const uint32_t to = snapshot.edges[node.first_edge + visit.edge++];
    if (seen[to]) continue;
    seen[to] = true;
    stack.push_back({to, 0});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// Iterates to the greatest solution (Cooper, Harvey & Kennedy 2001), then adds up sizes from the
// leaves of the dominator tree.
void FindDominators(Snapshot* snapshot) {
  std::vector<Node>& nodes = snapshot->nodes;
  const std::vector<uint32_t> order = ReversePostorder(*snapshot);
  std::vector<uint32_t> place(nodes.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  // A pass along the edges meets each node's predecessors in the same order.
  std::vector<uint32_t> predecessor_first(nodes.size() + 1), predecessors;
  for (const uint32_t from : order) {
    for (uint32_t e = 0; e < nodes[from].edge_count; ++e) {
      ++predecessor_first[snapshot->edges[nodes[from].first_edge + e] + 1];
    }
  }
  std::partial_sum(predecessor_first.begin(), predecessor_first.end(), predecessor_first.begin());
  predecessors.resize(predecessor_first.back());
  std::vector<uint32_t> filled(predecessor_first.begin(), predecessor_first.end() - 1);
  for (const uint32_t from : order) {
    for (uint32_t e = 0; e < nodes[from].edge_count; ++e) {
      predecessors[filled[snapshot->edges[nodes[from].first_edge + e]]++] = from;
    }
  }

  nodes[kRoot].dominator = kRoot;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t node : order) {
      if (node == kRoot) continue;
      uint32_t common = kNone;
      for (uint32_t p = predecessor_first[node]; p < predecessor_first[node + 1]; ++p) {
        uint32_t other = predecessors[p];
        if (nodes[other].dominator == kNone) continue;
        if (common == kNone) common = other;
        while (common != other) {
          while (place[other] > place[common]) other = nodes[other].dominator;
          while (place[common] > place[other]) common = nodes[common].dominator;
        }
      }
      changed |= nodes[node].dominator != common;
      nodes[node].dominator = common;
    }
  }
  for (const uint32_t node : order) nodes[node].retained = nodes[node].bytes;
  for (size_t i = order.size(); i-- > 1;) {
    nodes[nodes[order[i]].dominator].retained += nodes[order[i]].retained;
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
    std::fprintf(stderr, "tenure: '%s': %s\n", file.c_str(), problem.c_str());
    return kExitEnvironment;
  }
  const auto is_asked_for = [&](const auto& known) { return known.second == type; };
  if (!type.empty() && std::ranges::none_of(snapshot.types, is_asked_for)) {
    std::fprintf(stderr, "tenure: '%s' has no type %s\n", file.c_str(), type.c_str());
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
