// Decides which requests are answered. Any page that a browser shows can send requests to this
// machine's ports, and a name of its own may lead here (DNS rebinding); so a request must name this
// server as its host, must not come from another site's page, and must bring the token.
#pragma once

#include <cstdint>
#include <string>

#include "dbtool/browse/http_server.h"

namespace tenure::dbtool {

class Guard {
 public:
  // Draws the tokens at random.
  static Result<Guard> Make();

  void SetPort(uint16_t port) { port_ = port; }
  // Where the page begins: with the token.
  std::string Address() const;

  // 0: the request may be answered; else the status of the refusal, with *why. The token comes in
  // a cookie or as ?token= of the page itself.
  unsigned Check(const HttpRequest& request, std::string* why) const;
  // Whether a request that Check has let pass may change something: it must say that it comes from
  // our page, and have the second token, which only our page can read.
  bool MayWrite(const HttpRequest& request, std::string* why) const;
  const std::string& write_token() const { return write_token_; }
  // The cookie with the token, for the first answer.
  std::string Cookie() const;
  // Sets the headers of every answer: the sources that the page may load, and who may embed the
  // page.
  static void Protect(HttpAnswer* answer);

 private:
  Guard() = default;
  bool IsOurHost(const std::string& host) const;
  std::string CookieName() const { return "tenure-" + std::to_string(port_); }

  std::string token_, write_token_;
  uint16_t port_ = 0;
};

}  // namespace tenure::dbtool
