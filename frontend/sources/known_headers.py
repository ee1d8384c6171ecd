"""Header files of libraries, known by the module that has the same names: ``include 'mpif.h'`` is ``use mpi``.

They are asked only where the file itself is not found. What they define are named constants and procedures, and all
their names begin alike: that is enough for the analysis, which needs no values of them.
"""

from __future__ import annotations

_MODULES = {
    "mpif.h": "mpi",
    "mpif-config.h": "mpi",
    "mpif-common.h": "mpi",
    "netcdf.inc": "netcdf_inc",
    "netcdf3.inc": "netcdf_inc",
    "netcdf4.inc": "netcdf_inc",
    "pnetcdf.inc": "pnetcdf_inc",
    "omp_lib.h": "omp_lib",
    "openacc_lib.h": "openacc",
    "fftw3.f": "fftw3",
    "fftw3.f03": "fftw3",
}
"""Their file names in lower case."""


def header_module(path: str) -> str | None:
    """The module that stands for a header file that is not there, None where nothing is known of it."""
    return _MODULES.get(path.replace("\\", "/").rpartition("/")[2].lower())
