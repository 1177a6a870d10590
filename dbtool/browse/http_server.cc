#include "dbtool/browse/http_server.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <list>

#include "base/mutex.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

constexpr unsigned kIdleSeconds = 60;
constexpr unsigned kMostConnections = 256;
// Of these, connections without a request at the moment. One more ends the one that has been idle
// longest, so that connections that say nothing keep no browser out.
constexpr size_t kMostIdle = 64;

const std::string kNothing;

// The part of a request that has arrived.
struct Incoming {
  std::string body;
  bool too_long = false;
};

class MicroServer final : public HttpServer {
 public:
  ~MicroServer() override {
    Stop();
    if (listener_ >= 0) close(listener_);
  }

  Status Bind(uint16_t port) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener_ < 0) return store::SystemFailure(errno, "cannot make a socket");
    const int on = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    socklen_t length = sizeof address;
    if (bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        listen(listener_, kMostConnections) != 0) {
      return store::SystemFailure(errno, "cannot listen at port " + std::to_string(port));
    }
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    return Status::Ok();
  }

  Status Serve(Handler handler) override {
    handler_ = std::move(handler);
    daemon_ = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, 0, nullptr,
        nullptr, Handle, this, MHD_OPTION_LISTEN_SOCKET, listener_, MHD_OPTION_CONNECTION_TIMEOUT,
        kIdleSeconds, MHD_OPTION_CONNECTION_LIMIT, kMostConnections, MHD_OPTION_NOTIFY_COMPLETED,
        Completed, this, MHD_OPTION_NOTIFY_CONNECTION, NoteConnection, this, MHD_OPTION_END);
    if (daemon_ == nullptr) return store::Failure(StatusCode::kIo, "cannot start an HTTP server");
    listener_ = -1;  // the daemon's
    return Status::Ok();
  }

  uint16_t port() const override { return port_; }

  void Stop() override {
    if (daemon_ != nullptr) MHD_stop_daemon(daemon_);
    daemon_ = nullptr;
  }

 private:
  static MHD_Result Handle(void* self, MHD_Connection* connection, const char* url,
                           const char* method, const char*, const char* data, size_t* bytes,
                           void** state) {
    if (*state == nullptr) {
      static_cast<MicroServer*>(self)->NoteBusy(connection);
      *state = new Incoming;
      return MHD_YES;
    }
    auto* const incoming = static_cast<Incoming*>(*state);
    if (*bytes != 0) {
      incoming->too_long = incoming->too_long || incoming->body.size() + *bytes > kMostBody;
      if (!incoming->too_long) incoming->body.append(data, *bytes);
      *bytes = 0;
      return MHD_YES;
    }
    HttpRequest request;
    request.method = method;
    request.path = url;
    request.body = std::move(incoming->body);
    MHD_get_connection_values_n(connection, MHD_GET_ARGUMENT_KIND, TakeArgument, &request);
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, TakeHeader, &request);
    HttpAnswer answer;
    if (incoming->too_long) {
      answer.status = MHD_HTTP_CONTENT_TOO_LARGE;
      answer.body = R"({"error":"the request is too long"})";
    } else {
      answer = static_cast<MicroServer*>(self)->handler_(request);
    }
    return Send(connection, answer);
  }

  static MHD_Result Send(MHD_Connection* connection, HttpAnswer& answer) {
    const bool of_file = answer.file.data() != nullptr;
    const std::string_view content = of_file ? answer.file : std::string_view(answer.body);
    MHD_Response* const response =
        MHD_create_response_from_buffer(content.size(), const_cast<char*>(content.data()),
                                        of_file ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
    if (response == nullptr) return MHD_NO;
    MHD_add_response_header(response, "Content-Type", answer.type.c_str());
    for (const auto& [name, value] : answer.headers) {
      MHD_add_response_header(response, name.c_str(), value.c_str());
    }
    const MHD_Result queued = MHD_queue_response(connection, answer.status, response);
    MHD_destroy_response(response);
    return queued;
  }

  static void Completed(void* self, MHD_Connection* connection, void** state,
                        MHD_RequestTerminationCode) {
    delete static_cast<Incoming*>(*state);
    *state = nullptr;
    static_cast<MicroServer*>(self)->NoteIdle(connection);
  }

  // MHD closes the socket after the note of its end.
  static void NoteConnection(void* self, MHD_Connection* connection, void**,
                             MHD_ConnectionNotificationCode code) {
    auto* const server = static_cast<MicroServer*>(self);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
      server->NoteIdle(connection);
    } else {
      server->NoteBusy(connection);
    }
  }

  void NoteIdle(MHD_Connection* connection) {
    const MutexLock guard(lock_);
    if (idle_.size() == kMostIdle) {
      const MHD_ConnectionInfo* const info =
          MHD_get_connection_info(idle_.front(), MHD_CONNECTION_INFO_CONNECTION_FD);
      if (info != nullptr) shutdown(info->connect_fd, SHUT_RDWR);
      idle_.pop_front();
    }
    idle_.push_back(connection);
  }

  void NoteBusy(MHD_Connection* connection) {
    const MutexLock guard(lock_);
    idle_.remove(connection);
  }

  static MHD_Result TakeArgument(void* request, MHD_ValueKind, const char* key, size_t key_bytes,
                                 const char* value, size_t value_bytes) {
    static_cast<HttpRequest*>(request)->query[std::string(key, key_bytes)] =
        value == nullptr ? "" : std::string(value, value_bytes);
    return MHD_YES;
  }

  static MHD_Result TakeHeader(void* request, MHD_ValueKind, const char* key, size_t key_bytes,
                               const char* value, size_t value_bytes) {
    std::string name(key, key_bytes);
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string text = value == nullptr ? "" : std::string(value, value_bytes);
    auto& headers = static_cast<HttpRequest*>(request)->headers;
    const auto [place, is_new] = headers.try_emplace(name, text);
    if (!is_new) place->second += "\n" + text;
    return MHD_YES;
  }

  Handler handler_;
  Mutex lock_;
  std::list<MHD_Connection*> idle_ TN_GUARDED_BY(lock_);  // the first has been idle longest
  int listener_ = -1;
  MHD_Daemon* daemon_ = nullptr;
  uint16_t port_ = 0;
};

}  // namespace

const std::string& HttpRequest::Header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? kNothing : found->second;
}

const std::string& HttpRequest::Query(const std::string& name) const {
  const auto found = query.find(name);
  return found == query.end() ? kNothing : found->second;
}

Result<std::unique_ptr<HttpServer>> HttpServer::Listen(uint16_t port) {
  auto server = std::make_unique<MicroServer>();
  TN_RETURN_IF_ERROR(server->Bind(port));
  return std::unique_ptr<HttpServer>(std::move(server));
}

}  // namespace tenure::dbtool
