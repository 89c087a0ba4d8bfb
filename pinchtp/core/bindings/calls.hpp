// Long calls: they run without the lock of Python, poll for signals, and end when the program does.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace nb = nanobind;
using namespace nb::literals;

namespace pinchtp::bindings {

// Makes room for the exceptions of every thread. The runtime keeps them in thread-local data, which a
// library loaded at run time gets at the first exception of a thread. Where memory has run out, glibc
// aborts there, so std::bad_alloc could not be thrown. call_once() refers to the same data; compiled
// with TLS descriptors (CMakeLists.txt), the reference has them placed in the room that glibc reserves
// in each thread as it starts. Where none is left, nothing is lost.
inline void reserve_exceptions() {
  static std::once_flag flag;
  std::call_once(flag, [] {});
}

// Calls that run without the lock of Python. As a program ends, Python ends each daemon thread that
// takes the lock again, which aborts the program if frames of C++ are on the thread's stack. So the end
// stops these calls first and waits for them; SystemExit then ends their threads, and every thread that
// calls later.
inline std::atomic<int> calls = 0;
inline std::atomic<bool> is_ending = false;
inline std::thread::id ending_thread;  // may make further calls

inline bool must_end() { return is_ending && std::this_thread::get_id() != ending_thread; }

inline void exit_at_end() {
  if (!must_end()) return;
  PyErr_SetNone(PyExc_SystemExit);
  throw nb::python_error();
}

template <class Task>
void without_lock(Task&& task) {
  struct Counted {
    Counted() { ++calls; }
    ~Counted() { --calls; }
  };
  exit_at_end();
  {
    const Counted until_the_lock_is_back;
    const nb::gil_scoped_release release;
    task();
  }
  exit_at_end();
}

inline void end_calls() {
  ending_thread = std::this_thread::get_id();
  is_ending = true;
  const nb::gil_scoped_release release;
  while (calls > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// Python calls end_calls() as it ends. A forked child has none of the threads whose calls are counted.
inline void watch_end() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_calls));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")("after_in_child"_a = nb::cpp_function([] { calls = 0; }));
}

inline const std::optional<nb::callable> kNoCallback;

// Lets Python handle signals (Ctrl-C) and asks its callback, if any, whether to stop. The callback has
// to outlive the result: where the lock of Python is released, it must not be copied.
inline std::function<bool()> poller(std::optional<nb::callable>&& should_stop) = delete;
inline std::function<bool()> poller(const std::optional<nb::callable>& should_stop) {
  return [&should_stop] {
    if (must_end()) return true;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    return should_stop && nb::cast<bool>((*should_stop)());
  };
}

}  // namespace pinchtp::bindings
