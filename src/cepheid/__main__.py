"""`python -m cepheid` is the command line."""

from cepheid.cli import main

main()
