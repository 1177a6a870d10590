#include "dbtool/repair/raw_tree.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "store/files/store_io.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// The layout of a tree page with a checksum in Berkeley DB 5.3: at 20 the number of items (2
// bytes), at 25 the kind of page, from 32 on the items' offsets (2 each). An item: length (2), kind
// (1), bytes.
constexpr size_t kTreePageBytes = 64 << 10;
constexpr size_t kCountAt = 20, kKindAt = 25, kItemsAt = 32, kItemHeaderBytes = 3;
constexpr uint8_t kLeaf = 5, kItem = 1;

std::optional<std::span<const std::byte>> ItemAt(std::span<const std::byte> page, size_t number) {
  const size_t slot = kItemsAt + 2 * number;
  uint16_t offset, length;
  if (slot + sizeof offset > page.size()) return std::nullopt;
  std::memcpy(&offset, page.data() + slot, sizeof offset);
  if (offset < kItemsAt || offset + kItemHeaderBytes > page.size()) return std::nullopt;
  std::memcpy(&length, page.data() + offset, sizeof length);
  if (page[offset + 2] != std::byte{kItem}) return std::nullopt;  // deleted, or elsewhere
  if (length > page.size() - offset - kItemHeaderBytes) return std::nullopt;
  return page.subspan(offset + kItemHeaderBytes, length);
}

}  // namespace

Status ForEachRawRecord(
    const std::string& file,
    const std::function<void(std::span<const std::byte>, std::span<const std::byte>)>& visit) {
  const int fd = store::StoreOpen(file.c_str(), O_RDONLY);
  if (fd < 0) return store::SystemFailure(errno, "cannot read " + file);
  std::vector<std::byte> page(kTreePageBytes);
  const off_t size = lseek(fd, 0, SEEK_END);
  for (off_t at = 0; at < size; at += kTreePageBytes) {
    // Parts that cannot be read are left out like damaged ones.
    const ssize_t count = pread(fd, page.data(), kTreePageBytes, at);
    if (count <= static_cast<ssize_t>(kItemsAt)) continue;
    const std::span<const std::byte> bytes = std::span(page).first(static_cast<size_t>(count));
    if (bytes[kKindAt] != std::byte{kLeaf}) continue;
    uint16_t items;
    std::memcpy(&items, bytes.data() + kCountAt, sizeof items);
    for (size_t i = 0; i + 1 < items; i += 2) {
      const auto key = ItemAt(bytes, i), value = ItemAt(bytes, i + 1);
      if (key && value) visit(*key, *value);
    }
  }
  close(fd);
  return Status::Ok();
}

}  // namespace tenure::dbtool
