#include "node/group_member.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/crc32c.h"
#include "base/mutex.h"
#include "base/shown_text.h"
#include "store/format/status_text.h"

namespace tenure::node {

using std::chrono::milliseconds;
using store::LeaseNow;
using store::LeaseTime;
using store::NodeId;
using store::NodeRow;

namespace {

constexpr milliseconds kLookEvery(250), kLookUrgently(50);
// The group is tried again after this time by a node that starts.
constexpr milliseconds kEnterAgain(1000);
// A store whose commits PostgreSQL has refused takes no others for this time.
constexpr milliseconds kRefusesFor(10000);
// The next in rank leads a store that the one before has not led after this time.
constexpr milliseconds kRankPatience(1000);

uint64_t Mixed(uint64_t value) {
  value ^= value >> 33;
  value *= 0xff51afd7ed558ccdull;
  value ^= value >> 33;
  value *= 0xc4ceb9fe1a85ec53ull;
  return value ^ value >> 33;
}

uint64_t Weight(const std::string& store, const std::string& node) {
  const auto sum = [](const std::string& text) {
    return Crc32c(0, std::as_bytes(std::span(text)));
  };
  return Mixed(uint64_t{sum(store)} << 32 | sum(node));
}

const NodeRow* FindRow(const std::vector<NodeRow>& nodes, const NodeId& id) {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const NodeRow& row) {
    return row.name == id.name && row.epoch == id.epoch;
  });
  return found == nodes.end() ? nullptr : &*found;
}

std::string TextOf(const NodeRow& namesake) {
  return "a node at " + namesake.address + " serves with this node's name, '" + namesake.name +
         "': give each node its own --name and --address";
}

}  // namespace

size_t RankFor(const std::string& store, const std::string& node,
               const std::vector<std::string>& live) {
  const uint64_t own = Weight(store, node);
  return static_cast<size_t>(std::count_if(live.begin(), live.end(), [&](const std::string& other) {
    const uint64_t weight = Weight(store, other);
    return other != node && (weight > own || (weight == own && other < node));
  }));
}

GroupMember::GroupMember(MemberOptions options)
    : options_(std::move(options)), beats_(options_.postgres), election_(options_.postgres) {}

GroupMember::~GroupMember() { Stop(); }

void GroupMember::Say(const std::string& text) {
  std::fprintf(stderr, "tenure node: %s\n", ShownText(text).c_str());
  std::fflush(stderr);
}

std::shared_ptr<NodeLife> GroupMember::life() {
  const MutexLock guard(mutex_);
  return life_;
}

Status GroupMember::Start() {
  bool said = false;
  while (true) {
    const Status status = Enter();
    MutexLock guard(mutex_);
    if (status.ok() || stop_) {
      if (stop_) return Status(StatusCode::kClosed, "the node ends");
      if (beater_.Start([this] { Beat(); }) && elector_.Start([this] { Elect(); })) return status;
      failed_ = true;
      return Status(StatusCode::kNoMemory, "no thread can be made");
    }
    if (status.code() != StatusCode::kIo && status.code() != StatusCode::kUnknownOutcome) {
      failed_ = true;
      return status;
    }
    if (!std::exchange(said, true)) {
      Say(std::string("waits for the group: ") + status.text());
    }
    changed_.wait_for(guard, kEnterAgain, [&]() TN_REQUIRES(mutex_) { return stop_; });
  }
}

Status GroupMember::Enter() {
  TN_RETURN_IF_ERROR(beats_.CheckGroup());
  TN_ASSIGN_OR_RETURN(const std::optional<NodeRow> namesake, Namesake());
  if (namesake) return store::Failure(StatusCode::kExists, TextOf(*namesake));
  TN_ASSIGN_OR_RETURN(NodeId id,
                      beats_.EnterNode(options_.name, options_.address, options_.subject));
  life_ = std::make_shared<NodeLife>(std::move(id), options_.lease);
  const LeaseTime sent = LeaseNow();
  TN_ASSIGN_OR_RETURN(const bool beats, beats_.Beat(life_->id, NextBeat()));
  if (beats) life_->lease.Answered(sent);
  return Status::Ok();
}

void GroupMember::Stop() {
  {
    const MutexLock guard(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  elector_.Join();
  std::map<std::string, std::shared_ptr<LedStore>> led;
  {
    const MutexLock guard(mutex_);
    led.swap(led_);
  }
  for (const auto& [name, store] : led) {
    const bool leads = store->Leads();
    const Status stopped = store->Stop();
    if (!leads) continue;
    if (!stopped.ok()) Say("store " + name + ": " + stopped.text());
    (void)election_.ReleaseStore(store->uuid(), store->term());
  }
  // Until here the stores were led.
  {
    const MutexLock guard(mutex_);
    stop_beats_ = true;
    changed_.notify_all();
  }
  beater_.Join();
}

GroupMember::Place GroupMember::Find(const std::string& store) {
  const MutexLock guard(mutex_);
  if (const auto found = led_.find(store); found != led_.end()) {
    if (found->second->Leads()) return {found->second, ""};
    return {nullptr, ""};
  }
  const auto found = elsewhere_.find(store);
  return {nullptr, found == elsewhere_.end() ? "" : found->second};
}

// --- Beats

// Of a clock, so that the numbers of an earlier life of this node are most likely smaller, too.
uint64_t GroupMember::NextBeat() {
  const auto clock = static_cast<uint64_t>(
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  last_beat_ = std::max(last_beat_ + 1, clock);
  return last_beat_;
}

void GroupMember::Beat() {
  bool said = false;
  MutexLock guard(mutex_);
  while (!stop_beats_) {
    const std::shared_ptr<NodeLife> life = life_;
    guard.unlock();
    const LeaseTime sent = LeaseNow();
    const Result<bool> beat = beats_.Beat(life->id, NextBeat());
    if (!beat.ok()) {
      if (!std::exchange(said, true)) {
        Say(std::string("the group does not take this node's beat: ") + beat.status().text());
      }
    } else if (*beat) {
      if (std::exchange(said, false)) Say("the group takes this node's beat again");
      life->lease.Answered(sent);
    } else {
      LosePlace();
    }
    guard.lock();
    changed_.wait_for(guard, beat.ok() ? options_.lease / 4 : kLookEvery,
                      [&]() TN_REQUIRES(mutex_) { return stop_beats_; });
  }
}

Result<std::optional<NodeRow>> GroupMember::Namesake() {
  std::optional<NodeRow> first;
  const LeaseTime end = LeaseNow() + LeaseTime(options_.lease) / 2;
  while (true) {
    TN_ASSIGN_OR_RETURN(const std::vector<NodeRow> nodes, beats_.Nodes());
    const auto row = std::ranges::find(nodes, options_.name, &NodeRow::name);
    if (row == nodes.end()) return std::optional<NodeRow>();
    // A new epoch alone is no sign: others take the place of a node that has been silent.
    if (first && row->epoch == first->epoch && row->beat != first->beat) {
      return std::optional(*row);
    }
    first = *row;
    if (LeaseNow() >= end) return std::optional<NodeRow>();
    MutexLock guard(mutex_);
    if (changed_.wait_for(guard, kLookEvery,
                          [&]() TN_REQUIRES(mutex_) { return stop_ || stop_beats_; })) {
      return std::optional<NodeRow>();
    }
  }
}

void GroupMember::Fail(const std::string& why) {
  if (failed_.exchange(true)) return;
  Say(why);
  kill(getpid(), SIGTERM);
}

void GroupMember::LosePlace() {
  life()->lease.Ended();
  // Two processes of one name would take each other's place again and again.
  if (const auto namesake = Namesake(); namesake.ok() && *namesake) return Fail(TextOf(**namesake));
  Say("another node has taken this node's place: it leads no store any more");
  Result<NodeId> id = beats_.EnterNode(options_.name, options_.address, options_.subject);
  if (!id.ok()) return;  // the next beat says again that the place is lost
  const MutexLock guard(mutex_);
  life_ = std::make_shared<NodeLife>(*std::move(id), options_.lease);
}

// --- Election

void GroupMember::Elect() {
  MutexLock guard(mutex_);
  while (!stop_) {
    guard.unlock();
    if (const Status good = options_.check_certificate(); !good.ok()) Fail(good.text());
    const bool reads = LookAround();
    if (reads == unreachable_) {
      unreachable_ = !reads;
      if (reads) Say("the group can be read again");
    }
    const bool urgent = Urgent();
    guard.lock();
    changed_.wait_for(guard, urgent ? kLookUrgently : kLookEvery,
                      [&]() TN_REQUIRES(mutex_) { return stop_; });
  }
}

bool GroupMember::Urgent() const {
  const LeaseTime now = LeaseNow();
  const auto late = [&](const auto& watch) {
    return watch.second.Late(now) && !IsTaken(watch.second.seen());
  };
  return !orphans_.empty() || std::any_of(watches_.begin(), watches_.end(), late);
}

bool GroupMember::IsTaken(const NodeRow& node) const {
  const auto taken = taken_.find(node.name);
  return taken != taken_.end() && taken->second == node.epoch;
}

bool GroupMember::LookAround() {
  Result<std::vector<NodeRow>> nodes = election_.Nodes();
  if (!nodes.ok()) {
    if (!unreachable_) Say(std::string("the group cannot be read: ") + nodes.status().text());
    // Where nothing can be read, nothing can be appended.
    return false;
  }
  TakeSilent(*nodes);
  const Result<Rows> stores = election_.StoreRows();
  if (!stores.ok()) return false;
  Settle(*nodes, *stores);
  return true;
}

void GroupMember::TakeSilent(std::vector<NodeRow>& nodes) {
  const LeaseTime now = LeaseNow();
  const uint64_t connection = election_.connections();
  uint32_t rank = 0;
  for (const NodeRow& row : nodes) rank += row.name < options_.name;
  for (NodeRow& row : nodes) {
    if (row.name == options_.name) continue;
    const uint32_t before = rank - (row.name < options_.name ? 1 : 0);
    auto watch = watches_.find(row.name);
    if (watch == watches_.end()) {
      watch = watches_.emplace(row.name, store::BeatWatch(options_.lease, before)).first;
    }
    watch->second.Saw(row, connection, now);
    if (IsTaken(row) || !watch->second.Silent(now)) continue;
    const Result<bool> took = election_.TakeNode(watch->second.seen());
    if (!took.ok() || !*took) continue;
    taken_[row.name] = ++row.epoch;
    Say("node " + row.name + " at " + row.address + " is silent: its stores get other leaders");
  }
}

void GroupMember::Settle(const std::vector<NodeRow>& nodes, const Rows& stores) {
  const std::shared_ptr<NodeLife> own = life();
  std::map<std::string, std::string> elsewhere;
  std::vector<const store::PostgresEngine::StoreRow*> wanted;
  for (const auto& row : stores) {
    if (row.leader == own->id) {
      orphans_.erase(row.name);
      std::shared_ptr<LedStore> led;
      {
        const MutexLock guard(mutex_);
        if (const auto found = led_.find(row.name); found != led_.end()) led = found->second;
      }
      // After a failure of the engine: what has happened is in its log.
      if (led != nullptr && !led->Leads()) GiveUpFailed(row.name, led->failure());
      if ((led == nullptr || !led->Leads()) && own->lease.ValidAt(LeaseNow())) {
        wanted.push_back(&row);
      }
      continue;
    }
    GiveUp(row.name, "another node leads it");
    const NodeRow* const leader = row.leader.name.empty() ? nullptr : FindRow(nodes, row.leader);
    const auto taken = leader == nullptr ? taken_.end() : taken_.find(leader->name);
    if (leader != nullptr && (taken == taken_.end() || taken->second != leader->epoch)) {
      orphans_.erase(row.name);
      const auto watch = watches_.find(leader->name);
      if (watch != watches_.end() && watch->second.heard()) elsewhere[row.name] = leader->address;
    } else if (own->lease.ValidAt(LeaseNow()) && MayLead(row, nodes)) {
      wanted.push_back(&row);
    }
  }
  std::vector<std::string> gone;
  {
    const MutexLock guard(mutex_);
    elsewhere_ = std::move(elsewhere);
    for (const auto& [name, led] : led_) {
      const bool there = std::any_of(stores.begin(), stores.end(),
                                     [&name = name](const auto& row) { return row.name == name; });
      if (!there) gone.push_back(name);
    }
  }
  for (const std::string& name : gone) GiveUp(name, "the store is gone");
  for (const auto* row : wanted) Lead(*row);
}

// The node that led a store last may answer reads until its lease is over, and other nodes cannot
// tell when the lease began. A node has stopped answering if it has given the store up, or if this
// node has seen that it was silent for longer than a lease before its place was taken.
bool GroupMember::MayLead(const store::PostgresEngine::StoreRow& row,
                          const std::vector<NodeRow>& nodes) {
  const LeaseTime now = LeaseNow();
  Orphan& orphan = orphans_[row.name];
  if (orphan.since == LeaseTime{} || orphan.leader != row.leader) orphan = {row.leader, now};
  const auto taken = taken_.find(row.leader.name);
  const auto watched = watches_.find(row.leader.name);
  const bool silent =
      (taken != taken_.end() && taken->second > row.leader.epoch) ||
      (watched != watches_.end() && watched->second.silent_epoch() >= row.leader.epoch);
  LeaseTime patience{};
  if (!row.leader.name.empty() && !silent) {
    patience = LeaseTime(static_cast<int64_t>(
        static_cast<double>(LeaseTime(options_.lease).count()) * store::kRateTolerance));
  }
  std::vector<std::string> live;
  for (const NodeRow& node : nodes) {
    const auto watch = watches_.find(node.name);
    if (watch == watches_.end() || watch->second.Silent(now) || watch->second.vacant() ||
        IsTaken(node)) {
      continue;
    }
    live.push_back(node.name);
  }
  patience += kRankPatience * static_cast<int64_t>(RankFor(row.name, options_.name, live));
  return now - orphan.since >= patience;
}

void GroupMember::Lead(const store::PostgresEngine::StoreRow& row) {
  LedStore::Options options;
  options.postgres = options_.postgres;
  options.uri = "tenure://" + options_.address + "/" + row.name;
  options.cached_records = options_.cached_records;
  options.session_timeout = options_.session_timeout;
  auto full = full_.find(row.name);
  if (full != full_.end() && LeaseNow() - full->second.until > kRefusesFor) {
    full_.erase(full);
    full = full_.end();
  }
  if (full != full_.end()) {
    // Programs that were cut off for lack of space reconnect as soon as the store is led again: go
    // on refusing them for a while.
    full->second.until = LeaseNow() + kRefusesFor;
    options.refusal = full->second.refusal;
    options.refuses_until = full->second.until;
  }
  Result<std::shared_ptr<LedStore>> led = LedStore::Lead(options, row, life());
  if (!led.ok()) {
    if (led.status().code() != StatusCode::kConflict) {
      const std::string why(led.status().text());
      if (std::exchange(not_led_[row.name], why) != why) {
        Say("cannot lead store " + row.name + ": " + why);
      }
    }
    return;
  }
  not_led_.erase(row.name);
  orphans_.erase(row.name);
  if (full == full_.end()) {
    Say("leads store " + row.name + " in term " + std::to_string((*led)->term()));
  }
  const MutexLock guard(mutex_);
  led_[row.name] = *std::move(led);
}

void GroupMember::GiveUpFailed(const std::string& store, const Status& why) {
  if (why.code() != StatusCode::kNoSpace) {
    full_.erase(store);
    GiveUp(store, why.text());
    return;
  }
  const LeaseTime now = LeaseNow();
  const auto found = full_.find(store);
  const bool said = found != full_.end() && now - found->second.until < kRefusesFor;
  full_[store] = {store::Failure(StatusCode::kNoSpace,
                                 "PostgreSQL has no space for commits: " + std::string(why.text())),
                  now + kRefusesFor};
  GiveUp(store, said ? nullptr : why.text());
  if (said) return;
  Say("store " + store + " takes no commits until PostgreSQL has space; reads go on");
}

void GroupMember::GiveUp(const std::string& store, const char* why) {
  std::shared_ptr<LedStore> led;
  {
    const MutexLock guard(mutex_);
    const auto found = led_.find(store);
    if (found == led_.end()) return;
    led = std::move(found->second);
    led_.erase(found);
  }
  if (why != nullptr) Say("leads store " + store + " no more: " + why);
  (void)led->Stop();
}

}  // namespace tenure::node
