// VERBS check run confirm
// FLAGS -std=c++14 -Wall
// SHOWN
// Matrix library: parallel_for over rows; the product is by rows, but the norm is summed into one captured variable.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <thread>
#include <vector>

template <class F> void parallel_for(std::size_t begin, std::size_t end, unsigned threads, F &&body) {
  std::vector<std::thread> pool;
  const std::size_t chunk = (end - begin + threads - 1) / threads;
  for (unsigned t = 0; t < threads; ++t) {
    const std::size_t lo = begin + t * chunk, hi = std::min(end, lo + chunk);
    pool.emplace_back([lo, hi, &body] {
      for (std::size_t i = lo; i < hi; ++i) body(i);
    });
  }
  for (auto &th : pool) th.join();
}

class Matrix {
public:
  Matrix(std::size_t rows, std::size_t cols, double fill = 0) : rows_(rows), cols_(cols), data_(rows * cols, fill) {}

  double &operator()(std::size_t r, std::size_t c) { return data_[r * cols_ + c]; }
  double operator()(std::size_t r, std::size_t c) const { return data_[r * cols_ + c]; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    if (a.cols() != b.rows()) throw std::invalid_argument("dimensions");
    Matrix result(a.rows(), b.cols());
    parallel_for(0, a.rows(), 3, [&](std::size_t r) {
      for (std::size_t c = 0; c < b.cols(); ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < a.cols(); ++k) sum += a(r, k) * b(k, c);
        result(r, c) = sum;
      }
    });
    return result;
  }

  double norm() const {
    double sum = 0;
    parallel_for(0, rows_, 3, [&](std::size_t r) {
      for (std::size_t c = 0; c < cols_; ++c) {
        const double v = (*this)(r, c);
        sum += v * v; // RACE sum SELF
      }
    });
    return std::sqrt(sum);
  }

private:
  std::size_t rows_, cols_;
  std::vector<double> data_;
};

int main() {
  Matrix a(9, 6, 1.5), b(6, 9, 2.0);
  Matrix c = a * b;
  return c.norm() > 0 ? 0 : 1;
}
