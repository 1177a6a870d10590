// A database of small objects that refer to each other at random, made without any program, and the
// results of traversing one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::testing {

// An object of the graph: a number and references to others.
struct GraphNode {
  uint64_t number = 0;
  std::vector<size_t> to;  // at most 2; any number for a large object
  bool large = false;      // an open array of references, 3000 of them
};

// `count` nodes, about half of which cannot be reached from node 0.
std::vector<GraphNode> RandomGraph(uint64_t seed, size_t count);

// The database "main" of the store, with node 0 as root and `exported` as its exports. Objects lie
// in the order of the nodes.
Status StoreGraph(store::PageServer& server, const std::vector<GraphNode>& nodes,
                  const std::vector<size_t>& exported);

// The result of a breadth-first traversal from the root and the exports of `name`: numbers of nodes
// and of places in the order; equal for equal graphs.
std::string Traverse(store::PageServer& server, const std::string& name);
// The same for the graph in memory.
std::string Traverse(const std::vector<GraphNode>& nodes, const std::vector<size_t>& exported);

}  // namespace tenure::testing
