// SPDX-License-Identifier: GPL-2.0-or-later
#include "fusexfs/fuse/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "fusexfs/device/memory_device.h"
#include "libondisk/status.h"
#include "tests/fusexfs/fuse/fake_kernel.h"
#include "tests/support/golden_image.h"

namespace fusexfs {
namespace {

using ::testing::HasSubstr;

class ServeInitTest : public ::testing::Test {
 protected:
  const std::unique_ptr<Filesystem> filesystem_ =
      Filesystem::Mount(std::make_unique<MemoryDevice>(GoldenBytes("tiny-v5")),
                        nullptr, {.read_only = true})
          .value();
  Context context_{*filesystem_, 0};
};

TEST_F(ServeInitTest, AnswersTheFirstRequestAndNoMore) {
  FakeKernel kernel(context_, {"ro"});
  ASSERT_TRUE(kernel.is_up());
  kernel.SendInit();
  EXPECT_TRUE(ServeInit(kernel.session(), context_).ok());
  EXPECT_TRUE(context_.has_init);
  const FakeKernel::Answer answer = kernel.Receive();
  EXPECT_EQ(answer.error, 0);
  EXPECT_EQ(answer.As<fuse_init_out>().major, 7u);
  EXPECT_EQ(fuse_session_exited(&kernel.session()), 0);
}

TEST_F(ServeInitTest, ALimitOfReadsIsAgreed) {
  context_.max_read = 65536;
  FakeKernel kernel(context_, {"ro", "max_read=65536"});
  ASSERT_TRUE(kernel.is_up());
  kernel.SendInit();
  const absl::Status status = ServeInit(kernel.session(), context_);
  EXPECT_TRUE(status.ok()) << ondisk::MessageOf(status);
  EXPECT_EQ(kernel.Receive().error, 0);
}

// libfuse refuses a limit that only one side was told: the mount is dead, which
// must not pass for a success.
TEST_F(ServeInitTest, DisagreementIsAnErrorWithItsCause) {
  FakeKernel kernel(context_, {"ro", "max_read=65536"});
  ASSERT_TRUE(kernel.is_up());
  kernel.SendInit();
  const absl::Status status = ServeInit(kernel.session(), context_);
  EXPECT_EQ(ondisk::ErrnoOf(status), EPROTO);
  EXPECT_THAT(std::string(ondisk::MessageOf(status)),
              HasSubstr("Protocol error"));
  EXPECT_EQ(kernel.Receive().error, -EPROTO);
}

}  // namespace
}  // namespace fusexfs
