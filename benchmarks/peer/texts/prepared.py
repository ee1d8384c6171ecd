"""The sources as both tools read them: copied, preprocessed where a compiler would, and changeable."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from snapset.frontend.base.source_model import ReadOptions
from snapset.frontend.sources.preprocessor import preprocess

PREPROCESSED = {".F": ".f", ".FOR": ".for", ".FTN": ".ftn", ".F90": ".f90", ".F95": ".f95",
                ".F03": ".f03", ".F08": ".f08"}


class PeerError(Exception):
    """The peer, or what prepares its input, fails; the text says why, for people."""


@dataclass(frozen=True)
class Sources:
    """``macros``: NAME or NAME=VALUE. ``always``: preprocess every file, not only those a compiler would."""

    files: tuple[str, ...]
    includes: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()
    always: bool = False

    def into(self, folder: Path) -> list[str]:
        """The files in ``folder``, in the same order; of two of the same name the second is in a folder of its own.

        Raises:
            PeerError: a file cannot be read.
            InputError: the preprocessor refuses it.
        """
        folder.mkdir(exist_ok=True)
        found: list[str] = []
        for number, file in enumerate(map(Path, self.files)):
            preprocess = self.always or file.suffix in PREPROCESSED
            name = file.stem + PREPROCESSED.get(file.suffix, file.suffix)
            place = folder / name
            if place.exists():
                place = folder / str(number) / name
                place.parent.mkdir()
            if preprocess:
                self._preprocess(file, place)
            else:
                try:
                    shutil.copy(file, place)
                except OSError as error:
                    raise PeerError(f"{file}: {error.strerror}") from error
            found.append(str(place))
        return found

    def _preprocess(self, file: Path, place: Path) -> None:
        options = ReadOptions(self.includes, self.macros)
        try:
            text = file.read_text(errors="replace")
        except OSError as error:
            raise PeerError(f"{file}: {error.strerror}") from error
        lines = preprocess(text, str(file), options).lines
        place.write_text("".join(f"{line}\n" for line in lines if line.strip()))
