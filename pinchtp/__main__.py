"""`python -m pinchtp` is the command `pinchtp`."""

import sys

from pinchtp.cli import main

sys.exit(main())
