// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's side of /dev/fuse, played by a test: a session of libfuse gets
// its requests through a socket and answers there, without any mount.
//
// Thread-safety: one thread, which plays both sides in turn.
// Source of the format: the kernel's include/uapi/linux/fuse.h.
#ifndef FUSEXFS_TESTS_FUSEXFS_FUSE_FAKE_KERNEL_H_
#define FUSEXFS_TESTS_FUSEXFS_FUSE_FAKE_KERNEL_H_

#include <linux/fuse.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fusexfs/fuse/context.h"
#include "fusexfs/fuse/library.h"
#include "fusexfs/fuse/operations.h"

namespace fusexfs {

class FakeKernel {
 public:
  struct Answer {
    int error = 0;  // negative, as it is sent
    std::vector<uint8_t> body;

    template <typename T>
    T As() const {
      T value{};
      std::memcpy(&value, body.data(), std::min(sizeof value, body.size()));
      return value;
    }
  };

  // `options` are libfuse's, as after -o.
  FakeKernel(Context& context, std::initializer_list<const char*> options) {
    fuse_args arguments{};
    fuse_opt_add_arg(&arguments, "test");
    for (const char* option : options) {
      fuse_opt_add_arg(&arguments, "-o");
      fuse_opt_add_arg(&arguments, option);
    }
    const fuse_lowlevel_ops operations = MakeOperations();
    session_.reset(
        fuse_session_new(&arguments, &operations, sizeof operations, &context));
    fuse_opt_free_args(&arguments);
    std::array<int, 2> ends{};
    if (session_ == nullptr ||
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends.data()) !=
            0) {
      return;
    }
    kernel_end_ = ends[0];
    // A mount point of this form is a connection that somebody has made.
    is_up_ =
        fuse_session_mount(session_.get(),
                           ("/dev/fd/" + std::to_string(ends[1])).c_str()) == 0;
  }
  ~FakeKernel() {
    if (is_up_) fuse_session_unmount(session_.get());
    if (kernel_end_ >= 0) close(kernel_end_);
  }
  FakeKernel(const FakeKernel&) = delete;
  FakeKernel& operator=(const FakeKernel&) = delete;

  bool is_up() const { return is_up_; }
  fuse_session& session() { return *session_; }

  void Send(uint32_t opcode, uint64_t node, std::string_view body) {
    fuse_in_header header{};
    header.len = static_cast<uint32_t>(sizeof header + body.size());
    header.opcode = opcode;
    header.unique = ++last_request_;
    header.nodeid = node;
    std::string message(reinterpret_cast<const char*>(&header), sizeof header);
    message += body;
    send(kernel_end_, message.data(), message.size(), 0);
  }

  void SendInit() {
    fuse_init_in init{};
    init.major = FUSE_KERNEL_VERSION;
    init.minor = 31;
    init.max_readahead = 131072;
    init.flags = FUSE_ASYNC_READ | FUSE_EXPORT_SUPPORT;
    Send(FUSE_INIT, 0,
         std::string_view(reinterpret_cast<const char*>(&init), sizeof init));
  }

  // What the session has answered to the last request. An error of -1 for none.
  Answer Receive() {
    std::vector<uint8_t> message(1 << 16);
    const ssize_t size = recv(kernel_end_, message.data(), message.size(), 0);
    fuse_out_header header{};
    if (size < static_cast<ssize_t>(sizeof header)) return {-1, {}};
    std::memcpy(&header, message.data(), sizeof header);
    if (header.unique != last_request_) return {-1, {}};
    message.resize(static_cast<size_t>(size));
    message.erase(message.begin(), message.begin() + sizeof header);
    return {header.error, std::move(message)};
  }

  // The INIT exchange, without which nothing else is answered.
  bool Greet() {
    if (!is_up_) return false;
    SendInit();
    return Serve().error == 0;
  }

  // One request and its answer.
  Answer Ask(uint32_t opcode, uint64_t node, std::string_view body) {
    Send(opcode, node, body);
    return Serve();
  }

 private:
  Answer Serve() {
    fuse_buf request{};
    if (fuse_session_receive_buf(session_.get(), &request) > 0) {
      fuse_session_process_buf(session_.get(), &request);
    }
    free(request.mem);
    return Receive();
  }

  struct DestroySession {
    void operator()(fuse_session* session) const {
      fuse_session_destroy(session);
    }
  };
  std::unique_ptr<fuse_session, DestroySession> session_;
  int kernel_end_ = -1;
  bool is_up_ = false;
  uint64_t last_request_ = 0;
};

}  // namespace fusexfs

#endif  // FUSEXFS_TESTS_FUSEXFS_FUSE_FAKE_KERNEL_H_
