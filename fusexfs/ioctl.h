// SPDX-License-Identifier: GPL-2.0-or-later
/* What a program may ask of a file on a fusexfs mount, beyond the system calls.
 *
 * FIEMAP never reaches a FUSE daemon, so fusexfs has an ioctl of its own that
 * carries the same answer. It holds no pointers and less than 16,384 bytes,
 * which is what FUSE can carry. Include this file from C or C++.
 *
 *     struct fusexfs_fiemap map;
 *     memset(&map, 0, sizeof map);
 *     map.version = FUSEXFS_FIEMAP_VERSION;
 *     map.length = FUSEXFS_FIEMAP_WHOLE_FILE;
 *     do {
 *       if (ioctl(fd, FUSEXFS_IOC_FIEMAP, &map) != 0) return errno;
 *       for (unsigned i = 0; i < map.count; i++)
 *         use(&map.extents[i]);
 *     } while (fusexfs_fiemap_next(&map));
 *
 * Errors, as errno:
 *   ENOTTY (or EINVAL, ENOSYS)  the file is not on a fusexfs mount
 *   EOPNOTSUPP  a version or a flag that this mount does not know
 *   EINVAL      length is 0
 *   EFBIG       start lies behind the largest file
 *   EUCLEAN     the image is damaged; the mount's log says where
 *
 * The layout of version 1 never changes; a later version gets another number
 * in `version`. The ioctl letter is free in the kernel's list
 * (Documentation/userspace-api/ioctl/ioctl-number.rst).
 */
#ifndef FUSEXFS_FUSEXFS_IOCTL_H_
#define FUSEXFS_FUSEXFS_IOCTL_H_

#include <linux/fiemap.h>
#include <linux/ioctl.h>
#include <linux/types.h>

#define FUSEXFS_IOC_LETTER 0xFA

#define FUSEXFS_FIEMAP_VERSION 1
#define FUSEXFS_FIEMAP_WHOLE_FILE (~0ULL)
/* As many extents as fit below 16,384 bytes. */
#define FUSEXFS_FIEMAP_MAX_EXTENTS 291

/* The part before the extents: 32 bytes. */
struct fusexfs_fiemap {
  __u64 start;   /* in: first byte of the file to map */
  __u64 length;  /* in: bytes to map, FUSEXFS_FIEMAP_WHOLE_FILE for all */
  __u32 version; /* in: FUSEXFS_FIEMAP_VERSION */
  __u32 flags;   /* in: 0, or FIEMAP_FLAG_XATTR for the attribute fork */
  __u32 count;   /* out: extents that follow; 0 at the end of the file */
  __u32 more;    /* out: 1 if extents of the range did not fit any more */
  /* out: physical offsets are bytes from the start of the filesystem. */
  struct fiemap_extent extents[FUSEXFS_FIEMAP_MAX_EXTENTS];
};

#define FUSEXFS_IOC_FIEMAP \
  _IOWR(FUSEXFS_IOC_LETTER, 0x01, struct fusexfs_fiemap)

/* The same call with room for fewer extents (1 to 291): the mount answers with
 * at most that many. Cheaper where files have few extents. `map` may then point
 * at FUSEXFS_FIEMAP_BYTES(n) bytes. */
#define FUSEXFS_FIEMAP_BYTES(n) (32 + (n)*56)
#define FUSEXFS_IOC_FIEMAP_SMALL(n)                      \
  _IOC(_IOC_READ | _IOC_WRITE, FUSEXFS_IOC_LETTER, 0x01, \
       FUSEXFS_FIEMAP_BYTES(n))

/* Moves the start behind the last extent. 0: there is nothing left to ask. */
static inline int fusexfs_fiemap_next(struct fusexfs_fiemap *map) {
  const struct fiemap_extent *last;
  __u64 next;
  if (!map->more || map->count == 0) return 0;
  last = &map->extents[map->count - 1];
  next = last->fe_logical + last->fe_length;
  if (next <= map->start) return 0;
  if (map->length != FUSEXFS_FIEMAP_WHOLE_FILE) {
    if (map->length <= next - map->start) return 0;
    map->length -= next - map->start;
  }
  map->start = next;
  return 1;
}

#endif /* FUSEXFS_FUSEXFS_IOCTL_H_ */
