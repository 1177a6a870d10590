// The files in a store's directory, by their names (docs/page_format.md):
//
//   FORMAT           text: magic, version, uuid, checksum; written last when a store is created
//   LOCK             locked (flock) by the process that has the store open; names that process
//   _store.db        type table, outcomes of commits
//   NAME.db          the database NAME
//   log.NNNNNNNNNN   Berkeley DB's log
//   log.spare        blocks for Berkeley DB's next log file, which takes the file when it begins
//   MARK             how far Berkeley DB's log has been synced, and from where it is needed
//   REDO             the redo log
//   DOUBLEWRITE      pages of trees that are being written to their places
//   SWITCH           the databases whose replacements are being put in their places
//   SESSIONS         programs that may come again to a store that was served
//   *.new            a file that is being written, before its rename
#pragma once

#include <string>
#include <string_view>

namespace tenure::store {

inline constexpr std::string_view kFormatFile = "FORMAT";
inline constexpr std::string_view kLockFile = "LOCK";
inline constexpr std::string_view kStoreTreeFile = "_store.db";
inline constexpr std::string_view kSpareLogFile = "log.spare";
inline constexpr std::string_view kMarkFile = "MARK";
inline constexpr std::string_view kRedoFile = "REDO";
inline constexpr std::string_view kDoubleWriteFile = "DOUBLEWRITE";
inline constexpr std::string_view kSwitchFile = "SWITCH";
inline constexpr std::string_view kSessionsFile = "SESSIONS";
inline constexpr const char* kSocketName = "SOCKET";  // of a server
inline constexpr std::string_view kTemporarySuffix = ".new";

// LOCK begins with this before anything else is made, until FORMAT is there.
inline constexpr std::string_view kCreatingMark = "creating ";

// log.NNNNNNNNNN
bool IsLogFile(std::string_view name);
// newlog.NNNNNNNNNN: a log that an earlier version of this program had decided to begin, and had
// not finished.
bool IsNewLogFile(std::string_view name);

// The file of a database that may take the place of the one with this file.
std::string ReplacementFile(const std::string& file);
// Whether the name is that of such a file.
bool IsReplacementFile(std::string_view name);

// Whether the store itself puts files of this name into its directory.
bool IsStoreFile(std::string_view name);
// Whether a server of the store does.
bool IsServersFile(std::string_view name);

// The name of the file of the database `name`.
std::string DatabaseFile(std::string_view name);

}  // namespace tenure::store
