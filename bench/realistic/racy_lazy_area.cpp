// SHOWN
// FLAGS -std=c++20
// Double-checked locking with a plain flag: a value computed on first use.
#include <cmath>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

struct Point {
  double x, y;
};

class Shape {
public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
};

class Polygon final : public Shape {
public:
  explicit Polygon(std::vector<Point> points) : points_(std::move(points)) {}
  double area() const override {
    if (!ready_) { // RACE flag
      std::lock_guard<std::mutex> guard(mutex_);
      if (!ready_) {       // NORACE
        area_ = compute(); // RACE value
        ready_ = true;     // RACE flag
      }
    }
    return area_; // RACE value
  }

private:
  double compute() const {
    double twice = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point &a = points_[i], &b = points_[(i + 1) % points_.size()];
      twice += a.x * b.y - b.x * a.y;
    }
    return std::fabs(twice) / 2;
  }
  const std::vector<Point> points_;
  mutable std::mutex mutex_;
  mutable bool ready_ = false;
  mutable double area_ = 0;
};

int main() {
  std::vector<std::shared_ptr<Shape>> scene;
  for (int i = 1; i < 6; ++i) {
    double s = i;
    scene.push_back(std::make_shared<Polygon>(std::vector<Point>{{0, 0}, {s, 0}, {s, s}, {0, s}}));
  }
  std::vector<double> sums(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&scene, &sum = sums[t]] {
      for (const auto &shape : scene) sum += shape->area(); // NORACE
    });
  for (auto &thread : threads) thread.join();
  std::printf("%g\n", sums[0] + sums[1] + sums[2]);
  return 0;
}
