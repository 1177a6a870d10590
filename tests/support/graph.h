// A directed graph with named nodes and ordered edges, with which tests state and compare heaps.
#pragma once

#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/random.h"

namespace tenure {

// An edge is the name of its target; "" is NIL.
class Graph {
 public:
  using Edges = std::vector<std::string>;

  Graph() = default;
  Graph(std::initializer_list<std::pair<const std::string, Edges>> nodes);

  // In the order in which they were added.
  const std::vector<std::string>& names() const { return names_; }
  bool Has(const std::string& name) const { return edges_.count(name) != 0; }
  const Edges& EdgesOf(const std::string& name) const { return edges_.at(name); }
  void Add(const std::string& name, Edges edges);

  // Every edge leads to a node.
  bool IsClosed() const;
  // The nodes that the roots reach, and their edges.
  Graph ReachableFrom(const std::vector<std::string>& roots) const;

  // `nodes` nodes called n0, n1, ..., each with up to `max_edges` edges, some of them NIL.
  static Graph MakeRandom(Random& random, size_t nodes, size_t max_edges);
  // n0 -> n1 -> ... -> n(length-1)
  static Graph MakeList(size_t length);

  // The same nodes with the same edges; the order in which they were added does not matter.
  friend bool operator==(const Graph& a, const Graph& b) { return a.edges_ == b.edges_; }
  friend bool operator!=(const Graph& a, const Graph& b) { return !(a == b); }
  friend std::ostream& operator<<(std::ostream& out, const Graph& graph);

 private:
  std::vector<std::string> names_;
  std::map<std::string, Edges> edges_;
};

}  // namespace tenure
