// Calls that take long, or wait for others that do: they run without the GIL, poll for signals, and
// end when the program exits.
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

// Reserves thread-local storage for C++ exceptions. The runtime keeps their state in thread-local
// data, which a library loaded at run time gets at a thread's first exception. If memory has run
// out by then, glibc aborts, and std::bad_alloc cannot be thrown. call_once() refers to the same
// data. Compiled with TLS descriptors (CMakeLists.txt), this reference moves the data into the
// static TLS block that glibc reserves for each thread at its start. If that block is full, nothing
// changes.
inline void reserve_exceptions() {
  static std::once_flag flag;
  std::call_once(flag, [] {});
}

// Calls that run without the GIL. As a program exits, Python ends each daemon thread that takes the
// GIL again, which aborts the program if C++ frames are on the thread's stack. So the exit first
// stops these calls and waits for them. SystemExit then ends their threads, and every thread that
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

// Python calls end_calls() at exit. A forked child has none of the threads whose calls are counted.
inline void watch_end() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&end_calls));
  const nb::module_ os = nb::module_::import_("os");
  if (nb::hasattr(os, "register_at_fork"))
    os.attr("register_at_fork")("after_in_child"_a = nb::cpp_function([] { calls = 0; }));
}

inline const std::optional<nb::callable> kNoCallback;

// Lets Python handle signals (Ctrl-C) and asks its callback, if any, whether to stop. The callback
// must outlive the result, since it must not be copied without the GIL.
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
