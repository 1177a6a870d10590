#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

struct Matrix {
  Matrix(long r, long c) : rows(r), columns(c), values(new double[static_cast<size_t>(r * c)]) {}
  double& At(long i, long j) const { return values[static_cast<size_t>(i * columns + j)]; }
  long rows, columns;
  std::unique_ptr<double[]> values;
};

static void Times(const Matrix& a, const Matrix& b, const Matrix& c) {
  for (long i = 0; i < a.rows; ++i) {
    for (long j = 0; j < b.columns; ++j) {
      double sum = 0;
      for (long k = 0; k < b.rows; ++k) sum += a.At(i, k) * b.At(k, j);
      c.At(i, j) = sum;
    }
  }
}

int main(int, char** argv) {
  constexpr long kSize = 200;
  const Matrix a(kSize, kSize), b(kSize, kSize), c(kSize, kSize);
  for (long i = 0; i < kSize; ++i) {
    for (long j = 0; j < kSize; ++j) {
      a.At(i, j) = static_cast<double>(i + j);
      b.At(i, j) = static_cast<double>(i - j);
    }
  }
  double sum = 0;
  const long rounds = std::atol(argv[1]);
  for (long round = 1; round <= rounds; ++round) {
    Times(a, b, c);
    sum += c.At(round % kSize, 7);
  }
  std::printf("%ld\n", std::lround(sum));
}
