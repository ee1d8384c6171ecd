"""Program units in the cache: what a file's text becomes, by the hash of that text.

    subroutine step(x)      \t\t Unit("subroutine", "step", ...), as it was when `step.f90` was read last
      x = 2*x
    end

After an edit of one file of 42 one is cut into statements and units; the units of the others are found. The key is the
file's name (its ending says the form, and it stands in every place), what the options say of reading, and the whole
text. With each unit come the hashes of its statements, by which it is found whether a procedure is what it was. What
else a file's units can depend on is other files: those that INCLUDE names, there or not, and those that the
preprocessor looks for. So a file that is preprocessed, or in which an INCLUDE was met, is read anew each time; and so
is the question whether a link leads out of the project, which comes before.
"""

from __future__ import annotations

from snapset.frontend.base.frozen_records import frozen
from snapset.frontend.base.source_model import ReadOptions, Unit
from snapset.frontend.persistence.disk_cache import Cache
from snapset.frontend.persistence.fingerprint import digest, with_hashes
from snapset.frontend.reading.read import read_units, units_alone
from snapset.frontend.sources.files import is_preprocessed


@frozen
class RememberedUnits:
    """Reads files, looking into the cache first."""

    cache: Cache

    def of_file(self, path: str, options: ReadOptions) -> tuple[Unit, ...]:
        """As :func:`snapset.frontend.reading.read.read_units`."""
        return read_units(path, options, self._of_text)

    def _of_text(self, text: str, path: str, options: ReadOptions) -> tuple[Unit, ...]:
        if self.cache.path is None or is_preprocessed(path, options):
            return units_alone(text, path, options)[0]
        key = digest("units", path, repr(options), text)
        found: tuple[Unit, ...] | None = self.cache.get(key)
        if found is None:
            read, alone = units_alone(text, path, options)
            found = tuple(map(with_hashes, read))
            if alone:
                self.cache.put(key, found)
        return found
