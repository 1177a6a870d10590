#include "dbtool/move/import_spill.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/bytes.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

ImportSpill::~ImportSpill() {
  if (file_ != nullptr) fclose(file_);
}

Status ImportSpill::Open() {
  const char* const temporary = std::getenv("TMPDIR");
  name_ = std::string(temporary == nullptr ? "/tmp" : temporary) + "/tenure-import-XXXXXX";
  const int fd = mkstemp(name_.data());
  if (fd >= 0) unlink(name_.c_str());
  file_ = fd < 0 ? nullptr : fdopen(fd, "w+");
  return file_ != nullptr ? Status::Ok() : store::SystemFailure(errno, "cannot make " + name_);
}

Status ImportSpill::Write(const ImportedObject& object) {
  ByteWriter writer(NumberForm::kShort);
  for (const uint64_t number : {object.line, object.name.bits, object.type}) {
    writer.PutNumber(number);
  }
  for (const auto* list : {&object.references, &object.imports, &object.procedures}) {
    writer.PutNumber(list->size());
    for (const auto& [offset, value] : *list) {
      writer.PutNumber(offset);
      writer.PutNumber(value);
    }
  }
  writer.PutNumber(object.data.size());
  writer.PutBytes(object.data.data(), object.data.size());
  const uint64_t bytes = writer.text().size();
  if (fwrite(&bytes, sizeof bytes, 1, file_) == 1 &&
      fwrite(writer.text().data(), 1, bytes, file_) == bytes) {
    return Status::Ok();
  }
  return store::SystemFailure(errno, "cannot write " + name_);
}

Status ImportSpill::ForEach(const std::function<Status(ImportedObject& object)>& visit) {
  if (fseek(file_, 0, SEEK_SET) != 0) {
    return store::SystemFailure(errno, "cannot read " + name_);
  }
  std::vector<std::byte> bytes;
  uint64_t count = 0;
  while (fread(&count, sizeof count, 1, file_) == 1) {
    bytes.resize(count);
    if (fread(bytes.data(), 1, count, file_) != count) break;
    ByteReader reader(bytes, NumberForm::kShort);
    ImportedObject object;
    object.line = reader.GetNumber();
    object.name.bits = reader.GetNumber();
    object.type = reader.GetNumber();
    for (auto* list : {&object.references, &object.imports, &object.procedures}) {
      list->resize(reader.GetCount(2));
      for (auto& [offset, value] : *list) {
        offset = reader.GetNumber();
        value = reader.GetNumber();
      }
    }
    object.data.resize(reader.GetCount(1));
    reader.GetBytes(object.data.data(), object.data.size());
    if (!reader.AtEnd()) break;
    TN_RETURN_IF_ERROR(visit(object));
  }
  if (feof(file_) != 0) return Status::Ok();
  return store::SystemFailure(ferror(file_) != 0 ? errno : EIO, "cannot read " + name_);
}

}  // namespace tenure::dbtool
