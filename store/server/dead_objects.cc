#include "store/server/dead_objects.h"

#include <algorithm>

#include "base/mutex.h"

namespace tenure::store {

void DeadObjects::Decide(DatabaseId database, const void* collector,
                         std::span<const Candidate> candidates,
                         std::span<const CandidateEdge> edges, std::vector<bool>* held) {
  // Edges come in the order of `from`.
  const auto edges_of = [&](size_t from) {
    return std::ranges::equal_range(edges, from, {}, &CandidateEdge::from);
  };
  std::vector<size_t> waiting;
  for (size_t i = 0; i < held->size(); ++i) {
    if ((*held)[i]) waiting.push_back(i);
  }
  while (!waiting.empty()) {
    const size_t from = waiting.back();
    waiting.pop_back();
    for (const CandidateEdge& edge : edges_of(from)) {
      if ((*held)[edge.to]) continue;
      (*held)[edge.to] = true;
      waiting.push_back(edge.to);
    }
  }
  Dead dead;
  dead.collector = collector;
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (!(*held)[i]) dead.objects.push_back(candidates[i].object.bits);
  }
  for (const CandidateEdge& edge : edges) {
    if (!(*held)[edge.from] && !(*held)[edge.to]) dead.connected.insert(edge.page);
  }
  const MutexLock guard(lock_);
  dead_[database.index] = std::move(dead);
  Changed();
}

void DeadObjects::Drop(const void* collector) {
  const MutexLock guard(lock_);
  if (std::erase_if(dead_, [&](const auto& dead) { return dead.second.collector == collector; })) {
    Changed();
  }
}

void DeadObjects::Drop(const void* collector, DatabaseId database) {
  const MutexLock guard(lock_);
  if (Find(database, collector) == nullptr) return;
  dead_.erase(database.index);
  Changed();
}

void DeadObjects::Changed() {
  any_ = !dead_.empty();
  ++changes_;
}

DeadObjects::Dead* DeadObjects::Find(DatabaseId database, const void* client) {
  const auto dead = dead_.find(database.index);
  return dead == dead_.end() || dead->second.collector != client ? nullptr : &dead->second;
}

bool DeadObjects::Freeing(DatabaseId database, const void* but_not) {
  const MutexLock guard(lock_);
  const auto dead = dead_.find(database.index);
  return dead != dead_.end() && dead->second.collector != but_not;
}

bool DeadObjects::Contains(DatabaseId database, PersistentRef object) {
  if (!any_) return false;
  const MutexLock guard(lock_);
  const auto dead = dead_.find(database.index);
  return dead != dead_.end() && std::ranges::binary_search(dead->second.objects, object.bits);
}

bool DeadObjects::MayFree(DatabaseId database, PersistentRef object, const void* client) {
  if (!any_) return false;
  const MutexLock guard(lock_);
  const Dead* const dead = Find(database, client);
  return dead != nullptr && dead->connected.empty() &&
         std::ranges::binary_search(dead->objects, object.bits);
}

std::vector<PageId> DeadObjects::Connected(DatabaseId database, const void* client,
                                           std::span<const PageWrite> pages) {
  std::vector<PageId> connected;
  if (!any_) return connected;
  const MutexLock guard(lock_);
  if (const Dead* const dead = Find(database, client)) {
    for (const PageWrite& write : pages) {
      if (dead->connected.contains(write.page.number)) connected.push_back(write.page);
    }
  }
  return connected;
}

void DeadObjects::Disconnected(DatabaseId database, const void* client,
                               std::span<const PageId> pages) {
  const MutexLock guard(lock_);
  Dead* const dead = Find(database, client);
  if (dead == nullptr) return;
  for (const PageId page : pages) dead->connected.erase(page.number);
}

}  // namespace tenure::store
