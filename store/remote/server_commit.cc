#include "store/remote/server_commit.h"

namespace tenure::store {

namespace {

// The least bytes that these take.
constexpr size_t kDatabaseBytes = 4 + 1 + 8 + 4 + 2 * (8 + 4);
constexpr size_t kWriteBytes = 8 + 8 + 4 + sizeof(LargeRun) + 2 + 4;
constexpr size_t kRegionBytes = 4 + 4;

}  // namespace

void PutDatabaseCommit(Writer& out, const DatabaseCommit& commit, uint32_t remote_id) {
  out.Put(remote_id);
  out.Put(static_cast<uint8_t>(commit.root.has_value()));
  out.Put(commit.root.value_or(PersistentRef{}).bits);
  out.Put(static_cast<uint32_t>(commit.pages.size()));
  for (const PageWrite& write : commit.pages) {
    out.Put(write.page.number);
    out.Put(write.expected_version);
    out.Put(write.checksum.value_or(0));  // a served store has it always
    out.Put(write.run);
    out.Put(static_cast<uint8_t>(write.remove));
    out.Put(static_cast<uint8_t>(write.contents != nullptr));
    if (write.contents != nullptr) out.PutBytes({write.contents, abi::kPageBytes});
    out.Put(static_cast<uint32_t>(write.regions.size()));
    for (const ChangedRegion& region : write.regions) {
      out.Put(region.offset);
      out.Put(static_cast<uint32_t>(region.bytes.size()));
      out.PutBytes(region.bytes);
    }
  }
  out.Put(commit.imports_before);
  PutImports(out, commit.imports);
  out.Put(commit.exports_before);
  PutExports(out, commit.exports);
}

bool ReceivedCommit::Read(Reader& in) {
  request_.id = in.Get<CommitId>();
  request_.asker.settled = in.Get<uint64_t>();
  databases_.resize(in.GetCount(kDatabaseBytes));
  for (DatabaseCommit& commit : databases_) {
    commit.database = DatabaseId{in.Get<uint32_t>()};
    const bool has_root = in.Get<uint8_t>() != 0;
    const PersistentRef root{in.Get<uint64_t>()};
    if (has_root) commit.root = root;
    std::vector<PageWrite>& pages = pages_.emplace_back(in.GetCount(kWriteBytes));
    for (PageWrite& write : pages) {
      write.page.number = in.Get<uint64_t>();
      write.expected_version = in.Get<uint64_t>();
      write.checksum = in.Get<uint32_t>();
      write.run = in.Get<LargeRun>();
      write.remove = in.Get<uint8_t>() != 0;
      if (in.Get<uint8_t>() != 0) write.contents = in.GetBytes(abi::kPageBytes).data();
      std::vector<ChangedRegion>& regions = regions_.emplace_back(in.GetCount(kRegionBytes));
      for (ChangedRegion& region : regions) {
        region.offset = in.Get<uint32_t>();
        region.bytes = in.GetBytes(in.Get<uint32_t>());
      }
      write.regions = regions;
    }
    commit.pages = pages;
    commit.imports_before = in.Get<uint64_t>();
    commit.imports = imports_.emplace_back(GetImports(in));
    commit.exports_before = in.Get<uint64_t>();
    commit.exports = exports_.emplace_back(GetExports(in));
  }
  request_.databases = databases_;
  participants_.resize(in.GetCount(sizeof(Uuid)));
  for (Uuid& store : participants_) store = in.Get<Uuid>();
  request_.participants = participants_;
  return in.ok();
}

}  // namespace tenure::store
