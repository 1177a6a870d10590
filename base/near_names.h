// The names that resemble an unknown name, for messages with suggestions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenure {

// Collects candidates for one wanted name. Capitals and underscores count little: `io` and
// `put_int` resemble IO and PutInt most of all.
class NearNames {
 public:
  explicit NearNames(std::string_view wanted);

  // The first of equally near names counts as nearest. A name may come twice.
  void Consider(std::string_view candidate);

  // The name that was probably meant; empty if no candidate resembles the wanted name enough.
  const std::string& best() const { return best_; }
  // Whether `best` differs only by one slip of the fingers, by capitals or by underscores, and no
  // other candidate does: then a program may be changed without asking.
  bool is_sure() const { return is_sure_ && !best_.empty(); }
  // Whether one of the two names is only the beginning, or some letters, of the other.
  bool is_abbreviation() const;

  // At most `count` candidates, nearest first, also names that resemble the wanted name little.
  std::vector<std::string> Nearest(size_t count) const;

 private:
  struct Candidate {
    std::string name;
    size_t cost;
  };

  std::string wanted_, plain_;  // plain_: in small letters, without underscores
  std::vector<Candidate> candidates_;
  std::string best_;
  size_t best_cost_ = 0;
  bool is_sure_ = false;
};

// "a", "a and b", "a, b and c".
std::string JoinNames(const std::vector<std::string>& names, std::string_view last = "and");

}  // namespace tenure
