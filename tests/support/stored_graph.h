// A database of small objects that refer to each other at random, made without any program, and
// what a traversal of one sees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/server/page_server.h"

namespace tenure::testing {

// An object of the graph: a number and references to others.
struct GraphNode {
  uint64_t number = 0;
  std::vector<size_t> to;  // at most 2; of a large one any
  bool large = false;      // an open array of references, 3000 of them
};

// `count` nodes, about half of which cannot be reached from node 0.
std::vector<GraphNode> RandomGraph(uint64_t seed, size_t count);

// The database "main" of the store, with node 0 as root and `exported` as its exports. Objects lie
// in the order of the nodes.
Status StoreGraph(store::PageServer& server, const std::vector<GraphNode>& nodes,
                  const std::vector<size_t>& exported);

// What a breadth-first traversal from the root and the exports of `name` finds: numbers of nodes
// and of places in the order; equal for equal graphs.
std::string Traverse(store::PageServer& server, const std::string& name);
// The same of the graph in memory.
std::string Traverse(const std::vector<GraphNode>& nodes, const std::vector<size_t>& exported);

}  // namespace tenure::testing
