#include "lab/support/lab_server.h"

#include <sys/signalfd.h>

#include <cstdio>
#include <memory>

#include "base/ending_signals.h"
#include "lab/support/fail.h"
#include "store/bdb/bdb_page_server.h"
#include "store/remote/server_protocol.h"
#include "store/serve/page_service.h"
#include "store/serve/serve_connections.h"

namespace tenure::lab {

int ServeStore(const std::string& directory) {
  const sigset_t ending = BlockEndingSignals();
  store::BdbOptions options;
  options.redo = true;
  const std::unique_ptr<store::PageServer> server = Check(
      store::BdbPageServer::Open(directory, store::OpenMode::kOpen, options), "open the store");
  store::PageService service(*server, directory);
  service.TrustContents();
  Check(service.Start(), "serve the store");
  const int listener = store::ListenAtStore(directory);
  if (listener < 0) Fail("cannot listen at the store's socket");
  const int signals = signalfd(-1, &ending, SFD_CLOEXEC);
  std::printf("serving %s\n", directory.c_str());
  std::fflush(stdout);
  store::ServeConnections(service, directory, listener, signals);
  service.Stop();
  Check(server->Close(), "close the store");
  return 0;
}

}  // namespace tenure::lab
