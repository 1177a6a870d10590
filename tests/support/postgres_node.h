// A PostgreSQL server of its own, in a temporary directory, as long as the object lives.
#pragma once

#include <sys/types.h>

#include <string>

namespace tenure::testing {

class PostgresNode {
 public:
  // Ends the test program with a message when there is no PostgreSQL or it cannot be started.
  PostgresNode();
  ~PostgresNode();
  PostgresNode(const PostgresNode&) = delete;
  PostgresNode& operator=(const PostgresNode&) = delete;

  // For libpq.
  std::string connection() const { return "host=" + directory_ + " user=tenure dbname=postgres"; }
  // Ends the server at once, as a crash of it does, and starts it again. (It does not sync: a crash
  // of the machine would lose commits.)
  void Crash();

 private:
  void Start();
  void Kill(int signal);

  std::string programs_;  // the directory of initdb and postgres
  std::string directory_;
  pid_t server_ = 0;
};

}  // namespace tenure::testing
