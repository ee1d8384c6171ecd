"""What pages look like: light, or dark where the reader's system is."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #1a1a1a; --soft: #5c5c5c; --line: #d4d4d4; --part: #fff3d6;
  --part2: #ffe2ad; --part3: #ffd086; --link: #0b57a4; --mark: #b34700; --box: #f6f7f9; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181c; --ink: #e4e4e4; --soft: #a3a9b1; --line: #3b414a; --part: #332b16; --part2: #4a3b17;
    --part3: #604b17; --link: #7db8f2; --mark: #f2a66a; --box: #1e2329; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 100rem; background: var(--paper); color: var(--ink);
  font: 15px/1.45 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, th:focus-visible {
  outline: 2px solid var(--mark); outline-offset: 1px; }
h1 { font-size: 1.5rem; } h2 { margin: 2rem 0 .5rem; font-size: 1.2rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
nav a { margin-right: 1rem; }
.soft { color: var(--soft); } .warning, .error { color: var(--mark); } .bold { font-weight: 600; }
.i4 { margin-left: 1.5rem; } .i6 { margin-left: 2.5rem; } .i8 { margin-left: 3.5rem; } .i10 { margin-left: 4.5rem; }
pre { overflow-x: auto; margin: 0 0 .4rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; margin: .4rem 0; }
th, td { text-align: left; vertical-align: top; padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word; }
thead th { color: var(--soft); font-weight: 600; } tbody th { font-weight: normal; }
table.sorts thead th { cursor: pointer; }
td, .tree .figure { font-variant-numeric: tabular-nums; }
code, pre, .name { font-family: ui-monospace, monospace; font-size: .92em; }
summary { cursor: pointer; }
.tree, .tree ul { list-style: none; margin: 0; padding-left: 1.2rem; } .tree { padding: 0; }
.row { display: inline-flex; width: calc(100% - 1.5rem); gap: 1rem; border-bottom: 1px solid var(--line); }
.columns { width: 100%; padding-right: 1.1rem; color: var(--soft); }
.row .what { flex: 1; overflow-wrap: anywhere; } .row .figure { width: 16rem; text-align: right; }
li.leaf > .row { margin-left: 1.1rem; width: calc(100% - 2.6rem); }
.tools { margin: .5rem 0; } .tools > * { margin-right: .5rem; font: inherit; }
.part { border: 1px solid var(--line); border-radius: 4px; margin: .5rem 0; padding: .3rem .8rem; }
.part > summary { font-weight: 600; }
.chain { margin: .2rem 0 .2rem 1rem; padding: 0; list-style: none; }
.chain pre { margin: 0; white-space: pre-wrap; color: var(--soft); }
tr:target, .src span:target { outline: 2px solid var(--mark); }
.src { margin: 0; padding: .5rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: 4px;
  line-height: 1.35; }
.src span { display: block; padding-right: 1rem; min-width: max-content; }
.src b { display: inline-block; width: 5rem; padding-right: 1rem; text-align: right; font-weight: normal;
  color: var(--soft); user-select: none; }
.src .d1 { background: var(--part); } .src .d2 { background: var(--part2); } .src .d3 { background: var(--part3); }
.src a { color: inherit; text-decoration: underline dotted var(--link); }
.src .saved { color: var(--mark); font-weight: 600; }
.src .tag { float: right; color: var(--link); font-size: .85em; text-decoration: none; padding-left: 2rem; }
.src .taped { float: right; font-size: .85em; padding-left: 2rem; }
.gap { color: var(--soft); padding-left: 5rem; }
#panel { position: fixed; right: 1rem; bottom: 1rem; width: min(46rem, 92vw); max-height: 60vh; overflow: auto;
  background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .9rem;
  box-shadow: 0 4px 18px #0006; }
#panel h3 { margin: 0 2rem .3rem 0; } #panel button { position: absolute; top: .5rem; right: .5rem; }
figure { margin: .5rem 0; } figure svg { max-width: 100%; height: auto; }
svg text { fill: var(--ink); } svg rect[fill="white"] { fill: none; } svg path[stroke="black"] { stroke: var(--ink); }
svg path[stroke="#ddd"] { stroke: var(--line); } svg .vertex text { fill: #1a1a1a; }
section { content-visibility: auto; contain-intrinsic-size: auto 2000px; }
@media print { #panel, .tools { display: none; } section { content-visibility: visible; } }
"""
