#include "dbtool/look/database_view.h"

#include <utility>

namespace tenure::dbtool {

Result<std::unique_ptr<DatabaseView>> DatabaseView::Open(OpenedStore& store,
                                                         const std::string& database,
                                                         const Views& views) {
  TN_ASSIGN_OR_RETURN(const store::DatabaseId id,
                      store.server->OpenDatabase(database, store::OpenMode::kOpen));
  std::unique_ptr<DatabaseView> view(new DatabaseView(*store.server, id, store.types, views));
  Result<Beginnings> beginnings = ReadBeginnings(view->values_, views);
  if (beginnings.ok()) {
    view->beginnings_ = *std::move(beginnings);
  } else if (beginnings.status().code() == StatusCode::kCorrupt) {
    // Objects can still be looked at by their places and types.
    view->Report(beginnings.status());
  } else {
    return beginnings.status();
  }
  return view;
}

void DatabaseView::Report(const Status& status) {
  constexpr size_t kShown = 10;
  constexpr size_t kRemembered = 100'000;
  if (reported_.size() < kRemembered && !reported_.insert(status.text()).second) return;
  ++problem_count_;
  if (problems_.size() < kShown) problems_.push_back(status.text());
}

Status ReadAtOneMoment(OpenedStore& store, const std::function<Status()>& read) {
  store::PageServer& server = *store.server;
  if (!server.capabilities().shared) return read();
  while (true) {
    server.AwaitTurn();
    TN_RETURN_IF_ERROR(server.StartTransaction().status());
    const Status status = read();
    server.EndTransaction();
    if (status.code() != StatusCode::kConflict) return status;
  }
}

}  // namespace tenure::dbtool
