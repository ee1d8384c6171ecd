"""``python -m snapset``"""

from snapset.cli.main import run

if __name__ == "__main__":
    run()
