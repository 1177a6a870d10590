#include "store/serve/service_watch.h"

#include <limits.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <tuple>
#include <utility>

#include "base/mutex.h"
#include "store/serve/serving_messages.h"

namespace tenure::store {

namespace {

using Clock = std::chrono::steady_clock;
using Duration = ServingReport::Duration;

// A client whose connection was busy is asked again.
constexpr std::chrono::milliseconds kAskAgain(100);

std::string HostName() {
  char name[HOST_NAME_MAX + 1] = "";
  return gethostname(name, sizeof name) == 0 ? name : "";
}

ServingReport::Party PartyOf(const Permissions::Party& party) {
  return {party.process, party.program, party.in_doubt, party.subject, party.address};
}

Duration Since(Clock::time_point begin, Clock::time_point now) {
  return std::chrono::duration_cast<Duration>(now - begin);
}

}  // namespace

ServiceWatch::ServiceWatch(PageServer& store, Permissions& permissions, ConnectedClients& clients,
                           std::function<std::string(uint32_t)> name_of)
    : store_(store), permissions_(permissions), clients_(clients), name_of_(std::move(name_of)) {}

void ServiceWatch::AskAll(const ConnectedClient& asker, uint64_t question) {
  clients_.ForEach([&](ConnectedClient& client) {
    if (&client == &asker || !client.greeted() || client.told().question >= question) return;
    client.SendAskTransaction(question);
  });
}

bool ServiceWatch::AllHaveTold(const ConnectedClient& asker, uint64_t question) {
  bool all = true;
  clients_.ForEach([&](const ConnectedClient& client) {
    all = all && (&client == &asker || !client.greeted() || client.told().question >= question);
  });
  return all;
}

void ServiceWatch::Told(ConnectedClient& client, const ToldTransaction& told) {
  const MutexLock guard(lock_);
  // Answers to questions that were not asked do not count.
  if (told.question > last_question_) return;
  client.told() = told;
  told_.notify_all();
}

ServingReport ServiceWatch::Report(const ConnectedClient& asker) {
  ServingReport report;
  MutexLock guard(lock_);
  const uint64_t question = ++last_question_;
  const Clock::time_point end = Clock::now() + kAnswerPatience;
  do {
    AskAll(asker, question);
    told_.wait_for(guard, kAskAgain, [&] { return AllHaveTold(asker, question); });
  } while (Clock::now() < end && !AllHaveTold(asker, question));

  const Clock::time_point now = Clock::now();
  report.process = getpid();
  report.serving = Since(since_, now);
  const PageServerStatistics statistics = store_.statistics();
  report.commits = statistics.commits;
  report.syncs = statistics.syncs;
  report.largest_group = statistics.largest_group;
  report.term = statistics.term;
  report.behind_bytes = statistics.behind_bytes;
  if (report.term != 0) report.host = HostName();
  clients_.ForEach([&](ConnectedClient& client) {
    if (&client == &asker || !client.greeted()) return;
    ServingReport::Client of;
    of.party = PartyOf(Permissions::PartyOf(client));
    of.connected = Since(client.connected_since(), now);
    of.answered = client.told().question >= question;
    if (of.answered) {
      of.transaction = client.told().since;
      of.free_pages = client.told().free_pages;
    }
    std::tie(of.read_pages, of.written_pages) = permissions_.PagesOf(client);
    of.free_pages = std::min(of.free_pages, of.read_pages);
    report.clients.push_back(std::move(of));
  });
  guard.unlock();
  // The longest first: of programs that wait for each other it is the one to look at.
  for (const Permissions::Wait& wait : permissions_.Waits()) {
    report.waits.push_back(ReportOf(wait));
  }
  const auto by_connection = [](const auto& a, const auto& b) { return a.connected > b.connected; };
  std::stable_sort(report.clients.begin(), report.clients.end(), by_connection);
  const auto by_wait = [](const auto& a, const auto& b) { return a.waited > b.waited; };
  std::stable_sort(report.waits.begin(), report.waits.end(), by_wait);
  return report;
}

ServingReport::Wait ServiceWatch::ReportOf(const Permissions::Wait& wait) {
  const Clock::time_point now = Clock::now();
  ServingReport::Wait of;
  of.party = PartyOf(wait.party);
  of.database = name_of_(wait.key.first);
  of.page = wait.key.second;
  of.write = wait.write;
  of.waited = Since(wait.since, now);
  for (const Permissions::Holder& holder : wait.holders) {
    ServingReport::Holder held{
        PartyOf(holder.party), holder.write, Since(holder.since, now), {}, holder.busy};
    if (holder.asked) held.asked = Since(*holder.asked, now);
    of.holders.push_back(std::move(held));
  }
  for (const Permissions::Party& party : wait.before) of.before.push_back(PartyOf(party));
  return of;
}

void ServiceWatch::Say(const Permissions::Wait& wait) {
  const ServingReport::Wait of = ReportOf(wait);
  std::string text =
      TextOf(of.party) + " has waited " + TextOf(of.waited) + " for " + WantedText(of) + "\n";
  for (const std::string& reason : ReasonTexts(of)) text += "  " + reason + "\n";
  SayAsServer(text);
}

}  // namespace tenure::store
