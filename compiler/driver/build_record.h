// The inputs of a program, so that a build with nothing to do looks only at the files' times, and
// reads no file.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "compiler/driver/options.h"

namespace tenure::compiler {

class BuildRecord {
 public:
  // The record of a build with these options.
  explicit BuildRecord(const Options& options);

  // The program of the last build if it is the same as this build would make; otherwise empty.
  std::string UpToDateProgram() const;

  // Adds a file that was read, or a directory whose sources were listed, or either if it does not
  // exist and would have been used. Only the names of sources in a directory count.
  void AddInput(const std::string& path);

  // A variable of the environment.
  void AddEnvironment(const std::string& name);

  // Another file that the build made.
  void AddOutput(const std::string& path) { outputs_.insert(path); }

  // Notes that `program` was made from the inputs; not if one of them changed after the build
  // began. A record that cannot be written costs time only.
  void Write(const std::string& program) const;

 private:
  std::string path_;  // of the record; empty: there is none
  std::string key_;   // the options, and the compiler
  int64_t begun_ = 0;
  std::map<std::string, std::string> inputs_;  // with the state when it was added
  std::set<std::string> outputs_;
};

// The record beside an object file that a C compiler made: the files that went into the object.
class ObjectRecord {
 public:
  // Construct it before the object is made.
  explicit ObjectRecord(const std::string& object);

  // Whether the object and all its inputs, which are added to `inputs`, are unchanged.
  bool IsUpToDate(std::set<std::string>* inputs) const;

  // As BuildRecord::Write; writes no record, either, if an input cannot be found.
  void Write(const std::set<std::string>& inputs) const;

 private:
  std::string object_, path_;
  int64_t begun_;
};

}  // namespace tenure::compiler
