// The failures with which a served store refuses a request that makes no sense.
#pragma once

#include <cstdint>
#include <string>

#include "abi/heap_constants.h"
#include "base/result.h"
#include "store/format/status_text.h"
#include "store/server/page_server.h"

namespace tenure::store {

inline Status Nonsense(const std::string& text, uint64_t number = 0) {
  return Failure(StatusCode::kInvalidArgument, text, static_cast<int64_t>(number));
}

// `page`: none if a root or an export is wrong.
inline Status WrongPage(PageId page, const std::string& how) {
  const std::string where =
      page.valid() ? "commit of page " + std::to_string(page.number) : "commit of a root or export";
  return Nonsense(where + ": " + how, page.number);
}

// For messages: where an object begins.
inline std::string PlaceText(uint64_t bits) {
  return "page " + std::to_string(bits / abi::kPageBytes) + " offset " +
         std::to_string(bits % abi::kPageBytes);
}

}  // namespace tenure::store
