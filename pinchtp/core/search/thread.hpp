// Threads with a stack for deep recursions.
#pragma once

#include <cstddef>

#ifdef _WIN32
#include <thread>
#else
#include <pthread.h>

#include <functional>
#include <memory>
#include <system_error>
#include <utility>
#endif

namespace pinchtp {

#ifdef _WIN32

using Thread = std::thread;  // their stacks take 1 MB or more, as the program was linked

#else

// Like std::thread, whose stacks take only 128 KB with musl and 512 KB on macOS.
class Thread {
 public:
  // Throws std::system_error if the system has no thread left.
  explicit Thread(std::function<void()> task)
      : task_(std::make_unique<std::function<void()>>(std::move(task))) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStackBytes);
    const int error = pthread_create(&thread_, &attributes, &run, task_.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category());
  }
  Thread(Thread&&) = default;
  Thread& operator=(Thread&&) = default;

  bool joinable() const { return task_ != nullptr; }
  void join() {
    pthread_join(thread_, nullptr);
    task_.reset();
  }

 private:
  // Pages become resident on first use. Sanitizers take several times the memory of other builds.
  static constexpr std::size_t kStackBytes = std::size_t{4} << 20;

  static void* run(void* task) {
    (*static_cast<std::function<void()>*>(task))();
    return nullptr;
  }

  std::unique_ptr<std::function<void()>> task_;  // null: not running
  pthread_t thread_{};
};

#endif

}  // namespace pinchtp
