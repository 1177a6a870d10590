#include "store/files/store_format.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <span>

#include "base/crc32c.h"
#include "base/hex.h"
#include "store/files/descriptor.h"
#include "store/files/file_operations.h"
#include "store/files/store_files.h"
#include "store/files/store_io.h"
#include "store/format/page_record.h"
#include "store/format/status_text.h"

namespace tenure::store {

namespace {

constexpr std::string_view kMagic = "Tenure store";

bool ParseHex(std::string_view text, Uuid* uuid) {
  std::vector<std::byte> bytes;
  if (!FromHex(text, &bytes) || bytes.size() != uuid->bytes.size()) return false;
  std::memcpy(uuid->bytes.data(), bytes.data(), bytes.size());
  return true;
}

std::string ChecksumLine(std::string_view text) {
  char line[32];
  snprintf(line, sizeof line, "checksum %08x\n",
           Crc32c(0, std::as_bytes(std::span(text.data(), text.size()))));
  return line;
}

// The rest of the line at the start of `text` after `word` and a blank; drops the line from `text`.
bool TakeLine(std::string_view* text, std::string_view word, std::string_view* rest) {
  const size_t end = text->find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = text->substr(0, end);
  if (!line.starts_with(word)) return false;
  *rest = line.substr(word.size());
  text->remove_prefix(end + 1);
  return true;
}

}  // namespace

std::string FileMark(int fd) {
  struct statx info;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &info) != 0) return "";
  std::string mark = std::to_string(info.stx_ino);
  if ((info.stx_mask & STATX_BTIME) != 0) {
    mark +=
        "." + std::to_string(info.stx_btime.tv_sec) + "." + std::to_string(info.stx_btime.tv_nsec);
  }
  return mark;
}

std::string EncodeFormat(const StoreFormat& format) {
  std::string text = std::string(kMagic) + "\nversion " + std::to_string(kStoreFormatVersion) +
                     "\nuuid " + TextOf(format.uuid) + "\nlineage " + HexOf(format.lineage) +
                     "\nfile " + format.mark + "\n";
  return text + ChecksumLine(text);
}

Result<StoreFormat> DecodeFormat(std::string_view text, const std::string& file,
                                 const std::string& store) {
  const Status damaged = Failure(StatusCode::kCorrupt, file + " is damaged");
  const auto number = [](std::string_view digits, auto* value, int base) {
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, *value, base);
    return error == std::errc() && stop == end;
  };
  StoreFormat format;
  std::string_view rest = text, value;
  if (!TakeLine(&rest, kMagic, &value) || !value.empty()) return damaged;
  // The version comes before everything that another version may have changed, the checksum
  // included.
  if (!TakeLine(&rest, "version ", &value) || !number(value, &format.version, 10)) return damaged;
  if (format.version < kOldestStoreFormatVersion || format.version > kStoreFormatVersion) {
    return Failure(StatusCode::kFormat,
                   "store " + store + " has format version " + std::to_string(format.version) +
                       "; this program knows versions up to " + std::to_string(kStoreFormatVersion),
                   format.version);
  }
  if (!TakeLine(&rest, "uuid ", &value) || !ParseHex(value, &format.uuid)) return damaged;
  if (format.version > 1) {
    if (!TakeLine(&rest, "lineage ", &value) || value.size() != 16 ||
        !number(value, &format.lineage, 16) || !TakeLine(&rest, "file ", &value)) {
      return damaged;
    }
    format.mark = value;
  }
  if (rest != ChecksumLine(text.substr(0, text.size() - rest.size()))) return damaged;
  return format;
}

Result<StoreFormat> ReadStoreFormat(const std::string& directory) {
  const std::string file = directory + "/" + std::string(kFormatFile);
  TN_ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(file));
  return DecodeFormat(text, file, directory);
}

Status WriteStoreFormat(const std::string& directory, const StoreFormat& format) {
  return ReplaceFile(directory, kFormatFile, [&](int fd) {
    StoreFormat written = format;
    written.mark = FileMark(fd);
    return EncodeFormat(written);
  });
}

Result<bool> IsOriginal(const std::string& directory, const StoreFormat& format) {
  const std::string path = directory + "/" + std::string(kFormatFile);
  const Descriptor file(StoreOpen(path.c_str(), O_RDONLY));
  if (file.get() < 0) return SystemFailure(errno, "cannot open " + path);
  return !format.mark.empty() && FileMark(file.get()) == format.mark;
}

}  // namespace tenure::store
