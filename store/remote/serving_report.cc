#include "store/remote/serving_report.h"

#include <cinttypes>
#include <cstdio>

namespace tenure::store {

namespace {

using Client = ServingReport::Client;
using Duration = ServingReport::Duration;
using Holder = ServingReport::Holder;
using Party = ServingReport::Party;
using Wait = ServingReport::Wait;

// The least that each takes in a message.
constexpr size_t kPartyBytes = 8 + 4 + 1 + 4 + 4, kDurationBytes = 8, kFlagBytes = 1;

void Put(Writer& out, Duration duration) { out.Put(static_cast<int64_t>(duration.count())); }
void Put(Writer& out, bool flag) { out.Put(static_cast<uint8_t>(flag)); }
void Put(Writer& out, std::optional<Duration> duration) {
  Put(out, duration.has_value());
  Put(out, duration.value_or(Duration()));
}
void Put(Writer& out, const Party& party) {
  out.Put(party.process);
  out.PutText(party.program);
  Put(out, party.in_doubt);
  out.PutText(party.subject);
  out.PutText(party.address);
}

Duration GetDuration(Reader& in) { return Duration(in.Get<int64_t>()); }
bool GetFlag(Reader& in) { return in.Get<uint8_t>() != 0; }
std::optional<Duration> GetPerhaps(Reader& in) {
  const bool there = GetFlag(in);
  const Duration duration = GetDuration(in);
  return there ? std::optional(duration) : std::nullopt;
}
Party GetParty(Reader& in) {
  Party party;
  party.process = in.Get<int64_t>();
  party.program = in.GetText();
  party.in_doubt = GetFlag(in);
  party.subject = in.GetText();
  party.address = in.GetText();
  return party;
}

const char* UseText(bool write) { return write ? "for writing" : "for reading"; }

}  // namespace

void PutReport(Writer& out, const ServingReport& report) {
  out.Put(report.process);
  Put(out, report.serving);
  out.Put(report.commits);
  out.Put(report.syncs);
  out.Put(report.largest_group);
  out.PutText(report.host);
  out.Put(report.term);
  out.Put(report.behind_bytes);
  out.PutNumber(report.clients.size());
  for (const Client& client : report.clients) {
    Put(out, client.party);
    Put(out, client.connected);
    Put(out, client.answered);
    Put(out, client.transaction);
    out.Put(client.read_pages);
    out.Put(client.written_pages);
    out.Put(client.free_pages);
  }
  out.PutNumber(report.waits.size());
  for (const Wait& wait : report.waits) {
    Put(out, wait.party);
    out.PutText(wait.database);
    out.Put(wait.page);
    Put(out, wait.write);
    Put(out, wait.waited);
    out.PutNumber(wait.holders.size());
    for (const Holder& holder : wait.holders) {
      Put(out, holder.party);
      Put(out, holder.write);
      Put(out, holder.held);
      Put(out, holder.asked);
      Put(out, holder.busy);
    }
    out.PutNumber(wait.before.size());
    for (const Party& party : wait.before) Put(out, party);
  }
}

ServingReport GetReport(Reader& in) {
  ServingReport report;
  report.process = in.Get<int64_t>();
  report.serving = GetDuration(in);
  report.commits = in.Get<uint64_t>();
  report.syncs = in.Get<uint64_t>();
  report.largest_group = in.Get<uint64_t>();
  report.host = in.GetText();
  report.term = in.Get<uint64_t>();
  report.behind_bytes = in.Get<uint64_t>();
  report.clients.resize(in.GetCount(kPartyBytes + 2 * kDurationBytes + 2 * kFlagBytes + 3 * 8));
  for (Client& client : report.clients) {
    client.party = GetParty(in);
    client.connected = GetDuration(in);
    client.answered = GetFlag(in);
    client.transaction = GetPerhaps(in);
    client.read_pages = in.Get<uint64_t>();
    client.written_pages = in.Get<uint64_t>();
    client.free_pages = in.Get<uint64_t>();
  }
  report.waits.resize(in.GetCount(kPartyBytes + 4 + 8 + kFlagBytes + kDurationBytes + 2 * 4));
  for (Wait& wait : report.waits) {
    wait.party = GetParty(in);
    wait.database = in.GetText();
    wait.page = in.Get<uint64_t>();
    wait.write = GetFlag(in);
    wait.waited = GetDuration(in);
    wait.holders.resize(in.GetCount(kPartyBytes + 2 * kDurationBytes + 3 * kFlagBytes));
    for (Holder& holder : wait.holders) {
      holder.party = GetParty(in);
      holder.write = GetFlag(in);
      holder.held = GetDuration(in);
      holder.asked = GetPerhaps(in);
      holder.busy = GetFlag(in);
    }
    wait.before.resize(in.GetCount(kPartyBytes));
    for (Party& party : wait.before) party = GetParty(in);
  }
  return report;
}

std::string TextOf(Duration duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", static_cast<double>(duration.count()) / 1000);
  return text;
}

std::string TextOf(const Party& party) {
  if (party.in_doubt) return "a commit of several stores whose outcome is not known yet";
  if (party.process == 0 && party.subject.empty()) return "a program of unknown process id";
  std::string text = party.process == 0 ? "a program" : "process " + std::to_string(party.process);
  if (!party.program.empty()) text += " (" + party.program + ")";
  if (!party.subject.empty()) text += " of '" + party.subject + "'";
  if (!party.address.empty()) text += " at " + party.address;
  return text;
}

std::string WantedText(const Wait& wait) {
  std::string what = "page " + std::to_string(wait.page);
  if (wait.page == 0) what = "the root";
  if (wait.page == ServingReport::kTables) what = "the tables of references";
  return what + " of database " + wait.database + ", " + UseText(wait.write);
}

std::vector<std::string> ReasonTexts(const Wait& wait) {
  std::vector<std::string> reasons;
  for (const Holder& holder : wait.holders) {
    std::string text = TextOf(holder.party) + " has had it " + UseText(holder.write) + " for " +
                       TextOf(holder.held);
    if (holder.asked) {
      text += ", and was asked for it " + TextOf(*holder.asked) + " ago";
      // A commit in doubt has no program.
      if (!holder.party.in_doubt) {
        text += holder.busy ? ": it is in a transaction" : ": it has not answered";
      }
    }
    reasons.push_back(text);
  }
  for (const Party& party : wait.before) reasons.push_back(TextOf(party) + " came first");
  return reasons;
}

}  // namespace tenure::store
