#include "store/files/store_files.h"

namespace tenure::store {

namespace {

constexpr std::string_view kLogPrefix = "log.";
constexpr std::string_view kNewLogPrefix = "newlog.";
constexpr size_t kNumberDigits = 10;

bool IsNumbered(std::string_view name, std::string_view prefix) {
  return name.size() == prefix.size() + kNumberDigits && name.starts_with(prefix) &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos;
}

}  // namespace

bool IsLogFile(std::string_view name) { return IsNumbered(name, kLogPrefix); }

bool IsNewLogFile(std::string_view name) { return IsNumbered(name, kNewLogPrefix); }

bool IsStoreFile(std::string_view name) {
  return name == kLockFile || name == kFormatFile || name == kSwitchFile || name == kRedoFile ||
         name == kDoubleWriteFile || name == kMarkFile || name == kSpareLogFile ||
         IsLogFile(name) || IsNewLogFile(name) || name.ends_with(".db") ||
         name.starts_with("__db.") || name.ends_with(kTemporarySuffix);
}

bool IsServersFile(std::string_view name) { return name == kSessionsFile || name == kSocketName; }

std::string ReplacementFile(const std::string& file) {
  return file + std::string(kTemporarySuffix);
}

bool IsReplacementFile(std::string_view name) {
  static const std::string ending = ReplacementFile(".db");
  return name.ends_with(ending);
}

std::string DatabaseFile(std::string_view name) { return std::string(name) + ".db"; }

}  // namespace tenure::store
