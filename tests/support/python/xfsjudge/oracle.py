# SPDX-License-Identifier: GPL-2.0-or-later
"""The two oracles: the kernel (by loop mount) and a recent xfsprogs that lives
in a root of its own (FUSEXFS_ORACLE_ROOT), since Debian 12's is too old.

A missing oracle is an error with a clear message, never a skip.
"""
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.environ.get("FUSEXFS_ORACLE_ROOT", "/var/lib/fusexfs-oracle/trixie")

# These three lift the minimum sizes of mkfs.xfs; they are its own test hooks.
_SMALL = {"TEST_DIR": "x", "TEST_DEV": "x", "QA_CHECK_FS": "x"}


class OracleMissing(Exception):
    pass


def require():
    if os.geteuid() != 0:
        raise OracleMissing("the oracle tests mount images: run them as root")
    if not os.path.exists(os.path.join(ROOT, "usr/sbin/mkfs.xfs")):
        raise OracleMissing(
            "no xfsprogs of 6.13 or newer in %s: run ./test.sh, which makes it"
            " with debootstrap, or set FUSEXFS_ORACLE_ROOT" % ROOT)
    with open("/proc/filesystems", encoding="ascii") as known:
        if "\txfs\n" not in known.read():
            if subprocess.run(["modprobe", "xfs"],
                              capture_output=True).returncode != 0:
                raise OracleMissing("this kernel has no XFS")


def scratch(prefix):
    """A new directory that both the host and the oracle's root can see. A test
    that is told to end still runs its `finally`s, which unmount and remove."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    base = os.path.join(ROOT, "img")
    os.makedirs(base, exist_ok=True)
    return tempfile.mkdtemp(prefix=prefix + ".", dir=base)


def _inside(path):
    path = os.path.abspath(path)
    if not path.startswith(ROOT + "/"):
        raise ValueError("%s is not below %s" % (path, ROOT))
    return path[len(ROOT):]


def run(program, *arguments, check=True, timeout=600):
    """Runs an xfsprogs program of the oracle's root; paths of the host that
    lie below the root are translated."""
    translated = []
    for argument in arguments:
        at = argument.find(ROOT + "/")
        translated.append(argument if at < 0 else
                          argument[:at] + argument[at + len(ROOT):])
    done = subprocess.run(["chroot", ROOT, program] + translated,
                          env={**os.environ, **_SMALL}, timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode("utf-8", "replace")
    if check and done.returncode != 0:
        raise RuntimeError("%s %s: exit %d\n%s" % (
            program, " ".join(arguments), done.returncode, text))
    return text if check else (done.returncode, text)


def mkfs(image, size, *options):
    with open(image, "wb") as new:
        new.truncate(size)
    return run("mkfs.xfs", "-q", "-f", *options, image)


def mkfs_host(image, size, *options):
    """Debian 12's own mkfs.xfs: it still makes V4 images."""
    with open(image, "wb") as new:
        new.truncate(size)
    subprocess.run(["mkfs.xfs", "-q", "-f", *options, image], check=True,
                   env={**os.environ, **_SMALL}, capture_output=True)


def db(image, *commands, write=False, options=()):
    arguments = ["-x" if write else "-r", *options]
    for command in commands:
        arguments += ["-c", command]
    return run("xfs_db", *arguments, image)


def repair_is_clean(image, *options):
    code, text = run("xfs_repair", "-n", "-o", "force_geometry", *options,
                     image, check=False)
    return code == 0, text


def attach(command, attempts=20):
    """Loop devices are shared with whatever else runs here: try again."""
    for _ in range(attempts):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout.strip()
        if not any(s in done.stderr for s in ("failed to setup loop",
                                              "busy", "unavailable",
                                              "overlapping")):
            break
        time.sleep(0.3)
    raise RuntimeError("%s: %s" % (" ".join(command), done.stderr.strip()))


def unmount(path):
    for _ in range(20):
        done = subprocess.run(["umount", path], capture_output=True, text=True)
        if done.returncode == 0:
            return
        time.sleep(0.2)
    subprocess.run(["umount", "-l", path], check=False)
    raise RuntimeError("umount %s: %s" % (path, done.stderr.strip()))


@contextlib.contextmanager
def kernel_mount(image, *options, log=None):
    """Mounts with the kernel; yields the mount point."""
    point = tempfile.mkdtemp(prefix="fusexfs-kernel.")
    loop = None
    try:
        wanted = ["loop", "nouuid"] + list(options)
        if log is not None:
            loop = attach(["losetup", "--find", "--show", log])
            wanted.append("logdev=" + loop)
        attach(["mount", "-t", "xfs", "-o", ",".join(wanted), image, point])
        try:
            yield point
        finally:
            unmount(point)
    finally:
        if loop is not None:
            subprocess.run(["losetup", "-d", loop], check=False)
        os.rmdir(point)
