#include "store/server/reference_entries.h"

#include "base/bytes.h"
#include "store/server/commit_image.h"

namespace tenure::store {

std::string EncodeImport(const ImportEntry& entry) {
  ByteWriter writer;
  writer.PutBytes(entry.database.bytes.data(), entry.database.bytes.size());
  writer.PutNumber(entry.export_number);
  writer.PutText(entry.store);
  writer.PutText(entry.name);
  writer.PutNumber(entry.export_tag);
  writer.PutNumber(entry.lineage);
  return WithChecksum(writer.text());
}

std::optional<ImportEntry> DecodeImport(std::span<const std::byte> bytes) {
  const std::optional<std::span<const std::byte>> body = WithoutChecksum(bytes);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  ImportEntry entry;
  reader.GetBytes(entry.database.bytes.data(), entry.database.bytes.size());
  entry.export_number = reader.GetNumber();
  entry.store = reader.GetText();
  entry.name = reader.GetText();
  // Format version 1 ends here.
  if (!reader.AtEnd()) {
    entry.export_tag = reader.GetNumber();
    entry.lineage = reader.GetNumber();
  }
  if (!reader.AtEnd() || entry.export_number == 0) return std::nullopt;
  return entry;
}

std::string EncodeExport(const ExportEntry& entry) {
  ByteWriter writer;
  writer.PutNumber(entry.object.bits);
  writer.PutNumber(entry.tag);
  return WithChecksum(writer.text());
}

std::optional<ExportEntry> DecodeExport(std::span<const std::byte> bytes) {
  const std::optional<std::span<const std::byte>> body = WithoutChecksum(bytes);
  if (!body) return std::nullopt;
  ByteReader reader(*body);
  ExportEntry entry;
  entry.object.bits = reader.GetNumber();
  if (!reader.AtEnd()) entry.tag = reader.GetNumber();  // format version 1 has none
  if (!reader.AtEnd()) return std::nullopt;
  return entry;
}

}  // namespace tenure::store
