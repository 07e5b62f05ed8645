# SPDX-License-Identifier: GPL-2.0-or-later
"""The judges' toolbox: make XFS images, mount them, and write down what a
mount shows.  Used by the golden images' recipes, the oracle tests, the tests
over a mount, and demo.sh.  Python's standard library only."""
