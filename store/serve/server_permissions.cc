#include "store/serve/server_permissions.h"

#include <algorithm>

#include "base/mutex.h"
#include "store/remote/server_protocol.h"

namespace tenure::store {

namespace {

// How long a waiter sleeps before it looks at the holders again. If a holder could not be told,
// since another message was being sent to it, the first looks come sooner.
constexpr std::chrono::milliseconds kLook(200), kFirstLook(1);
// A holder that was busy is asked again, to detect one that has stopped meanwhile.
constexpr std::chrono::seconds kAskAgain(1);
// After this long, and again after each further such time, a waiter is told for whom it waits.
constexpr std::chrono::seconds kTellAfter(2);

// Some keys stand for other things than pages.
bool IsPage(Permissions::Key key) { return key.second != 0 && key.second != Permissions::kTables; }

}  // namespace

Permissions::Party Permissions::PartyOf(const PermissionClient& client) {
  const ServicePeer* const peer = client.peer();
  if (peer == nullptr) return {client.process(), client.program(), client.in_doubt()};
  return {peer->process, peer->program, client.in_doubt(), peer->subject, peer->address};
}

Permissions::Hold& Permissions::Grant(PermissionClient& client, Key key, Page& page, bool write,
                                      Clock::time_point now) {
  const auto [at, made] = page.holders.try_emplace(&client);
  Hold& hold = at->second;
  PermissionNotes& notes = client.permission_notes();
  if (made) {
    hold.since = now;
    notes.read_pages += IsPage(key);
  }
  if (write && !hold.write) {
    hold.write = true;
    notes.read_pages -= IsPage(key);
    notes.written_pages += IsPage(key);
  }
  return hold;
}

void Permissions::Take(Key key, Page& page, std::map<PermissionClient*, Hold>::iterator hold) {
  PermissionNotes& notes = hold->first->permission_notes();
  (hold->second.write ? notes.written_pages : notes.read_pages) -= IsPage(key);
  page.holders.erase(hold);
}

Permissions::Wait Permissions::Describe(PermissionClient& client) {
  const PermissionNotes& notes = client.permission_notes();
  Wait wait{PartyOf(client), notes.wanted, notes.wants_write, notes.waits_since, {}, {}};
  const Page& page = pages_[notes.wanted];
  for (const auto& [holder, hold] : page.holders) {
    if (holder == &client || !(notes.wants_write || hold.write)) continue;
    wait.holders.push_back({PartyOf(*holder), hold.write, hold.since, hold.first_asked, hold.busy});
  }
  if (page.holders.contains(&client)) return wait;  // it does not stand in line
  for (const Ticket& ticket : page.queue) {
    if (ticket.client == &client) break;
    if (notes.wants_write || ticket.write) wait.before.push_back(PartyOf(*ticket.client));
  }
  return wait;
}

std::vector<Permissions::Wait> Permissions::Waits() {
  std::vector<Wait> waits;
  const MutexLock guard(lock_);
  for (PermissionClient* const client : waiting_) waits.push_back(Describe(*client));
  return waits;
}

std::pair<uint64_t, uint64_t> Permissions::PagesOf(PermissionClient& client) {
  const MutexLock guard(lock_);
  return {client.permission_notes().read_pages, client.permission_notes().written_pages};
}

bool Permissions::MayHave(Page& page, PermissionClient& client, bool write) {
  bool upgrade = false;
  for (const auto& [holder, hold] : page.holders) {
    if (holder == &client) {
      upgrade = true;
    } else if (write || hold.write) {
      return false;
    }
  }
  // A client that has the page already need not stand in line: those before it wait for it.
  if (upgrade) return true;
  for (const Ticket& ticket : page.queue) {
    if (ticket.client == &client) break;
    if (write || ticket.write) return false;
  }
  return true;
}

void Permissions::WakeWaiters(const Page& page) {
  for (const Ticket& ticket : page.queue) ticket.client->permission_notes().changed.notify_one();
}

bool Permissions::Ask(PermissionClient& client, Key key, Hold& hold, bool to_read) {
  const Clock::time_point now = Clock::now();
  const bool waiting = hold.asked && !hold.answered;
  if (waiting && now - hold.asked_at > std::chrono::seconds(kCallbackSeconds)) {
    client.permission_notes().gone = true;
    client.CutOff();
    return true;
  }
  const bool enough = hold.sent && (hold.asked_drop || to_read);
  if (enough && (waiting || now - hold.asked_at < kAskAgain)) return true;
  // The holder's time begins with the first request that has no answer, even if the connection is
  // too full to send it.
  if (!waiting) hold.asked_at = now;
  if (!hold.first_asked) hold.first_asked = now;
  hold.asked = true;
  hold.answered = false;
  hold.sent = client.SendCallback(key.first, key.second, to_read);
  hold.asked_drop = hold.asked_drop || (hold.sent && !to_read);
  return hold.sent;
}

std::vector<PermissionClient*> Permissions::WaitsFor(PermissionClient& client) {
  std::vector<PermissionClient*> others;
  if (!client.permission_notes().waits || client.permission_notes().victim ||
      client.permission_notes().gone)
    return others;
  const auto found = pages_.find(client.permission_notes().wanted);
  if (found == pages_.end() ||
      MayHave(found->second, client, client.permission_notes().wants_write))
    return others;
  const Page& page = found->second;
  for (const auto& [holder, hold] : page.holders) {
    if (holder == &client || !(client.permission_notes().wants_write || hold.write)) continue;
    // A busy holder may still give the page up at once when it answers.
    if (hold.busy) others.push_back(holder);
  }
  if (page.holders.contains(&client)) return others;  // it does not stand in line
  for (const Ticket& ticket : page.queue) {
    if (ticket.client == &client) break;
    if (client.permission_notes().wants_write || ticket.write) others.push_back(ticket.client);
  }
  return others;
}

bool Permissions::FindCycle(PermissionClient* at, PermissionClient* start,
                            std::set<PermissionClient*>& seen, PermissionClient** victim) {
  // Clients that give way come first, then the youngest.
  const auto rank = [](PermissionClient* client) {
    const PermissionNotes& notes = client->permission_notes();
    return std::pair(notes.gives_way, notes.age);
  };
  for (PermissionClient* next : WaitsFor(*at)) {
    bool leads_back = next == start;
    if (!leads_back && seen.insert(next).second) {
      leads_back = FindCycle(next, start, seen, victim);
    }
    if (leads_back) {
      if (*victim == nullptr || rank(at) > rank(*victim)) *victim = at;
      return true;
    }
  }
  return false;
}

void Permissions::FindVictim(PermissionClient& from) {
  std::set<PermissionClient*> seen;
  PermissionClient* victim = nullptr;
  if (!FindCycle(&from, &from, seen, &victim)) return;
  victim->permission_notes().victim = true;
  victim->permission_notes().changed.notify_one();
}

Status Permissions::Acquire(PermissionClient& client, uint64_t transaction, Key key, bool write,
                            WaitManner manner) {
  MutexLock guard(lock_);
  if (client.permission_notes().transaction != transaction || client.permission_notes().age == 0) {
    if (!client.permission_notes().keep_age) client.permission_notes().age = ++last_age_;
    client.permission_notes().keep_age = false;
    client.permission_notes().transaction = transaction;
  }
  client.permission_notes().victim = false;
  client.permission_notes().gives_way = manner.gives_way;
  // The bounds differ, so two clients that wait for each other do not both give up.
  constexpr std::chrono::milliseconds kBound = std::chrono::seconds(kSeveralServersSeconds);
  const Clock::time_point begin = Clock::now();
  const Clock::time_point limit =
      begin + kBound +
      std::chrono::milliseconds(client.permission_notes().age * 7919 % kBound.count());
  const Clock::time_point doubt_limit = begin + std::chrono::seconds(kDoubtSeconds);
  Clock::time_point tell = begin + kTellAfter;
  bool said = say_ == nullptr, waited = false;
  std::chrono::milliseconds look = kFirstLook;  // after a holder could not be told
  client.permission_notes().waits = true;
  client.permission_notes().waits_since = begin;
  waiting_.insert(&client);
  client.permission_notes().wanted = key;
  client.permission_notes().wants_write = write;
  Page& page = pages_[key];
  const auto ticket = page.queue.insert(page.queue.end(), Ticket{&client, write});
  Status status;
  while (true) {
    if (client.permission_notes().gone) {
      status = Status(StatusCode::kClosed, "the client has been cut off");
      break;
    }
    if (client.permission_notes().victim) {
      client.permission_notes().keep_age = true;
      status = Status(StatusCode::kConflict, "transactions wait for each other");
      break;
    }
    if (MayHave(page, client, write)) {
      (void)Grant(client, key, page, write, waited ? Clock::now() : begin);
      break;
    }
    if (manner.bounded && Clock::now() > limit) {
      client.permission_notes().keep_age = true;
      status = Status(StatusCode::kConflict, "transactions may wait for each other at two servers");
      break;
    }
    bool in_doubt = false, told = true;
    for (auto& [holder, hold] : page.holders) {
      if (holder == &client || !(write || hold.write)) continue;
      in_doubt = in_doubt || holder->in_doubt();
      told = Ask(*holder, key, hold, /*to_read=*/!write) && told;
    }
    if (in_doubt && Clock::now() > doubt_limit) {
      status =
          Status(StatusCode::kInUse,
                 "a page belongs to a commit of several stores, and the one that decides about "
                 "it cannot be asked");
      break;
    }
    if (Clock::now() > tell) {
      tell = Clock::now() + kTellAfter;
      const auto holder = std::find_if(page.holders.begin(), page.holders.end(),
                                       [&](const auto& held) { return held.first != &client; });
      const bool in_line = holder == page.holders.end() && page.queue.front().client != &client;
      if (holder != page.holders.end()) client.SendWaitsFor(holder->first->process());
      if (in_line) client.SendWaitsFor(page.queue.front().client->process());
    }
    if (!said && Clock::now() > begin + say_after_) {
      said = true;
      const Wait wait = Describe(client);
      // The ticket in its queue keeps the page from being removed.
      guard.unlock();
      say_(wait);
      guard.lock();
      continue;
    }
    FindVictim(client);
    waited = true;
    if (client.permission_notes().victim) continue;
    client.permission_notes().changed.wait_for(guard, told ? kLook : look);
    if (!told) look = std::min(2 * look, kLook);
  }
  client.permission_notes().waits = false;
  waiting_.erase(&client);
  page.queue.erase(ticket);
  WakeWaiters(page);
  if (page.holders.empty() && page.queue.empty()) pages_.erase(key);
  return status;
}

Status Permissions::AcquireMore(PermissionClient& client, Key key) {
  uint64_t transaction;
  WaitManner manner{.bounded = true};
  {
    const MutexLock guard(lock_);
    transaction = client.permission_notes().transaction;
    manner.gives_way = client.permission_notes().gives_way;
  }
  return Acquire(client, transaction, key, /*write=*/true, manner);
}

bool Permissions::Transfer(PermissionClient& from, PermissionClient& to, Key key) {
  const MutexLock guard(lock_);
  const auto page = pages_.find(key);
  if (page == pages_.end()) return false;
  const auto hold = page->second.holders.find(&from);
  if (hold == page->second.holders.end() || !hold->second.write) return false;
  Take(key, page->second, hold);
  (void)Grant(to, key, page->second, /*write=*/true, Clock::now());
  WakeWaiters(page->second);
  return true;
}

void Permissions::KeepAge(PermissionClient& client) {
  const MutexLock guard(lock_);
  client.permission_notes().keep_age = true;
}

bool Permissions::TryAcquire(PermissionClient& client, Key key) {
  const MutexLock guard(lock_);
  Page& page = pages_[key];
  // Those who wait for the page would wait longer for one that may never be used.
  const bool may = page.holders.contains(&client) ||
                   (page.queue.empty() && MayHave(page, client, /*write=*/false));
  if (may) (void)Grant(client, key, page, /*write=*/false, Clock::now());
  if (page.holders.empty() && page.queue.empty()) pages_.erase(key);
  return may;
}

void Permissions::GiveUp(PermissionClient& client) {
  const MutexLock guard(lock_);
  if (!client.permission_notes().waits) return;
  client.permission_notes().victim = true;
  client.permission_notes().changed.notify_one();
}

bool Permissions::HoldsAll(PermissionClient& client) {
  const MutexLock guard(lock_);
  return !client.permission_notes().gone;
}

void Permissions::GrantWrite(PermissionClient& client, Key key) {
  const MutexLock guard(lock_);
  (void)Grant(client, key, pages_[key], /*write=*/true, Clock::now());
}

bool Permissions::Has(PermissionClient& client, Key key) {
  const MutexLock guard(lock_);
  const auto page = pages_.find(key);
  return page != pages_.end() && page->second.holders.contains(&client);
}

bool Permissions::HasWrite(PermissionClient& client, Key key) {
  const MutexLock guard(lock_);
  const auto page = pages_.find(key);
  if (page == pages_.end()) return false;
  const auto hold = page->second.holders.find(&client);
  return hold != page->second.holders.end() && hold->second.write;
}

void Permissions::Release(PermissionClient& client, Key key, bool keep_read) {
  const MutexLock guard(lock_);
  const auto page = pages_.find(key);
  if (page == pages_.end()) return;
  const auto hold = page->second.holders.find(&client);
  if (hold == page->second.holders.end()) return;
  const Clock::time_point since = hold->second.since;
  Take(key, page->second, hold);
  if (keep_read) (void)Grant(client, key, page->second, /*write=*/false, since);
  WakeWaiters(page->second);
  if (page->second.holders.empty() && page->second.queue.empty()) pages_.erase(page);
}

void Permissions::Busy(PermissionClient& client, Key key) {
  const MutexLock guard(lock_);
  const auto page = pages_.find(key);
  if (page == pages_.end()) return;
  const auto hold = page->second.holders.find(&client);
  if (hold == page->second.holders.end()) return;
  hold->second.busy = hold->second.answered = true;
  WakeWaiters(page->second);
}

void Permissions::Stop(PermissionClient& client) {
  const MutexLock guard(lock_);
  client.permission_notes().gone = true;
  client.permission_notes().changed.notify_one();
}

void Permissions::Forget(PermissionClient& client) {
  const MutexLock guard(lock_);
  client.permission_notes().gone = true;
  Forget(client, pages_.begin(), pages_.end());
}

void Permissions::Forget(PermissionClient& client, uint32_t database) {
  const MutexLock guard(lock_);
  Forget(client, pages_.lower_bound({database, 0}), pages_.upper_bound({database, ~uint64_t{0}}));
}

void Permissions::Forget(PermissionClient& client, PageMap::iterator from, PageMap::iterator to) {
  while (from != to) {
    const auto hold = from->second.holders.find(&client);
    if (hold != from->second.holders.end()) {
      Take(from->first, from->second, hold);
      WakeWaiters(from->second);
    }
    from = from->second.holders.empty() && from->second.queue.empty() ? pages_.erase(from)
                                                                      : std::next(from);
  }
}

}  // namespace tenure::store
