#include "stabilize/session/page_requests.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "stabilize/frames/store_names.h"

namespace tenure::stabilize {

namespace {

// A thread whose answers other threads have made void this often asks with the session's lock.
constexpr int kMostAttempts = 8;

}  // namespace

std::vector<PageRequest> RequestsOfCommit(SessionState& session) {
  std::vector<PageRequest> requests;
  if (std::ranges::none_of(session.databases,
                           [](const auto& database) { return IsShared(*database); })) {
    return requests;
  }
  std::map<Database*, std::vector<PageId>> homes;
  session.governed.ForEachChanged([&](GovernedPage& page) {
    if (page.state != GovernedState::kDirty || page.twin == nullptr) return;
    for (const abi::Ref place : page.objects) {
      const DisplacedObject* const object = session.displaced.Find(place);
      if (!IsShared(*object->database)) continue;
      const PartOnPage part = PartOf(page, place, object->bytes);
      if (std::memcmp(page.begin + part.begin, page.twin.get() + part.begin,
                      part.end - part.begin) == 0) {
        continue;
      }
      const Placed home = object->at_home();
      for (PageId at = home.first_page(); at <= home.last_page(); at = at + 1) {
        homes[object->database].push_back(at);
      }
    }
  });
  for (auto& [database, pages] : homes) {
    std::ranges::sort(pages);
    const auto again = std::ranges::unique(pages);
    pages.erase(again.begin(), again.end());
    PageRequest request{database, {pages.front(), 1}, false, false, true};
    request.more.assign(pages.begin() + 1, pages.end());
    requests.push_back(std::move(request));
  }
  return requests;
}

bool IsShared(Database& database) {
  return database.open() && database.server().capabilities().shared;
}

bool PageAnswers::Begins(SessionState& session, const PageRequest& request) {
  const bool is_answered = asked_.has_value() && operations_ == session.requests.operations() &&
                           asked_->database == request.database && asked_->pages == request.pages &&
                           asked_->contents == request.contents &&
                           (asked_->write || !request.write) && asked_->more == request.more;
  if (is_answered) return false;
  asked_.reset();
  status_ = Status::Ok();
  if (attempts_ == kMostAttempts) return false;
  ++attempts_;
  asked_ = request;
  operations_ = session.requests.operations();
  session.requests.Begin();
  return true;
}

void PageAnswers::Ask(SessionState& session, const PageRequest& request) {
  struct Work {
    PageAnswers& answers;
    SessionState& session;
    const PageRequest& request;
  } work{*this, session, request};
  const auto send = [](void* context) {
    auto& of = *static_cast<Work*>(context);
    of.answers.status_ = of.answers.Send(of.session, of.request);
    const LockGuard guard(of.session.lock);
    of.session.requests.End();
  };
  if (session.options.while_waiting != nullptr) {
    session.options.while_waiting(send, &work);
  } else {
    send(&work);
  }
}

Status PageAnswers::Send(SessionState& session, const PageRequest& request) {
  Database& database = *request.database;
  PageServer& server = database.server();
  if (request.contents) {
    reply_ = std::make_unique_for_overwrite<PageReply>();
    reply_->status = Status::Ok();
    const auto may_come = [&](PageId page) {
      const LockGuard guard(session.lock);
      return !session.collecting && MayComeAlong(session, database, page);
    };
    TN_RETURN_IF_ERROR(server.ReadTouched(database.id(), request.pages.first, *reply_, may_come));
    if (!reply_->status.ok()) return Status::Ok();  // the page's own trouble
  }
  if (!request.read && !request.write) return Status::Ok();
  std::vector<PageId> pages;
  for (uint64_t i = 0; i < request.pages.pages; ++i) pages.push_back(request.pages.first + i);
  pages.insert(pages.end(), request.more.begin(), request.more.end());
  return request.write ? server.WantWrite(database.id(), pages)
                       : server.WantRead(database.id(), pages);
}

const PageReply* PageAnswers::ContentsOf(const Database& database, PageId page) const {
  const bool is_asked = asked_.has_value() && asked_->contents && asked_->database == &database &&
                        asked_->pages.first == page;
  return is_asked ? reply_.get() : nullptr;
}

bool MayComeAlong(SessionState& session, Database& database, PageId page) {
  PageFrames& frames = database.frames();
  if (!frames.Covers(page)) return false;
  const Frame& frame = frames.At(page);
  // No reference leads to frames whose objects have not come home.
  return frame.absent() && frame.state != FrameState::kVacant &&
         session.displaced.WithHomeOn(&database, page) == nullptr;
}

void AwaitPageRequests(SessionState& session) { session.requests.AwaitNone(session.lock); }

void BeginOperation(SessionState& session) { session.requests.BeginOperation(session.lock); }

}  // namespace tenure::stabilize
