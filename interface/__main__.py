"""``python -m snapset``"""

from snapset.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
