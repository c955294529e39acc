struct Counter {
  long hits = 0;
  void hit();
};

void Counter::hit() { ++hits; }

int main() {
  static Counter counter;
  counter.hit();
  return 0;
}
