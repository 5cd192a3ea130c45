"""The style sheet of the report: light and dark, on a screen and on paper."""

CSS = """
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --ink: #1d2129; --soft: #5c6470; --rule: #e3e1dc;
  --accent: #2f5fb3; --bar: #4a78c4; --good: #217a48; --bad: #b3372f; --code: #f3f1ec;
  --c1: #2f5fb3; --c2: #b85c12; --c3: #217a48; --c4: #8d3f97; --c5: #8a6d00; --c6: #a8324f;
  --c7: #0f7c86; --c8: #6b6f78;
  --data: #4a78c4; --state: #c9752b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1b1e24; --ink: #e6e7ea; --soft: #9aa2ae; --rule: #2f343d;
    --accent: #8fb4f5; --bar: #5f8fe0; --good: #6cc692; --bad: #f08a80; --code: #23272f;
    --c1: #8fb4f5; --c2: #f0a25c; --c3: #6cc692; --c4: #d093dc; --c5: #d8bd54; --c6: #f08aa5;
    --c7: #5cc4cf; --c8: #a9afb9;
    --data: #6f9df0; --state: #e0964f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 40px 28px 80px; }
h1 { font-size: 27px; line-height: 1.25; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 19px; margin: 0 0 4px; letter-spacing: -0.005em; }
h3 { font-size: 15px; margin: 22px 0 6px; }
p { margin: 6px 0 12px; max-width: 74ch; }
a { color: var(--accent); }
code, .mono { font: 12.5px/1.5 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 18px; padding: 0;
  margin: 18px 0 26px; border-bottom: 1px solid var(--rule); padding-bottom: 14px; }
nav a { text-decoration: none; } nav a:hover { text-decoration: underline; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 12px;
  margin: 20px 0 8px; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--rule); border-radius: 10px;
  padding: 12px 16px; }
.tiles b { display: block; font-size: 23px; font-weight: 600; line-height: 1.25;
  font-variant-numeric: tabular-nums; }
.tiles span { color: var(--soft); font-size: 13px; }
section { background: var(--card); border: 1px solid var(--rule); border-radius: 12px;
  padding: 22px 26px; margin: 18px 0; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(380px, 1fr)); gap: 8px 36px; }
.scroll { overflow-x: auto; margin: 8px 0 14px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; color: var(--soft); font-size: 13px; padding: 2px 0 6px; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; }
th, td { padding: 6px 14px 6px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.number:last-child, th.number:last-child { padding-right: 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 20px; margin: 8px 0 14px; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
details { margin: 8px 0; } summary { cursor: pointer; color: var(--accent); }
.program { margin: 2px 0 0; padding: 10px 14px; background: var(--code); border-radius: 8px;
  white-space: pre-wrap; overflow-wrap: anywhere;
  font: 12.5px/1.55 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
.programs { display: grid; grid-template-columns: repeat(auto-fit, minmax(400px, 1fr));
  gap: 4px 24px; }
.programs > div { min-width: 0; break-inside: avoid; }
h4 { margin: 10px 0 2px; font-weight: 500; }
code.name { white-space: nowrap; }
ol.packages { padding: 0; margin: 10px 0; list-style: none; counter-reset: package; }
ol.packages li { counter-increment: package; padding: 12px 0 12px 44px; position: relative;
  border-top: 1px solid var(--rule); }
ol.packages li::before { content: counter(package); position: absolute; left: 0; color: var(--soft);
  font-variant-numeric: tabular-nums; }
ol.packages p { margin: 2px 0 4px; max-width: 88ch; }
figure { margin: 12px 0 16px; } figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
svg { width: 100%; height: auto; display: block; overflow: visible; }
svg text { fill: var(--ink); font-size: 13px; }
svg .muted { fill: var(--soft); } svg .heading { fill: var(--soft); font-size: 13px; }
svg .figure { font-variant-numeric: tabular-nums; }
svg .bar { fill: var(--bar); } svg .axis { stroke: var(--soft); } svg .grid { stroke: var(--rule); }
svg .series { fill: none; stroke-width: 2.2; stroke-linejoin: round; }
svg .group { font-size: 12px; font-weight: 600; letter-spacing: 0.02em; }
svg .edge { fill: none; opacity: 0.62; } svg .edge:hover { opacity: 1; }
svg .edge.data { stroke: var(--data); } svg .edge.state { stroke: var(--state);
  stroke-dasharray: 6 4; }
svg .head.data { fill: var(--data); } svg .head.state { fill: var(--state); }
svg .hollow { fill: var(--card); stroke-width: 2; }
.key { display: flex; flex-wrap: wrap; gap: 4px 22px; padding: 0; margin: 6px 0; list-style: none;
  color: var(--soft); font-size: 13px; }
.key svg { display: inline-block; width: 34px; height: 10px; margin-right: 7px; }
@media print {
  :root { --page: #fff; --card: #fff; --ink: #000; --soft: #444; --rule: #bbb; --code: #f5f5f5;
    --accent: #000; }
  body { font-size: 11pt; } main { max-width: none; padding: 0; }
  section { border: 0; padding: 0; margin: 18pt 0; break-inside: auto; }
  figure, tr, .tiles, ol.packages li { break-inside: avoid; }
  h2, h3 { break-after: avoid; } nav { display: none; }
  .scroll { overflow: visible; }
}
"""

_SERIES = "".join(
    f"svg .s{n}.series {{ stroke: var(--c{n}); }} svg .s{n}.dot, svg .s{n}.name, svg .g{n} "
    f"{{ fill: var(--c{n}); }} svg .g{n}.hollow {{ fill: var(--card); stroke: var(--c{n}); }}\n"
    for n in range(1, 9)
)

STYLE = CSS + _SERIES
