// VERBS check
// A state machine steps by a pointer to a member: the steps are those of its class, not whatever is kept at the same place elsewhere.
#include <thread>

static int used, idle;

class Engine {
public:
  virtual ~Engine() = default;
  virtual void stop() {}
};

class Encoder : public Engine {
public:
  Encoder() : next(&Encoder::header) {}
  void step() {
    (this->*next)(); // RACE c
  }

private:
  void header() {
    used += 1; // RACE a SELF
    next = &Encoder::last; // RACE c
  }
  void last() {}
  void (Encoder::*next)();
};

class Decoder : public Engine {
public:
  Decoder() : next(&Decoder::begin) {}
  void step() { (this->*next)(); }

private:
  void begin() {
    idle += 1; // NORACE
    next = &Decoder::end;
  }
  void end() {}
  void (Decoder::*next)();
};

static Engine *engines[] = {new Encoder, new Decoder};

static void worker(int number) {
  static_cast<Encoder *>(engines[number])->step();
}

int main() {
  std::thread one(worker, 0), two(worker, 0);
  for (int i = 0; i < 2; ++i)
    if (i > 0) static_cast<Decoder *>(engines[i])->step();
  idle = 0; // NORACE
  one.join();
  two.join();
  return used < 0;
}
