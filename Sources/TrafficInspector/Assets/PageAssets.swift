// swift-format-ignore-file
// Made by Scripts/embed-page.sh from Sources/TrafficInspector/Web; not to be changed by hand.

/// The files of the page.
enum PageAssets {
    static let all: [String: PageAsset] = [
        "style.3d924da2c1eb.css": PageAsset("text/css; charset=utf-8", tag: nil, ##"""
/* Colours, type, and what stands around the pages. Each part of a message has one hue, everywhere. */
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14161b);
  --sunk: light-dark(#f5f6f8, #0f1115);
  --raised: light-dark(#ffffff, #1c1f26);
  --line: light-dark(#e3e6eb, #2a2e37);
  --line-strong: light-dark(#c8cdd6, #3d4350);
  --ink: light-dark(#1a1d24, #e6e8ec);
  --quiet: light-dark(#596172, #9aa3b2);
  --accent: light-dark(#3a53c5, #93a7ff);
  --accent-ink: light-dark(#ffffff, #10131c);
  --accent-wash: light-dark(#eaeefd, #242c4a);
  --hover: light-dark(#f3f5f9, #1d2129);
  --good: light-dark(#1a7a4a, #5fcf95);
  --warn: light-dark(#94590a, #f0b44c);
  --bad: light-dark(#c02b36, #ff8087);
  --bad-wash: light-dark(#fdf0f0, #2c1a1e);
  --moved: light-dark(#45658c, #8fb4dd);
  --p-startLine: light-dark(#8a63d2, #a98bec);
  --p-fields: light-dark(#3f82dd, #639ff0);
  --p-cookies: light-dark(#dd8b1b, #eaa540);
  --p-interim: light-dark(#d3599f, #e57db9);
  --p-body: light-dark(#17a085, #2fbf9f);
  --p-framing: light-dark(#8b93a2, #8b93a2);
  --up: light-dark(#a9b7f2, #5167c4);
  --down: light-dark(#4d66d8, #93a7ff);
  --radius: 7px;
  --text: Inter, system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif;
  --mono: ui-monospace, "SF Mono", "JetBrains Mono", "Cascadia Mono", Menlo, Consolas, "Noto Sans Mono CJK SC", monospace;
  font: 13px/1.45 var(--text);
  font-feature-settings: "cv05", "ss03";
  font-variant-numeric: tabular-nums;
  font-variant-ligatures: none;
  -webkit-text-size-adjust: 100%;
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }

*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body {
  margin: 0; display: flex; flex-direction: column; background: var(--paper); color: var(--ink);
  overflow: hidden; overscroll-behavior: none;
}
h1, h2, h3, p, dl, dd, ul, ol { margin: 0; }
ul, ol { padding: 0; list-style: none; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
button, input, select, textarea { font: inherit; color: inherit; font-variant-numeric: inherit; }
button { cursor: pointer; }
button:disabled { cursor: default; opacity: 0.45; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
main:focus { outline: none; }
.icon { width: 16px; height: 16px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.spring { flex: 1; }
.quiet { color: var(--quiet); }
.error, .bad { color: var(--bad); }
.warning { color: var(--warn); }
.c-method { font-weight: 600; font-size: 0.92em; letter-spacing: 0.01em; }

.skip { position: absolute; left: 8px; top: -60px; z-index: 20; padding: 8px 14px; background: var(--raised); border-radius: var(--radius); }
.skip:focus { top: 8px; }

#header { display: flex; align-items: center; gap: 14px; min-height: 46px; padding: 6px 14px; background: var(--sunk); min-width: 0; }
.brand { display: flex; align-items: center; gap: 9px; font-size: 14px; letter-spacing: -0.01em; min-width: 0; }
.brand b { font-weight: 650; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.live { display: flex; align-items: center; gap: 6px; font-size: 12px; font-weight: 550; color: var(--quiet); white-space: nowrap; }
.live .dot { width: 7px; height: 7px; border-radius: 50%; background: currentColor; }
.live.live { color: var(--good); }
.live.lost, .live.ended { color: var(--bad); }
.live.paused { color: var(--warn); }
.live.file { color: var(--quiet); }
.live.live .dot { animation: breathe 2.4s ease-in-out infinite; }
@keyframes breathe { 50% { opacity: 0.35; } }
@media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
#banner { display: flex; flex-wrap: wrap; align-items: center; justify-content: center; gap: 4px 12px; padding: 8px 14px; background: var(--bad-wash); color: var(--ink); }
#banner .command { margin: 0; }
.counts { display: flex; gap: 12px; color: var(--quiet); font-size: 12px; white-space: nowrap; overflow: hidden; }
.losses { color: var(--bad); }
.controls { display: flex; align-items: center; gap: 2px; flex: none; }
.icon-button {
  display: inline-grid; place-items: center; width: 32px; height: 32px; padding: 0; border: 0; border-radius: var(--radius);
  background: none; color: var(--quiet); flex: none;
}
.icon-button:hover:not(:disabled), .icon-button[aria-pressed="true"] { background: var(--line); color: var(--ink); }
.icon-button[aria-pressed="true"] { color: var(--accent); background: var(--accent-wash); }
.icon-button.language { width: auto; padding: 0 8px; font-size: 12px; font-weight: 550; }
.button {
  display: inline-flex; align-items: center; gap: 6px; height: 30px; padding: 0 11px; border: 1px solid var(--line-strong);
  border-radius: var(--radius); background: var(--raised); font-size: 12px; font-weight: 500; white-space: nowrap;
}
.button:hover:not(:disabled) { border-color: var(--quiet); }
.button .icon { width: 14px; height: 14px; color: var(--quiet); }
.button.danger { background: #c02b36; border-color: transparent; color: #fff; }
.link { border: 0; background: none; padding: 2px 4px; color: var(--accent); font-size: 12px; }
.link:hover:not(:disabled) { text-decoration: underline; }
.badge { display: inline-grid; place-items: center; min-width: 17px; height: 17px; padding: 0 4px; border-radius: 9px; background: var(--accent); color: var(--accent-ink); font-size: 11px; }

#nav { display: flex; gap: 2px; padding: 0 10px; background: var(--sunk); border-bottom: 1px solid var(--line); min-width: 0; }
#nav a { display: flex; align-items: center; gap: 6px; padding: 7px 10px 8px; color: var(--quiet); font-weight: 520; border-bottom: 2px solid transparent; margin-bottom: -1px; white-space: nowrap; border-radius: 4px 4px 0 0; }
#nav a:hover { color: var(--ink); text-decoration: none; }
#nav a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); }
#nav .icon { width: 15px; height: 15px; }
#nav a[aria-current] .icon { color: var(--accent); }

main { flex: 1 1 0; min-height: 0; min-width: 0; overflow: auto; overscroll-behavior: contain; }

.segments { display: inline-flex; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--raised); overflow: hidden; flex: none; }
.segments button { height: 28px; padding: 0 10px; border: 0; border-left: 1px solid var(--line); background: none; font-size: 12px; font-weight: 500; color: var(--quiet); white-space: nowrap; }
.segments button:first-child { border-left: 0; }
.segments button:hover { color: var(--ink); }
.segments button[aria-pressed="true"] { background: var(--accent-wash); color: var(--accent); }
.segments button:focus-visible { outline-offset: -2px; }

kbd { font: 11px/1 var(--mono); padding: 3px 5px; border: 1px solid var(--line-strong); border-radius: 4px; color: var(--quiet); background: var(--paper); }

dialog { width: min(480px, calc(100vw - 32px)); max-height: calc(100vh - 48px); padding: 22px 24px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--ink); box-shadow: 0 20px 60px rgb(0 0 0 / 0.28); }
dialog::backdrop { background: rgb(10 12 18 / 0.45); }
dialog h2 { font-size: 17px; letter-spacing: -0.015em; margin-bottom: 8px; }
dialog h3 { margin: 18px 0 8px; font-size: 12px; color: var(--quiet); font-weight: 600; }
.dialog-buttons { display: flex; justify-content: flex-end; gap: 8px; margin-top: 20px; }
.keys > div { display: flex; gap: 12px; padding: 3px 0; }
.keys dt { display: flex; gap: 4px; min-width: 100px; }
.evidence-list li { display: flex; align-items: center; gap: 8px; padding: 3px 0; }
.menu { position: fixed; z-index: 15; display: grid; min-width: 190px; max-width: calc(100vw - 16px); padding: 5px; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); box-shadow: 0 10px 34px rgb(0 0 0 / 0.2); }
.menu button { text-align: left; padding: 7px 10px; border: 0; border-radius: 6px; background: none; }
.menu button:hover, .menu button:focus-visible { background: var(--accent-wash); }
.menu [aria-checked="true"] { font-weight: 650; color: var(--accent); }

#toast { position: fixed; left: 50%; bottom: 26px; z-index: 16; max-width: calc(100vw - 32px); padding: 9px 15px; border-radius: 9px; background: light-dark(#20242d, #e6e8ec); color: light-dark(#fff, #14161b); transform: translate(-50%, 80px); opacity: 0; transition: transform 0.2s, opacity 0.2s; pointer-events: none; }
#toast.shown { transform: translate(-50%, 0); opacity: 1; }

.p-startLine { background: var(--p-startLine); }
.p-fields { background: var(--p-fields); }
.p-cookies { background: var(--p-cookies); }
.p-interim { background: var(--p-interim); }
.p-body { background: var(--p-body); }
.p-framing { background: var(--p-framing); }
.swatch { display: inline-block; width: 9px; height: 9px; margin-right: 7px; border-radius: 2.5px; flex: none; }
.legend { display: flex; flex-wrap: wrap; gap: 5px 15px; font-size: 12px; color: var(--quiet); }
.legend li { display: flex; align-items: center; }

/* How sure a size is: full, half, hollow, dotted. */
.mark { display: inline-block; width: 9px; height: 9px; border-radius: 50%; border: 1.5px solid var(--quiet); flex: none; }
.mark.e-captured { background: var(--good); border-color: var(--good); }
.mark.e-reported { background: linear-gradient(90deg, var(--accent) 50%, transparent 50%); border-color: var(--accent); }
.mark.e-reconstructed { border-color: var(--warn); }
.mark.e-nothing { border-color: transparent; }
.mark.e-nothing::before { content: ""; display: block; width: 6px; border-top: 1.5px solid var(--quiet); margin: 2.2px auto 0; }
.mark.e-unknown { border-style: dotted; }

.ph-queue, .ph-dns { background: light-dark(#a5adbb, #767f90); }
.ph-connect { background: light-dark(#7d8799, #949eb0); }
.ph-tls { background: light-dark(#5e6879, #b4bdcc); }
.ph-send { background: var(--up); }
.ph-wait { background: light-dark(#7d94ea, #7189e2); }
.ph-receive { background: var(--p-body); }
.ph-unattributed { background: repeating-linear-gradient(115deg, var(--line) 0 3px, transparent 3px 6px); }

.narrow-only { display: none; }

@media (max-width: 700px) {
  .wide-only { display: none; }
  .narrow-only { display: inline; }
  #nav { order: 3; justify-content: space-between; padding: 3px 4px calc(3px + env(safe-area-inset-bottom)); gap: 0; border-top: 1px solid var(--line); border-bottom: 0; }
  #nav a { flex: 1 1 0; min-width: 0; flex-direction: column; gap: 2px; padding: 6px 0 4px; font-size: 10px; border: 0; margin: 0; }
  #nav a span { max-width: 100%; overflow: hidden; text-overflow: ellipsis; letter-spacing: -0.02em; }
  #nav a[aria-current] { color: var(--accent); }
  #nav .icon { width: 19px; height: 19px; }
  main { order: 2; }
  #header { gap: 8px; padding: 5px 6px 5px 12px; border-bottom: 1px solid var(--line); }
  .counts, .brand b { display: none; }
  .icon-button { width: 36px; height: 36px; }
}
/* The list, its filters, and the strip of time above it. */
.list-page { height: 100%; display: flex; flex-direction: column; min-width: 0; }
.filters { padding: 9px 14px 8px; display: grid; gap: 8px; min-width: 0; }
.filter-row { display: flex; align-items: center; gap: 8px; min-width: 0; }
.search-box { position: relative; display: flex; align-items: center; flex: 1 1 260px; max-width: 440px; min-width: 0; }
.search-box .icon { position: absolute; left: 9px; color: var(--quiet); pointer-events: none; }
.search-box kbd { position: absolute; right: 8px; pointer-events: none; }
.search { width: 100%; height: 30px; padding: 0 30px 0 31px; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--raised); appearance: none; }
.search::placeholder { color: var(--quiet); opacity: 1; }
.search:focus { outline: 2px solid var(--accent); outline-offset: -1px; }
.search:focus + kbd { display: none; }
.filter-tail { display: flex; align-items: center; gap: 6px; margin-left: auto; font-size: 12px; white-space: nowrap; }
.more-filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); gap: 9px 12px; padding: 12px; border: 1px solid var(--line); border-radius: 9px; background: var(--sunk); }
.field { display: grid; gap: 3px; min-width: 0; font-size: 12px; color: var(--quiet); }
.field input:not([type="checkbox"]), .field select { width: 100%; min-width: 0; height: 30px; padding: 0 8px; border: 1px solid var(--line-strong); border-radius: var(--radius); background: var(--raised); color: var(--ink); font-size: 13px; }
.field.check { display: flex; align-items: center; gap: 8px; align-self: end; height: 30px; color: var(--ink); }
.field.check input { width: 16px; height: 16px; accent-color: var(--accent); margin: 0; }
.chips { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.chips li { max-width: 100%; }
.chip { display: inline-flex; align-items: center; gap: 6px; max-width: 100%; height: 25px; padding: 0 7px 0 10px; border: 1px solid transparent; border-radius: 13px; background: var(--accent-wash); color: var(--accent); font-size: 12px; }
.chip:hover { border-color: var(--accent); }
.chip-name { font-weight: 600; white-space: nowrap; }
.chip-value { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.chip .icon { width: 12px; height: 12px; }

.strip { padding: 0 14px 4px; }
.strip-ends { display: flex; justify-content: space-between; gap: 12px; font-size: 11px; line-height: 18px; color: var(--quiet); font-variant-numeric: tabular-nums; white-space: nowrap; overflow: hidden; }
.strip-most { display: flex; gap: 10px; overflow: hidden; text-overflow: ellipsis; }
.strip-most span::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 2px; margin-right: 5px; }
.chart { position: relative; height: 250px; touch-action: pan-y; user-select: none; -webkit-user-select: none; cursor: crosshair; border-radius: 5px; background: var(--sunk); overflow: hidden; }
.chart.small { height: 30px; }
.chart-canvas, .chart-image { position: absolute; inset: 0; display: block; }
.area-up { fill: var(--up); }
.area-down { fill: var(--down); }
.area-requests { fill: var(--up); }
.area-failures, .failure-dot { fill: var(--bad); }
.axis { stroke: var(--line-strong); }
.rule { stroke: var(--line); }
.tick { fill: var(--quiet); font-size: 11px; }
.tick-ground { fill: var(--sunk); }
.brush { position: absolute; top: 0; bottom: 0; background: color-mix(in srgb, var(--accent) 18%, transparent); border: solid var(--accent); border-width: 0 1.5px; pointer-events: none; min-width: 3px; }

.split { flex: 1; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); min-height: 0; }
.list { position: relative; min-height: 0; min-width: 0; container-type: inline-size; }
.grid {
  --row: 28px;
  --columns: 64px 74px minmax(90px, 1.1fr) minmax(120px, 2.6fr) 96px 76px 76px 76px minmax(90px, 1fr) 26px;
  height: 100%; overflow-y: auto; overflow-x: hidden; overscroll-behavior: contain; scrollbar-gutter: stable; overflow-anchor: none;
}
.grid:focus-visible { outline-offset: -2px; }
.head-group { position: sticky; top: 0; z-index: 2; background: var(--paper); border: solid var(--line); border-width: 1px 0; }
.head, .row { display: grid; grid-template-columns: var(--columns); align-items: center; padding: 0 8px 0 14px; }
.head { height: 28px; font-size: 11.5px; font-weight: 550; color: var(--quiet); }
.canvas { position: relative; }
.spacer { width: 1px; }
.row { position: absolute; left: 0; right: 0; top: 0; height: var(--row); border-bottom: 1px solid color-mix(in srgb, var(--line) 55%, transparent); cursor: default; contain: layout paint style; }
.row:hover { background: var(--hover); }
.row.none, .row.broken { background: var(--bad-wash); }
.row[aria-selected="true"] { background: var(--accent-wash); box-shadow: inset 3px 0 0 var(--accent); }
.cell { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; padding-right: 10px; min-width: 0; }
.head .cell { padding-right: 4px; }
.c-up, .c-down, .c-duration { text-align: right; }
.head .c-up .sort, .head .c-down .sort, .head .c-duration .sort { justify-content: flex-end; }
.c-host, .c-type, .c-up, .c-down, .c-duration { color: var(--quiet); }
.row .c-up, .row .c-down, .row .c-duration { color: var(--ink); }
.row .c-method { font-size: 12px; }
.head .c-method { font-weight: 550; font-size: inherit; }
.head .c-evidence span { width: 1px; overflow: hidden; color: transparent; }
.head .c-waterfall { padding-left: 8px; }
.row .c-waterfall { overflow: visible; align-self: stretch; position: relative; margin-left: 8px; padding: 0; }
.c-evidence { padding: 0; display: grid; place-items: center; }
.sort { display: flex; align-items: center; gap: 4px; width: 100%; height: 26px; padding: 0; border: 0; background: none; font: inherit; color: inherit; overflow: hidden; }
.sort:hover { color: var(--ink); }
.sort:focus-visible { outline-offset: -2px; }
.head [aria-sort$="ending"] { color: var(--ink); }
.arrow { border: 4px solid transparent; flex: none; }
.arrow.ascending { border-bottom-color: currentColor; margin-top: -4px; }
.arrow.descending { border-top-color: currentColor; margin-bottom: -4px; }
.row.empty::after { content: ""; position: absolute; left: 14px; right: 30%; top: 10px; height: 8px; border-radius: 4px; background: var(--line); opacity: 0.7; }

/* Status: what went well is quiet. */
.row .c-status { font-weight: 600; }
.s2 .c-status { color: var(--good); }
.s1 .c-status, .s3 .c-status { color: var(--moved); }
.s4 .c-status { color: var(--warn); }
.s5 .c-status, .none .c-status, .broken .c-status { color: var(--bad); }
.running .c-status, .row.running .c-duration { color: var(--accent); }
.none .c-type { color: var(--bad); }
.row.running .c-duration { font-size: 12px; }

.bar { position: absolute; top: 9px; bottom: 9px; min-width: 3px; border-radius: 2px; background: light-dark(#d3d9e4, #3a414f); overflow: hidden; }
.bar i { position: absolute; top: 0; bottom: 0; }
.running .bar { background: repeating-linear-gradient(115deg, var(--accent) 0 4px, var(--up) 4px 8px); }
.none .bar, .broken .bar { background: color-mix(in srgb, var(--bad) 45%, transparent); outline: 1.5px solid var(--bad); }

.note code { display: inline-block; margin: 8px 0; user-select: all; -webkit-user-select: all; pointer-events: auto; }
.note { position: absolute; left: 20px; right: 20px; top: 30%; text-align: center; color: var(--quiet); font-size: 14px; pointer-events: none; }
.fresh { position: absolute; top: 38px; left: 50%; transform: translateX(-50%); z-index: 3; display: inline-flex; align-items: center; gap: 6px; height: 30px; padding: 0 14px; border: 0; border-radius: 15px; background: var(--accent); color: var(--accent-ink); font-size: 12px; font-weight: 600; box-shadow: 0 4px 16px rgb(0 0 0 / 0.22); }

/* Narrower than a table: what is left out stands in the details. */
@container (max-width: 900px) {
  .grid { --columns: 56px 66px minmax(90px, 1fr) minmax(120px, 2.2fr) 0 72px 72px 72px minmax(60px, 0.8fr) 26px; }
  .c-type { visibility: hidden; padding: 0; }
}
@container (max-width: 720px) {
  .grid { --columns: 54px 64px minmax(90px, 1fr) minmax(120px, 1.6fr) 0 70px 72px 74px 0 26px; }
  .c-waterfall { visibility: hidden; padding: 0 !important; margin: 0 !important; }
}
@container (max-width: 560px) {
  .grid { --columns: 52px 62px 0 minmax(120px, 1fr) 0 0 72px 72px 0 24px; }
  .c-host, .c-up { visibility: hidden; padding: 0 !important; margin: 0 !important; }
}
@media (max-width: 700px) {
  .filters { padding: 8px 10px; }
  .filter-row { flex-wrap: wrap; }
  .search-box { flex-basis: 100%; max-width: none; }
  .search, .field input:not([type="checkbox"]), .field select { font-size: 16px; }
  .search { height: 36px; }
  .search-box kbd { display: none; }
  .filters .segments { flex: 1 1 100%; order: 2; }
  .filters .segments button { flex: 1 1 auto; height: 32px; padding: 0 2px; font-size: 12px; }
  .filters .button { order: 3; height: 32px; }
  .filter-tail { order: 4; }
  .more-filters { grid-template-columns: 1fr 1fr; max-height: 40vh; overflow-y: auto; }
  .strip { padding: 0 10px 8px; }
  .grid { --row: 52px; scrollbar-gutter: auto; }
  .head { display: none; }
  .head-group { border-width: 1px 0 0; }
  .grid .row {
    grid-template: "status path path duration" 24px "method host up down" 20px / 46px minmax(0, 1fr) auto auto;
    padding: 4px 12px; align-content: center; column-gap: 8px;
  }
  .row .cell { padding: 0; visibility: visible; }
  .row .c-status { grid-area: status; }
  .row .c-method { grid-area: method; font-size: 11px; color: var(--quiet); }
  .row .c-path { grid-area: path; font-weight: 500; }
  .row .c-host { grid-area: host; font-size: 12px; }
  .row .c-duration { grid-area: duration; font-size: 12px; }
  .row .c-up { grid-area: up; font-size: 12px; color: var(--quiet); }
  .row .c-down { grid-area: down; font-size: 12px; color: var(--quiet); }
  .row .c-up::before { content: "↑ "; }
  .row .c-down::before { content: "↓ "; }
  .row .c-type, .row .c-waterfall { display: none; }
  .row .c-evidence { position: absolute; left: 36px; bottom: 10px; display: none; }
}
/* The pane beside the list. */
.detail { display: grid; grid-template-rows: auto auto auto minmax(0, 1fr); min-height: 0; min-width: 0; border: solid var(--line); border-width: 1px 0 0 1px; background: var(--paper); }
@media (min-width: 701px) {
  .with-detail .split { grid-template-columns: minmax(0, 1fr) minmax(420px, 46%); }
}
.detail-bar { display: flex; align-items: center; gap: 5px; padding: 7px 8px 3px; min-width: 0; }
.detail-number { color: var(--quiet); font-size: 12px; margin-left: 4px; }
.detail-title { display: flex; gap: 9px; padding: 4px 16px 10px; font-size: 13.5px; font-weight: 500; line-height: 1.4; min-width: 0; max-height: 92px; overflow-y: auto; }
.detail-title b { font-weight: 650; flex: none; }
.detail-url { overflow-wrap: anywhere; font-family: var(--mono); font-size: 12px; line-height: 1.6; }
.tabs { display: flex; gap: 2px; padding: 0 10px; border-bottom: 1px solid var(--line); }
.tabs button { padding: 6px 9px 8px; border: 0; border-bottom: 2px solid transparent; margin-bottom: -1px; background: none; color: var(--quiet); font-weight: 520; }
.tabs button[aria-selected="true"] { color: var(--ink); border-bottom-color: var(--accent); }
.tabs button:hover { color: var(--ink); }
.detail-body { overflow: auto; overscroll-behavior: contain; padding: 16px; min-height: 0; }
.detail-body:focus-visible { outline-offset: -2px; }
.detail > .error { padding: 20px; }
.overview { display: grid; gap: 24px; }
.detail h3 a { color: inherit; text-decoration: underline dotted; text-underline-offset: 3px; }
.detail h3 { font-size: 13px; font-weight: 620; letter-spacing: -0.005em; margin-bottom: 10px; }

.size-row { display: grid; grid-template-columns: 46px minmax(0, 1fr) 74px; align-items: center; gap: 10px; margin-bottom: 6px; }
.size-direction { color: var(--quiet); font-size: 12px; }
.size-total { text-align: right; font-weight: 600; }
.size-track { height: 18px; background: var(--sunk); border-radius: 4px; overflow: hidden; }
.size-bar { display: flex; gap: 1px; height: 100%; }
.size-bar i { flex: 1 1 0; min-width: 2px; }
.parts { width: 100%; margin-top: 12px; border-collapse: collapse; }
.parts th { text-align: left; font-weight: 450; }
.parts th, .parts td { padding: 4px 0; border-bottom: 1px solid var(--line); }
.parts td, .parts thead th + th { text-align: right; }
.parts thead th { color: var(--quiet); font-size: 12px; }
.parts tfoot th, .parts tfoot td { font-weight: 620; border-bottom: 0; vertical-align: top; }
.evidence { display: flex; align-items: center; justify-content: flex-end; gap: 6px; font-size: 12px; font-weight: 400; color: var(--quiet); }
.phase { display: grid; grid-template-columns: 128px minmax(0, 1fr) 74px; align-items: center; gap: 10px; height: 24px; }
.phase > span:first-child { color: var(--quiet); font-size: 12px; }
.phase b { text-align: right; font-weight: 450; }
.phase-total b { font-weight: 620; }
.phase-track { position: relative; height: 10px; background: var(--sunk); border-radius: 3px; }
.phase-total .phase-track { background: none; }
.phase-track i { position: absolute; top: 0; bottom: 0; min-width: 2px; border-radius: 2px; }
.hops { display: grid; gap: 2px; border-left: 2px solid var(--line); padding-left: 8px; }
.hop { display: flex; gap: 10px; padding: 4px 8px; border-radius: 5px; color: var(--ink); min-width: 0; }
.hop[aria-current] { background: var(--accent-wash); }
.hop-url { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; }
.hop-size { color: var(--quiet); white-space: nowrap; }
.facts > div { display: grid; grid-template-columns: 110px minmax(0, 1fr); gap: 10px; padding: 3px 0; }
.facts dt { color: var(--quiet); }
.facts dd { overflow-wrap: anywhere; }

.heads { display: grid; gap: 20px; }
.raw { font: 12px/1.65 var(--mono); padding: 10px 12px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--sunk); overflow-wrap: anywhere; white-space: pre-wrap; margin: 0; }
pre.raw { overflow: auto; }
.raw-start { font-weight: 650; }
.raw-name { color: var(--quiet); }
mark { background: light-dark(#fbe7c2, #4a3a16); color: light-dark(#6d4300, #f6cd80); border-radius: 3px; padding: 0 3px; }
.curl { width: 100%; margin: 8px 0 16px; }
.pairs { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: 12px; }
.pairs th, .pairs td { text-align: left; padding: 5px 8px 5px 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; vertical-align: top; font-weight: 400; }
.pairs thead th { color: var(--quiet); }
.pairs tbody { font-family: var(--mono); }
.pairs tbody th { color: var(--quiet); }
.pairs th:first-child { width: 34%; }

.bodies { display: grid; gap: 12px; }
.body-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.body-place { display: grid; gap: 10px; min-width: 0; }
.picture { display: block; max-width: 100%; max-height: 60vh; border: 1px solid var(--line); border-radius: var(--radius); background: repeating-conic-gradient(light-dark(#eef0f3, #22262e) 0 25%, var(--paper) 0 50%) 0 / 18px 18px; }
.paged { display: grid; gap: 8px; min-width: 0; }
.pager { display: flex; flex-wrap: wrap; align-items: center; gap: 4px; font-size: 12px; color: var(--quiet); }
.tree { font: 12px/1.7 var(--mono); overflow-wrap: anywhere; }
.tree ul { padding-left: 16px; border-left: 1px solid var(--line); margin-left: 4px; }
.j-toggle { border: 0; background: none; padding: 0 4px 0 0; font: inherit; text-align: left; border-radius: 4px; overflow-wrap: anywhere; }
.j-toggle::before { content: ""; display: inline-block; border: 4px solid transparent; border-left-color: var(--quiet); margin-right: 4px; vertical-align: 0; }
[aria-expanded="true"] > .j-toggle::before { border-color: transparent; border-top-color: var(--quiet); vertical-align: -3px; }
.j-leaf { padding-left: 12px; }
.j-key { color: light-dark(#3450c2, #a5b6ff); }
.j-index, .j-null { color: var(--quiet); }
.j-string { color: light-dark(#0c7560, #5fd0b4); }
.j-number { color: light-dark(#94590a, #f0b44c); }
.j-boolean { color: light-dark(#7b4cc4, #c3a5ff); }
.j-sum, .j-sum small { color: var(--quiet); }
.j-sum small { padding: 0 5px; font-size: 11px; }

@media (max-width: 700px) {
  .detail { position: fixed; inset: 0; z-index: 10; border: 0; padding-bottom: env(safe-area-inset-bottom); }
  .detail-body { padding: 14px 12px; }
  .detail-title { padding: 4px 12px 8px; }
  .facts > div { grid-template-columns: 88px minmax(0, 1fr); }
}
/* Sums: APIs, the map, the timeline, findings, comparisons, connections. */
.page { padding: 22px 24px 40px; max-width: 1240px; margin: 0 auto; min-width: 0; }
.page-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: 6px 16px; margin-bottom: 16px; }
.page-head h1 { font-size: 20px; font-weight: 650; letter-spacing: -0.02em; }
.page-head .segments, .page-head .tools { margin-left: auto; }
.tools { display: flex; flex-wrap: wrap; gap: 6px; }
.page h2 { display: flex; gap: 16px; align-items: baseline; font-size: 13px; font-weight: 620; margin: 22px 0 8px; }
.page h2 span { font-weight: 450; font-size: 12px; color: var(--quiet); }
.page h2 span::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 2.5px; margin-right: 6px; }
.key-up::before { background: var(--up); }
.key-down::before { background: var(--down); }
.key-failures::before { background: var(--bad); }
.order { font-size: 12px; margin-bottom: 6px; }
.command { display: inline-block; max-width: 100%; margin-top: 10px; padding: 6px 10px; border-radius: 6px; background: var(--sunk); color: var(--ink); font: 12.5px/1.4 var(--mono); overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
.empty { padding: 60px 20px; text-align: center; color: var(--quiet); font-size: 14px; }

.table { width: 100%; border-collapse: collapse; }
.table th, .table td { padding: 8px 0 8px 14px; border-bottom: 1px solid var(--line); text-align: right; font-weight: 400; white-space: nowrap; vertical-align: middle; }
.table thead th { color: var(--quiet); font-size: 12px; padding-top: 0; padding-bottom: 4px; }
.table thead .sort { justify-content: flex-end; }
.table th:first-child { padding-left: 0; text-align: left; }
.table th:first-child .sort { justify-content: flex-start; }
.table [aria-sort] { color: var(--ink); }
.table tbody tr:hover { background: var(--hover); }
.table small { display: block; color: var(--quiet); font-size: 12px; white-space: normal; overflow-wrap: anywhere; }
.table a { color: var(--ink); }
.table th[scope="row"] { white-space: normal; overflow-wrap: anywhere; min-width: 0; }
.t-template { font-weight: 550; }
.zero { color: var(--quiet); }
.table .t-share { width: 22%; }
.table .t-share .sort { justify-content: flex-start; padding-left: 6px; }
.t-share { text-align: left; }
td.t-share { display: table-cell; }
.share-track { display: inline-block; width: calc(100% - 70px); height: 12px; vertical-align: -2px; }
.share-bar { display: flex; height: 100%; border-radius: 3px; overflow: hidden; }
.share-bar i { flex: 1 1 0; min-width: 0; }
.share-text { display: inline-block; width: 62px; text-align: right; }
.t-spark { width: 110px; }
.spark { width: 96px; height: 20px; fill: var(--down); }

.treemap { position: relative; height: min(62vh, 620px); min-height: 340px; margin-top: 12px; }
.map-host, .map-api, .map-api i, .map-others { position: absolute; overflow: hidden; }
.map-host { background: var(--sunk); border-radius: 6px; outline: 1px solid var(--line); outline-offset: -1px; }
.map-host-name { position: absolute; inset: 0 0 auto; display: flex; gap: 8px; justify-content: space-between; height: 22px; padding: 2px 8px; font-size: 12px; color: var(--ink); white-space: nowrap; overflow: hidden; }
.map-host-name b { overflow: hidden; text-overflow: ellipsis; }
.map-host-name span { color: var(--quiet); }
.map-api { display: block; background: var(--raised); border-radius: 4px; color: var(--ink); }
.map-api:hover { outline: 2px solid var(--ink); outline-offset: -2px; z-index: 1; text-decoration: none; }
.map-api:focus-visible { outline-offset: -2px; z-index: 1; }
.map-api-name { position: absolute; inset: 0 0 auto; height: 20px; padding: 2px 6px; font-size: 11.5px; line-height: 16px; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.map-api-name b { font-weight: 620; }
.map-api-name em { font-style: normal; color: var(--quiet); margin-left: 8px; }
.map-api i { box-shadow: inset 0 0 0 0.5px var(--raised); opacity: 0.74; }
.map-others { background: repeating-linear-gradient(45deg, var(--line) 0 3px, transparent 3px 7px); }
.map-table { margin-top: 18px; }
.map-table summary { cursor: pointer; color: var(--quiet); padding: 6px 0; }

.tip { position: absolute; top: 8px; z-index: 2; display: grid; gap: 1px; margin-left: 12px; padding: 7px 10px; border: 1px solid var(--line); border-radius: 7px; background: var(--raised); font-size: 12px; pointer-events: none; white-space: pre; box-shadow: 0 4px 16px rgb(0 0 0 / 0.12); }
.tip.left { transform: translateX(calc(-100% - 24px)); }
.chart-requests { height: 150px; }
.facts-line { font-size: 12px; }

.findings { display: grid; gap: 2px; }
.finding { display: grid; grid-template-columns: 120px minmax(0, 1fr); gap: 22px; padding: 16px 0; border-bottom: 1px solid var(--line); }
.finding-saving { display: grid; align-content: start; gap: 1px; }
.finding-saving b { font-size: 15px; font-weight: 650; letter-spacing: -0.01em; }
.finding-saving b + b { font-size: 13px; font-weight: 500; color: var(--quiet); }
.finding-saving small { color: var(--quiet); }
.finding-bar { display: block; height: 4px; margin-top: 6px; border-radius: 2px; background: var(--sunk); overflow: hidden; }
.finding-bar i { display: block; height: 100%; background: var(--accent); }
.finding-text { display: grid; gap: 5px; }
.finding-head { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; overflow-wrap: anywhere; }
.rule { font: 12px/1.4 var(--mono); color: var(--quiet); }
.alarm .rule { color: var(--bad); }
.alarm .finding-bar i { background: var(--bad); }
.problem { font-size: 14px; overflow-wrap: anywhere; }
.remedy { color: var(--quiet); overflow-wrap: anywhere; }
.finding .quiet { font-size: 12px; }
.evidence-links { display: flex; flex-wrap: wrap; gap: 3px 9px; font-size: 12px; color: var(--quiet); }
.detail .finding { grid-template-columns: 80px minmax(0, 1fr); gap: 14px; }

.delta { font-weight: 600; }
.audit-order { margin-bottom: 4px; }
.compare-same { margin-top: 14px; }
.compare-same button { padding: 4px 0; border: 0; background: none; font: inherit; color: var(--accent); }
.empty + .compare-same { text-align: center; margin-top: -40px; }
.delta.more { color: var(--bad); }
.delta.less { color: var(--good); }
.delta.new, .delta.gone { color: var(--accent); }
.delta.same { color: var(--quiet); font-weight: 400; }

.connections .t-remote { text-align: left; white-space: normal; overflow-wrap: anywhere; }
.connections .t-ledger { width: 36%; text-align: left; }
.connections .toggle { border: 0; padding: 0; background: none; color: var(--ink); text-align: left; overflow-wrap: anywhere; }
.connections .toggle:hover { text-decoration: underline; }
.connections .toggle::before { content: ""; display: inline-block; width: 0; height: 0; margin-right: 8px; border: 4px solid transparent; border-left-color: var(--quiet); border-right-width: 0; }
.connections .toggle[aria-expanded="true"]::before { transform: rotate(90deg); }
.connections tr.opened > * { border-bottom-color: transparent; }
.connections tr.opened-ledger:hover { background: none; }
.connections .opened-ledger > td { padding: 2px 0 22px; text-align: left; white-space: normal; }
.ledger-bar { display: flex; gap: 1px; height: 12px; background: var(--sunk); border-radius: 3px; overflow: hidden; }
.ledger-bar.large { height: 20px; border-radius: 4px; }
.ledger-bar i { flex: 1 1 0; min-width: 1px; }
.ledger-bar.unknown { opacity: 0.5; }
.l-messagesUp { background: var(--up); }
.l-messages, .l-messagesDown { background: var(--down); }
.l-other { background: repeating-linear-gradient(45deg, var(--down) 0 3px, var(--up) 3px 6px); }
.ledger-legend { margin-bottom: 10px; }
.ledger-bar .odd { opacity: 0.72; }
.l-tls { background: light-dark(#c9953a, #b9863a); }
.l-http2 { background: light-dark(#6aa896, #4f8f7d); }
.l-socksOverhead { background: light-dark(#a0703c, #94683a); }
.l-proxyProtocolOverhead { background: light-dark(#7d7550, #8a815a); }
.l-proxyTLSOverhead { background: light-dark(#b59a5e, #9d8450); }
.l-websocketOverhead { background: light-dark(#5f9ea0, #4f8789); }
.l-websocketPayload { background: light-dark(#8fbf9f, #6f9f80); }
.l-upgraded { background: light-dark(#7d8fc4, #6578ad); }
.l-afterMessage { background: light-dark(#a98ab8, #8a6d9a); }
.l-unaccounted { background: var(--bad); }
.ledger { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 14px 32px; }
.ledger > .ledger-bar { grid-column: 1 / -1; }
.ledger .evidence { justify-content: flex-start; }
.ledger > .ledger-about { grid-row: 2 / 4; grid-column: 2; }
.ledger h3 { font-size: 12px; font-weight: 550; color: var(--quiet); margin: 0 0 4px; }
.ledger .parts { margin-top: 0; }
.connections .ledger .parts th, .connections .ledger .parts td { padding: 3px 0; white-space: normal; }
.connections .ledger .parts th[scope="row"] { text-align: left; }
.carried { display: grid; gap: 1px; margin-bottom: 6px; }
.carried li { display: flex; gap: 10px; min-width: 0; }
.carried a { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; flex: 1; min-width: 0; }
.carried span { color: var(--quiet); white-space: nowrap; }
.wide { margin: 16px auto; display: flex; }

@media (max-width: 900px) {
  .t-p50, .t-spark { display: none; }
  .table .t-share { width: 26%; }
}
@media (max-width: 700px) {
  .page { padding: 16px 12px 32px; }
  .page-head h1 { font-size: 18px; }
  .page-head .segments { margin: 6px 0 0; flex: 1 1 100%; }
  .page-head .segments button { flex: 1; }
  .page-head .tools { margin: 6px 0 0; }
  .table th, .table td { padding-left: 8px; }
  .t-p95, .t-failures, .t-failureRate, .compare .t-requests, .compare .t-before, .connections .t-exchanges, .connections .t-roundTrip { display: none; }
  .apis thead { display: none; }
  .apis, .apis tbody { display: block; }
  .apis tr { display: grid; grid-template-columns: repeat(3, auto) minmax(0, 1fr); gap: 2px 14px; padding: 10px 0; border-bottom: 1px solid var(--line); }
  .apis tr > * { border: 0 !important; padding: 0 !important; text-align: left !important; }
  .apis .t-api, .apis .t-share { grid-column: 1 / -1; width: auto !important; }
  .apis .t-share { order: 1; }
  .apis td[data-label]::before { content: attr(data-label) " "; color: var(--quiet); font-size: 12px; }
  .connections .t-ledger { width: 26%; }
  .ledger { grid-template-columns: minmax(0, 1fr); }
  .ledger > .ledger-about { grid-row: auto; grid-column: auto; }
  .connections .t-id, .connections .t-remote small { display: none; }
  .connections .t-remote { padding-left: 0; }
  .finding, .detail .finding { grid-template-columns: minmax(0, 1fr); gap: 8px; }
  .finding-saving { display: flex; gap: 10px; align-items: baseline; flex-wrap: wrap; }
  .finding-bar { flex: 1 1 100%; margin: 0; }
  .treemap { height: 58vh; }
}

"""##),
        "app.a32c661e8148.js": PageAsset("text/javascript; charset=utf-8", tag: nil, ##"""
const $messages_server = (() => {
// What the server says by the name of a phrase: the audit's sentences, and what it refuses. Part of the message table.
// The English ones are word for word those of the server.

/** @type {Record<string, [english: string, chinese: string]>} */
const serverMessages = {
  "complete.say.exact": ["{share} of {total} was captured, exact to the byte.", "{total} 中 {share} 为捕获，精确到字节。"],
  "complete.say.captured": ["{share} of {total} was captured.", "{total} 中 {share} 为捕获。"],
  "complete.say.partly": [
    "{share} of {total} was captured; ~ marks sums of which a part is reported or reconstructed.",
    "{total} 中 {share} 为捕获；带 ~ 的总数含有上报或重建的部分。",
  ],
  "complete.say.missing": [
    "{size} on {count} connections belong to no message, most of them on {connections}.",
    "{count} 个连接上有 {size} 不属于任何消息，主要在{connections}。",
  ],
  "complete.say.missingOne": ["{size} on {connections} belong to no message.", "{connections}上有 {size} 不属于任何消息。"],
  "complete.say.excess": [
    "The messages of {count} connections have {size} more than the kernel counted.",
    "{count} 个连接的消息比内核统计多 {size}。",
  ],
  "complete.say.excessOne": [
    "The messages of {connections} have {size} more than the kernel counted.",
    "{connections}的消息比内核统计多 {size}。",
  ],
  "complete.say.unknown": ["The kernel's count of {count} connections is not known.", "{count} 个连接没有内核统计。"],
  "complete.say.unknownOne": ["The kernel's count of 1 connection is not known.", "1 个连接没有内核统计。"],
  "complete.say.unproven": [
    "On {count} connections the bytes inside TLS were not counted, so their ledgers prove nothing.",
    "{count} 个连接的 TLS 内字节未统计，其明细账不能证明什么。",
  ],
  "complete.say.unprovenOne": [
    "On 1 connection the bytes inside TLS were not counted, so its ledger proves nothing.",
    "1 个连接的 TLS 内字节未统计，其明细账不能证明什么。",
  ],
  "complete.say.partlyUnknown": ["Part of the size of {count} messages is not known.", "{count} 条消息的部分大小未知。"],
  "complete.say.partlyUnknownOne": ["Part of the size of 1 message is not known.", "1 条消息的部分大小未知。"],
  "complete.say.named": ["The connections also carried {parts}.", "连接还承载了{parts}。"],
  "audit.say.cancelled": ["{Calls} were cancelled after {size} on average had arrived.", "{Calls}在平均收到 {size} 后被取消。"],
  "audit.say.cancelledRemedy": [
    "Request it later, request less, or resume with a Range request instead of starting again.",
    "推迟请求、减少请求量，或用 Range 请求续传而不是重新开始。",
  ],
  "audit.say.notReused": [
    "{Calls} opened a connection while another to the same host lay idle; the handshakes took {time} each.",
    "{Calls}在同一主机已有空闲连接时新建了连接；每次握手耗时 {time}。",
  ],
  "audit.say.notReusedClosed": [
    "{Calls} opened a connection while another to the same host lay idle; the handshakes took {time} each, and the server closes with 'Connection: close'.",
    "{Calls}在同一主机已有空闲连接时新建了连接；每次握手耗时 {time}，且服务器以“Connection: close”关闭连接。",
  ],
  "audit.say.notReusedRemedy": [
    "Use one client or session for all calls, and read each response to its end.",
    "所有调用共用一个客户端或会话，并把每个响应读到结尾。",
  ],
  "audit.say.notReusedServerRemedy": ["Let the server keep connections open.", "让服务器保持连接打开。"],
  "audit.say.failed": ["{Calls} failed ({kinds}).", "{Calls}失败（{kinds}）。"],
  "audit.say.failedRemedy": [
    "Look into the failures with 'wireweight show'; let calls that cannot succeed fail before they are sent.",
    "用“wireweight show”查看失败原因；注定失败的调用不要发出。",
  ],
  "audit.say.refusedRemedy": [
    "Do not send what the server will refuse: check before, and remember a refusal.",
    "不要发送服务器会拒绝的请求：事先检查，并记住被拒绝的结果。",
  ],
  "audit.say.identical": [
    "The same URL was requested again within {time}, with the same response, in {calls}.",
    "{calls}在 {time} 内再次请求同一 URL，得到相同的回答。",
  ],
  "audit.say.identicalRemedy": [
    "Share one call among callers that need it at the same time, and keep its response for a moment.",
    "让同时发起的请求共用一次调用，并将结果短暂保留。",
  ],
  "audit.say.largeImages": ["Images of {size} on average come in {calls} ({kinds}).", "{calls}下载平均 {size} 的图像（{kinds}）。"],
  "audit.say.largeImagesRemedy": ["Serve them in the size that is shown, as WebP or AVIF.", "按显示尺寸以 WebP 或 AVIF 提供图像。"],
  "audit.say.largeImagesSource": ["what is above {size} an image", "每张图像超出 {size} 的部分"],
  "audit.say.manyConnections": [
    "Up to {most} connections at once go to this host with HTTP/1.1; {count} were opened because the others were busy.",
    "以 HTTP/1.1 同时连接此主机最多达 {most} 个；其中 {count} 个因其他连接忙而打开。",
  ],
  "audit.say.manyConnectionsRemedy": [
    "Switch on HTTP/2 at the server, and let the client negotiate it: all calls share one connection.",
    "在服务器上启用 HTTP/2 并由客户端协商：所有调用共用一个连接。",
  ],
  "audit.say.firstPartyCookies": [
    "First-party cookies of {size} on average travel with {calls}, {sum} in all.",
    "{calls}携带平均 {size} 的第一方 Cookie，共 {sum}。",
  ],
  "audit.say.firstPartyCookiesRemedy": [
    "Keep a session's number in the cookie and the rest on the server, or narrow Path and Domain.",
    "Cookie 中只保留会话编号，其余存放在服务器，或缩小 Path 与 Domain 范围。",
  ],
  "audit.say.thirdPartyCookies": [
    "Third-party cookies of {size} on average travel with {calls}, {sum} in all.",
    "{calls}携带平均 {size} 的第三方 Cookie，共 {sum}。",
  ],
  "audit.say.thirdPartyCookiesRemedy": [
    "Keep no cookies for this host, unless it needs them to respond.",
    "不要为此主机保存 Cookie，除非它需要 Cookie 才能回答。",
  ],
  "audit.say.requestFields": [
    "The headers of a request, without cookies, take {size} on average in {calls}: {lines}.",
    "{calls}的请求标头（不含 Cookie）平均占 {size}：{lines}。",
  ],
  "audit.say.requestFieldsRemedy": [
    "Shorten or leave out the largest; what never changes can be sent once, or kept by the server.",
    "缩短或省去最大的标头；从不变化的内容可以只发一次，或由服务器保存。",
  ],
  "audit.say.redirects": ["{Calls} only led to another URL ({kinds}).", "{Calls}只是被重定向（{kinds}）。"],
  "audit.say.secureRedirectRemedy": [
    "Request the https URL directly; HSTS makes browsers do so.",
    "直接使用 https 请求；HSTS 可让浏览器这样做。",
  ],
  "audit.say.slashRedirectRemedy": [
    "Spell the URL as the server does, with or without the slash at its end.",
    "按服务器的写法书写 URL，末尾有无斜杠要一致。",
  ],
  "audit.say.chainRedirectRemedy": [
    "Let the first redirect lead to the last URL, or request that URL directly.",
    "让第一次重定向直达终点，或直接请求最后的 URL。",
  ],
  "audit.say.permanentRedirectRemedy": [
    "Request the URL that the server names; it says that the move is permanent.",
    "请求服务器指明的 URL；服务器表示它不会再变。",
  ],
  "audit.say.redirectRemedy": [
    "Request the target directly if it is known, or let the server respond without a redirect.",
    "已知目标时直接请求它，或让服务器就地回答。",
  ],
  "audit.say.repeatedAsked": [
    "The same body came again in {calls}, {size} in all, although the client asked whether it had changed.",
    "{calls}再次收到相同的正文，共 {size}，尽管客户端询问过它是否改变。",
  ],
  "audit.say.repeatedAskedRemedy": [
    "Let the server answer 304 when If-None-Match or If-Modified-Since still holds.",
    "当 If-None-Match 或 If-Modified-Since 仍成立时，让服务器回答 304。",
  ],
  "audit.say.repeatedUnnamed": [
    "The same body came again in {calls}, {size} in all; the responses carry neither ETag nor Last-Modified.",
    "{calls}再次收到相同的正文，共 {size}；响应既没有 ETag 也没有 Last-Modified。",
  ],
  "audit.say.repeatedUnnamedRemedy": [
    "Let the server send an ETag, or 'Cache-Control: max-age', and keep the body.",
    "让服务器发送 ETag 或“Cache-Control: max-age”，并保留正文。",
  ],
  "audit.say.retries": [
    "{count} retries followed failed attempts ({kinds}); none of them failed as well.",
    "失败后重试 {count} 次（{kinds}）；重试均未再失败。",
  ],
  "audit.say.retriesFailed": [
    "{count} retries followed failed attempts ({kinds}); {failed} of them failed as well.",
    "失败后重试 {count} 次（{kinds}）；其中 {failed} 次再次失败。",
  ],
  "audit.say.retriesRemedy": [
    "Retry only what can succeed, with growing pauses; resume uploads where they broke off.",
    "只重试可能成功的调用，间隔逐次加长；上传从中断处续传。",
  ],
  "audit.say.slowLookup": [
    "The name lookup took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "域名解析在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowLookupRemedy": [
    "Use a caching resolver on the machine or in its network, give the name a longer TTL, look it up before it is needed (DNS prefetch), connect by address where it is fixed, and use fewer host names.",
    "在本机或其网络中使用带缓存的解析器，延长该名称的 TTL，提前解析（DNS 预取），地址固定时直接用地址连接，并减少主机名。",
  ],
  "audit.say.slowConnect": [
    "The TCP handshake took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "TCP 握手在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowConnectRemedy": [
    "Keep connections open and use them again, open them before they are needed (preconnect), let all calls share one with HTTP/2, and serve from a region or CDN near the clients.",
    "保持并复用连接，提前建立连接（预连接），用 HTTP/2 让所有调用共用一个连接，并从靠近客户端的区域或 CDN 提供服务。",
  ],
  "audit.say.slowTLS": [
    "The TLS handshake took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of the calls to this host.",
    "TLS 握手在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占此主机全部调用总时间的 {share}。",
  ],
  "audit.say.slowTLSRemedy": [
    "Resume sessions (tickets), use TLS 1.3, which needs one round trip less, send a short certificate chain, and keep connections open; HTTP/2 needs one handshake for all calls.",
    "恢复会话（票据），使用少一次往返的 TLS 1.3，发送较短的证书链，并保持连接打开；使用 HTTP/2 时所有调用只需一次握手。",
  ],
  "audit.say.slowServer": [
    "The server's first byte took more than {limit}, {time} on average, in {count} of {all} cases; it is {share} of all the time of these calls.",
    "服务器首字节在 {all} 次中有 {count} 次超过 {limit}，平均 {time}；占这些调用总时间的 {share}。",
  ],
  "audit.say.slowServerRemedy": [
    "Find out what the server does before its first byte (queries, calls to other services, a cold start); cache the answer, work in parallel, or send the response while it is made.",
    "查明服务器在首字节之前做什么（查询、调用其他服务、冷启动）；缓存回答、并行处理，或边生成边发送响应。",
  ],
  "audit.say.tampering": ["Something between client and server changed {calls}: {kinds}.", "客户端与服务器之间有东西改动了{calls}：{kinds}。"],
  "audit.say.tamperingRemedy": [
    "Use https without exceptions; where it was used, find out whose certificate was trusted.",
    "一律使用 https；若已使用，请查明信任了谁的证书。",
  ],
  "audit.say.uncodedAsked": [
    "{Kind} of {size} on average came uncompressed in {calls}, although the client accepts compression.",
    "{calls}收到平均 {size} 的 {Kind}，未经内容编码，尽管客户端要求编码。",
  ],
  "audit.say.uncodedAskedRemedy": ["Let the server compress {kind} with gzip or better.", "让服务器用 gzip 或更好的方式压缩 {kind}。"],
  "audit.say.uncodedUnasked": [
    "{Kind} of {size} on average came uncompressed in {calls}; the client could ask for compression.",
    "{calls}收到平均 {size} 的 {Kind}，未经内容编码，而客户端本可要求编码。",
  ],
  "audit.say.uncodedUnaskedRemedy": [
    "Send 'Accept-Encoding: gzip' and decode, or leave that header to the HTTP library.",
    "发送“Accept-Encoding: gzip”并解码，或把该标头交给 HTTP 库。",
  ],
  "audit.say.uncodedUpload": [
    "{Kind} of {size} on average was uploaded uncompressed in {calls}.",
    "{calls}上传平均 {size} 的 {Kind}，未经内容编码。",
  ],
  "audit.say.uncodedUploadRemedy": [
    "Compress the body and send 'Content-Encoding: gzip', if the server takes it.",
    "若服务器接受，压缩正文并发送“Content-Encoding: gzip”。",
  ],
  "audit.say.tinyChunks": [
    "Chunks are so small that their framing adds {share} to the body in {calls}.",
    "{calls}的分块过小，分帧使正文增加 {share}。",
  ],
  "audit.say.tinyChunksRemedy": [
    "Let the server fill a buffer before it writes, or send a Content-Length.",
    "让服务器填满缓冲区再写出，或发送 Content-Length。",
  ],
  "audit.say.polling": [
    "The same URL is requested every {time}, and the response did not change in {calls}.",
    "每 {time} 请求一次同一 URL，{calls}的回答没有变化。",
  ],
  "audit.say.pollingRemedy": [
    "Poll less often, let the interval grow while nothing changes, or have the server push changes.",
    "降低请求频率，没有变化时逐渐加长间隔，或由服务器推送变化。",
  ],
  "audit.say.validators": [
    "The same body came again in {calls}, {size} in all, although the earlier response carried an ETag or Last-Modified.",
    "{calls}再次收到相同的正文，共 {size}，尽管先前的响应已标明其版本。",
  ],
  "audit.say.validatorsRemedy": [
    "Keep the response and send If-None-Match or If-Modified-Since; a 304 has no body.",
    "保留响应，并用 If-None-Match 或 If-Modified-Since 询问；304 没有正文。",
  ],
  "audit.say.counted": ["counted on the wire", "按线上字节计数"],
  "audit.say.notAllCounted": ["from sizes that are not all counted", "部分大小并非计数得来"],
  "audit.say.keptBody": ["1 kept body compressed with gzip to {share}", "1 个保存的正文经 gzip 压缩为 {share}"],
  "audit.say.keptBodies": ["{count} kept bodies compressed with gzip to {share}", "{count} 个保存的正文经 gzip 压缩为 {share}"],
  "audit.say.ratioOfAPI": ["this API's own compressed {kind} shrinks to {share}", "此接口自身经编码的 {kind} 占 {share}"],
  "audit.say.ratioOfHost": ["the host's compressed {kind} shrinks to {share}", "此主机经编码的 {kind} 占 {share}"],
  "audit.say.ratioOfFile": ["the file's compressed {kind} shrinks to {share}", "此文件中经编码的 {kind} 占 {share}"],
  "audit.say.ratioInGeneral": [
    "text shrinks to half or less with gzip; no body was kept to measure it",
    "文本经 gzip 至多占一半；没有保存正文以供测量",
  ],
  "audit.share.First": ["All {of} calls", "全部 {of} 次调用"],
  "audit.share.Only": ["Its only call", "唯一一次调用"],
  "audit.share.only": ["its only call", "唯一一次调用"],
  "audit.share.all": ["all {of} calls", "全部 {of} 次调用"],
  "audit.share.some": ["{n} of {of} calls", "{of} 次调用中有 {n} 次"],
  "audit.kinds.one": ["{name}: {n}", "{name}：{n}"],
  "audit.kinds.between": [", ", "、"],
  "audit.kind.failed": ["failed", "失败"],
  "audit.kind.timed out": ["timed out", "超时"],
  "audit.kind.one redirect after the other": ["one redirect after the other", "接连重定向"],
  "audit.kind.from http to https": ["from http to https", "从 http 到 https"],
  "audit.kind.for a trailing slash": ["for a trailing slash", "为了末尾的斜杠"],
  "audit.kind.permanent": ["permanent", "永久"],
  "audit.kind.temporary": ["temporary", "临时"],
  "audit.kind.a network that wants a login": ["a network that wants a login", "要求登录的网络"],
  "audit.kind.the same version with other bytes": ["the same version with other bytes", "同一版本而字节不同"],
  "audit.kind.other bytes between two equal answers": ["other bytes between two equal answers", "两次相同回答之间字节不同"],
  "audit.kind.a proxy that says that it changed the content": ["a proxy that says that it changed the content", "声明改动过内容的代理"],
  "audit.kind.a script that the page did not have": ["a script that the page did not have", "页面原先没有的脚本"],
  "audit.kind.a script from": ["a script from {rest}", "来自 {rest} 的脚本"],
  "audit.kind.redirected to": ["redirected to {rest}", "被重定向到 {rest}"],
  "audit.kind.HTML in place of": ["HTML in place of {rest}", "以 HTML 代替 {rest}"],
  "audit.content.text": ["text", "文本"],
  "audit.content.form data": ["form data", "表单数据"],
  "audit.content.an image": ["an image", "图像"],
  "audit.content.audio or video": ["audio or video", "音频或视频"],
  "audit.content.other content": ["other content", "其他内容"],
  "audit.content.content without a type": ["content without a type", "未注明类型的内容"],
  "audit.content.no content": ["no content", "空内容"],

  "refusal.address": ["there is nothing at this address", "此地址没有内容"],
  "refusal.ownName": [
    "this name is not one of the inspector's own; open it by the address that was printed",
    "这不是检查器自己的名称；请用启动时显示的地址打开",
  ],
  "refusal.otherOrigin": ["pages of other origins may not call the inspector", "其他来源的页面不得访问检查器"],
  "refusal.token": ["open the address with the token that was printed at the start", "请打开启动时显示的带令牌的地址"],
  "refusal.method": ["the inspector supports GET, HEAD and POST", "检查器只支持 GET、HEAD 和 POST"],
  "refusal.readOnlyAddress": ["this address is read with GET", "此地址请用 GET 读取"],
  "refusal.header": [
    "a call that changes something needs the header 'X-Wireweight: 1'",
    "作出更改的调用需要标头“X-Wireweight: 1”",
  ],
  "refusal.version": ["only HTTP/1.1 is supported here", "这里只支持 HTTP/1.1"],
  "refusal.transferCoding": ["a request's content must have a Content-Length", "请求内容必须带有 Content-Length"],
  "refusal.contentLength": ["the Content-Length is not a number", "Content-Length 不是数字"],
  "refusal.contentTooLarge": ["a request may have at most 64 KiB of content", "请求内容最多 64 KiB"],
  "refusal.headTooLarge": ["a request's headers may have at most 32 KiB", "请求头最多 32 KiB"],
  "refusal.target": ["the request target must start with '/'", "请求目标必须以“/”开头"],
  "refusal.busy": ["too many pages are open; close some", "打开的页面过多，请关闭一些"],
  "refusal.wholeNumber": [
    "'{name}' must be a whole number from {least} to {most}",
    "“{name}”必须是 {least} 到 {most} 的整数",
  ],
  "refusal.moment": ["'{name}' must be milliseconds since 1970", "“{name}”必须是自 1970 年起的毫秒数"],
  "refusal.range": ["'since' must be before 'until'", "“since”必须早于“until”"],
  "refusal.slower": ["'slower' must be milliseconds", "“slower”必须是毫秒数"],
  "refusal.status": ["'status' must be like 404, 4xx, 400-499 or none", "“status”应形如 404、4xx、400-499 或 none"],
  "refusal.sort": [
    "'sort' must be one of {columns}, with '-' before it for the largest first",
    "“sort”必须是 {columns} 之一，前加“-”表示从大到小",
  ],
  "refusal.format": ["'format' must be har, csv or ndjson", "“format”必须是 har、csv 或 ndjson"],
  "refusal.cursor": ["'cursor' must be one from an earlier response", "“cursor”必须来自之前的回答"],
  "refusal.expired": ["the list of this cursor is gone; request it again", "此游标的列表已失效，请重新请求"],
  "refusal.exchange": ["there is no exchange {number} here, or not any more", "这里没有交换 {number}，或已不存在"],
  "refusal.body": ["no body was kept; '--keep-bodies' or 'configuration.bodies' keeps them", "没有保存正文；请用“--keep-bodies”或“configuration.bodies”保存"],
  "refusal.compare": ["start the inspector with '--compare FILE' to compare", "要对比，请以“--compare FILE”启动检查器"],
  "refusal.readOnly": [
    "this page shows a file that it does not write; open the page of the program that does",
    "此页面显示的文件并非由它写入；请打开写入程序的页面",
  ],
  "refusal.confirm": [
    'clearing deletes everything; send {"confirm":true}',
    '清空会删除全部内容；请发送 {"confirm":true}',
  ],
  "refusal.store": ["the store failed: {reason}", "存储出错：{reason}"],
};
return { serverMessages };
})();
const $messages = (() => {
// Every word of the page, in English and in Simplified Chinese.
const { serverMessages } = $messages_server;

/** @type {Record<string, [english: string, chinese: string]>} */
const messages = {
  ...serverMessages,

  "page.list": ["Requests", "请求"],
  "page.apis": ["APIs", "接口"],
  "page.map": ["Map", "分布"],
  "page.timeline": ["Timeline", "时间线"],
  "page.audit": ["Audit", "审计"],
  "page.compare": ["Compare", "对比"],
  "page.connections": ["Connections", "连接"],
  "page.connections.short": ["Conns", "连接"],
  "nav": ["Pages", "页面"],
  "nav.skip": ["Skip to the content", "跳到内容"],

  "live.connected": ["Live", "实时"],
  "live.lost": ["Reconnecting …", "正在重连……"],
  "live.ended": ["Ended", "已结束"],
  "live.ended.text": ["The inspector has ended. Start it again:", "检查器已结束。请重新启动："],
  "live.ended.bare": ["The inspector has ended, and its traffic was not kept in a file.", "检查器已结束，其流量未保存到文件中。"],
  "live.paused": ["Paused", "已暂停"],
  "live.file": ["File", "文件"],
  "live.exchanges": ["{n} exchanges", "{n} 次交换"],
  "live.running": ["{n} running", "{n} 进行中"],
  "live.losses": ["{n} lost: {reasons}", "丢失 {n}：{reasons}"],

  "control.pause": ["Pause recording", "暂停记录"],
  "control.resume": ["Resume recording", "继续记录"],
  "control.clear": ["Clear …", "清空……"],
  "control.export": ["Export filtered exchanges", "导出筛选结果"],
  "control.theme": ["Dark or light", "深色或浅色"],
  "control.language": ["中文", "English"],
  "control.help": ["Keys and marks", "按键与标记"],
  "clear.title": ["Delete all exchanges?", "删除所有交换记录？"],
  "clear.text": [
    "All {n} exchanges and all totals of {name} are deleted. This cannot be undone.",
    "{name} 中的全部 {n} 次交换及所有统计将被删除，无法恢复。",
  ],
  "clear.confirm": ["Delete all", "全部删除"],
  "clear.done": ["Everything was deleted.", "已全部删除。"],
  "cancel": ["Cancel", "取消"],
  "close": ["Close", "关闭"],
  "export.har": ["HAR, for browser tools", "HAR（浏览器工具）"],
  "export.csv": ["CSV, for spreadsheets", "CSV（电子表格）"],
  "export.ndjson": ["NDJSON, for scripts", "NDJSON（脚本）"],
  "theme.auto": ["Same as the system", "跟随系统"],
  "theme.light": ["Light", "浅色"],
  "theme.dark": ["Dark", "深色"],

  "filter.search": ["Search URLs and header values", "搜索 URL 与标头值"],
  "filter.more": ["More filters", "更多筛选"],
  "filter.status": ["Status", "状态"],
  "filter.status.all": ["All", "全部"],
  "filter.status.none": ["No response", "无响应"],
  "filter.type": ["Content type", "内容类型"],
  "filter.method": ["Method", "方法"],
  "filter.host": ["Host", "主机"],
  "filter.api": ["API", "接口"],
  "filter.path": ["Path starts with", "路径前缀"],
  "filter.failed": ["Failed", "失败"],
  "filter.failed.long": ["Failed or refused only", "仅失败或被拒"],
  "filter.slower": ["Slower than", "慢于"],
  "filter.slower.ms": ["Slower than (ms)", "慢于（毫秒）"],
  "filter.text": ["Text", "文本"],
  "filter.since": ["From", "从"],
  "filter.until": ["To", "到"],
  "filter.range": ["Time", "时间"],
  "filter.task": ["Task", "任务"],
  "filter.process": ["Process", "进程"],
  "filter.connection": ["Connection", "连接"],
  "filter.any": ["Any", "任意"],
  "filter.remove": ["Remove filter {name}", "移除筛选 {name}"],
  "filter.clear": ["Remove all filters", "移除全部筛选"],
  "filter.active": ["Active filters", "当前筛选"],

  "column.method": ["Method", "方法"],
  "column.status": ["Status", "状态"],
  "column.host": ["Host", "主机"],
  "column.path": ["Path", "路径"],
  "column.type": ["Type", "类型"],
  "column.up": ["Up", "上行"],
  "column.down": ["Down", "下行"],
  "column.duration": ["Time", "耗时"],
  "column.waterfall": ["Waterfall", "瀑布"],
  "column.evidence": ["Evidence", "依据"],
  "column.sort": ["sort", "排序"],

  "list.label": ["Exchanges", "交换列表"],
  "list.empty": ["No exchange matches.", "没有匹配的交换。"],
  "list.none": ["Nothing was recorded yet. Exchanges appear here as they happen.", "尚无记录。交换发生时会显示在这里。"],
  "list.none.file": ["This file has no exchanges yet. To record some:", "此文件还没有交换记录。要记录，请运行："],
  "list.none.program": ["PROGRAM", "程序"],
  "list.none.doctor": ["If that program makes requests and none appear here, ask why:", "若该程序发出请求而这里没有显示，请查明原因："],
  "list.count": ["{n} shown", "显示 {n}"],
  "list.truncated": ["the newest {n} of more", "仅最新 {n} 条"],
  "list.new": ["{n} new", "{n} 条新记录"],
  "list.again": ["Look for new ones", "查看新记录"],
  "list.follow": ["Follow the newest at the end", "在末尾跟随最新"],
  "list.loading": ["Loading", "加载中"],

  "state.running": ["running", "进行中"],
  "state.completed": ["completed", "已完成"],
  "state.failed": ["failed", "失败"],
  "state.cancelled": ["cancelled", "已取消"],
  "state.timedOut": ["timed out", "超时"],
  "state.abandoned": ["abandoned", "已中断"],
  "state.incomplete": ["incomplete: the meter lost part of it", "不完整：计量器丢失了一部分"],
  "noResponse": ["no response", "无响应"],
  "response.unknown": ["not known", "未知"],

  "evidence.captured": ["Captured: the bytes passed through the meter", "捕获：字节经过计量器"],
  "evidence.reported": ["Reported: a counter of the system", "报告：来自系统计数器"],
  "evidence.reconstructed": ["Reconstructed: computed from what an API shows", "重建：由 API 信息计算"],
  "evidence.unknown": ["Unknown: not every part could be measured", "未知：部分大小无法得知"],
  "evidence.short.captured": ["captured", "捕获"],
  "evidence.short.reported": ["reported", "报告"],
  "evidence.short.reconstructed": ["reconstructed", "重建"],
  "evidence.short.unknown": ["unknown", "未知"],
  "evidence.margin": ["may be off by {n}", "误差至多 {n}"],
  "unknown": ["unknown", "未知"],

  "part": ["Part", "部分"],
  "part.startLine": ["Start line", "起始行"],
  "part.fields": ["Headers", "标头"],
  "part.cookies": ["Cookies", "Cookie"],
  "part.interim": ["Interim", "临时响应"],
  "part.body": ["Body", "正文"],
  "part.framing": ["Framing", "分帧"],
  "part.total": ["Total", "合计"],

  "detail.label": ["Exchange {n}", "交换 {n}"],
  "detail.close": ["Close the details", "关闭详情"],
  "detail.previous": ["Previous exchange", "上一条"],
  "detail.next": ["Next exchange", "下一条"],
  "detail.curl": ["Copy as cURL", "复制为 cURL"],
  "detail.curl.done": ["The command is in the clipboard.", "命令已复制到剪贴板。"],
  "detail.curl.failed": ["The browser did not allow copying; here is the command.", "浏览器不允许复制，命令如下。"],
  "detail.har": ["Save as HAR", "保存为 HAR"],
  "detail.gone": ["This exchange is not in the store any more.", "该交换已不在存储中。"],
  "tab.overview": ["Overview", "概览"],
  "tab.heads": ["Headers", "标头"],
  "tab.body": ["Body", "正文"],
  "detail.size": ["Size on the wire", "线上大小"],
  "detail.time": ["Time", "耗时"],
  "detail.chain": ["Attempts of this task", "此任务的各次尝试"],
  "detail.audit": ["What the audit says", "审计结论"],
  "detail.about": ["About", "关于"],
  "detail.same": ["List all with the same value", "列出全部相同项"],
  "detail.outcome": ["Outcome", "结果"],
  "detail.started": ["Started", "开始"],
  "detail.sent": ["Sent", "发出"],
  "detail.process": ["Process", "进程"],
  "detail.connection": ["Connection", "连接"],
  "detail.connection.new": ["opened for it", "为其新建"],
  "detail.connection.reused": ["reused", "复用"],
  "detail.version": ["Version", "版本"],
  "detail.version.both": ["{sent}, response in {received}", "{sent}，以 {received} 响应"],
  "detail.decoded": ["Body decoded", "解码后正文"],
  "detail.sizeBar": ["{direction}: {total}, {parts}", "{direction}：{total}，{parts}"],
  "request": ["Request", "请求"],
  "response": ["Response", "响应"],
  "heads.request": ["Request headers", "请求头"],
  "heads.response": ["Response headers", "响应头"],
  "heads.redacted": ["Marked values were replaced before they were stored; their sizes are exact.", "标记的值在存储前已被替换，其大小是准确的。"],
  "heads.query": ["Query items", "查询参数"],
  "heads.cookies.sent": ["Cookies sent", "发送的 Cookie"],
  "heads.cookies.set": ["Cookies set", "设置的 Cookie"],
  "heads.name": ["Name", "名称"],
  "heads.value": ["Value", "值"],
  "heads.attributes": ["Attributes", "属性"],
  "size.nothing": ["Nothing was sent.", "没有发送任何内容。"],
  "size.none": ["nothing sent", "未发送"],
  "heads.nothing": ["No request was sent.", "没有发出请求。"],
  "heads.none": ["No response came.", "没有响应。"],

  "phase.queue": ["Waiting in the client", "客户端内等待"],
  "phase.dns": ["DNS", "DNS"],
  "phase.connect": ["TCP", "TCP"],
  "phase.tls": ["TLS", "TLS"],
  "phase.send": ["Send", "发送"],
  "phase.wait": ["Wait", "等待"],
  "phase.receive": ["Receive", "接收"],
  "phase.unattributed": ["Unattributed", "无法归入各阶段"],
  "phase.total": ["Total", "合计"],
  "phase.label": ["Phases of {total}", "{total} 的各阶段"],

  "body.none": [
    "The body was not kept. To keep bodies, use '--keep-bodies', or 'configuration.bodies' in an app.",
    "正文未保存。要保存正文，请使用“--keep-bodies”，或在应用中设置“configuration.bodies”。",
  ],
  "body.empty": ["The body is empty.", "正文为空。"],
  "body.tree": ["Tree", "树"],
  "body.text": ["Text", "文本"],
  "body.image": ["Image", "图像"],
  "body.hex": ["Hex", "十六进制"],
  "body.as": ["Shown as", "显示为"],
  "body.side": ["Which body", "哪个正文"],
  "body.size": ["{n} kept", "已保存 {n}"],
  "body.part": ["the first {n} of {of} kept", "已保存前 {n}，共 {of}"],
  "body.decoded": ["{n} decoded from {coding}", "由 {coding} 解码为 {n}"],
  "body.coding": ["This browser cannot decode “{coding}”; the bytes are shown as sent.", "此浏览器无法解码“{coding}”，按原样显示字节。"],
  "body.broken": ["The body is incomplete or damaged; what could be decoded is shown.", "正文不完整或已损坏，仅显示可解码部分。"],
  "body.capped": ["Only the first {n} are decoded.", "仅解码前 {n}。"],
  "body.page": ["{from}–{to} of {n}", "{from}–{to}，共 {n}"],
  "body.page.first": ["First page", "首页"],
  "body.page.previous": ["Previous page", "上一页"],
  "body.page.next": ["Next page", "下一页"],
  "body.page.last": ["Last page", "末页"],
  "body.save": ["Save", "保存"],
  "tree.label": ["JSON", "JSON"],
  "tree.more": ["{n} more", "还有 {n} 项"],
  "tree.item": ["1 item", "1 项"],
  "tree.items": ["{n} items", "{n} 项"],
  "tree.invalid": ["This is not JSON: {reason}", "不是 JSON：{reason}"],

  "apis.title": ["What each API weighs", "各接口的流量"],
  "apis.api": ["API", "接口"],
  "apis.requests": ["Requests", "请求"],
  "apis.failures": ["Failed", "失败"],
  "apis.failureRate": ["Fail %", "失败率"],
  "apis.up": ["Up", "上行"],
  "apis.down": ["Down", "下行"],
  "apis.share": ["Share", "占比"],
  "apis.p50": ["p50", "p50"],
  "apis.p95": ["p95", "p95"],
  "apis.spark": ["Over time", "趋势"],
  "complete.connection": ["connection {n}", "连接 {n}"],
  "apis.captured": ["{share} of {total} captured", "{total} 中 {share} 为捕获"],
  "apis.empty": ["No traffic in this range.", "此范围内没有流量。"],
  "apis.by.api": ["host and path", "主机与路径"],
  "apis.by.requests": ["requests", "请求数"],
  "apis.by.failures": ["failures", "失败数"],
  "apis.by.up": ["bytes up", "上行字节"],
  "apis.by.down": ["bytes down", "下行字节"],
  "apis.by.share": ["bytes, up and down together", "字节数（上行与下行合计）"],
  "apis.by.p50": ["the median duration", "耗时中位数"],
  "apis.by.p95": ["the 95th percentile of durations", "耗时的第 95 百分位"],
  "order.largest": ["Sorted by {by}, largest first.", "按{by}排序，最大的在前。"],
  "order.smallest": ["Sorted by {by}, smallest first.", "按{by}排序，最小的在前。"],
  "order.forward": ["Sorted by {by}, from A to Z.", "按{by}排序，从 A 到 Z。"],
  "order.backward": ["Sorted by {by}, from Z to A.", "按{by}排序，从 Z 到 A。"],
  "apis.spark.label": ["Requests over time, at most {n} in a slot", "请求趋势，每格最多 {n}"],

  "map.title": ["Where the bytes go", "字节去向"],
  "map.text": ["Area is bytes: host, then API, then part.", "面积表示字节：主机、接口、部分。"],
  "map.direction": ["Direction", "方向"],
  "map.both": ["Both", "双向"],
  "map.table": ["The same as a table", "以表格显示"],
  "map.others": ["{n} more APIs", "其他 {n} 个接口"],
  "map.label": ["Treemap of {total}", "{total} 的矩形树图"],

  "strip.most": ["at most {rate}/s", "最高 {rate}/秒"],
  "timeline.title": ["Traffic over time", "流量随时间变化"],
  "timeline.text": ["Drag to choose a range: it filters every page.", "拖动以选择范围，所有页面随之筛选。"],
  "timeline.reset": ["Whole range", "完整范围"],
  "timeline.zoomIn": ["Zoom in", "放大"],
  "timeline.zoomOut": ["Zoom out", "缩小"],
  "timeline.rate": ["Bytes per second", "每秒字节"],
  "timeline.requests": ["Requests", "请求"],
  "timeline.failures": ["Failures", "失败"],
  "timeline.per": ["per {slot}", "每 {slot}"],
  "timeline.label": [
    "From {from} to {to}: {up} up, {down} down, {requests} requests, {failures} failures",
    "{from} 至 {to}：上行 {up}，下行 {down}，{requests} 次请求，{failures} 次失败",
  ],
  "timeline.empty": ["No traffic in this range.", "此范围内没有流量。"],

  "audit.title": ["What could be saved", "可以节省什么"],
  "audit.clean": ["The audit found nothing to save in this traffic.", "审计对此流量没有意见。"],
  "audit.none": ["The audit found nothing about this exchange.", "没有涉及此交换的结论。"],
  "audit.evidence": ["Evidence", "证据"],
  "audit.per": ["{n} per 1,000 calls", "每千次 {n}"],
  "audit.estimated": ["estimated", "估计"],
  "audit.measured": ["measured", "实测"],
  "audit.calls": ["{n} calls", "{n} 次调用"],
  "audit.call": ["1 call", "1 次调用"],
  "audit.sort": ["Order", "排序"],
  "audit.sort.saving": ["Both", "综合"],
  "audit.sort.bytes": ["Bytes", "字节"],
  "audit.sort.time": ["Time", "时间"],
  "audit.order.saving": [
    "Warnings first, then by what would be saved: bytes and time together, at 1.25 KB a millisecond (10 Mbit/s).",
    "警告在前，其余按可节省的量排序：字节与时间合计，按每毫秒 1.25 KB（10 Mbit/s）折算。",
  ],
  "audit.order.bytes": ["Warnings first, then by the bytes that would be saved.", "警告在前，其余按可节省的字节排序。"],
  "audit.order.time": ["Warnings first, then by the time that would be saved.", "警告在前，其余按可节省的时间排序。"],

  "compare.title": ["Before and after", "前后对比"],
  "compare.none": [
    "This page compares the file with an earlier one, API by API. To choose that file, start with:",
    "此页将该文件与更早的文件逐接口对比。启动时指定更早的文件：",
  ],
  "compare.file": ["EARLIER.db", "更早.db"],
  "compare.by.api": ["host and path", "主机与路径"],
  "compare.by.requests": ["requests after", "之后的请求数"],
  "compare.by.before": ["bytes before, up and down together", "之前的字节数（上行与下行合计）"],
  "compare.by.after": ["bytes after, up and down together", "之后的字节数（上行与下行合计）"],
  "compare.by.change": ["the change in bytes, up and down together", "字节变化量（上行与下行合计）"],
  "compare.by.p50": ["the median duration after", "之后的耗时中位数"],
  "compare.before": ["Before", "之前"],
  "compare.after": ["After", "之后"],
  "compare.change": ["Change", "变化"],
  "compare.latency": ["p50", "p50"],
  "compare.new": ["new", "新增"],
  "compare.gone": ["vanished", "消失"],
  "compare.same": ["Nothing has changed.", "没有变化。"],
  "compare.unfold": ["Show {n} unchanged APIs", "显示 {n} 个没有变化的接口"],
  "compare.unfold.one": ["Show 1 unchanged API", "显示 1 个没有变化的接口"],
  "compare.fold": ["Hide unchanged APIs", "隐藏没有变化的接口"],
  "compare.tooFew": ["too few calls", "调用次数太少"],
  "compare.noise": ["no clear change", "无明显变化"],
  "compare.slower": ["slower", "变慢"],
  "compare.faster": ["faster", "变快"],

  "connections.title": ["Connections", "连接"],
  "connections.text": ["Each bar is one connection: its parts add up to the payload that the kernel counted. The newest come first.", "每条表示一个连接，各部分之和等于内核统计的载荷。最新的在前。"],
  "connections.empty": ["No connection was recorded.", "没有连接记录。"],
  "connections.id": ["Number", "编号"],
  "connections.remote": ["Peer", "对端"],
  "connections.open": ["open", "打开中"],
  "connections.sent": ["Sent", "发送"],
  "connections.received": ["Received", "接收"],
  "connections.retransmitted": ["Sent again", "重传"],
  "connections.roundTrip": ["Round trip", "往返"],
  "connections.more": ["Show more", "显示更多"],
  "connections.ledger": ["Ledger", "明细账"],
  "connections.exchanges": ["Exchanges", "交换"],
  "connections.exchanges.all": ["List all {n} exchanges", "列出全部 {n} 次交换"],
  "connections.exchanges.one": ["List its exchange", "列出其交换"],
  "connections.exchanges.others": ["{n} more exchanges", "其他 {n} 次交换"],
  "connections.open.for": ["open", "打开中"],
  "connections.toggle": ["Ledger of connection {n}", "连接 {n} 的明细账"],
  "connections.unknown": ["The kernel's count is not known; these are its messages.", "内核未给出载荷，仅显示消息。"],
  "connections.about": ["About", "关于"],
  "connections.protocol": ["Protocol", "协议"],
  "connections.tls": ["TLS", "TLS"],
  "connections.tls.none": ["none", "无"],
  "connections.network": ["Network", "网络"],
  "network.loopback": ["this machine", "本机"],
  "network.cellular": ["cellular", "蜂窝网络"],
  "network.notCellular": ["not cellular", "非蜂窝网络"],
  "network.expensive": ["expensive", "按流量计费"],
  "network.constrained": ["data saving", "低数据模式"],
  "network.multipath": ["several paths", "多路径"],
  "connections.local": ["Our end", "本端"],
  "connections.opened": ["Opened", "打开时间"],
  "connections.closed": ["Closed", "关闭时间"],
  "connections.segments": ["Segments", "报文段"],
  "connections.segments.text": ["{up} up, {down} down", "上行 {up}，下行 {down}"],
  "connections.ip": ["With TCP/IP headers, estimated", "IP 字节（估计）"],
  "connections.evidence": ["Overhead is", "开销依据"],
  "ledger.messages": ["Messages", "消息"],
  "ledger.messagesUp": ["Messages up", "上行消息"],
  "ledger.messagesDown": ["Messages down", "下行消息"],
  "ledger.tls": ["TLS", "TLS"],
  "ledger.http2": ["HTTP/2 frames", "HTTP/2 帧"],
  "ledger.socksOverhead": ["SOCKS handshake", "SOCKS 握手"],
  "ledger.proxyProtocolOverhead": ["PROXY protocol", "PROXY 协议"],
  "ledger.proxyTLSOverhead": ["TLS to the proxy", "到代理的 TLS"],
  "ledger.websocketOverhead": ["WebSocket frame headers", "WebSocket 帧头"],
  "ledger.websocketPayload": ["WebSocket payload", "WebSocket 载荷"],
  "websocket.title": ["WebSocket after the 101", "101 之后的 WebSocket"],
  "websocket.other": ["After the 101", "101 之后"],
  "websocket.total": ["Total", "合计"],
  "websocket.frames": ["WebSocket frames", "WebSocket 帧"],
  "websocket.controlFrames": ["Of these, control frames", "其中控制帧"],
  "websocket.messages": ["WebSocket messages", "WebSocket 消息"],
  "ledger.upgraded": ["Other protocols after HTTP", "HTTP 之后的其他协议"],
  "ledger.afterMessage": ["After the end of a response", "响应结束之后"],
  "ledger.unaccounted": ["Unaccounted", "未说明"],
  "ledger.payload": ["Payload", "载荷"],
  "ledger.bar": ["{total} of payload: {parts}", "载荷 {total}：{parts}"],

  "help.title": ["Keys and marks", "按键与标记"],
  "help.keys": ["Keys", "按键"],
  "help.move": ["Previous and next exchange", "上一条与下一条"],
  "help.ends": ["First and last", "首条与末条"],
  "help.pages": ["A screen up and down", "向上或向下一屏"],
  "help.open": ["Open the details", "打开详情"],
  "help.search": ["Search", "搜索"],
  "help.close": ["Close what is open", "关闭当前面板"],
  "help.numbers": ["Go to a page", "切换页面"],
  "help.help": ["This help", "本帮助"],
  "help.parts": ["Parts of a message", "消息的各部分"],
  "help.evidence": ["Evidence of a size", "大小的依据"],

  "error.unreachable": ["The inspector cannot be reached. Trying again …", "无法连接检查器，正在重试。"],
  "error.title": ["That did not work", "操作未成功"],
};

/** @type {"en" | "zh"} */
let language = choose();

function choose() {
  const stored = localStorage.getItem("wireweight.language");
  if (stored === "en" || stored === "zh") return stored;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

function locale() {
  return language === "zh" ? "zh-CN" : "en-US";
}

/** @param {"en" | "zh"} next */
function speak(next) {
  language = next;
  localStorage.setItem("wireweight.language", next);
}

function spoken() {
  return language;
}

/**
 * The words for a key, with `{names}` replaced.
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
function t(key, values = {}) {
  const words = Object.hasOwn(messages, key) ? messages[key][language === "zh" ? 1 : 0] : key;
  return words.replace(/\{(\w+)\}/g, (whole, name) => Object.hasOwn(values, name) ? String(values[name]) : whole);
}

/**
 * The words for a name that comes from data, or the name itself.
 * @param {string} prefix
 * @param {string} name
 */
function named(prefix, name) {
  const key = `${prefix}.${name}`;
  return Object.hasOwn(messages, key) ? t(key) : name;
}
return { messages, locale, speak, spoken, t, named };
})();
const $api = (() => {
// The server's API: reading, changing, and the stream of events.
const { named, t } = $messages;

const root = "/api/v1/";

/** What the server refused, with its code. */
class APIError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} [query]
 */
function address(path, query = {}) {
  const items = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") items.set(name, String(value));
  }
  const text = items.toString();
  return root + path + (text ? `?${text}` : "");
}

/**
 * @param {string} url
 * @param {RequestInit} [options]
 */
async function call(url, options) {
  let response;
  try {
    response = await fetch(url, { cache: "no-store", credentials: "same-origin", ...options });
  } catch (error) {
    if (options?.signal?.aborted) throw error;
    throw new APIError(0, "unreachable", t("error.unreachable"));
  }
  if (!response.ok) {
    let code = String(response.status);
    let message = response.statusText;
    try {
      const body = await response.json();
      code = String(body.error.code);
      const { phrase, values } = body.error;
      const known = `refusal.${phrase}`;
      // Only what was made from words of others has none of ours.
      message = named("refusal", String(phrase)) === String(phrase) ? String(body.error.message) : t(known, values ?? {});
    } catch {
      // An answer without a body says enough by its status.
    }
    throw new APIError(response.status, code, message);
  }
  return response;
}

/**
 * @param {string} path
 * @param {Record<string, string | number | null | undefined>} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
async function get(path, query, signal) {
  return (await call(address(path, query), { signal })).json();
}

/**
 * @param {string} path
 * @param {{}} [body]
 * @returns {Promise<any>}
 */
async function post(path, body = {}) {
  const headers = { "Content-Type": "application/json", "X-Wireweight": "1" };
  return (await call(root + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

/**
 * Some bytes of a kept body, and how many there are.
 * @param {number} id
 * @param {"request" | "response"} side
 * @param {number} offset
 * @param {number} limit
 */
async function bodyBytes(id, side, offset, limit) {
  const response = await call(address(`exchanges/${id}/bodies/${side}`, { offset, limit }));
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    size: Number(response.headers.get("X-Size") ?? 0),
  };
}

/**
 * Saves what an address answers as a file.
 * @param {string} url
 * @param {string} name
 */
function save(url, name) {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}

/**
 * @typedef {object} Listener
 * @property {(rows: import("./types.d.ts").Row[]) => void} rows
 * @property {(overview: import("./types.d.ts").Overview) => void} status
 * @property {() => void} reset
 * @property {(connected: boolean) => void} connection
 */

/**
 * Listens for as long as the page is open. The browser comes back by itself after a lost connection and tells what it
 * had last; where it gives up, a new stream begins and everything is read again.
 * @param {Listener} listener
 */
function listen(listener) {
  let delay = 500;
  let lost = false;
  const begin = () => {
    const source = new EventSource(`${root}events`);
    source.onopen = () => {
      delay = 500;
      listener.connection(true);
      if (lost) listener.reset();
      lost = false;
    };
    source.addEventListener("rows", (event) => listener.rows(JSON.parse(event.data).rows));
    source.addEventListener("status", (event) => listener.status(JSON.parse(event.data)));
    source.addEventListener("reset", () => listener.reset());
    source.onerror = () => {
      listener.connection(false);
      if (source.readyState !== EventSource.CLOSED) return;
      source.close();
      lost = true;
      setTimeout(begin, delay);
      delay = Math.min(delay * 2, 5000);
    };
  };
  begin();
}
return { APIError, address, get, post, bodyBytes, save, listen };
})();
const $dom = (() => {
// Elements from values. Text is only ever set as text: nothing that was captured becomes markup.

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 */

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An element; attributes that are functions listen to the event of that name.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[T]}
 */
function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(element, attributes);
  fill(element, ...children);
  return element;
}

/**
 * Replaces what an element holds.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
function fill(element, ...children) {
  const nodes = [];
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    nodes.push(child instanceof Node ? child : String(child));
  }
  element.replaceChildren(...nodes);
}

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element "${id}"`);
  return element;
}

// Paths on a grid of 24.
const icons = {
  list: "M4 6h16M4 12h16M4 18h10",
  apis: "M4 20V10M10 20V4M16 20v-7M22 20H2",
  map: "M4 4h16v16H4zM13 4v16M13 11h7",
  timeline: "M3 17l5-6 4 4 8-9",
  audit: "M5 12l4 4L19 6",
  compare: "M8 4v16M16 4v16M4 8l4-4 4 4M12 16l4 4 4-4",
  connections: "M5 8h9M5 16h14M3 8h.01M3 16h.01M18 8h3",
  pause: "M8 5v14M16 5v14",
  resume: "M7 5l12 7-12 7z",
  clear: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  export: "M12 4v11M7 10l5 5 5-5M4 20h16",
  theme: "M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18h.01",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4",
  filter: "M4 6h16M7 12h10M10 18h4",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  previous: "M6 15l6-6 6 6",
  next: "M6 9l6 6 6-6",
  follow: "M12 4v12M7 12l5 5 5-5M5 21h14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

/**
 * A drawing beside a label; it has no name of its own.
 * @param {keyof typeof icons} name
 */
function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: icons[name] }));
}

/**
 * A button with a drawing, and a name that is read and shown on hover.
 * @param {keyof typeof icons} drawing
 * @param {string} label
 * @param {(event: MouseEvent) => void} action
 * @param {Attributes} [attributes]
 */
function iconButton(drawing, label, action, attributes = {}) {
  return h("button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, click: action, ...attributes },
    icon(drawing));
}

/**
 * A command to be copied into a shell.
 * @param {string[]} words what follows the program's name
 */
function command(words) {
  const quoted = words.map((word) => /^[\w./,:@%+=\u0080-\uffff-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
  return h("code", { class: "command" }, ["wireweight", ...quoted].join(" "));
}

/** @type {number | undefined} */
let fading;

/**
 * Says something that a screen reader reads out, too.
 * @param {string} text
 */
function say(text) {
  const place = byId("toast");
  place.textContent = text;
  place.classList.add("shown");
  clearTimeout(fading);
  fading = setTimeout(() => place.classList.remove("shown"), 4000);
}
return { h, svg, fill, byId, icon, iconButton, command, say };
})();
const $format = (() => {
// Numbers and moments as people read them.
const { locale, t } = $messages;

/** @type {Map<string, Intl.NumberFormat>} */
const formats = new Map();

/**
 * @param {number} value
 * @param {number} [digits]
 */
function number(value, digits = 0) {
  const key = `${locale()} ${digits}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(key, format);
  }
  return format.format(value);
}

/**
 * Bytes in decimal units, as the command prints them.
 * @param {number | null | undefined} value
 */
function bytes(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size < 1000) return `${number(value)} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let scaled = value / 1000;
  let unit = 0;
  while (Math.abs(scaled) >= 999.95 && unit < units.length - 1) {
    scaled /= 1000;
    unit += 1;
  }
  return `${number(scaled, 1)} ${units[unit]}`;
}

/**
 * All digits.
 * @param {number | null | undefined} value
 */
function exactBytes(value) {
  return value === null || value === undefined ? t("unknown") : `${number(value)} B`;
}

/** @param {number | null | undefined} value milliseconds */
function duration(value) {
  if (value === null || value === undefined) return "–";
  if (value < 1) return value === 0 ? "0 ms" : `${number(value * 1000)} µs`;
  if (value < 999.5) return `${number(value, value < 10 ? 1 : 0)} ms`;
  if (value < 59_950) return `${number(value / 1000, value < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(value / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** @param {number | null | undefined} share */
function percent(share) {
  if (share === null || share === undefined || !Number.isFinite(share)) return "–";
  return share > 0 && share < 0.001 ? "< 0.1 %" : `${number(share * 100, 1)} %`;
}

/**
 * The time of day, with the date where it is not today's.
 * @param {number | null | undefined} moment
 * @param {boolean} [fine] with milliseconds
 */
function clock(moment, fine = false) {
  if (moment === null || moment === undefined) return "–";
  const date = new Date(moment);
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  let text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  if (fine) text += `.${String(date.getMilliseconds()).padStart(3, "0")}`;
  if (date.toDateString() === new Date().toDateString()) return text;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${text}`;
}

/**
 * What a table is sorted by, in a sentence.
 * @param {string} by
 * @param {boolean} text whether that is words and not numbers
 * @param {boolean} descending
 */
function order(by, text, descending) {
  if (text) return t(descending ? "order.backward" : "order.forward", { by });
  return t(descending ? "order.largest" : "order.smallest", { by });
}

/** @param {import("./types.d.ts").Row} row */
function statusText(row) {
  if (row.status !== null) return String(row.status);
  return row.state === "running" ? "…" : "—";
}

/**
 * Which colour a row's status has: by class, by what went wrong, or none while it runs.
 * @param {import("./types.d.ts").Row} row
 */
function statusClass(row) {
  if (row.state === "running") return "running";
  if (row.state === "incomplete") return "unknown";
  if (row.status === null) return "none";
  if (row.state !== "completed") return "broken";
  return `s${Math.floor(row.status / 100)}`;
}

/**
 * The short name of a media type.
 * @param {string | null} type
 */
function shortType(type) {
  if (!type) return "";
  const essence = type.split(";", 1)[0].trim().toLowerCase();
  return essence.replace(/^(application|text|image|audio|video|font)\//, (whole, top) =>
    top === "application" || top === "text" ? "" : whole);
}

/**
 * An API as filters name it: `GET api.test:8080/users`, and apart from its host where its template is no path.
 *
 * @param {{ method?: string | null, host?: string | null, template?: string | null }} api its host with the port where that is not the scheme's own
 */
function apiName({ method, host, template }) {
  const gap = template?.startsWith("/") ? "" : " ";
  return `${method} ${host}${gap}${template}`;
}

/**
 * Whether a host that a user names is the one of a row: at any port where it names none, as the API has it.
 *
 * @param {import("./types.d.ts").Row} row
 * @param {string} named
 */
function isHost(row, named) {
  const wanted = named.toLowerCase().replace(/:\*$/, "");
  return wanted === row.host || wanted === row.authority || wanted === `${row.host}:${row.port}`;
}
return { number, bytes, exactBytes, duration, percent, clock, order, statusText, statusClass, shortType, apiName, isHost };
})();
const $place = (() => {
// Where the page is: which view, filters, order and exchange. All of it stands in the address, so that it can be shared.

/** @type {import("./types.d.ts").FilterName[]} */
const filterNames = [
  "text", "status", "type", "method", "host", "api", "path", "failed", "slower", "since", "until", "task", "process", "connection",
];

const pages = ["list", "apis", "map", "timeline", "audit", "compare", "connections"];

/** @type {Set<(place: import("./types.d.ts").Place) => void>} */
const watchers = new Set();

/** @type {import("./types.d.ts").Place} */
let current = parse(location.hash);

/**
 * @param {string} hash
 * @returns {import("./types.d.ts").Place}
 */
function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const items = new URLSearchParams(query);
  /** @type {import("./types.d.ts").Filters} */
  const filters = {};
  for (const name of filterNames) {
    const value = items.get(name);
    if (value) filters[name] = value;
  }
  const id = Number(items.get("id"));
  return {
    page: pages.includes(path) ? path : "list",
    filters,
    sort: items.get("sort") ?? "-start",
    id: Number.isSafeInteger(id) && id > 0 ? id : null,
    tab: items.get("tab") ?? "overview",
  };
}

/** @param {import("./types.d.ts").Place} place */
function hashOf(place) {
  const items = new URLSearchParams();
  for (const name of filterNames) {
    const value = place.filters[name];
    if (value) items.set(name, value);
  }
  if (place.sort !== "-start") items.set("sort", place.sort);
  if (place.id !== null) {
    items.set("id", String(place.id));
    if (place.tab !== "overview") items.set("tab", place.tab);
  }
  const query = items.toString();
  return `#/${place.page}${query ? `?${query}` : ""}`;
}

function place() {
  return current;
}

/**
 * Goes elsewhere; what is not named stays.
 * @param {Partial<import("./types.d.ts").Place>} change
 * @param {boolean} [replace] without a step in the history
 */
function go(change, replace = false) {
  const next = { ...current, ...change };
  const hash = hashOf(next);
  if (hash === hashOf(current)) return;
  current = next;
  if (replace) history.replaceState(null, "", hash);
  else history.pushState(null, "", hash);
  for (const watcher of watchers) watcher(current);
}

/**
 * Sets filters; empty ones go.
 * @param {import("./types.d.ts").Filters} change
 * @param {Partial<import("./types.d.ts").Place>} [more]
 */
function filter(change, more = {}) {
  const filters = { ...current.filters, ...change };
  for (const name of filterNames) if (!filters[name]) delete filters[name];
  go({ id: null, ...more, filters });
}

/**
 * The address of the list under some filters, the time range kept.
 * @param {import("./types.d.ts").Filters} filters
 */
function listAddress(filters) {
  const { since, until } = current.filters;
  /** @type {import("./types.d.ts").Filters} */
  const all = { ...filters };
  if (since) all.since = since;
  if (until) all.until = until;
  return hashOf({ ...current, page: "list", id: null, filters: all });
}

/** @param {(place: import("./types.d.ts").Place) => void} watcher */
function watch(watcher) {
  watchers.add(watcher);
}

addEventListener("popstate", () => {
  current = parse(location.hash);
  for (const watcher of watchers) watcher(current);
});
return { filterNames, pages, hashOf, place, go, filter, listAddress, watch };
})();
const $sentences = (() => {
// What the audit says, in the page's language: a phrase of the message table, and values with their units.
const { bytes, duration, number, percent } = $format;
const { named, t } = $messages;

/** @typedef {import("./types.d.ts").Loose} Loose */

/**
 * A sort of waste. Some of them end with a word that is not ours.
 * @param {string} name
 */
function kind(name) {
  for (const begin of ["redirected to ", "HTML in place of ", "a script from "]) {
    if (name.startsWith(begin)) {
      const rest = name.slice(begin.length);
      return t(`audit.kind.${begin.trim()}`, { rest: named("audit.content", rest) });
    }
  }
  return named("audit.kind", name);
}

/**
 * @param {Loose} value
 * @param {boolean} first whether a sentence begins with it
 */
function words(value, first) {
  if ("bytes" in value) return bytes(Number(value.bytes));
  if ("milliseconds" in value) return duration(Number(value.milliseconds));
  if ("calls" in value) {
    const all = value.calls === value.of;
    if (all && value.of === 1) return t(first ? "audit.share.Only" : "audit.share.only");
    return t(all ? (first ? "audit.share.First" : "audit.share.all") : "audit.share.some", {
      n: number(Number(value.calls)), of: number(Number(value.of)),
    });
  }
  if ("count" in value) return number(Number(value.count));
  if ("share" in value) return percent(Number(value.share));
  if ("content" in value) {
    const name = named("audit.content", String(value.content));
    return first ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  }
  if (Array.isArray(value.kinds)) {
    const kinds = value.kinds.map((entry) =>
      t("audit.kinds.one", { name: kind(String(entry.name)), n: number(Number(entry.count)) }));
    return [...kinds, ...(value.more ? ["…"] : [])].join(t("audit.kinds.between"));
  }
  return String(value.text ?? "");
}

/**
 * How much of the traffic the rows account for, in the server's sentences.
 * @param {Loose | null} verdict
 */
function completeness(verdict) {
  if (!verdict || !Array.isArray(verdict.said)) return [];
  return verdict.said.map((said) => {
    if (named("complete.say", String(said.phrase)) === String(said.phrase)) return String(said.english ?? "");
    /** @type {Record<string, string>} */
    const values = {};
    for (const [name, value] of Object.entries(said.values ?? {})) values[name] = value.connections ? connections(value.connections)
      : value.parts ? value.parts.map((/** @type {Loose} */ part) => `${named("ledger", String(part.name))} ${bytes(Number(part.bytes))}`).join(t("audit.kinds.between"))
        : words(value, false);
    return t(`complete.say.${said.phrase}`, values);
  });
}

/** @param {Loose[]} all */
function connections(all) {
  return all.map((one) => `${one.connection === null ? "" : `${t("complete.connection", { n: String(one.connection) })} `}(${one.peer ?? "–"})`)
    .join(t("audit.kinds.between"));
}

/**
 * @param {Loose} finding
 * @param {"problem" | "remedy" | "source"} name
 * @returns {string} as the server has it, where the page does not know the phrase
 */
function sentence(finding, name) {
  const said = finding.said?.[name];
  const key = `audit.say.${said?.phrase}`;
  if (!said || named("audit.say", String(said.phrase)) === String(said.phrase)) return String(finding[name] ?? "");
  /** @type {Record<string, string>} */
  const values = {};
  for (const [value, of] of Object.entries(said.values ?? {})) {
    values[value] = words(of, false);
    values[value.charAt(0).toUpperCase() + value.slice(1)] = words(of, true);
  }
  // Chinese words have no spaces between them; names in Latin letters do.
  return t(key, values).replace(/(?<=[\u3000-\u9fff\uff00-\uffef]) (?=[\u3000-\u9fff\uff00-\uffef])/g, "");
}
return { completeness, sentence };
})();
const $sizes = (() => {
// A message's size, part by part. Cookies are a share of the fields, and shown apart from them.
const { h } = $dom;
const { bytes, exactBytes } = $format;
const { named, t } = $messages;

/** @typedef {import("./types.d.ts").Part} Part */

/** @type {Part[]} */
const parts = ["startLine", "fields", "cookies", "interim", "body", "framing"];

/**
 * The parts so that they add up: fields without cookies.
 * @param {Partial<Record<Part, number | null>>} size
 * @returns {Record<Part, number | null>}
 */
function apart(size) {
  const fields = size.fields ?? null;
  const cookies = size.cookies ?? null;
  return {
    startLine: size.startLine ?? null,
    fields: fields === null ? null : fields - (cookies ?? 0),
    cookies,
    interim: size.interim ?? null,
    body: size.body ?? null,
    framing: size.framing ?? null,
  };
}

/** @param {Part} part */
function partName(part) {
  return t(`part.${part}`);
}

/**
 * @param {"up" | "down"} direction
 * @param {Record<Part, number | null>} size
 * @param {number} most the bytes that fill the whole width
 */
function bar(direction, size, most) {
  const known = parts.map((part) => ({ part, size: size[part] ?? 0 })).filter((entry) => entry.size > 0);
  const total = known.reduce((sum, entry) => sum + entry.size, 0);
  const text = known.map((entry) => `${partName(entry.part)} ${exactBytes(entry.size)}`).join(", ");
  const element = h("div", {
    class: "size-bar", role: "img",
    "aria-label": t("detail.sizeBar", { direction: t(`column.${direction}`), total: exactBytes(total), parts: text }),
  });
  for (const entry of known) {
    const segment = h("i", { class: `p-${entry.part}`, title: `${partName(entry.part)}: ${exactBytes(entry.size)}` });
    segment.style.setProperty("flex-grow", String(entry.size));
    element.append(segment);
  }
  element.style.setProperty("width", `${most > 0 ? Math.max(total > 0 ? 1 : 0, (total / most) * 100) : 0}%`);
  return h("div", { class: "size-row" },
    h("span", { class: "size-direction" }, t(`column.${direction}`)),
    h("div", { class: "size-track" }, element),
    h("b", { class: "size-total" }, bytes(total)));
}

/**
 * How sure a number is.
 * @param {string} evidence
 * @param {number} [margin]
 */
function evidenceMark(evidence, margin) {
  const name = named("evidence.short", evidence);
  return h("span", { class: "evidence", title: named("evidence", evidence) },
    h("span", { class: `mark e-${evidence}`, "aria-hidden": "true" }), name,
    margin ? ` (${t("evidence.margin", { n: exactBytes(margin) })})` : null);
}

/**
 * Whether anything of a request went over the wire. What is not known may have.
 * @param {{ total: number | null }} request
 */
function wasSent({ total }) {
  return total !== 0;
}

/** @param {import("./types.d.ts").Exchange} exchange */
function sizes(exchange) {
  if (!wasSent(exchange.request) && !exchange.response) return h("p", { class: "quiet nothing-sent" }, t("size.nothing"));
  const up = apart(exchange.request);
  const down = exchange.response ? apart(exchange.response) : null;
  const sum = (/** @type {Record<Part, number | null>} */ size) =>
    parts.reduce((total, part) => total + (size[part] ?? 0), 0);
  const most = Math.max(sum(up), down ? sum(down) : 0);
  /**
   * @param {import("./types.d.ts").Message | null} message
   * @param {Record<Part, number | null> | null} size
   * @param {Part} part
   */
  const cell = (message, size, part) => {
    if (!message || !size) return h("td", {}, "–");
    const evidence = message.evidenceByPart?.[part];
    return h("td", {}, exactBytes(size[part]), evidence && evidence !== "captured" && evidenceMark(evidence));
  };
  const rows = parts.map((part) =>
    h("tr", {},
      h("th", { scope: "row" }, h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), partName(part)),
      cell(exchange.request, up, part), cell(exchange.response, down, part)));
  const total = (/** @type {import("./types.d.ts").Message | null} */ message) =>
    message ? h("td", {}, exactBytes(message.total), evidenceMark(message.evidence, message.margin)) : h("td", {}, "–");
  return h("div", { class: "sizes" }, bar("up", up, most), down && bar("down", down, most),
    h("table", { class: "parts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
        h("th", { scope: "col" }, t("column.down")))),
      h("tbody", {}, rows),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("part.total")), total(exchange.request),
        total(exchange.response)))));
}

/** The part colours by name, for the help. */
function legend() {
  return h("ul", { class: "legend" }, parts.map((part) =>
    h("li", {}, h("i", { class: `swatch p-${part}`, "aria-hidden": "true" }), partName(part))));
}
return { parts, apart, partName, evidenceMark, wasSent, sizes, legend };
})();
const $apis = (() => {
// The APIs by what they weigh.
const { get } = $api;
const { fill, h, svg } = $dom;
const { apiName, bytes, duration, number, order, percent } = $format;
const { t } = $messages;
const { listAddress } = $place;
const { completeness } = $sentences;
const { apart, partName, parts } = $sizes;

/** @typedef {import("./types.d.ts").API} API */

/** @type {{ name: string, value: (api: API) => number | string | null, text?: boolean }[]} */
const columns = [
  { name: "api", value: (api) => `${api.host}${api.template} ${api.method}`, text: true },
  { name: "requests", value: (api) => api.requests },
  { name: "failures", value: (api) => api.failures },
  { name: "failureRate", value: (api) => api.failureRate },
  { name: "up", value: (api) => api.up },
  { name: "down", value: (api) => api.down },
  { name: "share", value: (api) => api.up + api.down },
  { name: "p50", value: (api) => api.p50 },
  { name: "p95", value: (api) => api.p95 },
];

/** @param {number[]} values */
function sparkline(values) {
  const most = Math.max(1, ...values);
  const width = values.length * 4;
  return svg("svg", {
    class: "spark", viewBox: `0 0 ${width} 20`, preserveAspectRatio: "none", role: "img",
    "aria-label": t("apis.spark.label", { n: number(Math.max(0, ...values)) }),
  }, values.map((value, index) => value > 0
    ? svg("rect", { x: index * 4, width: 3, y: 20 - Math.max(1.5, (value / most) * 20), height: Math.max(1.5, (value / most) * 20) })
    : null));
}

/**
 * A bar as long as the API's share, coloured by part.
 * @param {API} api
 * @param {number} most
 */
function shareBar(api, most) {
  const up = apart(api.parts.up);
  const down = apart(api.parts.down);
  const bar = h("span", { class: "share-bar", "aria-hidden": "true" });
  for (const part of parts) {
    const size = (up[part] ?? 0) + (down[part] ?? 0);
    if (size <= 0) continue;
    const segment = h("i", { class: `p-${part}`, title: `${partName(part)}: ${bytes(size)}` });
    segment.style.setProperty("flex-grow", String(size));
    bar.append(segment);
  }
  bar.style.setProperty("width", `${most > 0 ? Math.max(1, ((api.up + api.down) / most) * 100) : 0}%`);
  return h("span", { class: "share-track" }, bar);
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeAPIs() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const place = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum), place);
  let sort = "share";
  let descending = true;
  let age = 0;
  /** @type {API[]} */
  let apis = [];

  function draw() {
    if (apis.length === 0) return fill(place, h("p", { class: "empty" }, t("apis.empty")));
    const column = columns.find(({ name }) => name === sort) ?? columns[6];
    const sorted = [...apis].sort((one, other) => {
      const a = column.value(one) ?? -1;
      const b = column.value(other) ?? -1;
      const difference = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
      return descending ? -difference : difference;
    });
    const all = apis.reduce((sum, api) => sum + api.up + api.down, 0);
    const most = apis.reduce((most, api) => Math.max(most, api.up + api.down), 0);
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.sort : undefined;
    fill(place, h("p", { class: "quiet order", role: "status" }, order(t(`apis.by.${sort}`), column.text === true, descending)),
    h("table", { class: "table apis", role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(({ name, text }) =>
        h("th", {
          scope: "col", role: "columnheader", class: `t-${name}`, "aria-sort": sort === name ? (descending ? "descending" : "ascending") : null,
        }, h("button", {
          type: "button", class: "sort", "data-sort": name, click: () => {
            descending = sort === name ? !descending : !text;
            sort = name;
            draw();
          },
        }, t(`apis.${name}`), sort === name &&
          h("span", { class: `arrow ${descending ? "descending" : "ascending"}`, "aria-hidden": "true" })))),
      h("th", { scope: "col", role: "columnheader", class: "t-spark" }, t("apis.spark")))),
      h("tbody", { role: "rowgroup" }, sorted.map((api) => row(api, all, most)))));
    if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-sort="${focused}"]`))?.focus();
  }

  /**
   * @param {API} api
   * @param {number} all
   * @param {number} most
   */
  function row(api, all, most) {
    return h("tr", { role: "row" },
      h("th", { scope: "row", role: "rowheader", class: "t-api" },
        h("a", { href: listAddress({ api: apiName(api) }) },
          h("b", { class: "c-method" }, api.method), " ", h("span", { class: "t-template" }, api.template)),
        h("small", {}, api.host)),
      h("td", { role: "cell", class: "t-requests", "data-label": t("apis.requests") }, number(api.requests)),
      h("td", { role: "cell", class: `t-failures${api.failures ? " bad" : " zero"}` }, api.failures ? number(api.failures) : "–"),
      h("td", { role: "cell", class: `t-failureRate${api.failures ? " bad" : " zero"}` },
        api.failures ? percent(api.failureRate) : "–"),
      h("td", { role: "cell", class: "t-up", "data-label": t("apis.up") }, bytes(api.up)),
      h("td", { role: "cell", class: "t-down", "data-label": t("apis.down") }, bytes(api.down)),
      h("td", { role: "cell", class: "t-share" }, shareBar(api, most),
        h("span", { class: "share-text" }, percent(all > 0 ? (api.up + api.down) / all : 0))),
      h("td", { role: "cell", class: "t-p50" }, duration(api.p50)),
      h("td", { role: "cell", class: "t-p95" }, duration(api.p95)),
      h("td", { role: "cell", class: "t-spark" }, sparkline(api.spark ?? [])));
  }

  /** @type {import("./types.d.ts").Place | null} */
  let last = null;
  async function load() {
    if (!last) return;
    const mine = ++age;
    const { since, until, host } = last.filters;
    try {
      const answer = await get("apis", { since, until, host });
      if (mine !== age) return;
      apis = answer.apis;
      const total = apis.reduce((sum, api) => sum + api.up + api.down, 0);
      const captured = answer.totals?.captured;
      // Of one host's messages no more can be said: connections carry those of others, too.
      const verdict = completeness(answer.completeness);
      fill(sum, verdict.length > 0 ? verdict.join(" ")
        : typeof captured === "number" && total > 0 ? t("apis.captured", { share: percent(captured), total: bytes(total) }) : "");
      draw();
    } catch (error) {
      if (mine === age && apis.length === 0) {
        fill(place, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    }
  }

  return {
    element,
    show(where) {
      last = where;
      fill(title, t("apis.title"));
      if (apis.length) draw();
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
return { shareBar, makeAPIs };
})();
const $compare = (() => {
// Another file and this one, API by API.
const { get } = $api;
const { command, fill, h } = $dom;
const { apiName, bytes, duration, number, order, percent } = $format;
const { named, t } = $messages;
const { listAddress } = $place;

/** @typedef {import("./types.d.ts").Loose} Loose */

/** @param {Loose | null | undefined} total */
const weight = (total) => (total ? Number(total.up) + Number(total.down) : 0);

/** @param {Loose} row */
function change(row) {
  if (!row.before) return h("span", { class: "delta new" }, t("compare.new"));
  if (!row.after) return h("span", { class: "delta gone" }, t("compare.gone"));
  const by = Number(row.change ?? weight(row.after) - weight(row.before));
  if (by === 0) return h("span", { class: "delta same" }, "±0");
  const share = weight(row.before) > 0 ? by / weight(row.before) : null;
  return h("span", { class: `delta ${by > 0 ? "more" : "less"}` }, `${by > 0 ? "+" : "−"}${bytes(Math.abs(by))}`,
    share !== null && h("small", {}, `${share > 0 ? "+" : "−"}${percent(Math.abs(share))}`));
}

/** @param {Loose} row */
function latency(row) {
  const before = row.before?.latency?.p50;
  const after = row.after?.latency?.p50;
  const finding = row.latency?.finding;
  return h("td", { class: "t-p50" }, `${duration(before)} → ${duration(after)}`,
    finding && h("small", { class: finding === "slower" ? "bad" : "" }, named("compare", String(finding))));
}

/** @typedef {{ name: string, label: string, value: (row: Loose) => number | string }} Column */

/** @type {Column[]} */
const columns = [
  { name: "api", label: "apis.api", value: (row) => `${row.host}${row.template} ${row.method}` },
  { name: "requests", label: "apis.requests", value: (row) => Number(row.after?.requests ?? 0) },
  { name: "before", label: "compare.before", value: (row) => weight(row.before) },
  { name: "after", label: "compare.after", value: (row) => weight(row.after) },
  { name: "change", label: "compare.change", value: (row) => Math.abs(Number(row.change ?? weight(row.after) - weight(row.before))) },
  { name: "p50", label: "compare.latency", value: (row) => Number(row.after?.latency?.p50 ?? -1) },
];

/**
 * Whether nothing is to be said of an API: the same bytes in as many requests, and no word about its durations.
 * @param {Loose} row
 */
function isSame(row) {
  return Boolean(row.before && row.after) && weight(row.before) === weight(row.after)
    && row.before.requests === row.after.requests && !["slower", "faster"].includes(String(row.latency?.finding ?? ""));
}

/** @param {Loose} row */
function line(row) {
  return h("tr", {},
    h("th", { scope: "row", class: "t-api" },
      h("a", { href: listAddress({ api: apiName(row) }) },
        h("b", { class: "c-method" }, String(row.method)), " ", h("span", { class: "t-template" }, String(row.template))),
      h("small", {}, String(row.host))),
    h("td", { class: "t-requests" },
      `${number(Number(row.before?.requests ?? 0))} → ${number(Number(row.after?.requests ?? 0))}`),
    h("td", { class: "t-before" }, row.before ? bytes(weight(row.before)) : "–"),
    h("td", { class: "t-after" }, row.after ? bytes(weight(row.after)) : "–"),
    h("td", { class: "t-change" }, change(row)), latency(row));
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeCompare() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const body = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum), body);
  let age = 0;
  let sort = "change";
  let descending = true;
  let showsSame = false;
  /** @type {Loose[]} */
  let rows = [];

  function draw() {
    const column = columns.find(({ name }) => name === sort) ?? columns[4];
    const same = rows.filter(isSame);
    const shown = (showsSame ? [...rows] : rows.filter((row) => !isSame(row))).sort((one, other) => {
      const [a, b] = [column.value(one), column.value(other)];
      const difference = typeof a === "string" ? a.localeCompare(String(b)) : a - Number(b);
      return descending ? -difference : difference;
    });
    const active = document.activeElement instanceof HTMLElement && body.contains(document.activeElement)
      ? document.activeElement.dataset.sort : undefined;
    fill(body,
      same.length === rows.length && h("p", { class: "empty" }, t("compare.same")),
      shown.length > 0 && h("p", { class: "quiet order", role: "status" }, order(t(`compare.by.${sort}`), sort === "api", descending)),
      shown.length > 0 && h("table", { class: "table compare" },
        h("thead", {}, h("tr", {}, columns.map(({ name, label, value }) =>
          h("th", {
            scope: "col", class: `t-${name}`, "aria-sort": sort === name ? (descending ? "descending" : "ascending") : null,
          }, h("button", {
            type: "button", class: "sort", "data-sort": name, click: () => {
              descending = sort === name ? !descending : typeof value(rows[0]) !== "string";
              sort = name;
              draw();
            },
          }, t(label), sort === name &&
            h("span", { class: `arrow ${descending ? "descending" : "ascending"}`, "aria-hidden": "true" })))))),
        h("tbody", {}, shown.map(line))),
      same.length > 0 && h("p", { class: "compare-same" }, h("button", {
        type: "button", "data-sort": "same", "aria-expanded": String(showsSame), click: () => {
          showsSame = !showsSame;
          draw();
        },
      }, showsSame ? t("compare.fold") : t(same.length === 1 ? "compare.unfold.one" : "compare.unfold", { n: number(same.length) }))));
    if (active) /** @type {HTMLElement | null} */ (body.querySelector(`[data-sort="${active}"]`))?.focus();
  }

  return {
    element,
    async show() {
      const mine = ++age;
      fill(title, t("compare.title"));
      fill(sum);
      try {
        /** @type {import("./types.d.ts").Overview} */
        const overview = await get("overview");
        if (mine !== age) return;
        if (!overview.can.compare) {
          return fill(body, h("div", { class: "empty" }, h("p", {}, t("compare.none")),
            h("p", {}, command(["inspect", overview.file ?? overview.name, "--compare", t("compare.file")]))));
        }
        const diff = await get("compare");
        if (mine !== age) return;
        rows = diff.apis ?? [];
        if (diff.totals) {
          fill(sum, `${t("compare.before")} ${bytes(weight(diff.totals.before))} → ${t("compare.after")} `,
            `${bytes(weight(diff.totals.after))}`);
        }
        draw();
      } catch (error) {
        if (mine !== age) return;
        fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    },
    leave() {
      age += 1;
    },
  };
}
return { makeCompare };
})();
const $ledger = (() => {
// The ledger of one connection: a bar whose parts add up to the payload, and what stands behind it.
const { get } = $api;
const { fill, h } = $dom;
const { bytes, clock, duration, exactBytes, number } = $format;
const { t } = $messages;
const { hashOf, listAddress, place } = $place;
const { evidenceMark } = $sizes;

/** @typedef {import("./types.d.ts").Connection} Connection */
/** @typedef {import("./types.d.ts").Row} Row */

const listed = 8;
const drawn = 60;

/**
 * What few connections have.
 * @type {("socksOverhead" | "proxyProtocolOverhead" | "proxyTLSOverhead" | "websocketOverhead" | "websocketPayload" | "upgraded" | "afterMessage")[]}
 */
const rare = ["socksOverhead", "proxyProtocolOverhead", "proxyTLSOverhead", "websocketOverhead", "websocketPayload", "upgraded", "afterMessage"];

/** @param {{ up: number, down: number } | null} flow */
const both = (flow) => flow ? flow.up + flow.down : 0;

/**
 * What the payload is made of, in both directions together.
 * @param {Connection} one
 */
function parts(one) {
  return [
    { name: "messagesUp", size: one.messages.up },
    { name: "messagesDown", size: one.messages.down },
    { name: "tls", size: both(one.tlsOverhead) },
    { name: "http2", size: both(one.http2Overhead) },
    ...rare.map((name) => ({ name, size: both(one[name]) })),
    { name: "unaccounted", size: both(one.unaccounted) },
  ].filter((part) => part.size !== 0);
}

/** @param {Connection} one */
function payload(one) {
  return one.sent === null || one.received === null ? null : one.sent + one.received;
}

/**
 * A bar as wide as its place: the share of each part.
 * @param {Connection} one
 * @param {Row[] | null} [exchanges] those that are drawn one by one in the place of the messages
 */
function ledgerBar(one, exchanges = null) {
  const known = parts(one);
  const total = payload(one);
  const text = known.map((part) => `${t(`ledger.${part.name}`)} ${exactBytes(part.size)}`).join(", ");
  const bar = h("span", {
    class: `ledger-bar${exchanges ? " large" : ""}${total === null ? " unknown" : ""}`, role: "img",
    "aria-label": t("ledger.bar", { total: exactBytes(total), parts: text }),
  });
  /**
   * @param {string} name
   * @param {number} size
   * @param {string} title
   */
  const segment = (name, size, title) => {
    if (size <= 0) return;
    const element = h("i", { class: name, title: `${title}: ${exactBytes(size)}` });
    element.style.setProperty("flex-grow", String(size));
    bar.append(element);
  };
  if (exchanges) {
    let left = both(one.messages);
    exchanges.forEach((row, index) => {
      // One that is told of before its connection is.
      const size = Math.min(left, (row.up ?? 0) + (row.down ?? 0));
      left -= size;
      segment(`l-messages${index % 2 ? " odd" : ""}`, size, `#${row.id} ${row.method} ${row.path}`);
    });
    segment("l-other", left, t("connections.exchanges.others", { n: number(Math.max(0, one.exchanges - exchanges.length)) }));
  }
  for (const part of known) {
    if (!exchanges || !part.name.startsWith("messages")) segment(`l-${part.name}`, part.size, t(`ledger.${part.name}`));
  }
  return bar;
}

/**
 * What the colours of the bars mean: of those that are there.
 * @param {Connection[]} connections
 */
function ledgerLegend(connections) {
  const there = new Set(connections.flatMap((one) => parts(one).map((part) => part.name)));
  const names = ["messagesUp", "messagesDown", "tls", "http2", ...rare, "unaccounted"].filter((name) => there.has(name));
  return h("ul", { class: "legend ledger-legend" }, names.map((name) =>
    h("li", {}, h("i", { class: `swatch l-${name}`, "aria-hidden": "true" }), t(`ledger.${name}`))));
}

/** @param {Connection} one */
function table(one) {
  const unknown = one.unaccounted === null;
  const rows = [
    { name: "messages", flow: one.messages },
    { name: "tls", flow: one.tlsOverhead },
    { name: "http2", flow: one.http2Overhead },
    ...rare.filter((name) => both(one[name]) !== 0).map((name) => ({ name, flow: one[name] })),
    { name: "unaccounted", flow: one.unaccounted },
  ];
  return h("table", { class: "parts" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
      h("th", { scope: "col" }, t("column.down")))),
    h("tbody", {}, rows.map(({ name, flow }) =>
      h("tr", {}, h("th", { scope: "row" }, h("i", { class: `swatch l-${name}`, "aria-hidden": "true" }), t(`ledger.${name}`)),
        [flow?.up, flow?.down].map((size) =>
          h("td", { class: name === "unaccounted" && size ? "bad" : null }, exactBytes(size)))))),
    h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("ledger.payload")),
      h("td", {}, exactBytes(one.sent)), h("td", {}, exactBytes(one.received)))),
    unknown && h("caption", { class: "quiet" }, t("connections.unknown")));
}

/**
 * The network that a connection goes over, in words.
 * @param {{ network: import("./types.d.ts").Network | null }} one
 */
function network({ network: known }) {
  if (!known) return t("unknown");
  /** @type {("loopback" | "cellular" | "expensive" | "constrained" | "multipath")[]} */
  const names = ["loopback", "cellular", "expensive", "constrained", "multipath"];
  const words = names.filter((name) => known[name]).map((name) => t(`network.${name}`));
  return [known.interface, ...words].filter(Boolean).join(" · ")
    || t(known.cellular === false ? "network.notCellular" : "unknown");
}

/**
 * How many frames and messages WebSocket had, each up and down; nothing where there was none.
 * @param {import("./types.d.ts").WebSocketCounts | null} counts
 * @returns {[string, string][]}
 */
function websocketFacts(counts) {
  if (!counts) return [];
  /** @type {("frames" | "controlFrames" | "messages")[]} */
  const names = ["frames", "controlFrames", "messages"];
  return names.map((name) => [t(`websocket.${name}`),
    t("connections.segments.text", { up: number(counts[name].up), down: number(counts[name].down) })]);
}

/** @param {Connection} one */
function facts(one) {
  const { up = null, down = null } = one.segments ?? {};
  const count = (/** @type {number | null} */ value) => value === null ? t("unknown") : number(value);
  /** @type {[string, import("./dom.js").Child][]} */
  const all = [
    [t("connections.protocol"), one.protocol ?? "–"],
    [t("connections.tls"), one.tls ? [one.tls.version, one.tls.cipher].filter(Boolean).join(", ") || t("connections.tls") : t("connections.tls.none")],
    [t("connections.evidence"), one.evidence ? evidenceMark(one.evidence) : t("unknown")],
    [t("connections.opened"), clock(one.opened, true)],
    [t("connections.closed"), one.closed === null ? t("connections.open.for") : clock(one.closed, true)],
    [t("connections.network"), network(one)],
    [t("connections.local"), one.local ?? t("unknown")],
    [t("connections.roundTrip"), duration(one.roundTrip)],
    [t("connections.retransmitted"), bytes(one.retransmitted)],
    [t("connections.segments"), one.segments ? t("connections.segments.text", { up: count(up), down: count(down) }) : t("unknown")],
    ...websocketFacts(one.websocket),
    [t("connections.ip"), one.ipBytes ? t("connections.segments.text", { up: bytes(one.ipBytes.up), down: bytes(one.ipBytes.down) }) : t("unknown")],
  ];
  return h("dl", { class: "facts" }, all.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * What is shown when a connection is opened: the bar exchange by exchange, its numbers, and its exchanges.
 * @param {Connection} one
 */
function ledger(one) {
  const bar = h("div", {});
  const carried = h("div", {});
  const element = h("div", { class: "ledger" }, bar,
    h("section", {}, h("h3", {}, t("connections.ledger")), table(one)),
    h("section", { class: "ledger-about" }, h("h3", {}, t("connections.about")), facts(one)),
    h("section", {}, h("h3", {}, t("connections.exchanges")), carried));
  bar.style.setProperty("grid-column", "1 / -1");
  fill(bar, ledgerBar(one, []));
  void (async () => {
    try {
      const page = await get("exchanges", { connection: one.id, sort: "start", limit: drawn });
      /** @type {Row[]} */
      const rows = page.exchanges;
      fill(bar, ledgerBar(one, rows));
      fill(carried, h("ol", { class: "carried" }, rows.slice(0, listed).map((row) =>
        h("li", {}, h("a", { href: hashOf({ ...place(), page: "list", filters: { connection: String(one.id) }, id: row.id }) },
          `#${row.id} ${row.method} ${row.path}`), h("span", {}, `${bytes(row.up)} + ${bytes(row.down)}`)))),
      h("a", { href: listAddress({ connection: String(one.id) }), class: "all-carried" },
        page.total === 1 ? t("connections.exchanges.one") : t("connections.exchanges.all", { n: number(page.total) })));
    } catch (error) {
      fill(carried, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
    }
  })();
  return element;
}
return { ledgerBar, ledgerLegend, network, websocketFacts, ledger };
})();
const $connections = (() => {
// Connections, the newest first, each a bar of what its payload is made of; one of them opened.
const { get } = $api;
const { fill, h } = $dom;
const { bytes, clock, duration, number } = $format;
const { ledger, ledgerBar, ledgerLegend } = $ledger;
const { t } = $messages;

/** @typedef {import("./types.d.ts").Connection} Connection */

const names = ["id", "remote", "exchanges", "ledger", "sent", "received", "roundTrip"];
const first = 100;

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeConnections() {
  const title = h("h1", {});
  const text = h("p", { class: "quiet" });
  const body = h("div", { class: "page-body" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, text), body);
  /** @type {Connection[]} */
  let connections = [];
  /** @type {string | null} */
  let cursor = null;
  /** The connection that is opened. @type {number | null} */
  let opened = null;
  /** What is shown of it, made anew when the connection has changed. @type {{ of: string, element: HTMLElement } | null} */
  let inside = null;
  let age = 0;

  /** @param {Connection} one */
  function openedLedger(one) {
    const of = JSON.stringify(one) + document.documentElement.lang;
    if (inside?.of !== of) inside = { of, element: ledger(one) };
    return inside.element;
  }

  /** @param {Connection} one */
  function rows(one) {
    const isOpened = one.id === opened;
    const life = one.closed === null ? t("connections.open")
      : duration(one.opened === null ? null : one.closed - one.opened);
    const about = [one.protocol, one.tls?.version, life, one.process ? `${one.process} (${one.pid})` : null];
    return [
      h("tr", { class: isOpened ? "opened" : null, title: `${clock(one.opened, true)} – ${clock(one.closed, true)}` },
        h("th", { scope: "row", class: "t-id" }, one.id),
        h("td", { class: "t-remote" }, h("button", {
          type: "button", class: "toggle", "data-connection": one.id, "aria-expanded": String(isOpened),
          title: t("connections.toggle", { n: one.id }),
          click: () => {
            opened = isOpened ? null : one.id;
            draw();
          },
        }, one.remote ?? "–"), h("small", {}, about.filter(Boolean).join(" · "))),
        h("td", { class: "t-exchanges" }, number(one.exchanges)),
        h("td", { class: "t-ledger" }, ledgerBar(one)),
        h("td", { class: "t-sent" }, bytes(one.sent)), h("td", { class: "t-received" }, bytes(one.received)),
        h("td", { class: "t-roundTrip" }, duration(one.roundTrip))),
      isOpened && h("tr", { class: "opened-ledger" }, h("td", { colspan: names.length }, openedLedger(one))),
    ];
  }

  function draw() {
    if (connections.length === 0) return fill(body, h("p", { class: "empty" }, t("connections.empty")));
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.connection : undefined;
    fill(body, ledgerLegend(connections), h("table", { class: "table connections" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col", class: `t-${name}` }, t(`connections.${name}`))))),
      h("tbody", {}, connections.flatMap(rows))),
    cursor && h("button", { type: "button", class: "button wide", click: () => void load(true) }, t("connections.more")));
    if (focused) /** @type {HTMLElement | null} */ (body.querySelector(`[data-connection="${focused}"]`))?.focus();
  }

  /** @param {boolean} [more] */
  async function load(more = false) {
    const mine = ++age;
    try {
      const page = await get("connections", more ? { cursor, limit: first } : { limit: first });
      if (mine !== age) return;
      connections = more ? [...connections, ...page.connections] : page.connections;
      cursor = page.cursor;
      draw();
    } catch (error) {
      if (mine === age) fill(body, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
    }
  }

  return {
    element,
    show() {
      fill(title, t("connections.title"));
      fill(text, t("connections.text"));
      void load();
    },
    live() {
      // What was read further on is not taken away.
      if (connections.length <= first) void load();
    },
    leave() {
      age += 1;
    },
  };
}
return { makeConnections };
})();
const $tree = (() => {
// JSON as a tree that is built as it is opened: what nobody looks at costs nothing.
const { h } = $dom;
const { number } = $format;
const { t } = $messages;

const step = 100;

/** A number with more digits than JavaScript's numbers hold, as it was written. */
class LongNumber {
  /** @param {string} source */
  constructor(source) {
    this.source = source;
  }
}

/**
 * @param {string} text
 * @returns {unknown}
 */
function parse(text) {
  // The reviver is slow, and asked only where a number may need it.
  if (!/\d{16}|\d[eE][+-]?\d{3}/.test(text)) return JSON.parse(text);
  /** @type {(this: any, key: string, value: any, context?: { source?: string }) => any} */
  const reviver = (_, value, context) => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return String(value) === context.source ? value : new LongNumber(context.source);
  };
  return JSON.parse(text, reviver);
}

/** @param {unknown} value */
function leaf(value) {
  if (value === null) return h("span", { class: "j-null" }, "null");
  if (value instanceof LongNumber) return h("span", { class: "j-number" }, value.source);
  if (typeof value === "string") {
    const short = value.length > 2000 ? `${value.slice(0, 2000)}…` : value;
    return h("span", { class: "j-string" }, JSON.stringify(short));
  }
  return h("span", { class: `j-${typeof value}` }, String(value));
}

/**
 * The members of an object or an array: own ones only, so that a member named `__proto__` is one like others.
 * @param {object} value
 * @returns {[string, unknown][]}
 */
function members(value) {
  return Object.keys(value).map((key) => [key, Object.getOwnPropertyDescriptor(value, key)?.value]);
}

/**
 * @param {string | null} key
 * @param {unknown} value
 * @param {boolean} index
 * @param {number} depth
 * @returns {HTMLElement}
 */
function node(key, value, index, depth) {
  const name = key === null ? null : h("span", { class: index ? "j-index" : "j-key" }, index ? key : JSON.stringify(key));
  const label = name ? [name, ": "] : [];
  if (value === null || typeof value !== "object" || value instanceof LongNumber) {
    return h("li", { role: "treeitem", class: "j-leaf" }, ...label, leaf(value));
  }
  const entries = Array.isArray(value) ? null : members(value);
  const count = entries ? entries.length : /** @type {unknown[]} */ (value).length;
  const group = h("ul", { role: "group", hidden: true });
  let filled = 0;
  function more() {
    const end = Math.min(count, filled + step);
    for (; filled < end; filled += 1) {
      const [name, child] = entries ? entries[filled] : [String(filled), /** @type {unknown[]} */ (value)[filled]];
      group.append(node(name, child, !entries, depth + 1));
    }
    if (filled < count) {
      const button = h("button", {
        type: "button", class: "link", click: () => {
          button.parentElement?.remove();
          more();
        },
      }, t("tree.more", { n: number(count - filled) }));
      group.append(h("li", { role: "none" }, button));
    }
  }
  const toggle = h("button", {
    type: "button", class: "j-toggle", click: () => open(group.hidden === true),
  }, ...label, h("span", { class: "j-sum" }, entries ? "{" : "[", h("small", {}, count === 1 ? t("tree.item") : t("tree.items", { n: number(count) })),
    entries ? "}" : "]"));
  const item = h("li", { role: "treeitem", "aria-expanded": "false" }, toggle, group);
  /** @param {boolean} on */
  function open(on) {
    if (on && filled === 0) more();
    group.hidden = !on;
    item.setAttribute("aria-expanded", String(on));
  }
  if (depth === 0 || (depth === 1 && count <= 20)) open(true);
  return item;
}

/** @param {unknown} value */
function tree(value) {
  return h("ul", { class: "tree", role: "tree", "aria-label": t("tree.label") }, node(null, value, false, 0));
}
return { parse, tree };
})();
const $body = (() => {
// A kept body: decoded and shown as a tree, text, an image or bytes, a page at a time. Nothing in it is ever run.
const { address, bodyBytes, save } = $api;
const { fill, h, icon, iconButton } = $dom;
const { bytes, number } = $format;
const { t } = $messages;
const { parse, tree } = $tree;

/** Decoded bytes that are held; a body can be small on the wire and endless behind it. */
const mostDecoded = 16 * 1024 * 1024;
const chunk = 1024 * 1024;
const textPage = 64 * 1024;
const hexPage = 4096;
const treeLimit = 8 * 1024 * 1024;

/** Pictures of dots, by the bytes they begin with; drawings that may hold scripts are text. */
const images = [
  { type: "image/png", begins: [0x89, 0x50, 0x4e, 0x47] },
  { type: "image/jpeg", begins: [0xff, 0xd8, 0xff] },
  { type: "image/gif", begins: [0x47, 0x49, 0x46, 0x38] },
  { type: "image/webp", begins: [0x52, 0x49, 0x46, 0x46] },
  { type: "image/avif", begins: [] },
];

/**
 * @param {Uint8Array} data
 * @param {string} type
 */
function imageType(data, type) {
  return images.find((image) => image.type === type && image.begins.every((byte, at) => data[at] === byte))?.type ?? null;
}

/** @param {string} coding */
function decoder(coding) {
  /** @type {Record<string, string>} */
  const formats = { gzip: "gzip", "x-gzip": "gzip", deflate: "deflate", br: "brotli", zstd: "zstd" };
  const format = Object.hasOwn(formats, coding) ? formats[coding] : null;
  if (!format) return null;
  try {
    return new DecompressionStream(/** @type {CompressionFormat} */ (format));
  } catch {
    return null;
  }
}

/**
 * @typedef {object} Decoded
 * @property {Uint8Array} data
 * @property {string | null} trouble
 * @property {boolean} coded whether the bytes are still as sent
 */

/**
 * Reads a body and takes its content coding away.
 * @param {number} id
 * @param {"request" | "response"} side
 * @param {import("./types.d.ts").Body} body
 * @param {() => boolean} wanted
 * @returns {Promise<Decoded>}
 */
async function read(id, side, body, wanted) {
  const codings = (body.coding ?? "").toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const decoders = codings.reverse().map(decoder);
  const unknown = decoders.includes(null);
  let offset = 0;
  /** @type {ReadableStream<any>} */
  let stream = new ReadableStream({
    async pull(controller) {
      if (offset >= body.size || !wanted()) return controller.close();
      const page = await bodyBytes(id, side, offset, chunk);
      if (page.bytes.length === 0) return controller.close();
      offset += page.bytes.length;
      controller.enqueue(page.bytes);
    },
  }, { highWaterMark: 0 });
  if (!unknown) for (const step of decoders) if (step) stream = stream.pipeThrough(step);
  const reader = stream.getReader();
  const pieces = [];
  let size = 0;
  let trouble = unknown ? t("body.coding", { coding: codings.join(", ") }) : null;
  try {
    while (size < mostDecoded) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      size += value.length;
    }
    if (size >= mostDecoded) {
      trouble = t("body.capped", { n: bytes(mostDecoded) });
      void reader.cancel();
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    trouble = t("body.broken");
  }
  const data = new Uint8Array(Math.min(size, mostDecoded));
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, data.length - at);
    data.set(part, at);
    at += part.length;
  }
  return { data, trouble, coded: unknown };
}

/**
 * @param {Uint8Array} data
 * @param {string} charset
 */
function text(data, charset) {
  try {
    return new TextDecoder(charset).decode(data);
  } catch {
    return new TextDecoder().decode(data);
  }
}

/** @param {Uint8Array} data */
function looksLikeText(data) {
  const sample = data.subarray(0, 2000);
  let odd = 0;
  for (const byte of sample) if (byte === 0 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) odd += 1;
  return odd * 50 <= sample.length;
}

/**
 * @param {Uint8Array} data
 * @param {number} offset
 */
function hex(data, offset) {
  const lines = [];
  for (let at = 0; at < data.length; at += 16) {
    const line = data.subarray(at, at + 16);
    const digits = Array.from(line, (byte) => byte.toString(16).padStart(2, "0"));
    const letters = Array.from(line, (byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
    const left = digits.slice(0, 8).join(" ").padEnd(23);
    const right = digits.slice(8).join(" ").padEnd(23);
    lines.push(`${(offset + at).toString(16).padStart(8, "0")}  ${left}  ${right}  ${letters}`);
  }
  return lines.join("\n");
}

/**
 * Something too long for one look.
 * @param {number} size
 * @param {number} pageSize
 * @param {(from: number, to: number) => Promise<string> | string} show
 */
function paged(size, pageSize, show) {
  const pre = h("pre", { class: "raw", tabindex: 0 });
  const bar = h("div", { class: "pager" });
  let from = 0;
  async function turn(/** @type {number} */ to) {
    const last = Math.max(0, Math.floor((size - 1) / pageSize) * pageSize);
    from = Math.max(0, Math.min(to, last));
    const end = Math.min(size, from + pageSize);
    fill(bar,
      iconButton("previous", t("body.page.previous"), () => void turn(from - pageSize), { disabled: from === 0 }),
      h("span", { role: "status" }, t("body.page", { from: number(from + 1), to: number(end), n: number(size) })),
      iconButton("next", t("body.page.next"), () => void turn(from + pageSize), { disabled: end >= size }),
      h("button", { type: "button", class: "link", click: () => void turn(0), disabled: from === 0 }, t("body.page.first")),
      h("button", { type: "button", class: "link", click: () => void turn(last), disabled: end >= size },
        t("body.page.last")));
    const at = from;
    const page = await show(from, end);
    if (at === from) pre.textContent = page;
    pre.scrollTop = 0;
  }
  void turn(0);
  return size > pageSize ? h("div", { class: "paged" }, bar, pre) : pre;
}

/**
 * @param {import("./types.d.ts").Detail} detail
 * @returns {{ element: HTMLElement, leave: () => void }}
 */
function bodies(detail) {
  const element = h("div", { class: "bodies" });
  let alive = true;
  /** @type {string | null} */
  let picture = null;
  /** @type {"request" | "response"} */
  let side = detail.bodies.response ? "response" : "request";
  /** @type {string | null} */
  let wanted = null;
  let age = 0;

  function drop() {
    if (picture) URL.revokeObjectURL(picture);
    picture = null;
  }

  async function show() {
    const mine = ++age;
    drop();
    const body = detail.bodies[side];
    const sides = h("div", { class: "segments", role: "group", "aria-label": t("body.side") },
      /** @type {const} */ (["request", "response"]).map((name) =>
        h("button", {
          type: "button", "aria-pressed": String(side === name), click: () => {
            side = name;
            wanted = null;
            void show();
          },
        }, t(name))));
    const bar = h("div", { class: "body-bar" }, sides);
    const place = h("div", { class: "body-place" });
    fill(element, bar, place);
    if (!body || body.size === 0) {
      fill(place, h("p", { class: "quiet" }, t(body ? "body.empty" : "body.none")));
      return;
    }
    fill(place, h("p", { class: "quiet" }, t("list.loading")));
    /** @type {Decoded} */
    let decoded;
    try {
      decoded = await read(detail.row.id, side, body, () => alive && mine === age);
    } catch (error) {
      if (mine === age) fill(place, h("p", { class: "error" }, String(/** @type {Error} */ (error).message)));
      return;
    }
    if (!alive || mine !== age) return;
    const { data, trouble, coded } = decoded;
    const type = (body.type ?? "").split(";", 1)[0].trim().toLowerCase();
    const charset = /charset="?([\w-]+)/i.exec(body.type ?? "")?.[1] ?? "utf-8";
    const image = coded ? null : imageType(data, type);
    const textual = !coded && (looksLikeText(data) || type.startsWith("text/"));
    const json = textual && data.length <= treeLimit && (/[/+]json$/.test(type) || /^\s*[[{]/.test(text(data.subarray(0, 64), charset)));
    const kinds = [image && "image", json && "tree", textual && "text", "hex"].filter((kind) => typeof kind === "string");

    const kindsBar = h("div", { class: "segments", role: "group", "aria-label": t("body.as") });
    bar.append(kindsBar, h("button", {
      type: "button", class: "button", click: () =>
        save(address(`exchanges/${detail.row.id}/bodies/${side}`), `exchange-${detail.row.id}-${side}.bin`),
    }, icon("export"), t("body.save")));
    const kept = body.of !== null && body.of > body.size ? t("body.part", { n: bytes(body.size), of: bytes(body.of) }) : t("body.size", { n: bytes(body.size) });
    const size = body.coding && !coded
      ? `${kept} · ${t("body.decoded", { n: bytes(data.length), coding: body.coding })}`
      : kept;
    const note = h("p", { class: "quiet" }, size, body.type ? ` · ${body.type}` : "");

    function look(/** @type {string} */ kind) {
      wanted = kind;
      drop();
      fill(kindsBar, kinds.map((name) =>
        h("button", { type: "button", "aria-pressed": String(name === kind), click: () => look(name) }, t(`body.${name}`))));
      fill(place, note, trouble && h("p", { class: "warning" }, trouble), shown(kind));
    }

    /**
     * @param {string} kind
     * @returns {HTMLElement}
     */
    function shown(kind) {
      if (kind === "image" && image) {
        picture = URL.createObjectURL(new Blob([/** @type {any} */ (data)], { type: image }));
        return h("img", { class: "picture", src: picture, alt: `${t("body.image")}, ${bytes(data.length)}` });
      }
      if (kind === "tree") {
        try {
          return tree(parse(text(data, charset)));
        } catch (error) {
          const reason = error instanceof Error ? error.message : "";
          return h("div", {}, h("p", { class: "warning" }, t("tree.invalid", { reason })), shown("text"));
        }
      }
      if (kind === "text") return paged(data.length, textPage, (from, to) => text(data.subarray(from, to), charset));
      if (data.length < mostDecoded || body?.coding) {
        return paged(data.length, hexPage, (from, to) => hex(data.subarray(from, to), from));
      }
      return paged(body?.size ?? 0, hexPage, async (from, to) =>
        hex((await bodyBytes(detail.row.id, side, from, to - from)).bytes, from));
    }
    look(wanted && kinds.includes(wanted) ? wanted : kinds[0]);
  }
  void show();
  return {
    element,
    leave() {
      alive = false;
      drop();
    },
  };
}
return { bodies };
})();
const $findings = (() => {
// What the audit found: what is wrong, what to do, what it would save, and where to see it.
const { get } = $api;
const { fill, h } = $dom;
const { apiName, bytes, duration, number } = $format;
const { t } = $messages;
const { sentence } = $sentences;
const { hashOf, listAddress, place } = $place;

/** @param {import("./types.d.ts").Loose[]} found */
function findings(found) {
  const most = found.reduce((most, finding) => Math.max(most, Number(finding.saving?.bytes) || 0), 0);
  return h("ol", { class: "findings" }, found.map((finding) => card(finding, most)));
}

/**
 * @param {import("./types.d.ts").Loose} finding
 * @param {number} most
 */
function card(finding, most) {
  const saving = finding.saving ?? {};
  const api = finding.method ? apiName(finding) : finding.host ?? "";
  /** @type {import("./types.d.ts").Filters} */
  const filters = finding.method && finding.host && finding.template
    ? { api: apiName(finding) } : finding.host ? { host: finding.host } : {};
  const bar = h("i", {});
  bar.style.setProperty("width", `${most > 0 ? ((Number(saving.bytes) || 0) / most) * 100 : 0}%`);
  const evidence = Array.isArray(finding.evidence) ? finding.evidence : [];
  return h("li", { class: `finding${finding.alarm ? " alarm" : ""}` },
    h("div", { class: "finding-saving" },
      saving.bytes ? h("b", {}, bytes(saving.bytes)) : null,
      saving.milliseconds ? h("b", {}, duration(saving.milliseconds)) : null,
      finding.basis && h("small", {}, t(finding.basis === "measured" ? "audit.measured" : "audit.estimated")),
      h("span", { class: "finding-bar", "aria-hidden": "true" }, bar)),
    h("div", { class: "finding-text" },
      h("p", { class: "finding-head" }, h("code", { class: "rule" }, String(finding.rule ?? "")),
        api && h("a", { href: listAddress(filters) }, api)),
      h("p", { class: "problem" }, sentence(finding, "problem")),
      h("p", { class: "remedy" }, sentence(finding, "remedy")),
      h("p", { class: "quiet" },
        [
          finding.affectedCalls !== undefined && (Number(finding.affectedCalls) === 1
            ? t("audit.call") : t("audit.calls", { n: number(Number(finding.affectedCalls)) })),
          saving.bytesPer1000Calls ? t("audit.per", { n: bytes(saving.bytesPer1000Calls) }) : null,
          finding.source ? sentence(finding, "source") : null,
        ].filter(Boolean).join(" · ")),
      evidence.length > 0 && h("p", { class: "evidence-links" }, h("span", {}, `${t("audit.evidence")} `),
        evidence.slice(0, 12).map((id) => h("a", { href: detailAddress(Number(id)) }, `#${Number(id)}`)))));
}

/** @param {number} id */
function detailAddress(id) {
  return hashOf({ ...place(), page: "list", filters: {}, id, tab: "overview" });
}

/**
 * What comes first, as `wireweight audit --sort` has it; the server's own order is that of both together.
 * @type {Record<string, (saving: import("./types.d.ts").Loose) => number>}
 */
const orders = {
  saving: () => 0,
  bytes: (saving) => Number(saving.bytes) || 0,
  time: (saving) => Number(saving.milliseconds) || 0,
};

/**
 * @param {import("./types.d.ts").Loose[]} found
 * @param {string} order
 */
function ordered(found, order) {
  return [...found].sort((one, other) => Number(Boolean(other.alarm)) - Number(Boolean(one.alarm))
    || orders[order](other.saving ?? {}) - orders[order](one.saving ?? {}));
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeAudit() {
  const list = h("div", { class: "page-body" });
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const choice = h("div", { class: "segments", role: "group" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, choice), list);
  let age = 0;
  /** @type {keyof typeof orders} */
  let order = "saving";
  /** @type {import("./types.d.ts").Loose[]} */
  let last = [];

  function draw() {
    choice.hidden = last.length < 2;
    choice.setAttribute("aria-label", t("audit.sort"));
    const focused = choice.contains(document.activeElement);
    fill(choice, Object.keys(orders).map((name) =>
      h("button", {
        type: "button", "data-sort": name, "aria-pressed": String(name === order), click: () => {
          order = /** @type {keyof typeof orders} */ (name);
          draw();
        },
      }, t(`audit.sort.${name}`))));
    if (focused) /** @type {HTMLElement | null} */ (choice.querySelector(`[data-sort="${order}"]`))?.focus();
    if (last.length === 0) return fill(list, h("p", { class: "empty" }, t("audit.clean")));
    fill(list, h("p", { class: "quiet audit-order" }, t(`audit.order.${order}`)), findings(ordered(last, order)));
  }

  return {
    element,
    async show({ filters }) {
      const mine = ++age;
      fill(title, t("audit.title"));
      try {
        const audit = await get("audit", { since: filters.since, until: filters.until });
        if (mine !== age) return;
        /** @type {import("./types.d.ts").Loose[]} */
        const found = audit.findings ?? [];
        fill(sum, audit.examined ? t("live.exchanges", { n: number(Number(audit.examined.exchanges)) }) : "");
        last = found;
        draw();
      } catch (error) {
        if (mine === age) fill(list, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    },
    leave() {
      age += 1;
    },
  };
}
return { findings, makeAudit };
})();
const $heads = (() => {
// Heads as they went over the wire, with what was replaced marked; query items and cookies taken apart.
const { h } = $dom;
const { t } = $messages;
const { wasSent } = $sizes;

const redaction = /\[redacted \d+ B\]|\(redacted-\d+-B\)/g;

/**
 * A text, what was replaced in it marked.
 * @param {string} text
 * @returns {(string | HTMLElement)[]}
 */
function marked(text) {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(redaction)) {
    pieces.push(text.slice(end, match.index), h("mark", {}, match[0]));
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

/**
 * @param {string} title
 * @param {string} startLine
 * @param {string[]} lines
 */
function head(title, startLine, lines) {
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("div", { class: "raw", tabindex: 0, role: "group", "aria-label": title },
      h("div", { class: "raw-start" }, marked(startLine)),
      lines.map((line) => {
        const colon = line.indexOf(":", 1);
        if (colon < 0) return h("div", {}, marked(line));
        return h("div", {}, h("span", { class: "raw-name" }, line.slice(0, colon + 1)), marked(line.slice(colon + 1)));
      })));
}

/**
 * @param {string} title
 * @param {string[][]} rows
 * @param {string[]} names
 */
function pairs(title, rows, names) {
  if (rows.length === 0) return null;
  return h("section", { class: "head-block" }, h("h3", {}, title),
    h("table", { class: "pairs" },
      h("thead", {}, h("tr", {}, names.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows.map((row) =>
        h("tr", {}, row.map((value, index) =>
          index === 0 ? h("th", { scope: "row" }, marked(value)) : h("td", {}, marked(value))))))));
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/**
 * The items of a query, in order; a name may come again.
 * @param {string | null} query
 */
function queryItems(query) {
  if (!query) return [];
  return query.split("&").filter((item) => item !== "").map((item) => {
    const equals = item.indexOf("=");
    return equals < 0 ? [decoded(item), ""] : [decoded(item.slice(0, equals)), decoded(item.slice(equals + 1))];
  });
}

/**
 * The values of the lines of one name.
 * @param {string[]} lines
 * @param {string} name in lower case
 */
function values(lines, name) {
  return lines.filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());
}

/** @param {string} pair */
function split(pair) {
  const equals = pair.indexOf("=");
  return equals < 0 ? ["", pair.trim()] : [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
}

/** @param {string[]} lines */
function cookiesSent(lines) {
  return values(lines, "cookie").flatMap((value) => value.split(";").map(split));
}

/** @param {string[]} lines */
function cookiesSet(lines) {
  return values(lines, "set-cookie").map((value) => {
    const [pair, ...attributes] = value.split(";");
    return [...split(pair), attributes.map((attribute) => attribute.trim()).join("; ")];
  });
}

/** @param {import("./types.d.ts").Exchange} exchange */
function heads(exchange) {
  const { request, response } = exchange;
  const sent = request.fieldLines ?? [];
  const received = response?.fieldLines ?? [];
  const target = exchange.path + (exchange.query === null ? "" : `?${exchange.query}`);
  const start = `${exchange.method} ${target}${exchange.httpVersion ? ` HTTP/${exchange.httpVersion}` : ""}`;
  const all = [...sent, ...received, target].join("\n");
  redaction.lastIndex = 0;
  const name = t("heads.name");
  const value = t("heads.value");
  return h("div", { class: "heads" },
    wasSent(request) || response ? head(t("heads.request"), start, sent) : h("p", { class: "quiet" }, t("heads.nothing")),
    response
      ? head(t("heads.response"), `HTTP/${response.httpVersion} ${response.status} ${response.reason ?? ""}`.trim(), received)
      : h("p", { class: "quiet" }, t("heads.none")),
    redaction.test(all) && h("p", { class: "quiet" }, t("heads.redacted")),
    pairs(t("heads.query"), queryItems(exchange.query), [name, value]),
    pairs(t("heads.cookies.sent"), cookiesSent(sent), [name, value]),
    pairs(t("heads.cookies.set"), cookiesSet(received), [name, value, t("heads.attributes")]));
}
return { marked, queryItems, cookiesSent, cookiesSet, heads };
})();
const $phases = (() => {
// Where the time of an exchange went: one drawing, for the list and for the detail.
const { h } = $dom;

/** @param {import("./types.d.ts").Row} row */
const wholeOf = ({ duration, phases }) =>
  Math.max(duration ?? 0, ...phases.map(([, offset, time]) => offset + time), 0.000001);

/**
 * The phases with the bar of each, which lies where it lies in the whole.
 * @param {import("./types.d.ts").Row} row
 */
function phaseBars(row) {
  const whole = wholeOf(row);
  return row.phases.map(([name, offset, time]) => {
    const bar = h("i", { class: `ph-${name}` });
    bar.style.setProperty("left", `${((offset / whole) * 100).toFixed(2)}%`);
    bar.style.setProperty("width", `${((time / whole) * 100).toFixed(2)}%`);
    return { name, time, bar };
  });
}
return { phaseBars };
})();
const $detail = (() => {
// One exchange: what it weighed, where its time went, its heads and its bodies.
const { address, get, save } = $api;
const { bodies } = $body;
const { fill, h, icon, iconButton, say } = $dom;
const { apiName, bytes, clock, duration, exactBytes, statusClass, statusText } = $format;
const { findings } = $findings;
const { heads, marked } = $heads;
const { network, websocketFacts } = $ledger;
const { named, t } = $messages;
const { phaseBars } = $phases;
const { go, hashOf, listAddress, place } = $place;
const { sizes } = $sizes;

const tabs = ["overview", "heads", "body"];

/** @param {import("./types.d.ts").Row} row */
function waterfall(row) {
  return h("div", { class: "phases", role: "list", "aria-label": t("phase.label", { total: duration(row.duration) }) },
    phaseBars(row).map(({ name, time, bar }) =>
      h("div", { role: "listitem", class: "phase" }, h("span", {}, t(`phase.${name}`)),
        h("span", { class: "phase-track" }, bar), h("b", {}, duration(time)))),
    h("div", { role: "listitem", class: "phase phase-total" }, h("span", {}, t("phase.total")),
      h("span", { class: "phase-track" }), h("b", {}, duration(row.duration))));
}

/**
 * The version of HTTP that was sent; where the peer answered in another, that, too.
 * @param {import("./types.d.ts").Exchange} exchange
 */
function version({ httpVersion, response }) {
  const sent = httpVersion ? `HTTP/${httpVersion}` : "–";
  const received = response?.httpVersion ? `HTTP/${response.httpVersion}` : sent;
  return received === sent ? sent : t("detail.version.both", { sent, received });
}

/**
 * What followed a 101 on the connection: its bytes, and of WebSocket its frames and messages.
 * @param {import("./types.d.ts").Upgrade} upgrade
 */
function afterSwitch({ bytes: all, websocket, ...parts }) {
  /** @type {("websocketOverhead" | "websocketPayload" | "upgraded")[]} */
  const names = ["websocketOverhead", "websocketPayload", "upgraded"];
  const flows = names.filter((name) => parts[name].up + parts[name].down > 0).map((name) => ({ name, flow: parts[name] }));
  return h("section", { class: "after-switch" }, h("h3", {}, t(websocket ? "websocket.title" : "websocket.other")),
    h("table", { class: "parts" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("part")), h("th", { scope: "col" }, t("column.up")),
        h("th", { scope: "col" }, t("column.down")))),
      h("tbody", {}, flows.map(({ name, flow }) =>
        h("tr", {}, h("th", { scope: "row" }, t(`ledger.${name}`)), h("td", {}, exactBytes(flow.up)), h("td", {}, exactBytes(flow.down))))),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("websocket.total")),
        h("td", {}, exactBytes(all.up)), h("td", {}, exactBytes(all.down))))),
    h("dl", { class: "facts" }, websocketFacts(websocket).map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
}

/** @param {import("./types.d.ts").Detail} detail */
function overview({ exchange, row, hops, findings: found, upgrade }) {
  const { connection, reused, remoteAddress } = exchange;
  const api = apiName({ ...exchange, host: exchange.authority });
  /** Names, what is known, and the filter that lists all of the same. @type {([string, string, import("./types.d.ts").Filters?] | null)[]} */
  const facts = [
    [t("detail.outcome"), [named("state", row.state), exchange.error ? `: ${exchange.error}` : ""].join("")],
    [t("detail.started"), clock(row.start, true)],
    row.sent === null ? null : [t("detail.sent"), clock(row.sent, true)],
    [t("filter.api"), api, { api }],
    [t("detail.process"), `${exchange.process} (${exchange.pid})`, { process: exchange.process }],
    connection === null ? null : [t("detail.connection"), `${connection}, ` +
      t(reused ? "detail.connection.reused" : "detail.connection.new") + (remoteAddress ? `, ${remoteAddress}` : ""),
    { connection: String(connection) }],
    exchange.network ? [t("connections.network"), network(exchange)] : null,
    [t("detail.version"), version(exchange)],
    exchange.response?.decodedBody && exchange.response.contentEncoding
      ? [t("detail.decoded"), `${exactBytes(exchange.response.decodedBody)} (${exchange.response.contentEncoding})`]
      : null,
  ];
  return h("div", { class: "overview" },
    h("section", {}, h("h3", {}, t("detail.size")), sizes(exchange)),
    h("section", {}, h("h3", {}, t("detail.time")), waterfall(row)),
    upgrade && afterSwitch(upgrade),
    hops.length > 1 && h("section", {}, h("h3", {}, h("a", { href: listAddress({ task: String(row.task) }), title: t("detail.same") }, t("detail.chain"))),
      h("ol", { class: "hops" }, hops.map((hop) =>
        h("li", {}, h("a", {
          href: hashOf({ ...place(), id: hop.id }), class: `hop ${statusClass(hop)}`,
          "aria-current": hop.id === row.id ? "true" : null,
        }, h("b", { class: "c-status" }, statusText(hop)), h("span", { class: "hop-url" }, `${hop.method} ${hop.url}`),
        h("span", { class: "hop-size" }, bytes((hop.up ?? 0) + (hop.down ?? 0)))))))),
    h("section", {}, h("h3", {}, t("detail.audit")),
      found.length ? findings(found) : h("p", { class: "quiet" }, t("audit.none"))),
    h("section", {}, h("h3", {}, t("detail.about")),
      h("dl", { class: "facts" }, facts.filter((fact) => fact !== null).map((fact) =>
        h("div", {}, h("dt", {}, fact[0]), h("dd", {}, fact[2] && Object.values(fact[2])[0]
          ? h("a", { href: listAddress(fact[2]), title: t("detail.same") }, fact[1]) : fact[1]))))));
}

/**
 * @param {{ close: () => void, step: (by: number) => void }} actions
 */
function makeDetail({ close, step }) {
  const element = h("aside", { class: "detail", id: "detail", hidden: true });
  /** @type {import("./types.d.ts").Detail | null} */
  let detail = null;
  /** @type {number | null} */
  let shown = null;
  let tab = "overview";
  let spoken = "";
  let leave = () => {};

  async function copy() {
    if (!detail) return;
    try {
      await navigator.clipboard.writeText(detail.curl);
      say(t("detail.curl.done"));
    } catch {
      const area = h("textarea", { class: "raw curl", readonly: true, rows: 5, "aria-label": t("detail.curl") });
      area.value = detail.curl;
      element.querySelector(".detail-body")?.prepend(h("p", { class: "warning" }, t("detail.curl.failed")), area);
      area.select();
    }
  }

  function draw() {
    if (!detail) return;
    leave();
    leave = () => {};
    const { exchange, row } = detail;
    element.setAttribute("aria-label", t("detail.label", { n: row.id }));
    const bar = h("div", { class: "detail-bar" },
      iconButton("previous", t("detail.previous"), () => step(-1)), iconButton("next", t("detail.next"), () => step(1)),
      h("span", { class: "detail-number" }, `#${row.id}`),
      h("span", { class: "spring" }),
      h("button", { type: "button", class: "button", click: () => void copy() }, icon("copy"), h("span", {}, t("detail.curl"))),
      h("button", {
        type: "button", class: "button", title: t("detail.har"), "aria-label": t("detail.har"),
        click: () => save(address(`exchanges/${row.id}/har`), `exchange-${row.id}.har`),
      }, icon("export"), "HAR"),
      iconButton("close", t("detail.close"), close));
    const title = h("h2", { class: `detail-title ${statusClass(row)}` },
      h("b", { class: "c-status" }, statusText(row)), h("b", { class: "c-method" }, exchange.method),
      h("span", { class: "detail-url" }, marked(exchange.url)));
    const list = h("div", { class: "tabs", role: "tablist" }, tabs.map((name) =>
      h("button", {
        type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "tab-panel",
        tabindex: name === tab ? 0 : -1, click: () => go({ tab: name }, true),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
          if (!by) return;
          event.preventDefault();
          go({ tab: tabs[(tabs.indexOf(name) + by + tabs.length) % tabs.length] }, true);
          document.getElementById(`tab-${tab}`)?.focus();
        },
      }, t(`tab.${name}`))));
    const panel = h("div", {
      class: "detail-body", role: "tabpanel", id: "tab-panel", "aria-labelledby": `tab-${tab}`, tabindex: 0,
    });
    if (tab === "overview") panel.append(overview(detail));
    else if (tab === "heads") panel.append(heads(exchange));
    else {
      const viewer = bodies(detail);
      leave = viewer.leave;
      panel.append(viewer.element);
    }
    fill(element, bar, title, list, panel);
  }

  /** @param {number} id */
  async function load(id) {
    try {
      const loaded = await get(`exchanges/${id}`);
      if (shown !== id) return;
      detail = loaded;
      draw();
    } catch (error) {
      if (shown !== id) return;
      detail = null;
      const status = /** @type {{ status?: number }} */ (error).status;
      fill(element, h("div", { class: "detail-bar" }, h("span", { class: "spring" }),
        iconButton("close", t("detail.close"), close)),
      h("p", { class: "error", role: "alert" },
        status === 404 ? t("detail.gone") : String(/** @type {Error} */ (error).message)));
    }
  }

  return {
    element,
    /** @param {import("./types.d.ts").Place} where */
    show(where) {
      const next = tabs.includes(where.tab) ? where.tab : "overview";
      const words = t("tab.overview");
      element.hidden = where.id === null;
      if (where.id === null) {
        leave();
        shown = null;
        detail = null;
        fill(element);
      } else if (where.id !== shown) {
        shown = where.id;
        tab = next;
        void load(where.id);
      } else if (next !== tab || words !== spoken) {
        tab = next;
        draw();
      }
      spoken = words;
    },
    /** @param {import("./types.d.ts").Row[]} rows */
    come(rows) {
      if (shown === null || tab !== "overview") return;
      if (rows.some((row) => row.id === shown && row.state !== detail?.row.state)) void load(shown);
    },
  };
}
return { makeDetail };
})();
const $filters = (() => {
// The bar above the list: search, status, and the other filters; what is in force can be taken away one by one.
const { get } = $api;
const { byId, fill, h, icon, iconButton } = $dom;
const { apiName, clock, duration } = $format;
const { t } = $messages;
const { filter, filterNames, place } = $place;

/** @typedef {import("./types.d.ts").FilterName} FilterName */

const statuses = ["", "2xx", "3xx", "4xx", "5xx", "none"];
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
const types = ["application/json", "text/html", "text/css", "text/javascript", "text/plain", "image/", "font/", "video/"];

/**
 * @param {FilterName} name
 * @param {string} value
 */
function shown(name, value) {
  if (name === "since" || name === "until") return clock(Number(value));
  if (name === "slower") return duration(Number(value));
  if (name === "failed") return "";
  if (name === "status" && value === "none") return t("filter.status.none");
  return value;
}

function makeFilters() {
  /** @type {number | undefined} */
  let typing;
  const search = h("input", {
    type: "search", id: "search", class: "search", autocomplete: "off", spellcheck: "false", maxlength: 1000,
    input: () => {
      clearTimeout(typing);
      typing = setTimeout(() => filter({ text: search.value.trim() }), 250);
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter") return;
      clearTimeout(typing);
      filter({ text: search.value.trim() });
    },
  });
  const searchBox = h("label", { class: "search-box" }, icon("search"), search, h("kbd", { "aria-hidden": "true" }, "/"));
  const status = h("div", { class: "segments", role: "group" });
  const chips = h("ul", { class: "chips" });
  const more = h("div", { class: "more-filters", id: "more-filters", hidden: true });
  const toggle = h("button", {
    type: "button", class: "button", "aria-expanded": "false", "aria-controls": "more-filters", click: expand,
  });
  const tail = h("div", { class: "filter-tail" });
  const element = h("div", { class: "filters", role: "search" },
    h("div", { class: "filter-row" }, searchBox, status, toggle, tail), more, chips);

  const hosts = h("datalist", { id: "hosts" });
  const apis = h("datalist", { id: "api-names" });
  const processes = h("datalist", { id: "process-names" });

  function expand() {
    more.hidden = !more.hidden;
    toggle.setAttribute("aria-expanded", String(!more.hidden));
    if (!more.hidden) void suggest();
  }

  async function suggest() {
    try {
      /** @type {import("./types.d.ts").API[]} */
      const known = (await get("apis")).apis;
      fill(hosts, [...new Set(known.map((api) => api.host))].slice(0, 200).map((value) => h("option", { value })));
      /** @type {import("./types.d.ts").Row[]} */
      const newest = (await get("exchanges", { limit: 200 })).exchanges;
      fill(processes, [...new Set(newest.map((row) => row.process))].map((value) => h("option", { value })));
      fill(apis, known.slice(0, 300).map((api) =>
        h("option", { value: apiName(api) })));
    } catch {
      // Suggestions are a help, no need.
    }
  }

  /**
   * @param {FilterName} name
   * @param {HTMLElement} control
   * @param {string} [label]
   */
  function field(name, control, label = t(`filter.${name}`)) {
    return h("label", { class: "field" }, h("span", {}, label), control);
  }

  /**
   * @param {FilterName} name
   * @param {import("./dom.js").Attributes} attributes
   */
  function input(name, attributes) {
    const control = h("input", {
      "data-filter": name, autocomplete: "off", spellcheck: "false", ...attributes,
      change: () => filter({ [name]: control.value.trim() }),
    });
    control.value = place().filters[name] ?? "";
    return control;
  }

  /**
   * @param {FilterName} name
   * @param {string[]} values
   */
  function choice(name, values) {
    const now = place().filters[name] ?? "";
    const all = now && !values.includes(now) ? [...values, now] : values;
    const control = h("select", { "data-filter": name, change: () => filter({ [name]: control.value }) },
      h("option", { value: "" }, t("filter.any")), all.map((value) => h("option", { value }, value)));
    control.value = now;
    return control;
  }

  /** @param {FilterName} name */
  function moment(name) {
    const control = h("input", {
      type: "datetime-local", step: 1, "data-filter": name,
      change: () => filter({ [name]: control.value ? String(new Date(control.value).getTime()) : "" }),
    });
    const value = Number(place().filters[name]);
    if (value) {
      const local = new Date(value - new Date(value).getTimezoneOffset() * 60_000);
      control.value = local.toISOString().slice(0, 19);
    }
    return control;
  }

  function refresh() {
    const { filters } = place();
    search.setAttribute("aria-label", t("filter.search"));
    search.placeholder = t("filter.search");
    if (document.activeElement !== search) search.value = filters.text ?? "";
    status.setAttribute("aria-label", t("filter.status"));
    fill(status, statuses.map((value) =>
      h("button", {
        type: "button", "data-status": value, "aria-pressed": String((filters.status ?? "") === value),
        click: () => filter({ status: value }),
      }, value === "" ? t("filter.status.all") : value === "none" ? t("filter.status.none") : value)));
    const count = filterNames.filter((name) => filters[name] && name !== "text" && name !== "status").length;
    fill(toggle, icon("filter"), h("span", {}, t("filter.more")), count > 0 && h("b", { class: "badge" }, count));
    const failed = h("input", {
      type: "checkbox", "data-filter": "failed", change: () => filter({ failed: failed.checked ? "1" : "" }),
    });
    failed.checked = filters.failed === "1";
    // A field that is being filled in is not taken away under the hand.
    if (!more.contains(document.activeElement) || more.hidden) {
      fill(more, field("method", choice("method", methods)), field("type", choice("type", types)),
        field("host", input("host", { list: "hosts" })), field("api", input("api", { list: "api-names" })),
        field("path", input("path", {})),
        field("slower", input("slower", { type: "number", min: 0, step: "any", inputmode: "decimal" }),
          t("filter.slower.ms")),
        field("process", input("process", { list: "process-names" })),
        field("task", input("task", { inputmode: "numeric", pattern: "[0-9]*" })),
        field("connection", input("connection", { inputmode: "numeric", pattern: "[0-9]*" })),
        field("since", moment("since")), field("until", moment("until")),
        h("label", { class: "field check" }, failed, h("span", {}, t("filter.failed.long"))), hosts, apis, processes);
    }
    const active = filterNames.filter((name) => filters[name]);
    chips.setAttribute("aria-label", t("filter.active"));
    chips.hidden = active.length === 0;
    fill(chips, active.map((name) => {
      const value = shown(name, filters[name] ?? "");
      const label = t(`filter.${name}`);
      return h("li", {}, h("button", {
        type: "button", class: "chip", "data-chip": name, "aria-label": t("filter.remove", { name: `${label} ${value}` }),
        click: () => {
          filter({ [name]: "" });
          byId("main").focus({ preventScroll: true });
        },
      }, h("span", { class: "chip-name" }, label), value && h("span", { class: "chip-value" }, value), icon("close")));
    }), active.length > 1 && h("li", {}, h("button", {
      type: "button", class: "link", click: () => filter(Object.fromEntries(filterNames.map((name) => [name, ""]))),
    }, t("filter.clear"))));
  }

  return { element, tail, refresh, focus: () => search.select(), button: iconButton };
}
return { makeFilters };
})();
const $help = (() => {
// What the keys do and what the marks mean.
const { fill, h } = $dom;
const { t } = $messages;
const { legend } = $sizes;

const keys = [
  ["↑ ↓", "help.move"], ["Home End", "help.ends"], ["PgUp PgDn", "help.pages"], ["Enter", "help.open"], ["/", "help.search"],
  ["Esc", "help.close"], ["1–7", "help.numbers"], ["?", "help.help"],
];

/** @param {HTMLDialogElement} dialog */
function showHelp(dialog) {
  const close = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("close"));
  fill(dialog, h("h2", { id: "dialog-title" }, t("help.title")),
    h("h3", {}, t("help.keys")),
    h("dl", { class: "keys" }, keys.map(([key, words]) =>
      h("div", {}, h("dt", {}, key.split(" ").map((one) => h("kbd", {}, one))), h("dd", {}, t(words))))),
    h("h3", {}, t("help.parts")), legend(),
    h("h3", {}, t("help.evidence")),
    h("ul", { class: "evidence-list" }, ["captured", "reported", "reconstructed", "unknown"].map((name) =>
      h("li", {}, h("span", { class: `mark e-${name}`, "aria-hidden": "true" }), t(`evidence.${name}`)))),
    h("div", { class: "dialog-buttons" }, close));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
  close.focus();
}
return { showHelp };
})();
const $matching = (() => {
// Whether a row that the stream told of belongs to what is filtered, by the rules of the API.

const { apiName, isHost } = $format;

/**
 * @param {import("./types.d.ts").Row} row
 * @param {import("./types.d.ts").Filters} filters
 * @returns {boolean | null} null where the row alone does not say
 */
function matches(row, filters) {
  const { status, type, method, host, api, path, failed, slower, text, since, until, task, connection } = filters;
  if (status && !matchesStatus(row.status, status)) return false;
  if (type && !(row.type ?? "").toLowerCase().startsWith(type.toLowerCase())) return false;
  if (method && row.method !== method) return false;
  if (host && !isHost(row, host)) return false;
  if (api && api !== row.template && api !== apiName({ ...row, host: row.authority })) return false;
  if (path && !row.path.startsWith(path)) return false;
  if (failed && !row.failed) return false;
  if (slower && !(row.duration !== null && row.duration > Number(slower))) return false;
  if (since && row.start < Number(since)) return false;
  if (until && row.start >= Number(until)) return false;
  if (task && row.task !== Number(task)) return false;
  if (connection && row.connection !== Number(connection)) return false;
  return text || filters.process ? null : true;
}

/**
 * @param {number | null} status
 * @param {string} wanted
 */
function matchesStatus(status, wanted) {
  if (wanted === "none") return status === null;
  if (status === null) return false;
  const family = /^([1-5])xx$/.exec(wanted);
  if (family) return Math.floor(status / 100) === Number(family[1]);
  const [low, high = low] = wanted.split("-").map(Number);
  return status >= low && status <= high;
}
return { matches };
})();
const $rows = (() => {
// The rows of one view: windows of what the server has in order, and before or behind them what has come since.
const { APIError, get } = $api;
const { matches } = $matching;

/**
 * @typedef {import("./types.d.ts").Row} Row
 * @typedef {import("./types.d.ts").Filters} Filters
 */

const windowSize = 200;
const keptWindows = 60;
/** So many rows may come on top of a view before it is made again. */
const mostNew = 5000;

/** What the stream told of late, whatever the filter: a view that is made meanwhile may lack it. */
class Recent {
  /** @type {Map<number, Row>} */
  rows = new Map();

  /** @param {Row[]} rows */
  add(rows) {
    for (const row of rows) {
      this.rows.delete(row.id);
      this.rows.set(row.id, row);
    }
    for (const id of this.rows.keys()) {
      if (this.rows.size <= 2000) break;
      this.rows.delete(id);
    }
  }
}

class Rows {
  /** @type {string | null} */
  view = null;
  total = 0;
  truncated = false;
  /** @type {unknown} */
  error = null;
  /** The stream's rows that wait in another order than that of their coming. */
  waiting = 0;
  /** Whether only the server can say which of them match. */
  unsure = false;

  /** @type {Filters} */ filters = {};
  sort = "-start";

  /** @type {Map<number, Row[]>} */ #windows = new Map();
  /** @type {Set<number>} */ #loading = new Set();
  /** Newer than the view, in the order of their coming. @type {number[]} */ #fresh = [];
  /** @type {Map<number, Row>} */ #changed = new Map();
  #newest = 0;
  #recent = new Recent();
  /** @type {AbortController} */ #abort = new AbortController();
  #age = 0;
  /** @type {number | undefined} */ #again;
  #madeAt = 0;
  /** The exchange that is chosen: the server is asked for its place. @type {number | null} */ #wanted = null;
  /** Where it was in the view. @type {{ id: number, index: number } | null} */ #found = null;

  /** @param {(change: { added: number, made: boolean }) => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** Whether what comes can be put in its place without asking. */
  get inOrder() {
    return (this.sort === "start" || this.sort === "-start") && !this.filters.text && !this.filters.process;
  }

  /** Whether an exchange can come to match when it ends. */
  get #judgesEnds() {
    const { status, type, failed, slower, connection } = this.filters;
    return Boolean(status || type || failed || slower || connection);
  }

  get count() {
    return this.total + this.#fresh.length;
  }

  /**
   * @param {Filters} filters
   * @param {string} sort
   * @param {number | null} wanted the exchange that is chosen
   * @param {boolean} isMissing whether its place is not known here
   */
  ask(filters, sort, wanted, isMissing) {
    const same = this.sort === sort && JSON.stringify(this.filters) === JSON.stringify(filters);
    this.#wanted = wanted;
    if (same && this.view) {
      if (isMissing) void this.make();
      return;
    }
    this.filters = filters;
    this.sort = sort;
    this.view = null;
    void this.make();
  }

  /** Makes the view again, and shows the old one until it is there. */
  async make() {
    clearTimeout(this.#again);
    this.#again = undefined;
    this.#abort.abort();
    this.#abort = new AbortController();
    const age = ++this.#age;
    this.#madeAt = performance.now();
    try {
      const wanted = this.#wanted;
      const query = { ...this.filters, sort: this.sort, limit: windowSize, id: wanted };
      const page = await get("exchanges", query, this.#abort.signal);
      let newest = 0;
      let last = null;
      if (this.sort === "start" && page.total > windowSize) {
        last = Math.floor((page.total - 1) / windowSize);
        const cursor = `${page.view}:${last * windowSize}`;
        last = { at: last, rows: (await get("exchanges", { cursor, limit: windowSize }, this.#abort.signal)).exchanges };
      }
      if (age !== this.#age) return;
      this.view = page.view;
      this.total = page.total;
      this.#found = wanted !== null && typeof page.index === "number" ? { id: wanted, index: page.index } : null;
      this.truncated = page.truncated;
      this.error = null;
      this.waiting = 0;
      this.unsure = false;
      this.#loading.clear();
      this.#windows = new Map([[0, page.exchanges]]);
      if (last) this.#windows.set(last.at, last.rows);
      for (const rows of this.#windows.values()) for (const row of rows) newest = Math.max(newest, row.id);
      this.#newest = newest;
      this.#fresh = [];
      this.#changed = new Map();
      this.#take([...this.#recent.rows.values()], true);
      this.changed({ added: 0, made: true });
    } catch (error) {
      if (age !== this.#age || this.#abort.signal.aborted) return;
      this.error = error;
      this.changed({ added: 0, made: true });
    }
  }

  /** Makes the view again soon, but not more often than every two seconds. */
  remake() {
    if (this.#again !== undefined) return;
    const wait = Math.max(100, 2000 - (performance.now() - this.#madeAt));
    this.#again = setTimeout(() => void this.make(), wait);
  }

  /** The store was cleared, or too much was missed. */
  forget() {
    this.#recent = new Recent();
    void this.make();
  }

  /** @param {Row[]} rows */
  come(rows) {
    this.#recent.add(rows);
    if (!this.view) return;
    const added = this.#take(rows, false);
    this.changed({ added, made: false });
    if (this.#fresh.length > mostNew) this.remake();
  }

  /**
   * @param {Row[]} rows
   * @param {boolean} quiet
   */
  #take(rows, quiet) {
    let added = 0;
    for (const row of rows) {
      const shown = this.#changed.has(row.id) || this.#shown(row.id);
      const fits = matches(row, this.filters);
      if (shown) {
        this.#changed.set(row.id, row);
      } else if (fits === false) {
        continue;
      } else if (this.inOrder && row.id > this.#newest) {
        this.#fresh.push(row.id);
        this.#changed.set(row.id, row);
        added += 1;
      } else if (!quiet && !this.inOrder) {
        this.waiting += 1;
        this.unsure ||= fits === null;
      } else if (!quiet && this.#judgesEnds) {
        // An older exchange that matches only now that it has ended.
        this.remake();
      }
    }
    return added;
  }

  /** @param {number} id */
  #shown(id) {
    for (const rows of this.#windows.values()) if (rows.some((row) => row.id === id)) return true;
    return false;
  }

  /**
   * The row at an index; undefined while it is not there.
   * @param {number} index
   * @returns {Row | undefined}
   */
  at(index) {
    let offset = index;
    if (this.sort === "-start" && this.inOrder) {
      if (index < this.#fresh.length) return this.#changed.get(this.#fresh[this.#fresh.length - 1 - index]);
      offset = index - this.#fresh.length;
    } else if (index >= this.total) {
      return this.#changed.get(this.#fresh[index - this.total]);
    }
    const row = this.#windows.get(Math.floor(offset / windowSize))?.[offset % windowSize];
    return row && (this.#changed.get(row.id) ?? row);
  }

  /**
   * Where an exchange is: among the rows that are there, or where the server said.
   * @param {number} id
   */
  indexOf(id) {
    const newestFirst = this.sort === "-start" && this.inOrder;
    const fresh = this.#fresh.indexOf(id);
    if (fresh >= 0) return newestFirst ? this.#fresh.length - 1 - fresh : this.total + fresh;
    for (const [at, rows] of this.#windows) {
      const inside = rows.findIndex((row) => row.id === id);
      if (inside >= 0) return at * windowSize + inside + (newestFirst ? this.#fresh.length : 0);
    }
    if (this.#found?.id === id) return this.#found.index + (newestFirst ? this.#fresh.length : 0);
    return -1;
  }

  /**
   * Reads the windows that some rows are in; at most two at a time.
   * @param {number} from
   * @param {number} to
   */
  need(from, to) {
    if (!this.view) return;
    const ahead = this.sort === "-start" && this.inOrder ? this.#fresh.length : 0;
    const first = Math.floor(Math.max(0, from - ahead) / windowSize);
    const last = Math.floor(Math.min(this.total - 1, to - ahead) / windowSize);
    for (let at = first; at <= last; at += 1) {
      if (this.#windows.has(at)) {
        // The one used last goes last.
        const rows = /** @type {Row[]} */ (this.#windows.get(at));
        this.#windows.delete(at);
        this.#windows.set(at, rows);
      } else if (!this.#loading.has(at) && this.#loading.size < 2) {
        void this.#load(at);
      }
    }
  }

  /** @param {number} at */
  async #load(at) {
    const age = this.#age;
    this.#loading.add(at);
    try {
      const query = { cursor: `${this.view}:${at * windowSize}`, limit: windowSize };
      const page = await get("exchanges", query, this.#abort.signal);
      if (age !== this.#age) return;
      this.#loading.delete(at);
      this.#windows.set(at, page.exchanges);
      for (const key of this.#windows.keys()) {
        if (this.#windows.size <= keptWindows) break;
        this.#windows.delete(key);
      }
      this.changed({ added: 0, made: false });
    } catch (error) {
      if (age !== this.#age) return;
      this.#loading.delete(at);
      // The view is gone, or the server: it is asked again.
      if (error instanceof APIError) this.remake();
    }
  }
}
return { Rows };
})();
const $list = (() => {
// The list: a hundred thousand rows, of which those in sight are in the document.
const { fill, h, icon } = $dom;
const { bytes, duration, number, shortType, statusClass, statusText } = $format;
const { t } = $messages;
const { phaseBars } = $phases;
const { go, place } = $place;
const { Rows } = $rows;

/** @typedef {import("./types.d.ts").Row} Row */

/** Columns, and what each sorts by; a digit's first click is the largest first. */
const columns = [
  { name: "status", sort: "status" },
  { name: "method", sort: "method" },
  { name: "host", sort: "host" },
  { name: "path", sort: "path" },
  { name: "type", sort: "type" },
  { name: "up", sort: "up", large: true },
  { name: "down", sort: "down", large: true },
  { name: "duration", sort: "duration", large: true },
  { name: "waterfall", sort: "start", large: true },
  { name: "evidence", sort: null },
];

class Line {
  /** @type {Row | undefined} */ row;
  index = -1;

  constructor() {
    this.cells = columns.map(({ name }) => h("div", { role: "gridcell", class: `cell c-${name}` }));
    this.bar = h("span", { class: "bar" });
    this.cells[8].append(this.bar);
    this.mark = h("span", { class: "mark" });
    this.cells[9].append(this.mark);
    this.element = h("div", { role: "row", class: "row" }, ...this.cells);
  }

  /** @param {Row | undefined} row */
  show(row) {
    if (row === this.row && this.element.classList.contains("set")) return;
    this.row = row;
    const [status, method, host, path, type, up, down, time] = this.cells;
    this.element.className = row ? `row set ${statusClass(row)}` : "row empty";
    if (!row) {
      this.element.removeAttribute("id");
      for (const cell of this.cells.slice(0, 8)) cell.textContent = "";
      this.bar.hidden = true;
      this.mark.className = "mark";
      return;
    }
    this.element.id = `row-${row.id}`;
    status.textContent = statusText(row);
    const state = row.state === "completed" ? "" : t(`state.${row.state}`);
    status.title = row.status === null && row.state !== "running" && row.state !== "incomplete"
      ? [row.down ? null : t("noResponse"), row.error ?? (state || null)].filter((part) => part).join(": ") : state;
    if (row.status === null) status.setAttribute("aria-label", row.state === "running" ? state : status.title);
    else status.removeAttribute("aria-label");
    method.textContent = row.method;
    host.textContent = row.authority;
    host.title = row.authority;
    path.textContent = row.path + (row.query ? `?${row.query}` : "");
    path.title = row.error ? `${row.url}\n${row.error}` : row.url;
    type.textContent = row.status !== null || row.state === "running" ? shortType(row.type)
      : t(row.state === "incomplete" || row.down ? "response.unknown" : "noResponse");
    up.textContent = bytes(row.up);
    down.textContent = bytes(row.down);
    time.textContent = row.state === "running" ? t("state.running") : duration(row.duration);
    this.bar.hidden = false;
    this.bar.replaceChildren(...phaseBars(row).map(({ bar }) => bar));
    // What was never sent has no size that could be captured.
    const nothing = row.up === 0 && row.down === null && row.state !== "running";
    this.mark.className = nothing ? "mark e-nothing" : `mark e-${row.evidence}`;
    this.mark.title = nothing ? t("size.nothing") : t(`evidence.${row.evidence}`);
    this.mark.setAttribute("role", "img");
    this.mark.setAttribute("aria-label", nothing ? t("size.none") : t(`evidence.short.${row.evidence}`));
  }

  /**
   * @param {number} from
   * @param {number} span
   * @param {boolean} inTime
   */
  draw(from, span, inTime) {
    if (!this.row) return;
    const { start, duration: whole, state } = this.row;
    const left = inTime ? (start - from) / span : 0;
    const width = state === "running" ? 1 - left : (whole ?? 0) / span;
    const style = this.bar.style;
    style.setProperty("left", `${(Math.max(0, left) * 100).toFixed(2)}%`);
    style.setProperty("width", `${(Math.min(1, Math.max(0, width)) * 100).toFixed(2)}%`);
  }
}

/**
 * @param {(id: number | null) => void} open
 * @param {() => import("./dom.js").Child[]} nothing what is said of a store without exchanges
 */
function makeList(open, nothing) {
  const rows = new Rows(changed);
  /** @type {Line[]} */
  const lines = [];
  let active = -1;
  /** @type {number | null} */
  let activeID = null;
  let scheduled = false;
  let follow = false;
  /** Whether the chosen row is kept in sight: it was named by an address, and nobody has scrolled since. */
  let pinned = false;

  const head = h("div", { role: "row", class: "head", "aria-rowindex": 1 });
  const spacer = h("div", { class: "spacer", role: "presentation" });
  const canvas = h("div", { class: "canvas", role: "rowgroup" }, spacer);
  const note = h("div", { class: "note", role: "status" });
  const body = h("div", {
    role: "grid", id: "grid", class: "grid", tabindex: 0, "aria-colcount": columns.length, keydown: key,
  }, h("div", { role: "rowgroup", class: "head-group" }, head), canvas);
  const fresh = h("button", { type: "button", class: "fresh", hidden: true, click: jump });
  const element = h("section", { class: "list" }, body, note, fresh);
  body.addEventListener("scroll", schedule, { passive: true });
  new ResizeObserver(schedule).observe(body);
  for (const event of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    body.addEventListener(event, () => {
      pinned = false;
    }, { passive: true });
  }
  canvas.addEventListener("click", (event) => {
    const target = event.target instanceof Element ? event.target.closest(".row") : null;
    const line = lines.find((candidate) => candidate.element === target);
    if (!line?.row) return;
    select(line.index, true);
    body.focus({ preventScroll: true });
  });

  function words() {
    body.setAttribute("aria-label", t("list.label"));
    const { sort } = place();
    fill(head, columns.map((column, index) => {
      const key = sort.replace(/^-/, "");
      const sorted = column.sort === key ? (sort.startsWith("-") ? "descending" : "ascending") : null;
      const label = t(`column.${column.name}`);
      return h("div", {
        role: "columnheader", class: `cell c-${column.name}`, "aria-colindex": index + 1,
        "aria-sort": sorted ?? (column.sort ? "none" : null),
      }, column.sort
        ? h("button", {
          type: "button", class: "sort", tabindex: 0, title: `${label}: ${t("column.sort")}`, click: () => order(column),
        }, label, sorted && h("span", { class: `arrow ${sorted}`, "aria-hidden": "true" }))
        : h("span", { class: "quiet", title: label }, label));
    }));
    for (const line of lines) line.element.classList.remove("set");
    schedule();
  }

  /** @param {{ sort: string | null, large?: boolean }} column */
  function order({ sort, large }) {
    if (!sort) return;
    const now = place().sort;
    const first = large ? `-${sort}` : sort;
    const second = large ? sort : `-${sort}`;
    go({ sort: now === first ? second : now === second && sort !== "start" ? "-start" : first });
  }

  const rowHeight = () => parseFloat(getComputedStyle(body).getPropertyValue("--row")) || 28;
  let height = 28;

  function schedule() {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(render);
  }

  /** Who comes by an address that names an exchange sees its row, also when what stands above the list comes later. */
  function reveal() {
    if (!pinned || active < 0) return;
    const inSight = body.clientHeight - head.offsetHeight;
    const top = active * height;
    if (top >= body.scrollTop && top + height <= body.scrollTop + inSight) return;
    body.scrollTop = Math.max(0, top - (inSight - height) / 2);
  }

  function render() {
    scheduled = false;
    if (!element.isConnected) return;
    height = rowHeight();
    const count = rows.count;
    spacer.style.setProperty("height", `${count * height}px`);
    reveal();
    body.setAttribute("aria-rowcount", String(count + 1));
    const top = body.scrollTop;
    const inSight = Math.max(0, body.clientHeight - head.offsetHeight);
    const first = Math.max(0, Math.floor(top / height) - 3);
    const last = Math.min(count - 1, Math.ceil((top + inSight) / height) + 3);
    const wanted = Math.max(0, last - first + 1);
    while (lines.length < wanted) {
      const line = new Line();
      lines.push(line);
      canvas.append(line.element);
    }
    // A row keeps its element while it is in sight: index modulo the number of elements.
    for (const line of lines) if (line.index < first || line.index > last) line.index = -1;
    const size = lines.length;
    let begin = Infinity;
    let end = -Infinity;
    let longest = 0;
    for (let index = first; index <= last; index += 1) {
      const line = lines[index % size];
      line.index = index;
      const row = rows.at(index);
      line.show(row);
      line.element.style.setProperty("transform", `translateY(${index * height}px)`);
      line.element.setAttribute("aria-rowindex", String(index + 2));
      line.element.hidden = false;
      line.element.setAttribute("aria-selected", String(index === active));
      if (row) {
        begin = Math.min(begin, row.start);
        end = Math.max(end, row.start + (row.duration ?? 0));
        longest = Math.max(longest, row.duration ?? 0);
      }
    }
    for (const line of lines) {
      if (line.index < 0) {
        line.element.hidden = true;
        line.row = undefined;
        line.element.removeAttribute("id");
        line.element.classList.remove("set");
      }
    }
    const inTime = place().sort.endsWith("start");
    const span = Math.max(inTime ? end - begin : longest, 0.001);
    for (const line of lines) if (line.index >= 0) line.draw(begin, span, inTime);
    rows.need(first, last);
    const current = active >= 0 ? lines[active % Math.max(1, size)] : undefined;
    if (current?.row && current.index === active) body.setAttribute("aria-activedescendant", current.element.id);
    else body.removeAttribute("aria-activedescendant");
    fresh.hidden = !(rows.waiting > 0) || !rows.view;
    if (!fresh.hidden) {
      fill(fresh, icon("up"), rows.unsure ? t("list.again") : t("list.new", { n: number(rows.waiting) }));
    }
    element.dispatchEvent(new CustomEvent("shown"));
  }

  /** @param {{ added: number, made: boolean }} change */
  function changed({ added, made }) {
    const sort = place().sort;
    const top = body.scrollTop;
    if (added && sort === "-start") {
      if (active >= 0) active += added;
      // Who reads further down, or what is open, is not pushed away from it.
      if (top >= height || place().id !== null) {
        spacer.style.setProperty("height", `${rows.count * height}px`);
        body.scrollTop = top + added * height;
      }
    }
    if (made && activeID !== null) active = rows.indexOf(activeID);
    if (rows.waiting > 0 && top < height * 2) rows.remake();
    if (follow && sort === "start" && (added || made)) {
      spacer.style.setProperty("height", `${rows.count * height}px`);
      body.scrollTop = body.scrollHeight;
    }
    notice();
    schedule();
  }

  function notice() {
    const empty = rows.view !== null && rows.count === 0;
    element.classList.toggle("nothing", empty || rows.error !== null);
    if (rows.error) fill(note, String(/** @type {Error} */ (rows.error).message));
    else if (empty) fill(note, Object.keys(place().filters).length ? t("list.empty") : nothing());
    else fill(note);
  }

  function jump() {
    body.scrollTop = 0;
    void rows.make();
  }

  /**
   * @param {number} index
   * @param {boolean} opening
   */
  function select(index, opening) {
    if (rows.count === 0) return;
    active = Math.max(0, Math.min(rows.count - 1, index));
    const top = active * height;
    const shown = body.clientHeight - head.offsetHeight;
    if (top < body.scrollTop) body.scrollTop = top;
    else if (top + height > body.scrollTop + shown) body.scrollTop = top + height - shown;
    const row = rows.at(active);
    activeID = row?.id ?? null;
    if (row && opening) open(row.id);
    schedule();
  }

  /** @param {KeyboardEvent} event */
  function key(event) {
    if (event.target !== body || event.ctrlKey || event.metaKey || event.altKey) return;
    const screen = Math.max(1, Math.floor((body.clientHeight - head.offsetHeight) / height) - 1);
    const opened = place().id !== null;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => select(active + 1, opened),
      ArrowUp: () => select(active - 1, opened),
      PageDown: () => select(active + screen, opened),
      PageUp: () => select(active - screen, opened),
      Home: () => select(0, opened),
      End: () => select(rows.count - 1, opened),
      Enter: () => select(Math.max(0, active), true),
    };
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  return {
    element,
    rows,
    words,
    notice,
    focus: () => body.focus({ preventScroll: true }),
    get follows() {
      return follow;
    },
    /** @param {boolean} on */
    follow(on) {
      follow = on;
      if (on) body.scrollTop = body.scrollHeight;
    },
    /** @param {import("./types.d.ts").Place} where */
    show(where) {
      let isMissing = false;
      if (where.id !== null && where.id !== activeID) {
        activeID = where.id;
        active = rows.indexOf(where.id);
        isMissing = active < 0;
        pinned = true;
      }
      rows.ask(where.filters, where.sort, where.id, isMissing);
      words();
    },
    /** @param {number} step */
    step(step) {
      select(active + step, true);
    },
  };
}
return { makeList };
})();
const $timeline = (() => {
// Traffic over time; dragging chooses the range that every page is filtered by.
const { get } = $api;
const { fill, h, svg } = $dom;
const { bytes, clock, duration, number } = $format;
const { t } = $messages;
const { filter, place } = $place;

/** @typedef {import("./types.d.ts").Slots} Slots */

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);

/**
 * A round number at or above a value.
 * @param {number} value
 */
function roundUp(value) {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  for (const step of [1, 2, 2.5, 5, 10]) if (step * power >= value) return step * power;
  return 10 * power;
}

/**
 * A path along the tops of the slots.
 * @param {number[]} values
 * @param {number} width
 * @param {(value: number) => number} y
 */
function steps(values, width, y) {
  const slot = width / values.length;
  let path = `M0 ${y(0)}`;
  values.forEach((value, index) => {
    path += `L${(index * slot).toFixed(1)} ${y(value).toFixed(1)}H${((index + 1) * slot).toFixed(1)}`;
  });
  return `${path}V${y(0)}Z`;
}

/**
 * A number on a ground of its own, so that it can be read over what is drawn.
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
function label(x, y, words) {
  return svg("g", {}, svg("rect", { class: "tick-ground", x: x - 3, y: y - 8, width: words.length * 6.4 + 6, height: 16, rx: 3 }),
    svg("text", { class: "tick", x, y: y + 4 }, words));
}

/**
 * @param {Slots} slots
 * @param {number} width
 * @param {number} height
 * @param {"bytes" | "requests"} kind
 * @param {boolean} small
 */
function drawing(slots, width, height, kind, small) {
  const count = slots.requests.length;
  const seconds = slots.slot / 1000;
  const image = svg("svg", { class: "chart-image", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" });
  const slot = width / count;
  const bottom = small ? height : height - 18;
  if (kind === "bytes") {
    const up = slots.up.map((value) => value / seconds);
    const down = slots.down.map((value) => value / seconds);
    // One scale for both; the line between them stands where both fit.
    const mostUp = Math.max(...up, 1);
    const mostDown = Math.max(...down, 1);
    const room = bottom - 8;
    const middle = 4 + room * Math.min(0.85, Math.max(0.15, mostUp / (mostUp + mostDown)));
    const scale = Math.min((middle - 4) / mostUp, (bottom - 4 - middle) / mostDown);
    image.append(
      svg("path", { class: "area-up", d: steps(up, width, (value) => middle - value * scale) }),
      svg("path", { class: "area-down", d: steps(down, width, (value) => middle + value * scale) }),
      svg("line", { class: "axis", x1: 0, x2: width, y1: middle, y2: middle }));
    if (!small) {
      const step = roundUp(60 / scale);
      for (let value = step; middle + value * scale < bottom || middle - value * scale > 0; value += step) {
        for (const y of [middle - value * scale, middle + value * scale]) {
          if (y < 14 || y > bottom - 2) continue;
          image.append(svg("line", { class: "rule", x1: 0, x2: width, y1: y, y2: y }),
            label(6, y, `${bytes(value)}/s`));
        }
      }
    }
  } else {
    const most = roundUp(Math.max(...slots.requests, 1));
    const y = (/** @type {number} */ value) => bottom - (value / most) * (bottom - 6);
    image.append(svg("path", { class: "area-requests", d: steps(slots.requests, width, y) }),
      svg("path", { class: "area-failures", d: steps(slots.failures, width, y) }),
      svg("line", { class: "axis", x1: 0, x2: width, y1: bottom, y2: bottom }),
      svg("line", { class: "rule", x1: 0, x2: width, y1: 6, y2: 6 }), label(6, 14, number(most)));
  }
  if (small) {
    slots.failures.forEach((value, index) => {
      // As high as the share of what failed: a few failures among many are a hint, not an alarm.
      const high = value > 0 ? Math.max(1.5, 8 * Math.min(1, value / Math.max(1, slots.requests[index]))) : 0;
      if (high) image.append(svg("rect", { class: "failure-dot", x: index * slot, y: height - high, width: Math.max(1.5, slot - 1), height: high }));
    });
  } else {
    const labels = Math.max(1, Math.floor(width / 130));
    for (let index = 0; index <= labels; index += 1) {
      const moment = slots.from + (slots.slot * count * index) / labels;
      const anchor = index === 0 ? "start" : index === labels ? "end" : "middle";
      const words = clock(moment, slots.slot < 500);
      image.append(svg("text", { class: "tick", x: (width * index) / labels, y: height - 4, "text-anchor": anchor }, words.slice(-8)));
    }
  }
  return image;
}

/**
 * A chart in which a range can be chosen.
 * @param {"bytes" | "requests"} kind
 * @param {boolean} small
 */
function makeChart(kind, small) {
  const canvas = h("div", { class: "chart-canvas" });
  const choice = h("div", { class: "brush", hidden: true });
  const tip = h("div", { class: "tip", hidden: true });
  const element = h("div", { class: `chart chart-${kind}${small ? " small" : ""}` }, canvas, choice, tip);
  /** @type {Slots | null} */
  let slots = null;
  /** @type {number | null} */
  let begin = null;
  /** What came while a range was being chosen: until then the chart stays as it is under the hand. @type {Slots | null} */
  let waiting = null;
  new ResizeObserver(() => draw()).observe(element);

  /** @param {PointerEvent} event */
  const share = (event) => {
    const box = element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  };

  /**
   * @param {number} from
   * @param {number} to
   */
  function mark(from, to) {
    choice.hidden = false;
    choice.style.setProperty("left", `${Math.min(from, to) * 100}%`);
    choice.style.setProperty("width", `${Math.abs(to - from) * 100}%`);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !slots) return;
    begin = share(event);
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (!slots) return;
    const at = share(event);
    if (begin !== null) mark(begin, at);
    if (small) return;
    const index = Math.min(slots.requests.length - 1, Math.floor(at * slots.requests.length));
    tip.hidden = false;
    tip.classList.toggle("left", at > 0.6);
    tip.style.setProperty("left", `${at * 100}%`);
    fill(tip, h("b", {}, clock(slots.from + index * slots.slot, slots.slot < 1000)),
      h("span", {}, `↑ ${bytes(slots.up[index])}  ↓ ${bytes(slots.down[index])}`),
      h("span", {}, `${t("timeline.requests")} ${number(slots.requests[index])}`),
      slots.failures[index] > 0 && h("span", { class: "bad" }, `${t("timeline.failures")} ${number(slots.failures[index])}`));
  });
  element.addEventListener("pointerleave", () => {
    tip.hidden = true;
  });
  /** The range is chosen, or given up. */
  function release() {
    begin = null;
    if (waiting) slots = waiting;
    const late = waiting !== null;
    waiting = null;
    if (late) draw();
    else brush();
  }

  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerup", (event) => {
    if (begin === null || !slots) return;
    const [from, to] = [begin, share(event)].sort((one, other) => one - other);
    const span = slots.slot * slots.requests.length;
    const origin = slots.from;
    release();
    if ((to - from) * element.clientWidth < 4) return;
    filter({ since: String(Math.floor(origin + from * span)), until: String(Math.ceil(origin + to * span)) });
  });
  if (small) element.addEventListener("dblclick", () => filter({ since: "", until: "" }));

  /** Shows the range in force, where the chart shows more than it. */
  function brush() {
    if (begin !== null) return;
    choice.hidden = true;
    if (!slots || !small) return;
    const { since, until } = place().filters;
    if (!since && !until) return;
    const span = slots.slot * slots.requests.length;
    const from = since ? (Number(since) - slots.from) / span : 0;
    const to = until ? (Number(until) - slots.from) / span : 1;
    mark(Math.min(1, Math.max(0, from)), Math.min(1, Math.max(0, to)));
  }

  function draw() {
    const width = element.clientWidth;
    const height = element.clientHeight;
    if (!slots || slots.requests.length === 0 || width === 0) return fill(canvas);
    fill(canvas, drawing(slots, width, height, kind, small));
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", t("timeline.label", {
      from: clock(slots.from), to: clock(slots.from + slots.slot * slots.requests.length), up: bytes(sum(slots.up)),
      down: bytes(sum(slots.down)), requests: number(sum(slots.requests)), failures: number(sum(slots.failures)),
    }));
    brush();
  }

  return {
    element,
    /** @param {Slots} next */
    show(next) {
      if (begin !== null) {
        waiting = next;
        return;
      }
      slots = next;
      draw();
    },
    brush,
  };
}

/** The whole of the time above the list. */
function makeStrip() {
  const chart = makeChart("bytes", true);
  const ends = h("div", { class: "strip-ends" });
  const element = h("div", { class: "strip", hidden: true }, chart.element, ends);
  let age = 0;
  /** What was asked for last, and whether its answer is still to come: in a large store that takes a while. */
  let asked = "";
  let waits = false;

  /** @param {boolean} [again] also when the filters are the same */
  async function load(again = false) {
    // The range is what is chosen here: all other filters hold.
    const { since: _since, until: _until, ...filters } = place().filters;
    const wanted = JSON.stringify([filters, t("column.up")]);
    if (wanted === asked && (waits || !again)) return;
    asked = wanted;
    waits = true;
    const mine = ++age;
    try {
      const slots = /** @type {Slots} */ (await get("timeline", { ...filters, slots: 200 }));
      if (mine !== age) return;
      const count = slots.requests.length;
      element.hidden = count === 0;
      chart.show(slots);
      if (count === 0) return;
      const most = Math.max(...slots.up, ...slots.down) / (slots.slot / 1000);
      fill(ends, h("span", {}, clock(slots.from)),
        h("span", { class: "strip-most" }, h("span", { class: "key-up" }, t("column.up")), h("span", { class: "key-down" }, t("column.down")),
          t("strip.most", { rate: bytes(most) })),
        h("span", {}, clock(slots.from + slots.slot * count)));
    } catch {
      // The list says what is wrong.
      if (mine === age) asked = "";
    } finally {
      if (mine === age) waits = false;
    }
  }
  return { element, load, brush: chart.brush };
}

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeTimeline() {
  const rates = makeChart("bytes", false);
  const counts = makeChart("requests", false);
  const title = h("h1", {});
  const text = h("p", { class: "quiet" });
  const tools = h("div", { class: "tools" });
  const first = h("h2", {});
  const second = h("h2", {});
  const facts = h("p", { class: "quiet facts-line", role: "status" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, text, tools),
    h("div", { class: "page-body" }, facts, first, rates.element, second, counts.element));
  let age = 0;
  /** @type {Slots | null} */
  let slots = null;

  /** @param {number} factor */
  function zoom(factor) {
    if (!slots) return;
    const span = slots.slot * slots.requests.length;
    const middle = slots.from + span / 2;
    filter({ since: String(Math.floor(middle - (span * factor) / 2)), until: String(Math.ceil(middle + (span * factor) / 2)) });
  }

  function words() {
    const { since, until } = place().filters;
    fill(title, t("timeline.title"));
    fill(text, t("timeline.text"));
    fill(tools,
      h("button", { type: "button", class: "button", click: () => zoom(0.5) }, t("timeline.zoomIn")),
      h("button", { type: "button", class: "button", click: () => zoom(2), disabled: !since && !until }, t("timeline.zoomOut")),
      h("button", {
        type: "button", class: "button", disabled: !since && !until, click: () => filter({ since: "", until: "" }),
      }, t("timeline.reset")));
    fill(first, t("timeline.rate"), h("span", { class: "key-up" }, t("column.up")), h("span", { class: "key-down" }, t("column.down")));
    fill(second, t("timeline.requests"), h("span", { class: "key-failures" }, t("timeline.failures")));
  }

  async function load() {
    const mine = ++age;
    try {
      slots = /** @type {Slots} */ (await get("timeline", { ...place().filters, slots: 240 }));
      if (mine !== age) return;
      rates.show(slots);
      counts.show(slots);
      fill(facts, slots.requests.length === 0 ? t("timeline.empty") : [
        `${clock(slots.from)} – ${clock(slots.from + slots.slot * slots.requests.length)}`,
        t("timeline.per", { slot: duration(slots.slot) }), `↑ ${bytes(sum(slots.up))}`, `↓ ${bytes(sum(slots.down))}`,
        `${t("timeline.requests")} ${number(sum(slots.requests))}`, `${t("timeline.failures")} ${number(sum(slots.failures))}`,
      ].join(" · "));
    } catch (error) {
      if (mine === age) fill(facts, String(/** @type {Error} */ (error).message));
    }
  }

  return {
    element,
    show() {
      words();
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
return { roundUp, makeStrip, makeTimeline };
})();
const $treemap = (() => {
// Where the bytes go, as areas: host, then API, then part; and the same as a table.
const { get } = $api;
const { fill, h } = $dom;
const { apiName, bytes, exactBytes, number, percent } = $format;
const { t } = $messages;
const { listAddress } = $place;
const { apart, legend, partName, parts } = $sizes;

/**
 * @typedef {import("./types.d.ts").API} API
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

/**
 * Squarified areas: boxes in the order of the sizes, each as square as the row that it stands in allows
 * (Bruls, Huizing, van Wijk 2000).
 * @param {number[]} sizes the largest first
 * @param {Box} box
 * @returns {Box[]}
 */
function squarify(sizes, box) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  /** @type {Box[]} */
  const boxes = [];
  let { x, y, width, height } = box;
  if (total <= 0 || width <= 0 || height <= 0) return sizes.map(() => ({ x, y, width: 0, height: 0 }));
  const scale = (width * height) / total;
  let at = 0;
  while (at < sizes.length) {
    const side = Math.max(Math.min(width, height), 0.0001);
    let end = at;
    let sum = 0;
    let worst = Infinity;
    while (end < sizes.length) {
      const area = sizes[end] * scale;
      const next = sum + area;
      const largest = sizes[at] * scale;
      const ratio = Math.max((side * side * largest) / (next * next), (next * next) / (side * side * Math.max(area, 1e-9)));
      if (ratio > worst) break;
      worst = ratio;
      sum = next;
      end += 1;
    }
    const thickness = sum / side;
    let along = 0;
    for (let index = at; index < end; index += 1) {
      const length = thickness > 0 ? (sizes[index] * scale) / thickness : 0;
      boxes.push(width >= height
        ? { x, y: y + along, width: thickness, height: length }
        : { x: x + along, y, width: length, height: thickness });
      along += length;
    }
    if (width >= height) {
      x += thickness;
      width = Math.max(0, width - thickness);
    } else {
      y += thickness;
      height = Math.max(0, height - thickness);
    }
    at = end;
  }
  return boxes;
}

/**
 * @param {HTMLElement} element
 * @param {Box} box
 */
function put(element, box) {
  element.style.setProperty("left", `${box.x}px`);
  element.style.setProperty("top", `${box.y}px`);
  element.style.setProperty("width", `${box.width}px`);
  element.style.setProperty("height", `${box.height}px`);
}

const gap = 2;
const headHeight = 22;
const mostTiles = 80;

/** @returns {import("./types.d.ts").View & { element: HTMLElement }} */
function makeMap() {
  const title = h("h1", {});
  const sum = h("p", { class: "quiet" });
  const choice = h("div", { class: "segments", role: "group" });
  const area = h("div", { class: "treemap", role: "group" });
  const key = h("div", { class: "map-key" });
  const table = h("details", { class: "map-table" });
  const element = h("section", { class: "page" }, h("header", { class: "page-head" }, title, sum, choice), key, area, table);
  let direction = "both";
  /** @type {API[]} */
  let apis = [];
  let age = 0;
  /** @type {import("./types.d.ts").Place | null} */
  let last = null;
  new ResizeObserver(() => draw()).observe(area);

  /** @param {API} api */
  function weigh(api) {
    const up = apart(api.parts.up);
    const down = apart(api.parts.down);
    return parts.map((part) => ({
      part,
      size: (direction === "down" ? 0 : up[part] ?? 0) + (direction === "up" ? 0 : down[part] ?? 0),
    })).filter((entry) => entry.size > 0).sort((one, other) => other.size - one.size);
  }

  function hostsBySize() {
    /** @type {Map<string, { api: API, parts: ReturnType<typeof weigh>, size: number }[]>} */
    const hosts = new Map();
    for (const api of apis) {
      const weighed = weigh(api);
      const size = weighed.reduce((sum, entry) => sum + entry.size, 0);
      if (size <= 0) continue;
      const list = hosts.get(api.host) ?? [];
      list.push({ api, parts: weighed, size });
      hosts.set(api.host, list);
    }
    return [...hosts].map(([host, list]) => ({
      host, list: list.sort((one, other) => other.size - one.size), size: list.reduce((sum, entry) => sum + entry.size, 0),
    })).sort((one, other) => other.size - one.size);
  }

  function draw() {
    const width = area.clientWidth;
    const height = area.clientHeight;
    const hosts = hostsBySize();
    const total = hosts.reduce((sum, host) => sum + host.size, 0);
    if (total === 0) return fill(area, h("p", { class: "empty" }, t("apis.empty")));
    area.setAttribute("aria-label", t("map.label", { total: bytes(total) }));
    const boxes = squarify(hosts.map((host) => host.size), { x: 0, y: 0, width, height });
    fill(area, hosts.slice(0, mostTiles).map((host, index) => hostTile(host, boxes[index], total)));
    fill(table, h("summary", {}, t("map.table")), tableOf(hosts, total));
  }

  /**
   * @param {ReturnType<typeof hostsBySize>[number]} host
   * @param {Box} box
   * @param {number} total
   */
  function hostTile({ host, list, size }, box, total) {
    const tile = h("section", { class: "map-host", "aria-label": `${host}: ${bytes(size)}` });
    put(tile, { x: box.x + gap, y: box.y + gap, width: Math.max(0, box.width - 2 * gap), height: Math.max(0, box.height - 2 * gap) });
    const labelled = box.height > 60 && box.width > 60;
    if (labelled) {
      tile.append(h("a", { class: "map-host-name", href: listAddress({ host }) }, h("b", {}, host),
        box.width > 190 && h("span", {}, `${bytes(size)} · ${percent(size / total)}`)));
    }
    const top = labelled ? headHeight : 0;
    const inner = { x: 0, y: top, width: box.width - 2 * gap, height: box.height - 2 * gap - top };
    const shown = list.slice(0, mostTiles);
    const rest = list.slice(mostTiles).reduce((sum, entry) => sum + entry.size, 0);
    const boxes = squarify([...shown.map((entry) => entry.size), ...(rest > 0 ? [rest] : [])], inner);
    shown.forEach((entry, index) => tile.append(apiTile(entry, boxes[index], total)));
    if (rest > 0) {
      const others = h("div", { class: "map-others", title: t("map.others", { n: number(list.length - mostTiles) }) });
      put(others, boxes[shown.length]);
      tile.append(others);
    }
    return tile;
  }

  /**
   * @param {ReturnType<typeof hostsBySize>[number]["list"][number]} entry
   * @param {Box} box
   * @param {number} total
   */
  function apiTile({ api, parts: weighed, size }, box, total) {
    const name = `${api.method} ${api.template}`;
    const text = weighed.map((entry) => `${partName(entry.part)} ${bytes(entry.size)}`).join(", ");
    const tile = h("a", {
      class: "map-api", href: listAddress({ api: apiName(api) }),
      title: `${name}\n${bytes(size)} · ${percent(size / total)}\n${text}`, "aria-label": `${name}: ${bytes(size)}, ${text}`,
      tabindex: box.width > 14 && box.height > 14 ? 0 : -1,
    });
    const edge = box.width > 8 && box.height > 8 ? 1 : 0;
    put(tile, { x: box.x + edge, y: box.y + edge, width: Math.max(0, box.width - 2 * edge), height: Math.max(0, box.height - 2 * edge) });
    const labelled = box.width > 74 && box.height > 34;
    const top = labelled ? 20 : 0;
    if (labelled) {
      tile.append(h("span", { class: "map-api-name" }, h("b", {}, api.method), ` ${api.template}`,
        box.width > 190 && h("em", {}, bytes(size))));
    }
    const inner = { x: 0, y: top, width: box.width - 2 * edge, height: box.height - 2 * edge - top };
    squarify(weighed.map((entry) => entry.size), inner).forEach((part, index) => {
      const piece = h("i", { class: `p-${weighed[index].part}` });
      put(piece, part);
      tile.append(piece);
    });
    return tile;
  }

  /**
   * @param {ReturnType<typeof hostsBySize>} hosts
   * @param {number} total
   */
  function tableOf(hosts, total) {
    return h("table", { class: "table" },
      h("thead", {}, h("tr", {}, [t("apis.api"), t("part.total"), t("apis.share")].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, hosts.flatMap(({ list }) => list).slice(0, 200).map(({ api, size, parts: weighed }) =>
        h("tr", {}, h("th", { scope: "row" }, apiName(api),
          h("small", {}, weighed.map((entry) => `${partName(entry.part)} ${exactBytes(entry.size)}`).join(", "))),
        h("td", {}, exactBytes(size)), h("td", {}, percent(size / total))))));
  }

  function words() {
    fill(title, t("map.title"));
    fill(sum, t("map.text"));
    fill(key, legend());
    choice.setAttribute("aria-label", t("map.direction"));
    fill(choice, [["both", t("map.both")], ["up", t("column.up")], ["down", t("column.down")]].map(([name, label]) =>
      h("button", {
        type: "button", "aria-pressed": String(direction === name), click: () => {
          direction = name;
          words();
          draw();
        },
      }, label)));
  }

  async function load() {
    if (!last) return;
    const mine = ++age;
    const { since, until, host } = last.filters;
    try {
      const answer = await get("apis", { since, until, host });
      if (mine !== age) return;
      apis = answer.apis;
      draw();
    } catch (error) {
      if (mine === age && apis.length === 0) {
        fill(area, h("p", { class: "error", role: "alert" }, String(/** @type {Error} */ (error).message)));
      }
    }
  }

  return {
    element,
    show(where) {
      last = where;
      words();
      void load();
    },
    live: () => void load(),
    leave() {
      age += 1;
    },
  };
}
return { squarify, makeMap };
})();
const $app = (() => {
// The page as a whole: its header, its pages, its keys, and what the stream tells.
const { address, get, listen, post, save } = $api;
const { makeAPIs } = $apis;
const { makeCompare } = $compare;
const { makeConnections } = $connections;
const { makeDetail } = $detail;
const { byId, command, fill, h, icon, iconButton, say } = $dom;
const { makeFilters } = $filters;
const { makeAudit } = $findings;
const { number } = $format;
const { showHelp } = $help;
const { makeList } = $list;
const { locale, speak, spoken, t } = $messages;
const { go, hashOf, pages, place, watch } = $place;
const { makeStrip, makeTimeline } = $timeline;
const { makeMap } = $treemap;

/** @type {import("./types.d.ts").Overview | null} */
let overview = null;
let connected = false;
/** Whether nobody has answered for so long that nobody will. */
let ended = false;
/** @type {number | undefined} */
let ending;
const patience = 10_000;
const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
const main = byId("main");
// Made once: it stays when the inspector is gone.
const logo = h("img", { src: "/icon.svg", alt: "", width: 22, height: 22 });

const list = makeList((id) => go({ id }, place().id !== null), nothing);
const detail = makeDetail({ close, step: (by) => list.step(by) });
const filters = makeFilters();
const strip = makeStrip();
const listPage = h("div", { class: "list-page" }, filters.element, strip.element,
  h("div", { class: "split" }, list.element, detail.element));
/** @type {Record<string, import("./types.d.ts").View & { element: HTMLElement }>} */
const others = {
  apis: makeAPIs(), map: makeMap(), timeline: makeTimeline(), audit: makeAudit(), compare: makeCompare(),
  connections: makeConnections(),
};
let shown = "";

/** What is said of a store without exchanges: where they will appear, or how to record some. */
function nothing() {
  if (!overview || overview.live) return [t("list.none")];
  const program = t("list.none.program");
  return [h("p", {}, t("list.none.file")), command(["run", "--db", overview.file ?? overview.name, "--", program]),
    h("p", {}, t("list.none.doctor")), command(["doctor", "--", program])];
}

function close() {
  go({ id: null });
  list.focus();
}

function route() {
  const where = place();
  if (where.page !== shown) {
    if (Object.hasOwn(others, shown)) others[shown].leave();
    shown = where.page;
    fill(main, where.page === "list" ? listPage : others[where.page].element);
    main.scrollTop = 0;
  }
  document.documentElement.lang = locale();
  document.title = `${t(`page.${where.page}`)} – ${overview?.name ?? "Wireweight"}`;
  nav();
  header();
  if (where.page === "list") {
    filters.refresh();
    list.show(where);
    detail.show(where);
    strip.brush();
    listPage.classList.toggle("with-detail", where.id !== null);
    void strip.load();
    tail();
  } else {
    others[where.page].show(where);
  }
}

function nav() {
  const where = place();
  const element = byId("nav");
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.page : undefined;
  element.setAttribute("aria-label", t("nav"));
  fill(byId("skip"), t("nav.skip"));
  fill(element, pages.map((name) =>
    h("a", {
      href: hashOf({ ...where, page: name, id: null }), "data-page": name,
      "aria-current": name === where.page ? "page" : null, title: t(`page.${name}`),
    }, icon(/** @type {any} */ (name)),
      name === "connections"
        ? [h("span", { class: "wide-only" }, t("page.connections")), h("span", { class: "narrow-only" }, t("page.connections.short"))]
        : h("span", {}, t(`page.${name}`)))));
  if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`[data-page="${focused}"]`))?.focus();
}

/** The state in words, and whether it is well. */
function state() {
  if (ended) return { name: "ended", text: t("live.ended") };
  if (!connected) return { name: "lost", text: t("live.lost") };
  if (overview?.paused) return { name: "paused", text: t("live.paused") };
  if (overview && !overview.live) return { name: "file", text: t("live.file") };
  return { name: "live", text: t("live.connected") };
}

function header() {
  const { name, text } = state();
  const losses = overview?.losses.filter((loss) => loss.count > 0) ?? [];
  const lost = losses.reduce((sum, loss) => sum + loss.count, 0);
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.control : undefined;
  const can = overview?.can;
  fill(byId("header"),
    h("div", { class: "brand" }, logo,
      h("b", {}, overview?.name ?? "Wireweight")),
    h("div", { class: `live ${name}`, role: "status" }, h("i", { class: "dot", "aria-hidden": "true" }), h("span", {}, text)),
    h("div", { class: "counts" }, overview && h("span", { id: "count" }, t("live.exchanges", { n: number(overview.exchanges) })),
      overview && overview.running > 0 && h("span", { class: "running-count" }, t("live.running", { n: number(overview.running) })),
      lost > 0 && h("span", { class: "losses", title: losses.map((loss) => `${loss.reason} ${loss.count}`).join(", ") },
        t("live.losses", { n: number(lost), reasons: losses.map((loss) => loss.reason).join(", ") }))),
    h("span", { class: "spring" }),
    h("div", { class: "controls" },
      can?.pause && iconButton(overview?.paused ? "resume" : "pause",
        t(overview?.paused ? "control.resume" : "control.pause"), () => void change(overview?.paused ? "resume" : "pause"),
        { "data-control": "pause", disabled: ended }),
      can?.clear && iconButton("clear", t("control.clear"), askClear, { "data-control": "clear", disabled: ended }),
      iconButton("export", t("control.export"), (event) => menu(event, exportItems()),
        { "data-control": "export", "aria-haspopup": "menu", disabled: ended }),
      iconButton("theme", t("control.theme"), (event) => menu(event, themeItems()),
        { "data-control": "theme", "aria-haspopup": "menu" }),
      h("button", {
        type: "button", class: "icon-button language", lang: spoken() === "en" ? "zh-CN" : "en", "data-control": "language",
        click: () => {
          speak(spoken() === "en" ? "zh" : "en");
          route();
        },
      }, t("control.language")),
      iconButton("help", t("control.help"), () => showHelp(dialog), { "data-control": "help" })));
  if (focused) /** @type {HTMLElement | null} */ (byId("header").querySelector(`[data-control="${focused}"]`))?.focus();
  banner();
  list.notice();
}

/** What to do when the inspector has ended. */
function banner() {
  const element = byId("banner");
  element.hidden = !ended;
  fill(element, ended && [h("span", {}, t(overview?.file ? "live.ended.text" : "live.ended.bare")),
    overview?.file && command(["inspect", overview.file])]);
}

/** @param {boolean} now */
function connection(now) {
  if (now && !connected && list.rows.error) void list.rows.make();
  connected = now;
  if (now) {
    clearTimeout(ending);
    ending = undefined;
    ended = false;
  } else {
    ending ??= setTimeout(() => {
      ended = true;
      header();
    }, patience);
  }
  header();
}

/** What stands at the right of the filters: how many there are, and which end is looked at. */
function tail() {
  const { rows } = list;
  const following = place().sort === "start" && list.follows;
  const count = rows.view === null ? "" : t("list.count", { n: number(rows.count) }) +
    (rows.truncated ? `, ${t("list.truncated", { n: number(rows.total) })}` : "");
  if (filters.tail.dataset.text === `${count}${following}${spoken()}`) return;
  filters.tail.dataset.text = `${count}${following}${spoken()}`;
  fill(filters.tail, h("span", { class: "quiet", role: "status", id: "shown" }, count),
    iconButton("follow", t("list.follow"), () => {
      if (following) {
        list.follow(false);
        go({ sort: "-start" });
      } else {
        list.follow(true);
        go({ sort: "start" });
      }
      delete filters.tail.dataset.text;
      tail();
    }, { "aria-pressed": String(following), "data-follow": "" }));
}
list.element.addEventListener("shown", tail);

/** @param {"pause" | "resume"} what */
async function change(what) {
  try {
    overview = await post(what);
    header();
  } catch (error) {
    say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
  }
}

function askClear() {
  const yes = h("button", {
    type: "button", class: "button danger", click: async () => {
      dialog.close();
      try {
        overview = await post("clear", { confirm: true });
        go({ id: null });
        list.rows.forget();
        route();
        say(t("clear.done"));
      } catch (error) {
        say(`${t("error.title")}: ${/** @type {Error} */ (error).message}`);
      }
    },
  }, t("clear.confirm"));
  const no = h("button", { type: "button", class: "button", click: () => dialog.close() }, t("cancel"));
  fill(dialog, h("h2", { id: "dialog-title" }, t("clear.title")),
    h("p", {}, t("clear.text", { n: number(overview?.exchanges ?? 0), name: overview?.name ?? "" })),
    h("div", { class: "dialog-buttons" }, no, yes));
  dialog.setAttribute("aria-labelledby", "dialog-title");
  dialog.showModal();
  no.focus();
}

function exportItems() {
  const where = place().filters;
  return ["har", "csv", "ndjson"].map((format) => ({
    label: t(`export.${format}`), on: null,
    act: () => save(address("export", { ...where, format }), `traffic.${format}`),
  }));
}

function themeItems() {
  const now = localStorage.getItem("wireweight.theme") ?? "auto";
  return ["auto", "light", "dark"].map((theme) => ({
    label: t(`theme.${theme}`), on: theme === now,
    act: () => {
      if (theme === "auto") {
        localStorage.removeItem("wireweight.theme");
        delete document.documentElement.dataset.theme;
      } else {
        localStorage.setItem("wireweight.theme", theme);
        document.documentElement.dataset.theme = theme;
      }
    },
  }));
}

/**
 * @param {MouseEvent} event
 * @param {{ label: string, on: boolean | null, act: () => void }[]} items
 */
function menu(event, items) {
  const opener = /** @type {HTMLElement} */ (event.currentTarget);
  const name = opener.dataset.control;
  document.querySelector(".menu")?.remove();
  const away = (/** @type {Event} */ outside) => {
    if (!(outside.target instanceof Node) || !element.contains(outside.target)) end(false);
  };
  /** @param {boolean} back */
  function end(back) {
    element.remove();
    removeEventListener("pointerdown", away, true);
    if (back) /** @type {HTMLElement | null} */ (document.querySelector(`[data-control="${name}"]`))?.focus();
  }
  const buttons = items.map(({ label, on, act }) =>
    h("button", {
      type: "button", role: on === null ? "menuitem" : "menuitemradio", "aria-checked": on === null ? null : String(on),
      click: () => {
        end(true);
        act();
      },
    }, label));
  const element = h("div", {
    class: "menu", role: "menu", "aria-label": opener.getAttribute("aria-label"),
    keydown: (/** @type {KeyboardEvent} */ key) => {
      const at = buttons.indexOf(/** @type {any} */ (document.activeElement));
      if (key.key === "Escape" || key.key === "Tab") end(true);
      else if (key.key === "ArrowDown") buttons[(at + 1) % buttons.length].focus();
      else if (key.key === "ArrowUp") buttons[(at - 1 + buttons.length) % buttons.length].focus();
      else return;
      key.preventDefault();
      key.stopPropagation();
    },
  }, buttons);
  document.body.append(element);
  const box = opener.getBoundingClientRect();
  element.style.setProperty("top", `${box.bottom + 6}px`);
  element.style.setProperty("right", `${Math.max(8, innerWidth - box.right)}px`);
  buttons[0].focus();
  addEventListener("pointerdown", away, true);
}

addEventListener("keydown", (event) => {
  if (dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof HTMLElement ? event.target : null;
  const writing = target?.matches("input, textarea, select") ?? false;
  if (event.key === "Escape") {
    if (writing) {
      target?.blur();
      if (place().page === "list") list.focus();
    } else if (place().id !== null) close();
    else return;
    event.preventDefault();
    return;
  }
  if (writing) return;
  if (event.key === "/") {
    if (place().page !== "list") go({ page: "list" });
    filters.focus();
  } else if (event.key === "?") showHelp(dialog);
  else if (/^[1-7]$/.test(event.key)) go({ page: pages[Number(event.key) - 1], id: null });
  else if (/^(Arrow(Up|Down)|Enter)$/.test(event.key) && place().page === "list" && (!target || target === document.body || target === main)) {
    list.focus();
    document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
  } else return;
  event.preventDefault();
});
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

/** Pages of sums are read again while traffic goes on, but not with each exchange. @type {number | undefined} */
let refreshing;
function refresh() {
  if (refreshing !== undefined || document.hidden) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    if (place().page === "list") void strip.load(true);
    else others[place().page].live?.();
  }, 2000);
}

listen({
  rows(rows) {
    list.rows.come(rows);
    detail.come(rows);
    refresh();
  },
  status(next) {
    const cleared = overview !== null && overview.generation !== next.generation;
    overview = next;
    header();
    if (cleared) list.rows.forget();
  },
  reset() {
    list.rows.forget();
    refresh();
  },
  connection,
});

watch(route);
route();
get("overview").then((next) => {
  // What the stream has told meanwhile is newer.
  overview ??= next;
  header();
}, () => header());
})();

"""##),
        "theme.157825d87dc9.js": PageAsset("text/javascript; charset=utf-8", tag: nil, ##"""
// Before the first paint: dark or light, as it was chosen here.
"use strict";
{
  const theme = localStorage.getItem("wireweight.theme");
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

"""##),
        "index.html": PageAsset("text/html; charset=utf-8", tag: "8d4fc546364527608733", ##"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Wireweight</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.3d924da2c1eb.css">
<script src="/theme.157825d87dc9.js"></script>
<script type="module" src="/app.a32c661e8148.js"></script>
</head>
<body>
<a class="skip" id="skip" href="#main"></a>
<header id="header"></header>
<div id="banner" role="alert" hidden></div>
<nav id="nav"></nav>
<main id="main" tabindex="-1"></main>
<dialog id="dialog"></dialog>
<div id="toast" role="status" aria-live="polite"></div>
</body>
</html>

"""##),
        "icon.svg": PageAsset("image/svg+xml", tag: "646003c9df4b4f5eccb2", ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#3a53c5"/>
<path d="M5 11l4 12 5-9h4l5 9 4-12" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"
stroke-linejoin="round"/></svg>

"""##),
    ]
}
