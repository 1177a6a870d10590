// Callback locking at the page server: who may read or write which page, who waits for whom, and
// who gives up when nobody can go on (design.md section 5, "Locks").
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "store/format/persistent_ref.h"
#include "store/serve/service_peer.h"

namespace tenure::store {

// The permission table's notes about a client. Protected by the table's lock.
struct PermissionNotes {
  bool gone = false;
  bool victim = false;
  uint64_t transaction = 0;
  // When the first attempt of the transaction began, in order of beginnings.
  uint64_t age = 0;
  bool gives_way = false;  // in its latest wait
  bool keep_age = false;   // the next transaction is another attempt
  // What Acquire waits for.
  bool waits = false;
  std::pair<uint32_t, uint64_t> wanted;
  bool wants_write = false;
  std::chrono::steady_clock::time_point waits_since;
  // Signalled when a page for which the client waits has changed.
  CondVar changed;
  // Pages that the client may only read, and pages that it may write.
  uint64_t read_pages = 0, written_pages = 0;
};

// A client as the table sees it. Only the client's own thread waits for the client's permissions.
class PermissionClient {
 public:
  // Asks the client for a page, without waiting. False: the client could not be told now. Called
  // with the table's lock.
  virtual bool SendCallback(uint32_t database, uint64_t page, bool to_read) = 0;
  // The client has not answered for too long: its connection must end. With the table's lock.
  virtual void CutOff() = 0;
  // Whether the client holds pages for a prepared commit: its end depends on another store.
  virtual bool in_doubt() const { return false; }
  // The client's process; 0: not known.
  virtual int64_t process() const { return 0; }
  // The name of the process's program; empty: not known.
  virtual std::string program() const { return {}; }
  // The program at another machine; null: a process of this machine.
  virtual const ServicePeer* peer() const { return nullptr; }
  // Tells the client whom it waits for. With the table's lock.
  virtual void SendWaitsFor(int64_t /*process*/) {}

  // For Permissions alone.
  PermissionNotes& permission_notes() { return notes_; }

 protected:
  virtual ~PermissionClient() = default;

 private:
  PermissionNotes notes_;
};

// How a client waits.
struct WaitManner {
  bool bounded = false;    // it may be in a cycle that leads through other servers
  bool gives_way = false;  // of a cycle, it is the victim rather than those that do not give way
};

// Any thread.
class Permissions {
 public:
  // Page 0 stands for the root of its database, kTables for its tables of references to and from
  // other databases.
  using Key = std::pair<uint32_t, uint64_t>;
  static constexpr uint64_t kTables = ~uint64_t{0};
  using Clock = std::chrono::steady_clock;

  // A client that waits in Acquire, and the reason.
  struct Party {
    int64_t process = 0;
    std::string program;
    bool in_doubt = false;
    std::string subject = {}, address = {};  // of a program at another machine
  };
  static Party PartyOf(const PermissionClient& client);
  struct Holder {
    Party party;
    bool write = false;
    Clock::time_point since;
    std::optional<Clock::time_point> asked;  // first, and not released since
    bool busy = false;                       // it has answered that its transaction goes on
  };
  struct Wait {
    Party party;
    Key key;
    bool write = false;
    Clock::time_point since;
    std::vector<Holder> holders;  // who are in the way
    std::vector<Party> before;    // those that wait for the same page and came first
  };

  // `say` is called once for each Acquire that has waited for this long, by its thread, without the
  // table's lock. Before there are clients.
  void OnLongWait(Clock::duration after, std::function<void(const Wait&)> say) {
    say_after_ = after;
    say_ = std::move(say);
  }
  // All who wait now.
  std::vector<Wait> Waits();
  // How many pages the client may only read, and may write.
  std::pair<uint64_t, uint64_t> PagesOf(PermissionClient& client);

  // Waits until the client has the permission. kConflict: its transaction is the victim, or the
  // bounded wait took too long; kClosed: the client is gone; kInUse: the page belongs to a commit
  // whose outcome has been unknown for kDoubtSeconds.
  Status Acquire(PermissionClient& client, uint64_t transaction, Key key, bool write,
                 WaitManner manner = {});
  // Like Acquire, but returns false if it would have to wait.
  bool TryAcquire(PermissionClient& client, Key key);
  // Acquires permission to write something besides pages that the same transaction needs.
  Status AcquireMore(PermissionClient& client, Key key);
  // Passes permission to write from one client to the other. False: `from` has no such permission,
  // and nothing changes.
  bool Transfer(PermissionClient& from, PermissionClient& to, Key key);
  // The client's transaction has failed: the next one is a retry, and keeps its age.
  void KeepAge(PermissionClient& client);
  // Ends the client's wait, if it waits: its transaction is the victim.
  void GiveUp(PermissionClient& client);
  // Whether none of the client's permissions has been given to others.
  bool HoldsAll(PermissionClient& client);
  // Grants permission to write pages that no other client knows.
  void GrantWrite(PermissionClient& client, Key key);
  bool Has(PermissionClient& client, Key key);
  bool HasWrite(PermissionClient& client, Key key);

  // The answers of clients to callbacks.
  void Release(PermissionClient& client, Key key, bool keep_read);
  void Busy(PermissionClient& client, Key key);

  // Makes the client's present and later waits fail.
  void Stop(PermissionClient& client);
  // Removes all permissions of the client, whose thread is not waiting.
  void Forget(PermissionClient& client);
  // Removes all permissions of the client for this database.
  void Forget(PermissionClient& client, uint32_t database);

 private:
  struct Hold {
    bool write = false;
    Clock::time_point since;
    std::optional<Clock::time_point> first_asked;
    bool asked = false;  // a callback has been sent and not been answered by a release
    bool sent = false;   // the last callback has been sent to the client
    bool asked_drop = false;
    bool busy = false;      // the answer so far
    bool answered = false;  // the last callback
    Clock::time_point asked_at;
  };
  struct Ticket {
    PermissionClient* client;
    bool write;
  };
  struct Page {
    std::map<PermissionClient*, Hold> holders;
    std::list<Ticket> queue;  // first come, first served
  };

  using PageMap = std::map<Key, Page>;

  // The client's hold on the page, made if there is none.
  static Hold& Grant(PermissionClient& client, Key key, Page& page, bool write,
                     Clock::time_point now);
  static void Take(Key key, Page& page, std::map<PermissionClient*, Hold>::iterator hold);
  Wait Describe(PermissionClient& client) TN_REQUIRES(lock_);
  void Forget(PermissionClient& client, PageMap::iterator from, PageMap::iterator to)
      TN_REQUIRES(lock_);
  bool MayHave(Page& page, PermissionClient& client, bool write);
  // Asks the holder to give the page up. True: the client has been told, now or before.
  bool Ask(PermissionClient& client, Key key, Hold& hold, bool to_read);
  // Wakes the clients that wait for this page; others need not look.
  static void WakeWaiters(const Page& page);
  // The clients for which this client waits now: none if it has got the permission and not woken up
  // yet.
  std::vector<PermissionClient*> WaitsFor(PermissionClient& client) TN_REQUIRES(lock_);
  void FindVictim(PermissionClient& from) TN_REQUIRES(lock_);
  bool FindCycle(PermissionClient* at, PermissionClient* start, std::set<PermissionClient*>& seen,
                 PermissionClient** victim) TN_REQUIRES(lock_);

  Mutex lock_;
  Clock::duration say_after_{};
  std::function<void(const Wait&)> say_;
  PageMap pages_ TN_GUARDED_BY(lock_);
  std::set<PermissionClient*> waiting_ TN_GUARDED_BY(lock_);
  uint64_t last_age_ TN_GUARDED_BY(lock_) = 0;
};

}  // namespace tenure::store
