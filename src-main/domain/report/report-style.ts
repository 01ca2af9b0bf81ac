import { phrase } from '../../../src-shared/words/say.ts';
import type { Identity } from './document.ts';
import { cssString } from './escape.ts';

const SANS = '"Inter Variable",Inter,"Segoe UI Variable Text","Segoe UI","Helvetica Neue","Noto Sans","Liberation Sans",Arial,sans-serif';
const MONO = '"JetBrains Mono","Cascadia Mono",Consolas,Menlo,"Noto Sans Mono","DejaVu Sans Mono","Liberation Mono",monospace';
const LONGEST_IN_MARGIN = 46;

/** Shortens a name to the width of a margin. */
function cut(text: string): string {
  const letters = [...text];
  return letters.length <= LONGEST_IN_MARGIN ? text : `${letters.slice(0, LONGEST_IN_MARGIN - 1).join('')}…`;
}

/** Returns a mark such as `■ CLOSED` or `□ DRAFT`. */
function stateMark({ state, isStale }: Identity): string {
  if (isStale) return phrase('report.reportStyle.changedSinceSigned');
  return state === 'closed' ? '■ CLOSED' : state === 'open' ? '□ DRAFT' : `□ DRAFT, ${state.toUpperCase()}`;
}

const TOP = `font:400 7.5pt ${SANS};line-height:1.4;white-space:pre;vertical-align:bottom;padding-bottom:4pt;margin-bottom:6mm;border-bottom:.6pt solid #000`;
const BOTTOM = `font:400 7pt ${SANS};line-height:1.4;white-space:pre;color:#3d3d3d;vertical-align:top;padding-top:4pt;margin-top:5mm;border-top:.4pt solid #a6a6a6`;

/** Margins of every page. `%place%` is replaced by the texts of `marginTexts`, and `%paper%` by the size of the paper. */
export const PAGE_RULE = `@page{size:%paper% portrait;margin:25mm 14mm 20mm 17mm;
@top-left{content:%top-left%;${TOP};font-weight:600;text-align:left;width:28%}
@top-center{content:%top-center%;${TOP};text-align:left;width:44%}
@top-right{content:%top-right%;${TOP};text-align:right;width:28%}
@bottom-left{content:%bottom-left%;${BOTTOM};text-align:left;width:82%}
@bottom-right{content:"Page " counter(page) " of " counter(pages);${BOTTOM};text-align:right;width:18%}}`;

/** Returns the texts of the margins by place. The script of the pack has its own copy of them. */
function marginTexts(identity: Identity): Readonly<Record<string, readonly string[]>> {
  const account = identity.accountNumber === null ? cut(identity.account) : `${cut(identity.account)}  ${cut(identity.accountNumber)}`;
  const prepared = identity.preparedBy === null ? 'Not prepared' : `Prepared by ${cut(identity.preparedBy)}`;
  const proof = `Fingerprint ${identity.fingerprint}    Contents ${identity.contents}    Printed ${identity.printed}`;
  return {
    'top-left': [cut(identity.bookName ?? 'Tieout'), cut(identity.reconciliation)],
    'top-center': [account, `${identity.days}, ${identity.currency}`],
    'top-right': [stateMark(identity), prepared],
    'bottom-left': [identity.sources.map(cut).join('    '), proof],
  };
}

function pageMargins(identity: Identity): string {
  const texts = marginTexts(identity);
  return PAGE_RULE.replace('%paper%', identity.notation.paper).replaceAll(/%([a-z]+-[a-z]+)%/g, (_, place: string) =>
    (texts[place] ?? []).map((text) => cssString(text)).join('"\\A"'),
  );
}

const TEXT = `:root{color-scheme:light;--font:${SANS};--mono:${MONO};--ink-2:#3d3d3d;--ink-3:#565656;--rule:.6pt solid #000;--hair:.4pt solid #a6a6a6}
*{box-sizing:border-box}html,body,h1,h2,h3,p,dl,dd{margin:0;padding:0}
body{background:#fff;color:#000;font:400 8.1pt/1.36 var(--font);letter-spacing:-.006em;font-variant-numeric:tabular-nums lining-nums;print-color-adjust:exact;-webkit-print-color-adjust:exact;overflow-wrap:break-word}
h1{font-size:16pt;line-height:1.1;font-weight:640;letter-spacing:-.018em}
h2{font-size:10.5pt;line-height:1.25;font-weight:640;margin:0 0 4pt;display:flex;align-items:baseline;gap:5pt;break-after:avoid}
h2 .k{min-width:14pt;font-weight:500;color:var(--ink-2)}h2 small{font-size:8.25pt;font-weight:400;color:var(--ink-2)}
h3{font-size:8.25pt;font-weight:640;margin:0 0 3pt;break-after:avoid}
.sec{margin-top:16pt}.blk+.blk{margin-top:11pt}.q{color:var(--ink-2);font-weight:400}.b{font-weight:600}.nb{white-space:nowrap}
.hash{font-family:var(--mono);font-size:7.1pt;line-height:1.45;font-variant-ligatures:none;letter-spacing:-.02em}
td.hash,th.nb{white-space:nowrap}.none,.say{color:var(--ink-2)}.say{margin-top:4pt}.say b{color:#000;font-weight:600}.foot{margin-top:4pt;font-size:7.5pt;color:var(--ink-2)}
.warn{border:1pt solid #000;padding:5pt 7pt;margin:0 0 9pt}.warn p+p{margin-top:3pt}.warn b{font-weight:640}`;

const TABLES = `table{width:100%;border-collapse:separate;border-spacing:0;table-layout:fixed;font-size:7.7pt}
th,td{text-align:left;vertical-align:baseline;padding:2.4pt 6pt 2.4pt 0;font-weight:400}th:last-child,td:last-child{padding-right:0}
thead th{font-size:7.5pt;color:var(--ink-2);font-weight:500;vertical-align:bottom;padding-top:0;padding-bottom:2.5pt;border-bottom:var(--rule)}
thead{display:table-header-group}tr{break-inside:avoid}tr.r>td{border-bottom:var(--hair)}
.gh td{padding-top:6pt;font-weight:600;break-after:avoid}.gh .k{font-weight:400;color:var(--ink-2);margin-right:6pt}
td small,th small{display:block;font-size:7.2pt;line-height:1.38;color:var(--ink-2)}td small .hash{font-size:6.7pt}
.n{text-align:right;white-space:nowrap;padding-right:0}th.n:not(:last-child),td.n:not(:last-child){padding-right:8pt}.n+:not(.n){padding-left:6pt}
.s1,.s2{display:block;padding-top:1.8pt;border-top:var(--rule)}.u1{display:block;padding-bottom:1.6pt;border-bottom:var(--rule)}
.s2,.d2{position:relative;display:block;font-weight:640}
.s2::after,.d2::after{content:"";position:absolute;left:0;right:0;top:100%;margin-top:1pt;height:1.7pt;border-top:var(--rule);border-bottom:var(--rule)}
.tot td{padding-top:1pt;padding-bottom:6pt;font-weight:640}.tot td:not(.n){padding-top:3.4pt}.tot.sub td{font-weight:600;padding-bottom:2pt}.tot.sub td:not(.n){font-weight:400;color:var(--ink-2)}
.tt td{padding-top:4pt}.rest td{color:var(--ink-2);white-space:normal}.rest td.n{white-space:nowrap}
.box{display:inline-block;width:7.5pt;height:7.5pt;border:.6pt solid #000;vertical-align:-.8pt}
.kv{break-inside:avoid;display:grid;grid-template-columns:96pt 1fr;border-top:var(--rule)}.kv dt,.kv dd{padding:2.7pt 0;border-bottom:var(--hair)}.kv dt{color:var(--ink-2)}`;

const STATEMENT = `.ttl{display:flex;justify-content:space-between;align-items:flex-end;gap:20pt;margin-bottom:11pt}.ttl p{margin-top:4pt;font-size:9.5pt}.ttl>div{min-width:0}
.ttl dl{display:grid;grid-template-columns:auto minmax(0,200pt);column-gap:9pt;row-gap:1pt;font-size:7.5pt;line-height:1.42;flex:none}.ttl dt{color:var(--ink-2)}
.flag{display:inline-block;border:1pt solid #000;padding:1.5pt 6pt;font-size:8.25pt;font-weight:700;letter-spacing:.08em;vertical-align:4pt;margin-left:9pt}
.stm{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);border-top:1.1pt solid #000;border-bottom:1.1pt solid #000}
.stm>div{display:flex;flex-direction:column;padding:0 7pt 0 0}.stm>div+div{padding:0 0 0 7pt;border-left:.4pt solid #000}
.stm .hd{display:flex;align-items:baseline;gap:6pt;padding:4.5pt 0 4pt;border-bottom:var(--rule);font-size:8.25pt}.hd b{font-size:9.5pt;font-weight:640}
.stm table{font-size:8.4pt}.stm .n1{width:54pt}.stm .n2{width:60pt}.stm td{padding:2.8pt 0}.stm td.n{padding-left:6pt}.stm td.n:not(:last-child){padding-right:0}
.stm .g td{padding-top:10pt;font-weight:600}.note{font-size:7.3pt;font-weight:400;color:var(--ink-2);margin-left:4pt;text-decoration:none}
.stm .l{font-size:7.9pt}.stm .l td>div{display:grid;grid-template-columns:22.5pt minmax(0,1fr);column-gap:4pt}.stm .dt{color:var(--ink-2)}.stm .fill{flex:1}
.stm .adj td{padding-top:12pt;padding-bottom:12pt;font-weight:640;font-size:9pt}.stm .adj td:not(.n){padding-top:14.4pt}
.prf{display:flex;align-items:baseline;gap:9pt;padding:8pt 0 10pt;border-bottom:1.1pt solid #000;margin-bottom:14pt}.prf b{font-weight:640;font-size:9.5pt}.prf .v{margin-left:auto;min-width:48pt;text-align:right;white-space:nowrap}
.two{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);column-gap:22pt}
.sign{margin-top:auto;padding-top:15pt;break-inside:avoid}.sign .say{font-size:8.25pt;padding:0 0 8pt;color:#000}.sign .c{border-top:var(--rule);padding-top:4.5pt}
.sign .c dl{display:grid;grid-template-columns:54pt 1fr;row-gap:1.2pt}.sign dt{color:var(--ink-2)}
.ink{display:grid;grid-template-columns:1fr 62pt;column-gap:12pt;margin-top:26pt}.ink span{border-top:.6pt solid #000;padding-top:2pt;font-size:7.5pt;color:var(--ink-2)}
.notes{margin-bottom:11pt}.notes i{display:block;height:17pt;border-bottom:.4pt dotted #000}`;

const MEDIA = `@media print{.p1{min-height:249mm;display:flex;flex-direction:column;break-after:page}.p1>.sec{display:contents}.p1+.sec{margin-top:0}[data-paper=Letter] .p1{min-height:231mm}}
@media screen{body{background:#e7e9e6;padding:24px 0 40px}.sheet{width:210mm;max-width:100%;margin:0 auto;padding:16mm 14mm 18mm 17mm;background:#fff;box-shadow:0 1px 3px rgb(0 0 0/.14),0 8px 24px rgb(0 0 0/.08)}}
@media screen{[data-paper=Letter] .sheet{width:216mm}}
@media screen and (max-width:700px){.sheet{padding:16px}.stm,.two{grid-template-columns:minmax(0,1fr)}.stm>div+div{padding:0;border-left:0;border-top:.4pt solid #000}.ttl{display:block}}`;

/** The style without the margins. It is the same for every report. */
export const PLAIN_STYLE = [TEXT, TABLES, STATEMENT, MEDIA].join('\n');

/** Returns the style of the report: black on white, one font family, digits of equal width. */
export function reportStyle(identity: Identity): string {
  return [pageMargins(identity), PLAIN_STYLE].join('\n');
}
