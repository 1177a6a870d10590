#include "tests/support/graph.h"

#include <ostream>

#include "base/check.h"

namespace tenure {

Graph::Graph(std::initializer_list<std::pair<const std::string, Edges>> nodes) {
  for (const auto& [name, edges] : nodes) Add(name, edges);
}

void Graph::Add(const std::string& name, Edges edges) {
  TN_CHECK(!name.empty());
  TN_CHECK(edges_.emplace(name, std::move(edges)).second);
  names_.push_back(name);
}

bool Graph::IsClosed() const {
  for (const auto& [name, edges] : edges_) {
    for (const std::string& target : edges) {
      if (!target.empty() && !Has(target)) return false;
    }
  }
  return true;
}

Graph Graph::ReachableFrom(const std::vector<std::string>& roots) const {
  Graph reached;
  std::vector<std::string> work = roots;
  while (!work.empty()) {
    const std::string name = work.back();
    work.pop_back();
    if (name.empty() || reached.Has(name)) continue;
    reached.Add(name, EdgesOf(name));
    for (const std::string& target : EdgesOf(name)) work.push_back(target);
  }
  return reached;
}

Graph Graph::MakeRandom(Random& random, size_t nodes, size_t max_edges) {
  Graph graph;
  for (size_t i = 0; i < nodes; ++i) {
    Edges edges(random.Below(max_edges + 1));
    for (std::string& target : edges) {
      if (!random.OneIn(5)) target = "n" + std::to_string(random.Below(nodes));
    }
    graph.Add("n" + std::to_string(i), std::move(edges));
  }
  return graph;
}

Graph Graph::MakeList(size_t length) {
  Graph graph;
  for (size_t i = 0; i < length; ++i) {
    graph.Add("n" + std::to_string(i),
              {i + 1 < length ? "n" + std::to_string(i + 1) : std::string()});
  }
  return graph;
}

std::ostream& operator<<(std::ostream& out, const Graph& graph) {
  out << "{";
  for (const auto& [name, edges] : graph.edges_) {
    out << " " << name << "->(";
    for (size_t i = 0; i < edges.size(); ++i) out << (i ? "," : "") << edges[i];
    out << ")";
  }
  return out << " }";
}

}  // namespace tenure
