#include "dbtool/serve/serving.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <utility>

#include "store/format/status_text.h"
#include "store/remote/remote_page_server.h"

namespace tenure::dbtool {

namespace {

using store::RemotePageServer;
using store::ServingReport;
using store::TextOf;

unsigned long long Number(uint64_t number) { return number; }

double Seconds(ServingReport::Duration duration) {
  return static_cast<double>(duration.count()) / 1000;
}

std::string StateText(const ServingReport::Client& client) {
  if (!client.answered) return "does not answer";
  if (!client.transaction) return "in no transaction";
  return "in a transaction for " + TextOf(*client.transaction);
}

Json JsonOf(const ServingReport::Party& party) {
  Json json = Json::object();
  json["process"] = party.process == 0 ? Json() : Json(party.process);
  json["program"] = party.program.empty() ? Json() : Json(party.program);
  if (party.in_doubt) json["in_doubt"] = true;
  if (!party.subject.empty()) json["subject"] = party.subject;
  if (!party.address.empty()) json["address"] = party.address;
  return json;
}

Json JsonOf(const ServingReport::Wait& wait) {
  Json json = JsonOf(wait.party);
  json["database"] = wait.database;
  if (wait.page == 0) {
    json["page"] = "root";
  } else if (wait.page == ServingReport::kTables) {
    json["page"] = "tables";
  } else {
    json["page"] = wait.page;
  }
  json["write"] = wait.write;
  json["waited"] = Seconds(wait.waited);
  json["holders"] = Json::array();
  for (const ServingReport::Holder& holder : wait.holders) {
    Json held = JsonOf(holder.party);
    held["write"] = holder.write;
    held["held"] = Seconds(holder.held);
    held["asked"] = holder.asked ? Json(Seconds(*holder.asked)) : Json();
    held["busy"] = holder.busy;
    json["holders"].push_back(std::move(held));
  }
  json["before"] = Json::array();
  for (const ServingReport::Party& party : wait.before) json["before"].push_back(JsonOf(party));
  return json;
}

}  // namespace

Result<ServingReport> AskServer(const std::string& directory) {
  int error = 0;
  if (!RemotePageServer::IsServed(directory, &error)) {
    if (error == EACCES)
      return store::SystemFailure(error, "cannot ask the server of " + directory);
    return store::Failure(StatusCode::kNotFound, "store " + directory + " is not being served");
  }
  TN_ASSIGN_OR_RETURN(const std::unique_ptr<RemotePageServer> server,
                      RemotePageServer::Connect(directory));
  return server->Serving();
}

void PrintServing(const std::string& directory, const ServingReport& report) {
  const std::string process = "process " + std::to_string(report.process);
  const std::string server = report.term == 0 ? "is served by " + process
                                              : "is led by " + process + " of " + report.host +
                                                    " in term " + std::to_string(report.term);
  printf(
      "store %s %s for %s: %zu clients; %llu commits, %llu syncs, at most %llu commits in one sync",
      directory.c_str(), server.c_str(), TextOf(report.serving).c_str(), report.clients.size(),
      Number(report.commits), Number(report.syncs), Number(report.largest_group));
  if (report.term != 0) printf("; %llu bytes not applied yet", Number(report.behind_bytes));
  printf("\n");
  for (const ServingReport::Client& client : report.clients) {
    printf(
        "  %s: connected for %s, %s; pages: %llu for reading (%llu not touched), %llu "
        "for writing\n",
        TextOf(client.party).c_str(), TextOf(client.connected).c_str(), StateText(client).c_str(),
        Number(client.read_pages), Number(client.free_pages), Number(client.written_pages));
  }
  for (const ServingReport::Wait& wait : report.waits) {
    printf("  %s has waited %s for %s\n", TextOf(wait.party).c_str(), TextOf(wait.waited).c_str(),
           WantedText(wait).c_str());
    for (const std::string& reason : ReasonTexts(wait)) printf("    %s\n", reason.c_str());
  }
  fflush(stdout);
}

Json JsonOf(const ServingReport& report) {
  Json json = {{"process", report.process},
               {"serving", Seconds(report.serving)},
               {"commits", report.commits},
               {"syncs", report.syncs},
               {"largest_group", report.largest_group}};
  if (report.term != 0) {
    json["host"] = report.host;
    json["term"] = report.term;
    json["behind_bytes"] = report.behind_bytes;
  }
  json["clients"] = Json::array();
  for (const ServingReport::Client& client : report.clients) {
    Json of = JsonOf(client.party);
    of["connected"] = Seconds(client.connected);
    of["answers"] = client.answered;
    of["transaction"] = client.transaction ? Json(Seconds(*client.transaction)) : Json();
    of["pages_for_reading"] = client.read_pages;
    of["pages_not_touched"] = client.free_pages;
    of["pages_for_writing"] = client.written_pages;
    json["clients"].push_back(std::move(of));
  }
  json["waits"] = Json::array();
  for (const ServingReport::Wait& wait : report.waits) json["waits"].push_back(JsonOf(wait));
  return json;
}

}  // namespace tenure::dbtool
