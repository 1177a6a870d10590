#include "lab/recovery/server.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "lab/support/fail.h"
#include "store/files/store_io.h"

namespace tenure::lab::recovery {

namespace {

// Messages have at most a page of log records, and the rest of one longer record.
constexpr size_t kMostBytes = 4 * kPageBytes;

void ReadHome(store::PageServer& store, store::DatabaseId database, uint64_t page, std::byte* bytes,
              uint64_t* version) {
  const store::PageId id{page + 1};  // pages of a database begin with 1
  store::PageReply reply;
  Check(store.Read(database, std::span(&id, 1), std::span(&reply, 1)), "read a page");
  Check(reply.status, "read a page");
  std::memcpy(bytes, reply.record.contents, kPageBytes);
  *version = reply.record.version;
}

uint64_t WriteHomeNow(store::PageServer& store, store::DatabaseId database, uint64_t page,
                      uint64_t version, const std::byte* bytes) {
  store::PageWrite write;
  write.page = store::PageId{page + 1};
  write.expected_version = version;
  write.checksum = store::PageChecksum(write.page, {}, bytes);
  write.contents = bytes;
  store::DatabaseCommit commit;
  commit.database = database;
  commit.pages = std::span(&write, 1);
  store::CommitRequest request;
  request.id = store::NewCommitId();
  request.databases = std::span(&commit, 1);
  // The laboratory's device says how long a write takes, so this one is not waited for.
  const store::CommitAnswer answer = store.Order(request);
  Check(answer.status, "write a page");
  return answer.version;
}

}  // namespace

RecoveryServer::RecoveryServer(store::PageServer& store, const std::vector<std::string>& names,
                               const ServerOptions& options)
    : store_(store),
      options_(options),
      transactions_(names.size(), 1),
      logged_now_(names.size()),
      log_device_(options.log_device),
      data_device_(options.data_device) {
  for (const std::string& name : names) {
    databases_.push_back(
        Check(store.OpenDatabase(name, store::OpenMode::kOpen), "open a database"));
  }
  log_ = open(options.log_file.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (log_ < 0) Fail("cannot make " + options.log_file + ": " + std::strerror(errno));
}

RecoveryServer::~RecoveryServer() { close(log_); }

// --- the pool ---

// Without `read` the caller has the whole page.
RecoveryServer::Pooled& RecoveryServer::Find(Lock& lock, uint64_t key, bool read) {
  left_.wait(lock, [&] { return !leaving_.contains(key); });
  if (const auto found = pool_.find(key); found != pool_.end()) {
    uses_.splice(uses_.begin(), uses_, found->second.use);
    return found->second;
  }
  MakeRoom(lock);
  auto bytes = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
  if (read) {
    if (const auto logged = logged_.find(key); logged != logged_.end()) {
      ++counts_.log_reads;
      ReadLog(lock, logged->second.at, bytes.get());
    } else {
      ++counts_.data_reads;
      ReadHome(store_, databases_[key >> 32], key & UINT32_MAX, bytes.get(), &versions_[key]);
      lock.unlock();
      data_device_.Do(kPageBytes);
      lock.lock();
    }
  }
  // No other thread has read the page meanwhile: only its own client uses a page.
  uses_.push_front(key);
  Pooled& page = pool_[key];
  page.bytes = std::move(bytes);
  page.use = uses_.begin();
  return page;
}

void RecoveryServer::MakeRoom(Lock& lock) {
  while (pool_.size() >= options_.pool_pages) {
    const uint64_t key = uses_.back();
    Pooled victim = std::move(pool_.at(key));
    uses_.pop_back();
    pool_.erase(key);
    if (!victim.dirty) continue;
    if (victim.in_log) {
      // The log has the page of an open transaction, and its place must keep the old one; a page of
      // a committed transaction goes to its place, and need not be read from the log.
      if (const auto logged = logged_.find(key);
          logged != logged_.end() && logged->second.committed) {
        ++counts_.installed;
        logged_.erase(logged);
        WriteHome(lock, key, victim.bytes.get());
      }
      continue;
    }
    // STEAL: the page may be of an open transaction, whose log records are written first. Its
    // client must not read the place meanwhile.
    leaving_.insert(key);
    Force(lock, victim.records_to);
    WriteHome(lock, key, victim.bytes.get());
    leaving_.erase(key);
    left_.notify_all();
  }
}

void RecoveryServer::WriteHome(Lock& lock, uint64_t key, const std::byte* bytes) {
  ++counts_.data_writes;
  uint64_t& version = versions_[key];
  if (version == 0) {
    std::byte ignored[kPageBytes];
    ReadHome(store_, databases_[key >> 32], key & UINT32_MAX, ignored, &version);
  }
  version = WriteHomeNow(store_, databases_[key >> 32], key & UINT32_MAX, version, bytes);
  written_ = version;
  lock.unlock();
  data_device_.Do(kPageBytes);
  lock.lock();
}

// --- the log ---

// Returns where the images begin.
uint64_t RecoveryServer::Append(const RecordHead& head, std::string_view images) {
  PutHead(tail_, head);
  const uint64_t at = tail_begin_ + tail_.size();
  tail_.append(images);
  const bool is_table = head.kind == RecordKind::kCheckpoint;
  (is_table ? counts_.checkpoint_bytes : counts_.log_bytes) += kRecordHeadBytes + images.size();
  return at;
}

// Makes the log durable up to `to`. The device is used without the lock.
void RecoveryServer::WriteTail(Lock& lock, uint64_t to) {
  std::string bytes;
  uint64_t begin = tail_begin_;
  if (to > tail_begin_) {
    bytes.swap(tail_);
    tail_begin_ += bytes.size();
    if (pwrite(log_, bytes.data(), bytes.size(), static_cast<off_t>(begin)) !=
        static_cast<ssize_t>(bytes.size())) {
      Fail("cannot write the log: " + std::string(std::strerror(errno)));
    }
  }
  const uint64_t end = begin + bytes.size();
  ++counts_.syncs;
  lock.unlock();
  log_device_.Do(bytes.size());
  lock.lock();
  durable_ = std::max(durable_, end);
}

void RecoveryServer::Force(Lock& lock, uint64_t to) {
  if (!options_.groups) {
    // Each commit is a write of its own, one behind the other.
    synced_.wait(lock, [&] { return !syncing_; });
    syncing_ = true;
    WriteTail(lock, to);
    syncing_ = false;
    counts_.largest_group = std::max<uint64_t>(counts_.largest_group, 1);
    synced_.notify_all();
    return;
  }
  ++waiting_;
  while (durable_ < to) {
    if (syncing_) {
      synced_.wait(lock);
      continue;
    }
    syncing_ = true;
    counts_.largest_group = std::max(counts_.largest_group, waiting_);
    waiting_ = 0;
    WriteTail(lock, tail_begin_ + tail_.size());
    syncing_ = false;
    synced_.notify_all();
    return;
  }
}

void RecoveryServer::ReadLog(Lock& lock, uint64_t at, std::byte* bytes) {
  if (at >= tail_begin_) {
    std::memcpy(bytes, tail_.data() + (at - tail_begin_), kPageBytes);
    return;
  }
  if (pread(log_, bytes, kPageBytes, static_cast<off_t>(at)) != static_cast<ssize_t>(kPageBytes)) {
    Fail("cannot read the log");
  }
  lock.unlock();
  log_device_.Do(kPageBytes);
  lock.lock();
}

// Pages of transactions that have committed go to their places, so that the log before need not be
// kept; the table of those that are still only in the log is written to the log.
void RecoveryServer::Checkpoint(Lock& lock) {
  if (std::exchange(checkpointing_, true)) return;
  std::vector<uint64_t> keys;
  for (const auto& [key, page] : pool_) {
    if (page.dirty) keys.push_back(key);
  }
  for (const auto& [key, logged] : logged_) {
    if (logged.committed && !pool_.contains(key)) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  for (const uint64_t key : keys) {
    const auto logged = logged_.find(key);
    if (logged != logged_.end() && !logged->second.committed) continue;
    auto found = pool_.find(key);
    if (found == pool_.end() && logged == logged_.end()) continue;
    auto copy = std::make_unique_for_overwrite<std::byte[]>(kPageBytes);
    if (found != pool_.end()) {
      if (!found->second.dirty) continue;
      if (logged == logged_.end()) {
        Force(lock, found->second.records_to);
        found = pool_.find(key);
        if (found == pool_.end() || !found->second.dirty) continue;
      }
      std::memcpy(copy.get(), found->second.bytes.get(), kPageBytes);
      found->second.dirty = found->second.in_log = false;
    } else {
      ++counts_.log_reads;
      const uint64_t at = logged->second.at;
      ReadLog(lock, at, copy.get());
      // The client may have sent a newer one meanwhile.
      const auto now = logged_.find(key);
      if (now == logged_.end() || now->second.at != at) continue;
    }
    counts_.installed += logged_.erase(key);
    WriteHome(lock, key, copy.get());
  }
  // Restart reads the log from the checkpoint on only: each page that has left the table is durable
  // in its place when the table is written. Other threads make room meanwhile.
  for (uint64_t durable = 0; durable != written_;) {
    durable = written_;
    lock.unlock();
    Check(store_.AwaitDurable(durable), "write pages");
    lock.lock();
  }
  std::string table;
  for (const auto& [key, newest] : logged_) {
    // Behind a page of an open transaction follows the page that holds if the transaction aborts.
    for (const Logged* logged = &newest; logged != nullptr; logged = logged->older.get()) {
      const uint64_t entry[4] = {key, logged->at, logged->transaction, logged->committed};
      table.append(reinterpret_cast<const char*>(entry), sizeof entry);
    }
  }
  (void)Append({RecordKind::kCheckpoint, 0, 0, 0, 0, static_cast<uint32_t>(table.size())}, table);
  checkpoint_at_ = tail_begin_ + tail_.size();
  checkpointing_ = false;
}

// --- messages ---

void RecoveryServer::Apply(Lock& lock, uint32_t client, std::string_view records) {
  const bool whole = ForEachRecord(records, [&](const RecordHead& head, std::string_view images) {
    Pooled& page = Find(lock, KeyOf(client, head.page), /*read=*/true);
    const size_t bytes = images.size() / 2;
    std::memcpy(page.bytes.get() + head.offset, images.data() + bytes, bytes);
    page.dirty = true;
    page.records_to = tail_begin_ + tail_.size();
    ++counts_.applied;
  });
  if (!whole) Fail("a client sends half a log record");
}

void RecoveryServer::TakeLogPage(Lock& lock, uint32_t client, uint64_t number,
                                 const std::byte* bytes) {
  const uint64_t key = KeyOf(client, number);
  const RecordHead head{RecordKind::kPage,
                        client,
                        transactions_[client],
                        static_cast<uint32_t>(number),
                        0,
                        static_cast<uint32_t>(kPageBytes)};
  const uint64_t at = Append(head, {reinterpret_cast<const char*>(bytes), kPageBytes});
  Logged entry;
  entry.at = at;
  entry.client = client;
  entry.transaction = transactions_[client];
  if (const auto found = logged_.find(key); found != logged_.end()) {
    Logged& before = found->second;
    // A page that the transaction has sent twice needs only the later one.
    entry.older =
        before.committed ? std::make_unique<Logged>(std::move(before)) : std::move(before.older);
  }
  logged_[key] = std::move(entry);
  logged_now_[client].push_back(key);
  Pooled& page = Find(lock, key, /*read=*/false);
  std::memcpy(page.bytes.get(), bytes, kPageBytes);
  page.dirty = page.in_log = true;
}

void RecoveryServer::Commit(Lock& lock, uint32_t client) {
  (void)Append({RecordKind::kCommit, client, transactions_[client], 0, 0, 0}, {});
  Force(lock, tail_begin_ + tail_.size());
  for (const uint64_t key : logged_now_[client]) {
    const auto found = logged_.find(key);
    if (found == logged_.end()) continue;
    found->second.committed = true;
    found->second.older.reset();
  }
  logged_now_[client].clear();
  ++transactions_[client];
  if (tail_begin_ + tail_.size() - checkpoint_at_ > options_.checkpoint_bytes) Checkpoint(lock);
}

ServerReport RecoveryServer::Report() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  ServerReport report = counts_;
  report.processor_us =
      static_cast<uint64_t>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
      static_cast<uint64_t>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  report.log_operations = log_device_.operations();
  return report;
}

void RecoveryServer::Serve(int socket, uint32_t client) {
  MessageHead head;
  std::vector<char> body(kMostBytes);
  while (ReceiveAll(socket, &head, sizeof head)) {
    if (head.bytes > kMostBytes) Fail("a client sends a message that is too long");
    if (!ReceiveAll(socket, body.data(), head.bytes)) return;
    Lock lock(lock_);
    const std::string_view records(body.data(), head.bytes);
    const auto* const bytes = reinterpret_cast<const std::byte*>(body.data());
    switch (head.kind) {
      case MessageKind::kRead: {
        std::byte page[kPageBytes];
        std::memcpy(page, Find(lock, KeyOf(client, head.page), true).bytes.get(), kPageBytes);
        lock.unlock();
        SendAll(socket, page, sizeof page);
        break;
      }
      case MessageKind::kLog:
      case MessageKind::kRedoLog:
        tail_.append(records);
        counts_.log_bytes += records.size();
        if (head.kind == MessageKind::kRedoLog) Apply(lock, client, records);
        break;
      case MessageKind::kPage: {
        Pooled& page = Find(lock, KeyOf(client, head.page), /*read=*/false);
        std::memcpy(page.bytes.get(), bytes, kPageBytes);
        page.dirty = true;
        page.records_to = tail_begin_ + tail_.size();
        break;
      }
      case MessageKind::kLogPage: TakeLogPage(lock, client, head.page, bytes); break;
      case MessageKind::kCommit: {
        Commit(lock, client);
        lock.unlock();
        const char done = 1;
        SendAll(socket, &done, sizeof done);
        break;
      }
      case MessageKind::kReport: {
        const ServerReport report = Report();
        lock.unlock();
        SendAll(socket, &report, sizeof report);
        break;
      }
    }
  }
}

void RecoveryServer::Flush() {
  Lock lock(lock_);
  Checkpoint(lock);
}

// --- restart ---

namespace {

struct Found {
  RecordHead head;
  std::string_view images;
};

}  // namespace

std::vector<uint64_t> Restart(store::PageServer& store, const std::vector<std::string>& names,
                              const std::string& log_file) {
  std::ifstream file(log_file, std::ios::binary);
  const std::string log(std::istreambuf_iterator<char>(file), {});
  std::vector<Found> records;
  // A record that a crash has cut off was never durable.
  (void)ForEachRecord(log, [&](const RecordHead& head, std::string_view images) {
    records.push_back({head, images});
  });
  std::vector<uint64_t> commits(names.size(), 0);
  std::set<std::pair<uint32_t, uint64_t>> committed;
  for (const Found& found : records) {
    if (found.head.kind != RecordKind::kCommit) continue;
    committed.insert({found.head.client, found.head.transaction});
    commits.at(found.head.client) = found.head.transaction;
  }
  std::vector<store::DatabaseId> databases;
  for (const std::string& name : names) {
    databases.push_back(Check(store.OpenDatabase(name, store::OpenMode::kOpen), "open a database"));
  }
  std::map<std::pair<uint32_t, uint64_t>, std::pair<std::vector<std::byte>, uint64_t>> pages;
  const auto page_of = [&](uint32_t client, uint64_t number) -> std::byte* {
    auto& [bytes, version] = pages[{client, number}];
    if (bytes.empty()) {
      bytes.resize(kPageBytes);
      ReadHome(store, databases[client], number, bytes.data(), &version);
    }
    return bytes.data();
  };
  // Log records: history is repeated, then what did not commit is undone, the last first (3.1).
  for (const Found& found : records) {
    if (found.head.kind != RecordKind::kUpdate) continue;
    const size_t bytes = found.images.size() / 2;
    std::memcpy(page_of(found.head.client, found.head.page) + found.head.offset,
                found.images.data() + bytes, bytes);
  }
  for (size_t i = records.size(); i-- > 0;) {
    const Found& found = records[i];
    if (found.head.kind != RecordKind::kUpdate ||
        committed.contains({found.head.client, found.head.transaction})) {
      continue;
    }
    std::memcpy(page_of(found.head.client, found.head.page) + found.head.offset,
                found.images.data(), found.images.size() / 2);
  }
  // Whole pages: one pass from the end to the last checkpoint, which has the table of then (3.4.3).
  std::map<std::pair<uint32_t, uint64_t>, std::string_view> table;
  for (size_t i = records.size(); i-- > 0;) {
    const Found& found = records[i];
    if (found.head.kind == RecordKind::kPage &&
        committed.contains({found.head.client, found.head.transaction})) {
      table.try_emplace({found.head.client, found.head.page}, found.images);
    }
    if (found.head.kind != RecordKind::kCheckpoint) continue;
    for (size_t at = 0; at + 32 <= found.images.size(); at += 32) {
      uint64_t entry[4];
      std::memcpy(entry, found.images.data() + at, sizeof entry);
      const auto client = static_cast<uint32_t>(entry[0] >> 32);
      if (entry[3] == 0 && !committed.contains({client, entry[2]})) continue;
      table.try_emplace({client, entry[0] & UINT32_MAX},
                        std::string_view(log).substr(entry[1], kPageBytes));
    }
    break;
  }
  for (const auto& [key, contents] : table) {
    std::memcpy(page_of(key.first, key.second), contents.data(), kPageBytes);
  }
  for (auto& [key, page] : pages) {
    (void)WriteHomeNow(store, databases[key.first], key.second, page.second, page.first.data());
  }
  return commits;
}

}  // namespace tenure::lab::recovery
