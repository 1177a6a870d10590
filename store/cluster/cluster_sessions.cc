#include "store/cluster/cluster_sessions.h"

#include <algorithm>
#include <cerrno>

#include "base/mutex.h"
#include "store/format/status_text.h"

namespace tenure::store {

ClusterSessions::ClusterSessions(ClusterPageServer& store, LeaseTime timeout, LeaseTime (*now)())
    : store_(store), timeout_(timeout), now_(now) {
  for (auto& [session, program] : store_.Sessions()) {
    sessions_[session] = {
        .place = ++last_place_, .program = program, .connections = 0, .away_since = now_()};
    places_[last_place_] = session;
  }
}

bool ClusterSessions::MayComeAgain(const Uuid& serving, uint64_t version) {
  const MutexLock guard(lock_);
  // A program that has seen more has seen commits that were lost with their leader.
  return sessions_.contains(serving) && version <= store_.DurableVersion();
}

bool ClusterSessions::Expired(const Known& known) const {
  return known.connections == 0 && now_() - known.away_since >= timeout_;
}

Result<ClusterSessions::Place> ClusterSessions::End(Place session) {
  TN_RETURN_IF_ERROR(store_.EndSession(session->first));
  store_.ForgetAsker(session->second.place);
  places_.erase(session->second.place);
  return sessions_.erase(session);
}

Status ClusterSessions::MakeRoom() {
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    if (!Expired(at->second)) {
      ++at;
      continue;
    }
    TN_ASSIGN_OR_RETURN(at, End(at));
  }
  while (sessions_.size() >= kSessionsMost) {
    const auto longest =
        std::ranges::min_element(sessions_, {}, [](const auto& session) TN_REQUIRES(lock_) {
          const Known& known = session.second;
          return known.connections > 0 ? LeaseTime::max() : known.away_since;
        });
    if (longest->second.connections > 0) break;
    TN_RETURN_IF_ERROR(End(longest).status());
  }
  return Status::Ok();
}

Result<KnownSessions::Entered> ClusterSessions::Enter(pid_t, std::string_view name,
                                                      const Uuid& earlier) {
  Entered entered;
  {
    const MutexLock guard(lock_);
    if (const auto found = sessions_.find(earlier); found != sessions_.end()) {
      ++found->second.connections;
      return Entered{
          .place = found->second.place, .serving = earlier, .descriptor = -1, .again = true};
    }
    entered.place = ++last_place_;
    entered.serving = NewUuid();
    // If the engine takes nothing now, the next program tries again.
    (void)MakeRoom();
  }
  const Status noted = store_.EnterSession(entered.serving, std::string(name));
  if (!noted.ok() && noted.code() != StatusCode::kNoSpace) {
    return Failure(StatusCode::kIo, std::string("the program cannot be noted: ") + noted.text(),
                   EAGAIN);
  }
  const MutexLock guard(lock_);
  sessions_[entered.serving] = {
      .place = entered.place, .program = std::string(name), .connections = 1};
  places_[entered.place] = entered.serving;
  return entered;
}

void ClusterSessions::Leave(uint64_t place, bool for_good) {
  const MutexLock guard(lock_);
  const auto at = places_.find(place);
  if (at == places_.end()) return;
  const auto session = sessions_.find(at->second);
  Known& known = session->second;
  known.over |= for_good;
  if (--known.connections > 0) return;
  known.away_since = now_();
  // If the engine takes nothing now, the session ends after the timeout.
  if (known.over) (void)End(session);
}

Status ClusterSessions::CheckNobodyAway(const std::set<uint64_t>& here) {
  const MutexLock guard(lock_);
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const Known& known = at->second;
    if (here.contains(known.place)) {
      ++at;
      continue;
    }
    if (Expired(known)) {
      TN_ASSIGN_OR_RETURN(at, End(at));
      continue;
    }
    const std::string who = "'" + known.program + "'";
    if (known.connections > 0) {
      return Failure(StatusCode::kInUse,
                     "a program of " + who + " is coming back: nothing is collected now");
    }
    const auto left = std::chrono::ceil<std::chrono::seconds>(known.away_since + timeout_ - now_());
    return Failure(StatusCode::kInUse,
                   "a program of " + who + " has lost its connection and may come again for " +
                       std::to_string(left.count()) + " s: nothing is collected now");
  }
  return Status::Ok();
}

}  // namespace tenure::store
