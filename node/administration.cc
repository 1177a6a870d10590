#include "node/administration.h"

#include <algorithm>
#include <cstdio>

#include "base/exit_status.h"
#include "base/shown_text.h"
#include "store/server/store_path.h"

namespace tenure::node {

using store::PostgresEngine;

int Refuse(const std::string& text) {
  std::fprintf(stderr, "tenure node: %s\n", ShownText(text).c_str());
  return kExitEnvironment;
}

namespace {

int Printed() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return kExitOk;
  return Refuse("cannot write to standard output");
}

// The certificate's common name, which goes to files and terminals.
bool IsSubject(const std::string& subject) {
  return !subject.empty() && subject.size() <= 200 &&
         std::none_of(subject.begin(), subject.end(),
                      [](unsigned char c) { return c < ' ' || c == 0x7f; });
}

void PrintGrant(const std::string& store, const std::string& subject, store::StoreRole role) {
  if (role == store::StoreRole::kNone) {
    std::printf("'%s' has no role for store %s any more\n", subject.c_str(), store.c_str());
  } else {
    std::printf("'%s' is now %s of store %s\n", subject.c_str(), NameOf(role), store.c_str());
  }
}

}  // namespace

int InitGroup(const store::PostgresOptions& group) {
  if (const Status made = PostgresEngine::MakeTables(group); !made.ok()) return Refuse(made.text());
  std::printf("the group has the tables of its stores\n");
  return Printed();
}

int CreateGroupStore(const store::PostgresOptions& group, const std::string& store,
                     const std::string& owner) {
  if (!store::CheckDatabaseName(store).ok()) {
    return Refuse("'" + store +
                  "' cannot name a store: 1 to 100 bytes, letters, digits, '_', '-', "
                  "'.', the first a letter or digit");
  }
  if (!owner.empty() && !IsSubject(owner)) return Refuse("'" + owner + "' is not a common name");
  PostgresEngine engine(group);
  if (const Status good = engine.CheckGroup(); !good.ok()) return Refuse(good.text());
  const store::StoreRole role = owner.empty() ? store::StoreRole::kNone : store::StoreRole::kOwner;
  if (const Status made = engine.CreateStore(store, owner, static_cast<uint16_t>(role));
      !made.ok()) {
    return Refuse(made.text());
  }
  std::printf("made store %s\n", store.c_str());
  if (!owner.empty()) PrintGrant(store, owner, role);
  return Printed();
}

int GrantRole(const store::PostgresOptions& group, const std::string& store,
              const std::string& subject, store::StoreRole role) {
  if (!IsSubject(subject)) return Refuse("'" + subject + "' is not a common name");
  PostgresEngine engine(group);
  if (const Status good = engine.CheckGroup(); !good.ok()) return Refuse(good.text());
  if (const Status set = engine.SetRole(store, subject, static_cast<uint16_t>(role)); !set.ok()) {
    return Refuse(set.text());
  }
  PrintGrant(store, subject, role);
  return Printed();
}

int PrintGroup(const store::PostgresOptions& group) {
  PostgresEngine engine(group);
  if (const Status good = engine.CheckTables(); !good.ok()) return Refuse(good.text());
  const auto nodes = engine.Nodes();
  if (!nodes.ok()) return Refuse(nodes.status().text());
  const auto stores = engine.StoreRows();
  if (!stores.ok()) return Refuse(stores.status().text());
  std::printf("%zu nodes, %zu stores\n", nodes->size(), stores->size());
  for (const store::NodeRow& node : *nodes) {
    std::printf("node %s at %s: epoch %llu, beat %llu\n", node.name.c_str(), node.address.c_str(),
                static_cast<unsigned long long>(node.epoch),
                static_cast<unsigned long long>(node.beat));
  }
  for (const auto& row : *stores) {
    const bool led = std::any_of(nodes->begin(), nodes->end(), [&](const store::NodeRow& node) {
      return node.name == row.leader.name && node.epoch == row.leader.epoch;
    });
    std::printf("store %s: %s%s\n", row.name.c_str(), led ? "led by " : "nobody leads it",
                led ? row.leader.name.c_str() : "");
    const auto grants = engine.Grants(row.name);
    if (!grants.ok()) return Refuse(grants.status().text());
    for (const auto& grant : *grants) {
      std::printf("  %s: %s\n", grant.subject.c_str(),
                  NameOf(static_cast<store::StoreRole>(grant.role)));
    }
  }
  return Printed();
}

}  // namespace tenure::node
