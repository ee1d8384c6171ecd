"""The effects library: what the procedures of BLAS, LAPACK and MPI do to their arguments.

Written from the libraries' documentation, one letter an argument: ``i`` in, ``o`` out, ``b`` inout, ``s`` sent,
``r`` received (see :mod:`snapset.analysis.external.declared_effects`). Work arrays are ``o``: nothing is expected in
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

_WORDS: Final = MappingProxyType({"i": "in", "o": "out", "b": "inout", "s": "sent", "r": "received", "x": "exchanged"})

# By the letters of the precisions a name begins with: the rest of the name, and a letter for each argument.
_BLAS: Final = MappingProxyType({
    "sdcz": """
        axpy iiiibi  copy iiioi  scal iibi  swap ibibi  rotg bboo
        gemv iiiiiiiiibi  gbmv iiiiiiiiiiibi  trmv iiiiiibi  tbmv iiiiiiibi  tpmv iiiiibi
        trsv iiiiiibi  tbsv iiiiiiibi  tpsv iiiiibi
        gemm iiiiiiiiiiibi  symm iiiiiiiiiibi  syrk iiiiiiiibi  syr2k iiiiiiiiiibi
        trmm iiiiiiiiibi  trsm iiiiiiiiibi
    """,
    "sd": """
        dot iiiii  nrm2 iii  asum iii  rot ibibiii  rotm ibibii  rotmg bbbio
        symv iiiiiiiibi  sbmv iiiiiiiiibi  spmv iiiiiiibi
        ger iiiiiiibi  syr iiiiibi  syr2 iiiiiiibi  spr iiiiib  spr2 iiiiiiib
    """,
    "cz": """
        dotc iiiii  dotu iiiii  hemv iiiiiiiibi  hbmv iiiiiiiiibi  hpmv iiiiiiibi
        gerc iiiiiiibi  geru iiiiiiibi  her iiiiibi  her2 iiiiiiibi  hpr iiiiib  hpr2 iiiiiiib
        hemm iiiiiiiiiibi  herk iiiiiiiibi  her2k iiiiiiiiiibi
    """,
})
_LAPACK: Final = MappingProxyType({
    "sdcz": """
        gesv iibiobio  gbsv iiiibiobio  gtsv iibbbbio  posv iiibibio  ppsv iiibbio  pbsv iiiibibio  ptsv iibbbio
        sysv iiibiobioio  spsv iiibobio  gels iiiibibioio  gglse iiibibibbooio  ggglm iiibibiboooio  getrf iibioo
        getrf2 iibioo  getrs iiiiiibio  getri ibiioio  gecon iiiiioooo  gerfs iiiiiiiiiibiooooo  geequ iiiioooooo
        gesvx iiiibibibbbbbioioooooo  gbtrf iiiibioo  gbtrs iiiiiiiibio  gbcon iiiiiiiioooo  gttrf ibbbooo
        gttrs iiiiiiiibio  potrf iibio  potrf2 iibio  potrs iiiiibio  potri iibio  pocon iiiiioooo  poequ iiioooo
        porfs iiiiiiiiibiooooo  pptrf iibo  pptrs iiiibio  pbtrf iiibio  pbtrs iiiiiibio  pttrf ibbo  sytrf iibiooio
        sytrs iiiiiibio  sytri iibiioo  sptrf iiboo  sptrs iiiiibio  trtri iiibio  trtrs iiiiiiibio
        trcon iiiiiioooo  tbtrs iiiiiiiibio  tptrs iiiiiibio  tptri iiibo  geqrf iibiooio  gelqf iibiooio
        gerqf iibiooio  geqlf iibiooio  geqrt iiibioioo  gemqrt iiiiiiiiiibioo  gehrd iiibiooio  gebal iibioooo
        gebak iiiiiiibio  steqr iibbbioo  stein iiiiiiioioooo  gebrd iibioooooio  bdsqr iiiiibbbibibioo
        lacpy iiiiioi  laset iiiiioi  lascl iiiiiiibio  lange iiiiio  lansy iiiiio  lantr iiiiiiio  langb iiiiiio
        laswp ibiiiii  lassq iiibb  larfg ibbio  larf iiiiiibio  larfb iiiiiiiiiiibioi  larft iiiiiiioi  larnv ibio
        lartg iiooo  lasr iiiiiiibi  gesc2 iiibiio  getc2 ibiooo  lagtm iiiiiiiiiibi
    """,
    "sd": """
        gelsy iiibibibiooio  gelss iiibibioiooio  gelsd iiibibioiooioo  pttrs iiiibio  geqp3 iibibooio
        orgqr iiibiioio  ormqr iiiiiiiibioio  orglq iiibiioio  ormlq iiiiiiiibioio  orgrq iiibiioio  orgql iiibiioio
        syev iiibiooio  syevd iiibiooioio  syevx iiiibiiiiiioooioiooo  syevr iiiibiiiiiioooiooioio  spev iiibooioo
        sbev iiiibiooioo  stev iibboioo  stevd iibboioioio  stevr iiibbiiiiioooiooioio  sygv iiiibibiooio
        sygvd iiiibibiooioio  ggev iiibibiooooioioio  gges iiiiibibioooooioioioo  gees iiiibiooooioioo
        geesx iiiiibiooooioooioioo  geev iiibioooioioio  geevx iiiiibioooioioooooooioo  gesvd iiiibiooioioio
        gesdd iiibiooioioioo  hseqr iiiiibioobioio  trevc iibiiibibiiooo  orghr iiibiioio  ormhr iiiiiiiiibioio
        sytrd iibiooooio  orgtr iibiioio  sterf ibbo  stebz iiiiiiiiiioooooooo  stedc iibbbioioio  orgbr iiiibiioio
        ormbr iiiiiiiiibioio  lanst iiii  lamch i  lapy2 ii  lapy3 iii
    """,
    "cz": """
        gelsy iiibibibiooioo  gelss iiibibioiooioo  gelsd iiibibioiooiooo  pttrs iiiiibio  geqp3 iibibooioo
        ggev iiibibioooioioioo  gges iiiiibibiooooioioiooo  gees iiiibioooioiooo  geesx iiiiibioooioooiooo
        geev iiibiooioioioo  geevx iiiiibiooioioooooooioo  gesvd iiiibiooioioioo  gesdd iiibiooioioiooo
        hseqr iiiiibiobioio  trevc iiiibibibiioooo  stedc iibbbioioioio  hesv iiibiobioio  hpsv iiibobio
        hetrf iibiooio  hetrs iiiiiibio  hetri iibiioo  hptrf iiboo  hptrs iiiiibio  ungqr iiibiioio
        unmqr iiiiiiiibioio  unglq iiibiioio  unmlq iiiiiiiibioio  heev iiibiooioo  heevd iiibiooioioio
        heevx iiiibiiiiiioooioioooo  heevr iiiibiiiiiioooiooioioio  hpev iiibooiooo  hegv iiiibibiooioo
        hegvd iiiibibiooioioio  unghr iiibiioio  hetrd iibiooooio  ungtr iibiioio  ungbr iiiibiioio  lanhe iiiiio
        lacgv ibi
    """,
})
# ``x``: sent and received. What IRECV receives is complete after its WAIT; nobody may touch it in between.
_MPI: Final = MappingProxyType({
    "mpi_": """
        init o  init_thread ioo  finalize o  initialized oo  finalized oo  abort iio  barrier io
        comm_rank ioo  comm_size ioo  comm_split iiioo  comm_dup ioo  comm_free bo  wtime .  wtick .
        send siiiiio  ssend siiiiio  bsend siiiiio  rsend siiiiio  isend siiiiioo  issend siiiiioo
        recv riiiiioo  irecv riiiiioo  sendrecv siiiiriiiiioo  sendrecv_replace xiiiiiiioo
        wait boo  waitall iboo  waitany ibooo  waitsome iboooo  test booo  testall ibooo
        send_init siiiiioo  ssend_init siiiiioo  bsend_init siiiiioo  rsend_init siiiiioo
        recv_init riiiiioo  start bo  startall ibo  request_free bo
        testany iboooo  testsome iboooo  cancel io  cart_get iioooo  comm_group ioo  comm_create iioo
        comm_create_group iiioo
        reduce_scatter_block sxiiiio  ibsend siiiiioo  irsend siiiiioo  pcontrol i
        probe iiioo  iprobe iiiooo  get_count iioo  get_processor_name ooo  error_string iooo
        bcast xiiiio  reduce sxiiiiio  allreduce sxiiiio  scan sxiiiio  exscan sxiiiio  reduce_scatter sxiiiio
        gather siixiiiio  allgather siixiiio  scatter siixiiiio  alltoall siixiiio
        gatherv siixiiiiio  allgatherv siixiiiio  scatterv siiixiiiio  alltoallv siiixiiiio
        mrecv riiboo  imrecv riiboo  mprobe iiiooo  improbe iiioooo  request_get_status iooo
        ibarrier ioo  ibcast xiiiioo  ireduce sxiiiiioo  iallreduce sxiiiioo  iscan sxiiiioo  iexscan sxiiiioo
        ireduce_scatter sxiiiioo  ireduce_scatter_block sxiiiioo  igather siixiiiioo  iscatter siixiiiioo
        iallgather siixiiioo  ialltoall siixiiioo  igatherv siixiiiiioo  iscatterv siiixiiiioo
        iallgatherv siixiiiioo  ialltoallv siiixiiiioo
        type_create_indexed_block iiiioo  type_create_subarray iiiiiioo  type_create_resized iiioo  type_size ioo
        cart_sub iioo  type_create_hvector iiiioo  type_hvector iiiioo  type_get_extent iooo
        cart_create iiiiioo  cart_coords iiioo  cart_rank iioo  cart_shift iiiooo  dims_create iibo
        comm_set_errhandler iio  errhandler_set iio  comm_set_name iio  get_version ooo  query_thread oo
        is_thread_main oo  error_class ioo  comm_compare iioo  comm_split_type iiiioo  group_size ioo  group_rank ioo
        op_create iioo  op_free bo  group_incl iiioo  group_excl iiioo  group_free bo
        type_contiguous iioo  type_vector iiiioo  type_indexed iiiioo  type_commit bo  type_free bo
    """,
})


def _entries() -> Iterator[tuple[str, tuple[str, ...]]]:
    for table in (_BLAS, _LAPACK):
        for letters, text in table.items():
            for name, accesses in _pairs(text):
                for letter in letters:
                    yield letter + name, accesses
    for prefix, text in _MPI.items():
        for name, accesses in _pairs(text):
            yield prefix + name, accesses
    for name, accesses in _pairs("""
        isamax iii  idamax iii  icamax iii  izamax iii  scasum iii  dzasum iii  scnrm2 iii  dznrm2 iii
        csscal iibi  zdscal iibi  csrot ibibiii  zdrot ibibiii  dsdot iiiii  sdsdot iiiiii
        lsame ii  xerbla ii  ilaenv iiiiiii
    """):
        yield name, accesses


def _pairs(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    words = text.split()
    for name, letters in zip(words[::2], words[1::2], strict=True):
        yield name, () if letters == "." else tuple(_WORDS[letter] for letter in letters)


LIBRARY: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(dict(_entries()))
