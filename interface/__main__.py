"""``python -m snapset``"""

from snapset.cli import run

if __name__ == "__main__":
    run()
