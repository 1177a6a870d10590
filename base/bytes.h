// Records of any size as bytes, for files and for messages. Values are as they are in memory
// (little-endian); a text has its length before it. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/copy_bytes.h"

namespace tenure {

// The form of numbers, lengths of texts and counts: in 8 bytes; in 4 bytes, enough for everything
// that is counted; or in one byte for each group of 7 bits.
enum class NumberForm : uint8_t { kFixed, kFixed4, kShort };

// Bytes behind each other in a text that the writer owns. One thread.
class ByteWriter {
 public:
  explicit ByteWriter(NumberForm form = NumberForm::kFixed) : form_(form) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void Put(const T& value) {
    PutBytes(&value, sizeof value);
  }
  void PutBytes(const void* bytes, size_t count) {
    // A changed region is most often a word.
    CopyMostlyWord(Extend(count), bytes, count);
  }
  void PutBytes(std::span<const std::byte> bytes) { PutBytes(bytes.data(), bytes.size()); }
  void PutNumber(uint64_t number) {
    if (form_ == NumberForm::kFixed) return Put(number);
    if (form_ == NumberForm::kFixed4) return Put(static_cast<uint32_t>(number));
    if (number < 0x80) {
      *Extend(1) = static_cast<char>(number);
    } else if (number < 0x4000) {
      char* const to = Extend(2);
      to[0] = static_cast<char>(number | 0x80);
      to[1] = static_cast<char>(number >> 7);
    } else {
      PutLong(number);
    }
  }
  void PutText(std::string_view text) {
    PutNumber(text.size());
    PutBytes(text.data(), text.size());
  }
  void Reserve(size_t bytes) { memory_.resize(std::max(memory_.size(), bytes)); }

  // The bytes put so far; valid until the next Put.
  std::string_view text() const { return std::string_view(memory_).substr(0, size_); }
  std::span<const std::byte> bytes() const { return std::as_bytes(std::span(text())); }
  std::string Take() && {
    memory_.resize(size_);
    return std::move(memory_);
  }

 private:
  // Appends this many bytes to the text, without setting them.
  char* Extend(size_t count) {
    if (memory_.size() - size_ < count) memory_.resize(2 * memory_.size() + count);
    size_ += count;
    return memory_.data() + (size_ - count);
  }
  void PutLong(uint64_t number);

  NumberForm form_;
  std::string memory_;
  size_t size_ = 0;  // of the text in it
};

// Reads bytes in the order in which a ByteWriter wrote them; they outlive the reader. Reading
// behind the end fails; after a failure every value that is read is zero or empty.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, NumberForm form = NumberForm::kFixed)
      : form_(form), rest_(bytes) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T Get() {
    T value{};
    const std::span<const std::byte> bytes = GetBytes(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  // The next `count` bytes, in place; empty when fewer are left.
  std::span<const std::byte> GetBytes(size_t count) {
    if (failed_ || count > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::span<const std::byte> bytes = rest_.first(count);
    rest_ = rest_.subspan(count);
    return bytes;
  }
  void GetBytes(void* bytes, size_t count);
  std::span<const std::byte> GetRest() { return GetBytes(rest_.size()); }
  uint64_t GetNumber();
  std::string GetText();
  // Reads how many items follow, each of at least `least` bytes with fixed numbers. Fails, and
  // returns 0, if the bytes that are left cannot hold that many.
  size_t GetCount(size_t least);

  // Called when a value that was read cannot be right.
  void Fail() { failed_ = true; }
  bool ok() const { return !failed_; }
  // Everything was read and nothing was missing.
  bool AtEnd() const { return !failed_ && rest_.empty(); }

 private:
  NumberForm form_;
  bool failed_ = false;
  std::span<const std::byte> rest_;
};

}  // namespace tenure
