#include "store/server/store_path.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "store/format/status_text.h"
#include "store/server/page_server.h"

namespace tenure::store {

namespace {

constexpr size_t kNameBytesMax = 100;

}  // namespace

StorePath SplitStorePath(std::string_view path) {
  const std::string whole(path);
  const size_t colon = path.rfind(':');
  struct stat info;
  if (colon == std::string_view::npos || colon == 0 ||
      path.find('/', colon) != std::string_view::npos ||
      (IsClusterUri(path) && path.substr(kClusterScheme.size(), colon).find('/') == path.npos) ||
      (stat(whole.c_str(), &info) == 0 && S_ISDIR(info.st_mode))) {
    return {whole, "", false};
  }
  return {whole.substr(0, colon), whole.substr(colon + 1), true};
}

Status CheckDatabaseName(std::string_view name) {
  const auto letter_or_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  const auto allowed = [&](char c) {
    return letter_or_digit(c) || c == '_' || c == '-' || c == '.';
  };
  if (!name.empty() && name.size() <= kNameBytesMax && letter_or_digit(name[0]) &&
      std::all_of(name.begin(), name.end(), allowed)) {
    return Status::Ok();
  }
  return Failure(
      StatusCode::kInvalidArgument,
      "'" + std::string(name.substr(0, kNameBytesMax)) +
          "' cannot name a database: 1 to 100 bytes, letters, digits, '_', '-', '.', the "
          "first a letter or digit");
}

bool IsClusterUri(std::string_view path) { return path.starts_with(kClusterScheme); }

std::string StoreHint(const std::string& from, const std::string& store) {
  if (store == from) return "";
  if (IsClusterUri(store) || IsClusterUri(from)) return store;
  return std::filesystem::path(store).lexically_proximate(from).string();
}

std::string StoreOfHint(const std::string& from, const std::string& hint) {
  if (hint.empty()) return from;
  if (IsClusterUri(hint) || IsClusterUri(from)) return hint;
  return (std::filesystem::path(from) / hint).lexically_normal().string();
}

}  // namespace tenure::store
