#include "store/remote/recent_commits.h"

namespace tenure::store {

namespace {

using Part = RecentCommit::Part;
using Region = RecentCommit::Region;

// The least that each takes in a message.
constexpr size_t kRegionBytes = 8 + 4 + 4, kPartBytes = 4 + 1 + 5 * 8 + 2 * 4,
                 kCommitBytes = 8 + 4 + 8 + 8 + 4;

void Put(Writer& out, const Part& part) {
  out.PutText(part.database);
  out.Put(static_cast<uint8_t>(part.root));
  for (const uint64_t number :
       {part.new_pages, part.whole_pages, part.changed_pages, part.removed_pages, part.bytes}) {
    out.Put(number);
  }
  out.PutNumber(part.new_page_numbers.size());
  for (const uint64_t page : part.new_page_numbers) out.Put(page);
  out.PutNumber(part.regions.size());
  for (const Region& region : part.regions) {
    out.Put(region.page);
    out.Put(region.offset);
    out.Put(region.bytes);
  }
}

Part GetPart(Reader& in) {
  Part part;
  part.database = in.GetText();
  part.root = in.Get<uint8_t>() != 0;
  for (uint64_t* const number : {&part.new_pages, &part.whole_pages, &part.changed_pages,
                                 &part.removed_pages, &part.bytes}) {
    *number = in.Get<uint64_t>();
  }
  part.new_page_numbers.resize(in.GetCount(8));
  for (uint64_t& page : part.new_page_numbers) page = in.Get<uint64_t>();
  part.regions.resize(in.GetCount(kRegionBytes));
  for (Region& region : part.regions) {
    region.page = in.Get<uint64_t>();
    region.offset = in.Get<uint32_t>();
    region.bytes = in.Get<uint32_t>();
  }
  return part;
}

}  // namespace

void PutRecent(Writer& out, const RecentCommits& recent) {
  out.Put(recent.total);
  out.PutNumber(recent.commits.size());
  for (const RecentCommit& commit : recent.commits) {
    out.Put(commit.party.process);
    out.PutText(commit.party.program);
    out.Put(commit.at);
    out.Put(commit.version);
    out.PutNumber(commit.parts.size());
    for (const Part& part : commit.parts) Put(out, part);
  }
}

RecentCommits GetRecent(Reader& in) {
  RecentCommits recent;
  recent.total = in.Get<uint64_t>();
  recent.commits.resize(in.GetCount(kCommitBytes));
  for (RecentCommit& commit : recent.commits) {
    commit.party.process = in.Get<int64_t>();
    commit.party.program = in.GetText();
    commit.at = in.Get<int64_t>();
    commit.version = in.Get<uint64_t>();
    commit.parts.resize(in.GetCount(kPartBytes));
    for (Part& part : commit.parts) part = GetPart(in);
  }
  return recent;
}

}  // namespace tenure::store
