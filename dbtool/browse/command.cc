#include "dbtool/browse/command.h"

#include <csignal>
#include <cstdio>

#include "base/ending_signals.h"
#include "base/exit_status.h"
#include "base/shown_text.h"
#include "dbtool/browse/api.h"
#include "dbtool/look/view_files.h"
#include "dbtool/values/json.h"

namespace tenure::dbtool {

namespace {

int Failed(const Status& status) {
  fflush(stdout);
  fprintf(stderr, "tenure db: %s\n", ShownText(status.text()).c_str());
  return kExitEnvironment;
}

// The answer to a request, with the headers that all answers have.
HttpAnswer Answer(BrowseApi& api, const Guard& guard, const HttpRequest& request) {
  HttpAnswer answer;
  std::string why;
  const unsigned refused = guard.Check(request, &why);
  if (refused == 0) {
    answer = api.Answer(request);
    if (request.path == "/" && !request.Query("token").empty()) {
      answer.headers.emplace_back("Set-Cookie", guard.Cookie());
    }
  } else {
    answer.status = refused;
    answer.type = "text/plain; charset=utf-8";
    answer.body = why + "\n";
  }
  Guard::Protect(&answer);
  return answer;
}

void SayHow(const BrowsedStore& store) {
  switch (store.access()) {
    case StoreAccess::kServed:
      printf("The store is served: other programs use it as before.\n");
      break;
    case StoreAccess::kOwn: printf("Other programs can use the store meanwhile.\n"); break;
    case StoreAccess::kAlone: printf("Other programs cannot open the store meanwhile.\n"); break;
    case StoreAccess::kCopy:
      printf("%s: this is a copy of the present state.\n", store.holder().c_str());
      break;
  }
}

}  // namespace

int BrowseCommand(const BrowseArguments& arguments) {
  const sigset_t ending = BlockEndingSignals({SIGINT, SIGTERM, SIGHUP});

  const Result<Views> views = FindViews(arguments.look.views);
  if (!views.ok()) return Failed(views.status());
  Result<Guard> guard = Guard::Make();
  if (!guard.ok()) return Failed(guard.status());
  const Result<std::unique_ptr<BrowsedStore>> store =
      BrowsedStore::Open(arguments.look.store, *views);
  if (!store.ok()) return Failed(store.status());
  // A wrong name is reported at once.
  const std::string& database = arguments.look.database;
  const Status known =
      (*store)->Read(StoreLane::kViews, database, [](DatabaseView&) { return Status::Ok(); });
  if (!known.ok()) return Failed(known);
  if (arguments.read_write && (*store)->access() == StoreAccess::kCopy) {
    return Failed(Status(StatusCode::kInUse,
                         "the store is another program's alone: a copy of it is not changed"));
  }
  Scanner scanner(**store);
  if (!scanner.Start()) return Failed(Status(StatusCode::kIo, "no thread can be started"));
  scanner.Want(database);
  BrowseApi api(**store, scanner, *guard, database, arguments.read_write);
  const Result<std::unique_ptr<HttpServer>> server = HttpServer::Listen(arguments.port);
  if (!server.ok()) return Failed(server.status());
  guard->SetPort((*server)->port());
  const Status serves =
      (*server)->Serve([&](const HttpRequest& request) { return Answer(api, *guard, request); });
  if (!serves.ok()) return Failed(serves);
  if (arguments.look.json) {
    PrintLine({{"address", guard->Address()},
               {"access", NameOf((*store)->access())},
               {"read_write", arguments.read_write}});
  } else {
    SayHow(**store);
    if (arguments.read_write) printf("The page can change values.\n");
    printf("%s\n", guard->Address().c_str());
  }
  if (fflush(stdout) != 0) return kExitEnvironment;

  int signal = 0;
  while (sigwait(&ending, &signal) != 0) {
  }
  (*server)->Stop();
  scanner.Stop();
  const Status closed = (*store)->Close();
  return closed.ok() ? kExitOk : Failed(closed);
}

}  // namespace tenure::dbtool
