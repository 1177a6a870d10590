#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

static void Split(const std::string& line, std::vector<std::string>& into) {
  size_t start = 0;
  for (size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', start)) {
    into.push_back(line.substr(start, comma - start));
    start = comma + 1;
  }
  into.push_back(line.substr(start));
}

int main(int, char** argv) {
  const long lines = std::atol(argv[1]);
  std::vector<std::string> fields;
  for (long i = 1; i <= lines; ++i) {
    Split(std::to_string(i) + ",some words in a field," + std::to_string(i * 7) +
              ",x,another field of the line",
          fields);
  }
  size_t length = 0;
  for (const std::string& field : fields) length += field.size();
  std::printf("%zu %zu\n", fields.size(), length);
}
