#include "dbtool/program_types.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// A flag that every program has (runtime/options.cc).
constexpr const char* kFlag = "describetypes";
// Parts of the program's answer (runtime/start.cc).
constexpr std::string_view kVersion = "types 2\n", kDefaults = "default ";

Status NoProgram(const std::string& program) {
  return store::Failure(StatusCode::kInvalidArgument,
                        program + " is not a program that tenure has built, or an old one");
}

// Runs the program so that it writes its types to `file`.
Status Ask(const std::string& program, const std::string& file) {
  std::string flag = std::string("@M3") + kFlag + "=" + file;
  std::string name = program;
  char* const arguments[] = {name.data(), flag.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ);
  if (error != 0) return store::SystemFailure(error, "cannot run " + program);
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return store::SystemFailure(errno, "cannot run " + program);
  }
  return status == 0 ? Status::Ok() : NoProgram(program);
}

bool FromHex(const std::string& text, std::vector<std::byte>* bytes) {
  if (text.size() % 2 != 0) return false;
  for (size_t i = 0; i < text.size(); i += 2) {
    const std::string digits = text.substr(i, 2);
    char* end = nullptr;
    bytes->push_back(static_cast<std::byte>(std::strtoul(digits.c_str(), &end, 16)));
    if (end != digits.c_str() + 2) return false;
  }
  return true;
}

// A line "default-text ..." or "default-procedure ..." (runtime/start.cc).
bool TakeDefault(const std::string& line, ProgramType* type) {
  std::istringstream words(line);
  std::string key;
  uint64_t slot = 0;
  if (!(words >> key >> slot)) return false;
  if (key == "default-procedure") {
    DefaultProcedure& made = type->procedures.emplace_back();
    made.slot = slot;
    return std::getline(words >> std::ws, made.name) && !made.name.empty();
  }
  size_t element_bytes = 0;
  if (key != "default-text" || !(words >> element_bytes) || element_bytes < 1 ||
      element_bytes > 2) {
    return false;
  }
  std::string digits;
  words >> digits;  // none for the empty text
  std::vector<std::byte> bytes;
  if (!FromHex(digits, &bytes) || bytes.size() % element_bytes != 0) return false;
  DefaultText& made = type->texts.emplace_back();
  made.slot = slot;
  made.wide = element_bytes == 2;
  for (size_t i = 0; i < bytes.size(); i += element_bytes) {
    const unsigned high = made.wide ? static_cast<unsigned>(bytes[i + 1]) << 8 : 0;
    made.characters += static_cast<char16_t>(high | static_cast<unsigned>(bytes[i]));
  }
  return true;
}

store::TypeKey KeyOf(const StoredType& type) {
  const std::string fingerprint = store::ValueInDescription(type.description, "fingerprint");
  return {std::strtoull(fingerprint.c_str(), nullptr, 16), type.name, type.brand};
}

// As TypeCatalog::Match does it.
void Match(const std::vector<ProgramType>& program, const store::TypeKeys& keys,
           TypeComparison* comparison) {
  const StoredType& stored = *comparison->renamed;
  store::TypeKey key = KeyOf(stored);
  // If the user gives a type another name, only a type of that name fits, whatever its brand or
  // fingerprint.
  if (stored.name != comparison->stored->name) key = {0, stored.name, {}};
  const size_t found = keys.Find(key);
  if (found == store::TypeKeys::kNone) {
    comparison->difference = "the program has no such type";
    return;
  }
  comparison->program = &program[found];
  comparison->difference =
      store::TypeDifference(stored.description, program[found].type.description, keys);
}

}  // namespace

std::string ReadWhole(const std::string& path) {
  // A buffer that is copied throws nothing when reading fails, as an iterator over it would.
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

store::TypeKeys KeysOf(const std::vector<ProgramType>& program) {
  std::vector<store::TypeKey> keys;
  for (const ProgramType& type : program) keys.push_back(KeyOf(type.type));
  return store::TypeKeys(std::move(keys));
}

Result<std::vector<ProgramType>> TypesOfProgram(const std::string& program) {
  // Only programs of ours are run.
  if (access(program.c_str(), X_OK) != 0) {
    return store::SystemFailure(errno, "cannot run " + program);
  }
  if (ReadWhole(program).find(kFlag) == std::string::npos) return NoProgram(program);
  const char* const temporary = secure_getenv("TMPDIR");
  std::string file =
      std::string(temporary == nullptr ? "/tmp" : temporary) + "/tenure-types-XXXXXX";
  const int fd = mkstemp(file.data());
  if (fd < 0) return store::SystemFailure(errno, "cannot make " + file);
  close(fd);
  const Status status = Ask(program, file);
  const std::string text = ReadWhole(file);
  unlink(file.c_str());
  TN_RETURN_IF_ERROR(status);

  std::vector<ProgramType> types;
  std::string description, line;
  std::istringstream lines(text);
  const bool whole = text.starts_with(kVersion);
  if (whole) std::getline(lines, line);
  for (ProgramType made; std::getline(lines, line);) {
    if (!line.starts_with("default")) {
      description += line + "\n";
      continue;
    }
    if (!line.starts_with(kDefaults)) {
      if (!TakeDefault(line, &made)) return NoProgram(program);
      continue;
    }
    std::optional<StoredType> type = ParseType(0, description);
    description.clear();
    if (!type || !FromHex(line.substr(kDefaults.size()), &made.defaults) ||
        made.defaults.size() != type->payload_bytes) {
      return NoProgram(program);
    }
    made.type = *std::move(type);
    made.defaults_whole = whole;
    types.push_back(std::exchange(made, ProgramType()));
  }
  if (types.empty()) return NoProgram(program);
  return types;
}

Result<std::vector<TypeComparison>> CompareTypes(OpenedStore& store, const std::string& database,
                                                 const std::vector<ProgramType>& program,
                                                 const std::map<uint32_t, StoredType>& renamed) {
  TN_ASSIGN_OR_RETURN(store::DatabaseId id,
                      store.server->OpenDatabase(database, store::OpenMode::kOpen));
  std::map<uint32_t, TypeComparison> found;
  WalkTotals totals;
  const Status walked =
      ForEachObject(*store.server, id, store.types, &totals, [&](const StoredObject& object) {
        TypeComparison& comparison = found[object.type->index];
        comparison.stored = object.type;
        ++comparison.objects;
        return true;
      });
  TN_RETURN_IF_ERROR(store.server->CloseDatabase(id));
  TN_RETURN_IF_ERROR(walked);
  const store::TypeKeys keys = KeysOf(program);
  std::vector<TypeComparison> comparisons;
  for (auto& [index, comparison] : found) {
    const auto other = renamed.find(index);
    comparison.renamed = other == renamed.end() ? comparison.stored : &other->second;
    Match(program, keys, &comparison);
    comparisons.push_back(comparison);
  }
  return comparisons;
}

}  // namespace tenure::dbtool
