// Entries of the tables of references between databases, as a store keeps them: bytes with a
// checksum. docs/page_format.md has their form.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "store/server/page_server.h"

namespace tenure::store {

std::string EncodeImport(const ImportEntry& entry);
std::string EncodeExport(const ExportEntry& entry);
// Nothing: the bytes are damaged. Entries of format version 1, which have no tags, are read too.
std::optional<ImportEntry> DecodeImport(std::span<const std::byte> bytes);
std::optional<ExportEntry> DecodeExport(std::span<const std::byte> bytes);

}  // namespace tenure::store
