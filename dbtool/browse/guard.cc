#include "dbtool/browse/guard.h"

#include <string_view>

#include "base/hex.h"
#include "store/format/random_source.h"

namespace tenure::dbtool {

namespace {

Result<std::string> NewToken() {
  unsigned char bytes[24];
  TN_RETURN_IF_ERROR(store::FillRandom(bytes, sizeof bytes));
  return HexOf(std::as_bytes(std::span(bytes)));
}

// Compares in a time that does not depend on where the texts differ.
bool IsSame(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < token.size(); ++i) {
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  }
  return difference == 0;
}

// Of "a=1; b=2".
std::string_view CookieNamed(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const size_t end = std::min(cookies.find_first_of(";\n"), cookies.size());
    std::string_view one = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=') {
      return one.substr(name.size() + 1);
    }
  }
  return {};
}

}  // namespace

Result<Guard> Guard::Make() {
  Guard guard;
  TN_ASSIGN_OR_RETURN(guard.token_, NewToken());
  TN_ASSIGN_OR_RETURN(guard.write_token_, NewToken());
  return guard;
}

std::string Guard::Address() const {
  return "http://127.0.0.1:" + std::to_string(port_) + "/?token=" + token_;
}

bool Guard::IsOurHost(const std::string& host) const {
  const std::string port = ":" + std::to_string(port_);
  return host == "127.0.0.1" + port || host == "localhost" + port;
}

unsigned Guard::Check(const HttpRequest& request, std::string* why) const {
  if (!IsOurHost(request.Header("host"))) {
    *why = "this server is 127.0.0.1:" + std::to_string(port_) + ", and no other name leads to it";
    return 421;
  }
  const std::string& origin = request.Header("origin");
  const std::string& site = request.Header("sec-fetch-site");
  const bool foreign = !origin.empty() && origin != "http://" + request.Header("host");
  if (foreign || (!site.empty() && site != "same-origin" && site != "none")) {
    *why = "requests of other sites' pages are not answered";
    return 403;
  }
  const bool page = request.method == "GET" && request.path == "/";
  if (page && IsSame(request.Query("token"), token_)) return 0;
  if (IsSame(CookieNamed(request.Header("cookie"), CookieName()), token_)) return 0;
  *why = "the token is missing or wrong: open the address that tenure db browse has printed";
  return 403;
}

bool Guard::MayWrite(const HttpRequest& request, std::string* why) const {
  if (request.method == "POST" && request.Header("origin") == "http://" + request.Header("host") &&
      request.Header("content-type") == "application/json" &&
      IsSame(request.Header("x-tenure-token"), write_token_)) {
    return true;
  }
  *why = "a change must come from the page of tenure db browse, with its token";
  return false;
}

std::string Guard::Cookie() const {
  return CookieName() + "=" + token_ + "; Path=/; HttpOnly; SameSite=Strict";
}

void Guard::Protect(HttpAnswer* answer) {
  const auto add = [&](const char* name, const char* value) {
    answer->headers.emplace_back(name, value);
  };
  add("Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  add("X-Content-Type-Options", "nosniff");
  add("X-Frame-Options", "DENY");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Cross-Origin-Opener-Policy", "same-origin");
  add("Cache-Control", "no-store");
}

}  // namespace tenure::dbtool
