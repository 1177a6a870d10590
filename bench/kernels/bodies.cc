#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Body {
  double x, y, z, vx, vy, vz, mass;
};
static Body bodies[5];

static void Advance(Body* b, size_t count, double dt) {
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = i + 1; j < count; ++j) {
      Body& p = b[i];
      Body& q = b[j];
      const double dx = p.x - q.x;
      const double dy = p.y - q.y;
      const double dz = p.z - q.z;
      const double squared = dx * dx + dy * dy + dz * dz;
      const double magnitude = dt / (squared * std::sqrt(squared));
      p.vx = p.vx - dx * q.mass * magnitude;
      p.vy = p.vy - dy * q.mass * magnitude;
      p.vz = p.vz - dz * q.mass * magnitude;
      q.vx = q.vx + dx * p.mass * magnitude;
      q.vy = q.vy + dy * p.mass * magnitude;
      q.vz = q.vz + dz * p.mass * magnitude;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    Body& p = b[i];
    p.x = p.x + dt * p.vx;
    p.y = p.y + dt * p.vy;
    p.z = p.z + dt * p.vz;
  }
}

int main(int, char** argv) {
  for (int i = 0; i < 5; ++i) {
    const double f = i + 1;
    bodies[i] = {f * 1.5, 10.0 / f, f * f * 0.25, 0.1 * f, 0.2 / f, -0.05 * f, 1.0 / f};
  }
  for (long n = std::atol(argv[1]); n > 0; --n) Advance(bodies, 5, 0.001);
  for (const Body& body : bodies) std::printf("%ld\n", std::lround(body.x * 1000000.0));
}
