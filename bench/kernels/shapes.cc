#include <cstdio>
#include <cstdlib>
#include <vector>

struct Shape {
  Shape(long px, long py) : x(px), y(py) {}
  virtual ~Shape() = default;
  virtual long Area() const = 0;
  virtual void Move(long dx, long dy) {
    x += dx;
    y += dy;
  }
  long x, y;
};
struct Square : Shape {
  Square(long px, long py, long s) : Shape(px, py), side(s) {}
  long Area() const override { return side * side; }
  long side;
};
struct Box : Square {
  Box(long px, long py, long s, long h) : Square(px, py, s), height(h) {}
  long Area() const override { return side * height; }
  long height;
};
struct Group : Shape {
  Group(long px, long py, Shape* first, Shape* second) : Shape(px, py), a(first), b(second) {}
  long Area() const override { return a->Area() + b->Area(); }
  void Move(long dx, long dy) override {
    Shape::Move(dx, dy);
    a->Move(dx, dy);
    b->Move(dx, dy);
  }
  Shape* a;
  Shape* b;
};

int main(int, char** argv) {
  constexpr long kCount = 5000;
  std::vector<Shape*> shapes;
  for (long i = 0; i < kCount; ++i) {
    const size_t at = shapes.size();
    switch (i % 3) {
      case 0: shapes.push_back(new Square(i, 0, i % 10)); break;
      case 1: shapes.push_back(new Box(0, i, i % 7, i % 5)); break;
      default: shapes.push_back(new Group(1, 1, shapes[at - 1], shapes[at - 2]));
    }
  }
  long sum = 0, boxes = 0;
  const long rounds = std::atol(argv[1]);
  for (long round = 1; round <= rounds; ++round) {
    for (Shape* shape : shapes) {
      shape->Move(round % 3, 1);
      sum += shape->Area() + shape->x;
      if (dynamic_cast<Box*>(shape) != nullptr) ++boxes;
    }
  }
  std::printf("%ld %ld\n", sum, boxes);
}
