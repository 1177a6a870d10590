#include "dbtool/stored/program_types.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/hex.h"
#include "store/format/status_text.h"

namespace tenure::dbtool {

namespace {

// A flag that every program has (runtime/start/options.cc).
constexpr const char* kFlag = "describetypes";
// Parts of the program's answer (runtime/start/start.cc).
constexpr std::string_view kVersion = "types 3\n", kVersionBefore = "types 2\n";
constexpr std::string_view kDefaults = "default ", kElement = "default-element ";

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

// A line "default-text ...", "default-procedure ...", or one of the two for an element
// (runtime/start/start.cc).
bool TakeDefault(const std::string& line, ProgramType* type) {
  if (line.starts_with(kElement)) {
    return FromHex(line.substr(kElement.size()), &type->element_defaults);
  }
  std::istringstream words(line);
  std::string key;
  uint64_t slot = 0;
  if (!(words >> key >> slot)) return false;
  constexpr std::string_view kOfElement = "default-element-";
  const bool of_element = key.starts_with(kOfElement);
  if (of_element) key = "default-" + key.substr(kOfElement.size());
  if (key == "default-procedure") {
    DefaultProcedure& made =
        (of_element ? type->element_procedures : type->procedures).emplace_back();
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
  DefaultText& made = (of_element ? type->element_texts : type->texts).emplace_back();
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

store::TypeName NameOf(const StoredType& type) { return {type.fingerprint, type.name, type.brand}; }

std::string BrandOf(const StoredType& type) {
  return type.brand.empty() ? "no brand" : "the brand \"" + type.brand + "\"";
}

const ProgramType* Named(const std::vector<ProgramType>& program, const std::string& name) {
  const auto found =
      std::ranges::find(program, name, [](const ProgramType& one) { return one.type.name; });
  return found == program.end() ? nullptr : &*found;
}

std::string Rename(const std::string& from, const std::string& to) {
  return "--rename-type " + from + "=" + to;
}

// As TypeCatalog::Match does it. But where the fingerprint finds a type of another name, though the
// program has one of this name with other fields, the user must say which is meant.
void Match(const std::vector<ProgramType>& program, const store::TypeKeys& keys,
           TypeComparison* comparison) {
  const StoredType& stored = *comparison->renamed;
  const std::string& name = comparison->stored->name;
  const bool told = stored.fingerprint == "0";  // the user has named the type (renaming.h)
  store::TypeKey key = KeyOf(stored);
  // If the user gives a type another name, only a type of that name fits, whatever its brand or
  // fingerprint.
  if (stored.name != name) key = {0, stored.name, {}};
  const size_t found = keys.Find(key);
  const ProgramType* const same_name = Named(program, stored.name);
  const bool has_a_name = name.find(' ') == std::string::npos;
  if (found == store::TypeKeys::kNone) {
    comparison->difference = "the program has no such type";
    if (!has_a_name) return;
    if (same_name != nullptr) {
      comparison->difference += ": its type of this name has " + BrandOf(same_name->type) +
                                ", and the stored one " + BrandOf(stored);
    }
    comparison->way = same_name != nullptr ? "if it is this one: " + Rename(name, stored.name)
                                           : "if it has another name there: " + Rename(name, "NEW");
    return;
  }
  const StoredType& other = program[found].type;
  if (!told && stored.brand.empty() && other.name != stored.name && same_name != nullptr &&
      has_a_name) {
    comparison->difference = "the program's type of this name has other fields, and its type " +
                             other.name + " has these";
    comparison->way = Rename(name, name) + " or " + Rename(name, other.name) + " says which it is";
    return;
  }
  comparison->program = &program[found];
  comparison->difference = store::TypeDifference(stored.description, other.description, keys);
}

// Two stored types that are the same type of the program only because of a brand that has moved,
// or a name that another type has now.
void CheckMerged(std::vector<TypeComparison>* comparisons) {
  for (TypeComparison& one : *comparisons) {
    for (const TypeComparison& other : *comparisons) {
      const bool told = one.renamed->fingerprint == "0" || other.renamed->fingerprint == "0";
      if (&one == &other || one.program == nullptr || one.program != other.program || told ||
          one.stored->name == other.stored->name ||
          NameOf(*one.stored).IsSame(NameOf(*other.stored))) {
        continue;
      }
      one.difference = "it and " + other.stored->name + " would both be the program's type " +
                       one.program->type.name + ", which has " + BrandOf(one.program->type);
      one.way = Rename(one.stored->name, "NEW") + " or " + Rename(other.stored->name, "NEW") +
                " says which types of the program they are";
      one.program = nullptr;
      return;
    }
  }
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
  const bool whole = text.starts_with(kVersion) || text.starts_with(kVersionBefore);
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
        made.defaults.size() != type->payload_bytes ||
        (!made.element_defaults.empty() && made.element_defaults.size() != type->element_bytes)) {
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
  CheckMerged(&comparisons);
  return comparisons;
}

}  // namespace tenure::dbtool
