// A program that computes fields which an upgrade cannot take over (stdlib/persist,
// DatabaseConverter): it is asked about each object, through a pair of sockets.
#pragma once

#include <sys/types.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tenure::dbtool {

// Values by the name of their field. Texts have UTF-16 units, as a TEXT has.
using FieldValues = std::vector<std::pair<std::string, std::u16string>>;

class Converter {
 public:
  // Runs the program. kInvalidArgument when it is not a converter.
  static Result<std::unique_ptr<Converter>> Start(const std::string& program);
  // Ends it.
  ~Converter();
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool Converts(const std::string& type) const { return types_.contains(type); }
  const std::set<std::string>& types() const { return types_; }
  // Whether the converter has asked for this field of any object of the type.
  bool HasRead(const std::string& type, const std::string& field) const {
    return read_.contains({type, field});
  }
  // The fields that the converter sets. kTypeMismatch with its reason when it refuses.
  Result<FieldValues> Convert(const std::string& type, const FieldValues& old);

 private:
  explicit Converter(std::string program) : program_(std::move(program)) {}

  Status Broken() const;
  // The items of its next line.
  Result<std::vector<std::u16string>> ReadLine();

  const std::string program_;
  pid_t child_ = 0;
  int fd_ = -1;
  std::string received_;
  std::set<std::string> types_;
  std::set<std::pair<std::string, std::string>> read_;
};

// The text with all but printing ASCII as \uXXXX.
std::string Escaped(const std::u16string& text);
// The bytes of the text as units.
std::u16string Widened(const std::string& text);
// The inverse of Widened; units above 255 become '?'.
std::string Narrowed(const std::u16string& text);

}  // namespace tenure::dbtool
