// An HTTP server for the programs of this machine: on the loopback address 127.0.0.1 only. Over
// GNU libmicrohttpd, which reads requests and writes answers.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tenure::dbtool {

// One request, decoded.
struct HttpRequest {
  std::string method, path;  // the path without the query, decoded
  std::map<std::string, std::string> query;
  // Names in small letters. Values of a header that comes several times have a newline between.
  std::map<std::string, std::string> headers;
  std::string body;

  // Empty: there is none.
  const std::string& Header(const std::string& name) const;
  const std::string& Query(const std::string& name) const;
};

struct HttpAnswer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body;
  std::string_view file;  // instead of the body: bytes that live as long as the process
  std::vector<std::pair<std::string, std::string>> headers;
};

class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  static constexpr size_t kMostBody = 1 << 20;

  // Port 0: any free one. Fails if the port is taken, or not allowed for this user.
  static Result<std::unique_ptr<HttpServer>> Listen(uint16_t port);
  // Call once. A thread of the connection calls the handler.
  virtual Status Serve(Handler handler) = 0;
  virtual ~HttpServer() = default;
  virtual uint16_t port() const = 0;
  // No handler runs afterwards.
  virtual void Stop() = 0;
};

}  // namespace tenure::dbtool
