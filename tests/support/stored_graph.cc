#include "tests/support/stored_graph.h"

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <span>

#include "store/format/page_codec.h"
#include "tests/support/random.h"

namespace tenure::testing {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::PageId;
using store::PersistentRef;

namespace {

constexpr uint64_t kLargeReferences = 3000;
constexpr size_t kSmallBytes = 3 * 8;  // payload: number, two references

uint32_t AddType(store::PageServer& server, const std::string& text) {
  return *server.AddType(std::as_bytes(std::span(text)));
}

uint32_t SmallType(store::PageServer& server) {
  return AddType(server,
                 "fingerprint 0000000000000001\nname Test.Small\nkind ref\npayload 24\n"
                 "slots 8 2 8 0\nfield 0 64 number INTEGER\nfield 64 64 left Small\n"
                 "field 128 64 right Small\nend\n");
}
uint32_t LargeType(store::PageServer& server) {
  return AddType(server,
                 "fingerprint 0000000000000002\nname Test.Large\nkind ref\npayload 0\n"
                 "open 1 8\nelement-slots 0 1 8 0\nend\n");
}

}  // namespace

std::vector<GraphNode> RandomGraph(uint64_t seed, size_t count) {
  Random random(seed);
  std::vector<GraphNode> nodes(count);
  // Neighbours in the graph are not neighbours on the pages. Only odd nodes refer to odd nodes.
  for (size_t i = 0; i < count; ++i) {
    nodes[i].number = i;
    nodes[i].large = count > 50 && (i == 8 || i == 9 || i == 13);
    const size_t references = nodes[i].large ? 20 : 2;
    for (size_t k = 0; k < references; ++k) {
      size_t to = random.Next() % count;
      if (i % 2 == 0) to -= to % 2;
      nodes[i].to.push_back(to);
    }
    if (i % 2 == 0 && i + 2 < count) nodes[i].to[0] = i + 2;
  }
  return nodes;
}

Status StoreGraph(store::PageServer& server, const std::vector<GraphNode>& nodes,
                  const std::vector<size_t>& exported) {
  const uint32_t small = SmallType(server), large = LargeType(server);
  Result<store::DatabaseId> database = server.OpenDatabase("main", store::OpenMode::kCreate);
  if (!database.ok()) return database.status();
  std::vector<PersistentRef> homes;
  uint64_t pages = 0, page = 0;
  size_t used = kPageBytes;
  constexpr uint64_t kLargeBytes = kHeaderBytes + 8 + 8 * kLargeReferences;
  constexpr uint64_t kLargePages = (kLargeBytes + kPageBytes - 1) / kPageBytes;
  for (const GraphNode& node : nodes) {
    if (node.large) {
      homes.push_back(PersistentRef::Object(PageId{pages + 1}, kHeaderBytes));
      pages += kLargePages;
      continue;
    }
    if (kPageBytes - used < kHeaderBytes + kSmallBytes) {
      page = ++pages;
      used = 0;
    }
    homes.push_back(PersistentRef::Object(PageId{page}, used + kHeaderBytes));
    used += kHeaderBytes + kSmallBytes;
  }
  auto bytes = std::make_unique<std::byte[]>(pages * kPageBytes);
  std::memset(bytes.get(), 0, pages * kPageBytes);
  std::vector<store::PageWrite> writes(pages);
  std::vector<size_t> ends(pages, kPageBytes);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto put = [&](uint64_t offset, uint64_t word) {
      std::memcpy(bytes.get() + homes[i].bits - kPageBytes + offset, &word, sizeof word);
    };
    const GraphNode& node = nodes[i];
    uint64_t header = uint64_t{node.large ? large : small} << store::kStoredTypeShift;
    std::memcpy(bytes.get() + homes[i].bits - kPageBytes - kHeaderBytes, &header, sizeof header);
    put(0, node.large ? kLargeReferences : node.number);
    for (size_t k = 0; k < node.to.size(); ++k) {
      // The references of a large object are spread over its pages.
      const size_t slot = node.large ? 1 + k * (kLargeReferences / node.to.size()) : 1 + k;
      put(8 * slot, homes[node.to[k]].bits);
    }
    const uint64_t at = homes[i].page().number - 1;
    if (node.large) {
      for (uint32_t k = 0; k < kLargePages; ++k) {
        writes[at + k].run = {large, k, static_cast<uint32_t>(kLargePages)};
      }
    } else {
      ends[at] = homes[i].offset() + kSmallBytes;
    }
  }
  if (!server.AllocatePages(*database, pages).ok()) return Status(StatusCode::kNoSpace, "pages");
  for (uint64_t i = 0; i < pages; ++i) {
    std::byte* const contents = bytes.get() + i * kPageBytes;
    if (!writes[i].run.large() && ends[i] < kPageBytes) {
      store::StoreFiller(contents + ends[i], kPageBytes - ends[i]);
    }
    writes[i].page = PageId{i + 1};
    writes[i].contents = contents;
    writes[i].checksum = store::PageChecksum(writes[i].page, writes[i].run, contents);
  }
  std::vector<store::ExportEntry> exports;
  for (size_t node : exported) exports.push_back({homes[node], store::NewTag()});
  store::DatabaseCommit commit;
  commit.database = *database;
  commit.pages = writes;
  commit.root = homes[0];
  commit.exports = exports;
  const store::CommitAnswer answer = server.Commit({store::NewCommitId(), std::span(&commit, 1)});
  if (answer.outcome != store::CommitOutcome::kCommitted) return answer.status;
  return server.CloseDatabase(*database);
}

std::string Traverse(const std::vector<GraphNode>& nodes, const std::vector<size_t>& exported) {
  std::map<size_t, size_t> numbers;
  std::deque<size_t> waiting;
  std::string text;
  const auto reach = [&](size_t node) {
    const auto [found, fresh] = numbers.try_emplace(node, numbers.size() + 1);
    if (fresh) waiting.push_back(node);
    text += std::to_string(found->second) + " ";
  };
  reach(0);
  for (size_t node : exported) reach(node);
  for (; !waiting.empty(); waiting.pop_front()) {
    const GraphNode& node = nodes[waiting.front()];
    text += node.large ? "\nlarge: " : "\n" + std::to_string(node.number) + ": ";
    for (size_t to : node.to) reach(to);
  }
  return text;
}

std::string Traverse(store::PageServer& server, const std::string& name) {
  Result<store::DatabaseId> database = server.OpenDatabase(name, store::OpenMode::kOpen);
  if (!database.ok()) return database.status().text();
  std::map<uint64_t, size_t> numbers;
  std::deque<PersistentRef> waiting;
  std::string text;
  const auto reach = [&](PersistentRef object) {
    const auto [found, fresh] = numbers.try_emplace(object.bits, numbers.size() + 1);
    if (fresh) waiting.push_back(object);
    text += std::to_string(found->second) + " ";
  };
  reach(*server.Root(*database));
  const Result<std::vector<store::ExportEntry>> exports = server.Exports(*database);
  for (const store::ExportEntry& entry : *exports) reach(entry.object);
  const auto read = [&](PageId page) {
    auto reply = std::make_unique<store::PageReply>();
    (void)server.Read(*database, std::span(&page, 1), std::span(reply.get(), 1));
    return reply;
  };
  for (; !waiting.empty(); waiting.pop_front()) {
    const PersistentRef at = waiting.front();
    const auto reply = read(at.page());
    if (!reply->status.ok()) return reply->status.text();
    const auto word = [](const store::PageReply& page, size_t offset) {
      uint64_t value;
      std::memcpy(&value, page.record.contents + offset, sizeof value);
      return value;
    };
    if (!reply->record.run.large()) {
      text += "\n" + std::to_string(word(*reply, at.offset())) + ": ";
      for (size_t k = 1; k <= 2; ++k) reach(PersistentRef{word(*reply, at.offset() + 8 * k)});
      continue;
    }
    text += "\nlarge: ";
    for (uint64_t k = 0; k < reply->record.run.pages; ++k) {
      const auto part = read(at.page() + k);
      if (!part->status.ok()) return part->status.text();
      for (size_t offset = k == 0 ? 16 : 0; offset < kPageBytes; offset += 8) {
        if (const uint64_t to = word(*part, offset); to != 0) reach(PersistentRef{to});
      }
    }
  }
  (void)server.CloseDatabase(*database);
  return text;
}

}  // namespace tenure::testing
