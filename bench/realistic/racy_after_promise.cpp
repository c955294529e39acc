// SHOWN
// FLAGS -std=c++20
// A worker fulfils its promise, and only then notes how long it took.
#include <chrono>
#include <cstdio>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Download {
  std::string url;
  std::promise<std::string> body;
  long size = 0;
  long elapsed = 0;
};

class Downloader {
public:
  std::shared_ptr<Download> fetch(std::string url) {
    auto download = std::make_shared<Download>();
    download->url = std::move(url);
    threads_.emplace_back([download] { run(*download); });
    return download;
  }
  ~Downloader() {
    for (auto &thread : threads_) thread.join();
  }

private:
  static void run(Download &download) {
    std::string body = "<html>" + download.url + "</html>";
    download.size = static_cast<long>(body.size()); // NORACE
    download.body.set_value(std::move(body));
    download.elapsed = 17; // RACE elapsed
  }
  std::vector<std::thread> threads_;
};

int main() {
  Downloader downloader;
  std::vector<std::shared_ptr<Download>> downloads;
  for (int i = 0; i < 3; ++i) downloads.push_back(downloader.fetch("http://host/" + std::to_string(i)));
  long size = 0, elapsed = 0;
  for (auto &download : downloads) {
    std::string body = download->body.get_future().get();
    size += download->size + static_cast<long>(body.size()); // NORACE
    elapsed += download->elapsed;                            // RACE elapsed
  }
  std::printf("%ld %d\n", size, elapsed >= 0);
  return 0;
}
