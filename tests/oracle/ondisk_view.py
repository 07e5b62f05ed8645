"""What `ondisk` says of an image, against the kernel's manifest."""


def judge(report, image, log, expected):
    del report, image, log, expected
    return "ondisk not judged"
