#include "dbtool/stored/stored_objects.h"

#include <charconv>
#include <cstring>

#include "abi/object_header.h"
#include "store/directory/store_directory.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/format/page_codec.h"
#include "store/format/status_text.h"
#include "store/network/cluster_name.h"
#include "store/open.h"
#include "store/remote/remote_page_server.h"

namespace tenure::dbtool {

using abi::kHeaderBytes;
using abi::kPageBytes;
using store::DatabaseId;
using store::PageId;
using store::PersistentRef;

namespace {

constexpr uint64_t kPagesAtOnce = 64;
// Commands keep the pages that they need again themselves: with a larger cache verify, gc and
// compact are not faster.
constexpr uint64_t kCacheBytes = 16 << 20;

Status Damaged(PageId page, size_t offset, const char* what) {
  return store::Failure(
      StatusCode::kCorrupt,
      "page " + std::to_string(page.number) + " offset " + std::to_string(offset) + ": " + what,
      static_cast<int64_t>(page.number));
}

std::shared_ptr<const store::StoreFaults> planned_failure;

Result<std::unique_ptr<store::PageServer>> OpenServer(const std::string& path, bool gives_way) {
  store::StoreOptions options;
  options.fail = planned_failure;
  options.mode = store::OpenMode::kOpen;
  options.bdb.cache_bytes = kCacheBytes;
  if (planned_failure != nullptr) return store::OpenStore(path, options);
  TN_ASSIGN_OR_RETURN(std::unique_ptr<store::RemotePageServer> server,
                      store::RemotePageServer::ConnectIfServed(path));
  if (server == nullptr) return store::OpenStore(path, options);
  server->set_gives_way(gives_way);
  return std::unique_ptr<store::PageServer>(std::move(server));
}

}  // namespace

uint64_t StoredObject::Word(uint64_t offset) const {
  uint64_t word = 0;
  if (offset + 8 <= payload.size()) std::memcpy(&word, payload.data() + offset, sizeof word);
  return word;
}

void PlanFailure(std::shared_ptr<const store::StoreFaults> faults) {
  planned_failure = std::move(faults);
}

Result<OpenedStore> OpenForReading(const std::string& path, bool gives_way) {
  TN_ASSIGN_OR_RETURN(std::unique_ptr<store::PageServer> server, OpenServer(path, gives_way));
  TN_ASSIGN_OR_RETURN(StoredTypes types, StoredTypes::Read(*server));
  return OpenedStore{std::move(server), std::move(types)};
}

Result<OpenedStore> OpenAlone(const std::string& path) {
  Result<OpenedStore> store = OpenForReading(path);
  if (!store.ok() || !store->server->capabilities().shared) return store;
  return NotAlone(path);
}

Status NotAlone(const std::string& path) {
  if (store::IsClusterStore(path)) {
    return store::Failure(StatusCode::kNotSupported,
                          "store " + path +
                              " is a cluster's, and this command needs a store that nobody uses: "
                              "'tenure db export --all' and 'import --all' copy it to a directory");
  }
  return store::Failure(StatusCode::kInUse,
                        "store " + path + " is being served: stop the server first");
}

Result<std::vector<std::string>> LostDatabases(store::PageServer& server, const std::string& path) {
  TN_ASSIGN_OR_RETURN(std::vector<std::string> names, server.ListDatabases());
  TN_ASSIGN_OR_RETURN(std::vector<std::string> files, store::DatabaseNames(path));
  std::erase_if(names, [&](const std::string& name) {
    return std::binary_search(files.begin(), files.end(), name);
  });
  return names;
}

namespace {

// Asks to read the root and the pages that exist now, from `*held` on. Leaves in `*held` the first
// number behind them.
Status WantFrom(store::PageServer& server, DatabaseId database, uint64_t* held) {
  constexpr uint64_t kAtOnce = 1024;
  // Root also tells the present number of pages.
  TN_RETURN_IF_ERROR(server.Root(database).status());
  TN_ASSIGN_OR_RETURN(const PageId last, server.MaxPage(database));
  while (*held <= last.number) {
    std::vector<PageId> pages;
    for (; *held <= last.number && pages.size() < kAtOnce; ++*held) pages.push_back(PageId{*held});
    TN_RETURN_IF_ERROR(server.WantRead(database, pages));
  }
  return Status::Ok();
}

// The program that was waited for may have added pages, in this or an earlier database: repeats
// until there are none.
Status WantAll(store::PageServer& server, const std::vector<DatabaseId>& databases) {
  std::vector<uint64_t> held(databases.size(), 0);
  std::vector<uint64_t> before;
  do {
    before = held;
    for (size_t i = 0; i < databases.size(); ++i) {
      TN_RETURN_IF_ERROR(WantFrom(server, databases[i], &held[i]));
    }
  } while (held != before);
  return Status::Ok();
}

}  // namespace

Status BeginReadOnly(store::PageServer& server) {
  if (!server.capabilities().shared) return Status::Ok();
  TN_ASSIGN_OR_RETURN(const std::vector<std::string> names, server.ListDatabases());
  std::vector<DatabaseId> databases;
  for (const std::string& name : names) {
    const Result<DatabaseId> id = server.OpenDatabase(name, store::OpenMode::kOpen);
    if (id.status().code() == StatusCode::kCorrupt) continue;  // opening that database reports it
    if (!id.ok()) return id.status();
    databases.push_back(*id);
  }
  // A transaction that was a victim counts as older in the next attempt, so in the end it gets
  // everything.
  while (true) {
    server.AwaitTurn();
    TN_RETURN_IF_ERROR(server.StartTransaction().status());
    const Status status = WantAll(server, databases);
    if (status.code() != StatusCode::kConflict) return status;
    server.EndTransaction();
  }
}

Result<bool> ForEachObjectOn(PageId page, const std::byte* contents, const StoredTypes& types,
                             uint64_t* free_bytes,
                             const std::function<bool(const StoredObject&)>& visit) {
  StoredObject object;
  for (size_t at = 0; at < kPageBytes;) {
    uint64_t header;
    std::memcpy(&header, contents + at, sizeof header);
    const abi::ObjectHeader word{header};
    if (word.is_filler()) {
      const size_t bytes = word.filler_bytes();
      if (bytes < kHeaderBytes || bytes % 8 != 0 || bytes > kPageBytes - at) {
        return Damaged(page, at, "a free place of impossible length");
      }
      *free_bytes += bytes;
      at += bytes;
      continue;
    }
    object.type = types.At(header >> store::kStoredTypeShift);
    if (object.type == nullptr || kPageBytes - at < kHeaderBytes) {
      return Damaged(page, at, "no object header");
    }
    const std::span<const std::byte> payload(contents + at + kHeaderBytes,
                                             kPageBytes - at - kHeaderBytes);
    const std::optional<uint64_t> bytes = PayloadBytes(*object.type, payload);
    if (!bytes || *bytes > payload.size()) return Damaged(page, at, "an impossible length");
    object.at = PersistentRef::Object(page, at + kHeaderBytes);
    object.payload = payload.first(*bytes);
    if (!visit(object)) return false;
    at += kHeaderBytes + *bytes;
  }
  return true;
}

Status NoObject(PersistentRef at) {
  return store::Failure(StatusCode::kCorrupt, "there is no object at " + Show(at),
                        static_cast<int64_t>(at.page().number));
}

namespace {

// An object that is larger than a page, whose pages come one after the other.
class LargeObject {
 public:
  bool begun() const { return pages_ != 0; }
  void Drop() {
    bytes_ = {};
    pages_ = 0;
  }
  // Adds a page to the object. True: *object is complete, and valid until the next call.
  // `most_pages`: how many pages can follow at most.
  Result<bool> Take(PageId page, const store::PageRecord& record, uint64_t most_pages,
                    const StoredTypes& types, StoredObject* object) {
    if (record.run.index != pages_) {
      Drop();
      return Damaged(page, 0, "a large object has gaps");
    }
    if (pages_ == 0) {
      whole_ = {};
      bytes_.reserve(std::min<uint64_t>(record.run.pages, most_pages) * kPageBytes);
    }
    bytes_.insert(bytes_.end(), record.contents, record.contents + kPageBytes);
    if (++pages_ < record.run.pages) return false;
    const PageId first{page.number + 1 - pages_};
    whole_.swap(bytes_);
    Drop();
    object->type = types.At(record.run.type);
    if (object->type == nullptr) return Damaged(first, 0, "an unknown type");
    const std::span<const std::byte> payload = std::span(whole_).subspan(kHeaderBytes);
    const std::optional<uint64_t> bytes = PayloadBytes(*object->type, payload);
    if (!bytes || *bytes > payload.size()) return Damaged(first, 0, "an impossible length");
    object->at = PersistentRef::Object(first, kHeaderBytes);
    object->payload = payload.first(*bytes);
    return true;
  }

 private:
  std::vector<std::byte> bytes_, whole_;
  uint64_t pages_ = 0;
};

}  // namespace

Status ForEachObject(store::PageServer& server, store::DatabaseId database,
                     const StoredTypes& types, WalkTotals* totals,
                     const std::function<bool(const StoredObject&)>& visit,
                     const ProblemSink& problem) {
  TN_ASSIGN_OR_RETURN(PageId last, server.MaxPage(database));
  LargeObject large;
  StoredObject object;
  const auto tell = [&](const Status& status) {
    // Other failures than damage concern all pages.
    const bool damage = status.code() == StatusCode::kCorrupt || status.code() == StatusCode::kIo;
    if (problem == nullptr || !damage) return status;
    problem(status);
    return Status::Ok();
  };
  // False: visit has answered false.
  const auto take = [&](PageId page, const store::PageReply& reply) -> Result<bool> {
    if (reply.status.code() == StatusCode::kNotFound) return true;
    if (!reply.status.ok()) {
      large.Drop();
      return reply.status;
    }
    ++totals->pages;
    if (reply.record.run.large()) {
      TN_ASSIGN_OR_RETURN(
          const bool complete,
          large.Take(page, reply.record, last.number + 1 - page.number, types, &object));
      return !complete || visit(object);
    }
    if (large.begun()) {
      large.Drop();
      TN_RETURN_IF_ERROR(tell(Damaged(page, 0, "a large object has no end")));
    }
    return ForEachObjectOn(page, reply.record.contents, types, &totals->free_bytes, visit);
  };
  for (uint64_t from = 1; from <= last.number; from += kPagesAtOnce) {
    const Result<PageId> next = server.NextPage(database, PageId{from});
    if (next.ok()) {
      from = next->number;
    } else {
      TN_RETURN_IF_ERROR(tell(next.status()));
    }
    if (from > last.number) break;
    std::vector<PageId> wanted;
    for (uint64_t n = from; n <= last.number && n < from + kPagesAtOnce; ++n) {
      wanted.push_back(PageId{n});
    }
    std::vector<store::PageReply> replies(wanted.size());
    if (const Status read = server.Read(database, wanted, replies); !read.ok()) {
      TN_RETURN_IF_ERROR(tell(read));
      continue;
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Result<bool> more = take(wanted[i], replies[i]);
      if (!more.ok()) {
        TN_RETURN_IF_ERROR(tell(more.status()));
      } else if (!*more) {
        return Status::Ok();
      }
    }
  }
  return Status::Ok();
}

std::string Show(PersistentRef reference) {
  return std::to_string(reference.page().number) + ":" + std::to_string(reference.offset());
}

PersistentRef ParseReference(std::string_view text) {
  uint64_t page = 0, offset = 0;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {};
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), text.data() + colon, page);
  const auto second = std::from_chars(text.data() + colon + 1, end, offset);
  if (first.ec != std::errc() || first.ptr != text.data() + colon) return {};
  if (second.ec != std::errc() || second.ptr != end) return {};
  if (page == 0 || page >= store::kPageNumberLimit || offset >= kPageBytes) return {};
  const PersistentRef reference = PersistentRef::Object(PageId{page}, offset);
  return reference.well_formed_object() ? reference : PersistentRef();
}

}  // namespace tenure::dbtool
