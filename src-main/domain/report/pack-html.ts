import { createHash } from 'node:crypto';
import { CHECKS_SCRIPT } from './checks-script.ts';
import type { CloseReport } from './close-report.ts';
import { documentOf } from './document-of.ts';
import type { Document } from './document.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { RENDER_SCRIPT } from './render-script.ts';
import { canonicalJson, reportData } from './report-data.ts';
import { PAGE_RULE, PLAIN_STYLE } from './report-style.ts';

/** The style of the banner, the contents and the checks around the report. It follows the report's own style. */
const PACK_STYLE = `:root{--text:#17201d;--text-2:#4a5551;--text-3:#626c68;--line:#e4e7e3;--line-2:#cfd5d0;--tint:#dcebe5;--good:#14553f;--bad:#b3261e;--bad-text:#9f1f18;--bad-tint:#fbe9e7;--sunken:#f8f9f7}
html{scroll-padding-top:112px}
.f.ch{background:var(--bad-tint);color:var(--bad-text);box-shadow:0 0 0 2px var(--bad-tint)}.f.ch::before{content:"◆ ";font-size:.8em;color:var(--bad)}
@media screen{
body{background:#fff;padding:0;font-size:13px;color:var(--text)}
.hid{position:sticky;top:0;z-index:5;background:#fff}
.ban{display:flex;align-items:center;gap:12px;min-height:52px;padding:8px 20px;border-bottom:1px solid var(--line-2);background:#fbf0db;color:#7d4b00}
.ban .m{width:22px;height:22px;flex:none;border:1.75px solid currentColor;border-radius:50%;display:grid;place-items:center;font-weight:700;font-size:13px}
.ban p{font-size:14px;font-weight:600;line-height:19px}.ban small{display:block;font-size:12px;font-weight:400;line-height:17px}.ban>div{min-width:0;flex:1}
[data-checked=good] .ban{background:var(--tint);color:var(--good)}[data-checked=bad] .ban{background:var(--bad);color:#fff}
button{font:550 13px/1 var(--font);height:28px;padding:0 10px;border:1px solid currentColor;border-radius:6px;background:transparent;color:inherit;white-space:nowrap;cursor:pointer;flex:none}
:focus-visible{outline:2px solid var(--good);outline-offset:1px}
.bar{display:flex;align-items:center;gap:10px;min-height:44px;padding:4px 20px;border-bottom:1px solid var(--line);font-size:13px}
.bar b{font-size:15px;font-weight:620}.bar .q{color:var(--text-2);min-width:0;overflow-wrap:anywhere}.bar button{margin-left:auto;border-color:var(--line-2)}
.badge{display:inline-flex;align-items:center;gap:5px;height:20px;padding:0 7px;border-radius:4px;font-size:12px;font-weight:500;white-space:nowrap;background:var(--tint);color:var(--good)}
.badge.x{background:var(--bad-tint);color:var(--bad-text)}
.badge.d{background:#fbf0db;color:#7d4b00}
.lay{display:grid;grid-template-columns:176px minmax(0,1fr) 272px;align-items:start}
.toc,.chk{position:sticky;top:97px;height:calc(100vh - 97px);overflow:auto}
.toc{border-right:1px solid var(--line);padding:10px 8px;font-size:13px}
.toc a{display:flex;align-items:center;gap:8px;height:28px;padding:0 8px 0 10px;border-radius:6px;color:var(--text-2);text-decoration:none;white-space:nowrap}
.toc a:hover{background:#f1f4f1}.toc .k{width:16px;color:var(--text-3);font-size:12px}.toc .n{margin-left:auto;color:var(--text-3);font-size:12px;padding:0}.toc a.bad{color:var(--bad-text)}.toc a.bad .n::before{content:"◆ ";color:var(--bad)}
.chk{border-left:1px solid var(--line);background:var(--sunken);padding:14px 0 0;display:flex;flex-direction:column;font-size:13px;line-height:1.4}
.chk h2{display:block;font-size:12px;font-weight:600;color:var(--text-2);padding:0 16px 8px}
.ck{display:grid;grid-template-columns:14px minmax(0,1fr) auto;gap:0 8px;padding:7px 16px;border-top:1px solid var(--line);align-items:baseline}
.ck b{font-weight:600}.ck .v{white-space:nowrap;font-size:12px}.ck p{grid-column:2/4;font-size:12px;line-height:17px;color:var(--text-2);overflow-wrap:anywhere}
.ck.bad{background:var(--bad-tint)}.ck.bad b,.ck.bad p,.ck.bad .v{color:var(--bad-text)}
.mk{width:8px;height:8px;display:inline-block}.mk.g{border-radius:50%;background:#25765b}.mk.x{background:var(--bad);transform:rotate(45deg)}.mk.o{border-radius:50%;border:1.5px solid #878f8a}
.cmp{padding:0 16px 12px;font-size:12px;color:var(--text-2)}.cmp label{display:block;padding:10px;border:1.5px dashed #878f8a;border-radius:6px;text-align:center;cursor:pointer}.cmp input{width:100%;margin-top:6px;font-size:11px}.cmp p{margin-top:6px;overflow-wrap:anywhere}
.last{margin-top:auto;border-top:1px solid var(--line);padding:10px 16px 14px;font-size:12px;line-height:17px;color:var(--text-2)}
.doc{min-width:0;padding:18px 24px 64px}.doc>main{zoom:1.2;font-size:8.1pt;max-width:720px;margin:0 auto}.doc h1{font-size:14pt}.doc section{content-visibility:auto;contain-intrinsic-size:auto 900px;scroll-margin-top:100px}
}
@media screen and (max-width:1100px){.lay{grid-template-columns:minmax(0,1fr) 272px}.toc{display:none}}
@media screen and (max-width:760px){.lay{display:block}.chk,.hid{position:static;height:auto}.bar{flex-wrap:wrap}}
@media print{.hid,.toc,.chk{display:none}.lay,.doc{display:block}[data-checked=bad] .hid{display:block;border:2pt solid #000;padding:6pt;margin-bottom:9pt}.hid button{display:none}}`;

/**
 * SHA-256 (FIPS 180-4) for a browser. A page that is opened from a file may lack `crypto.subtle`. The constants are computed as the standard defines
 * them: the fractional parts of roots of the first primes.
 */
export const HASH_SCRIPT = String.raw`
function roots(count, root) {
  var found = [];
  for (var candidate = 2; found.length < count; candidate += 1) {
    var isPrime = true;
    for (var factor = 2; factor * factor <= candidate; factor += 1) if (candidate % factor === 0) isPrime = false;
    if (isPrime) {
      var value = root(candidate);
      found.push(Math.floor((value - Math.floor(value)) * 4294967296) | 0);
    }
  }
  return found;
}
var ROUNDS = roots(64, Math.cbrt);
var START = roots(8, Math.sqrt);
function turned(word, by) {
  return (word >>> by) | (word << (32 - by));
}
function sha256(bytes) {
  var state = Int32Array.from(START);
  var words = new Int32Array(64);
  var length = bytes.length;
  var padded = new Uint8Array(((length + 8) >> 6) * 64 + 64);
  padded.set(bytes);
  padded[length] = 128;
  var view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 536870912));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  for (var at = 0; at < padded.length; at += 64) {
    for (var i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4);
    for (i = 16; i < 64; i += 1) {
      var near = words[i - 15], far = words[i - 2];
      var s0 = turned(near, 7) ^ turned(near, 18) ^ (near >>> 3);
      var s1 = turned(far, 17) ^ turned(far, 19) ^ (far >>> 10);
      words[i] = words[i - 16] + s0 + words[i - 7] + s1;
    }
    var a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (i = 0; i < 64; i += 1) {
      var one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + words[i]) | 0;
      var two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }
  var text = '';
  for (var place = 0; place < 8; place += 1) text += ('0000000' + (state[place] >>> 0).toString(16)).slice(-8);
  return text;
}
function sha256OfText(text) {
  return sha256(new TextEncoder().encode(text));
}
`;

const UNCHECKED =
  'This close pack is not checked, and nothing of it is shown. The check runs in this page: where this sentence stays, the browser runs no scripts, or the check itself was changed.';

/** The page without its data, hashes and script, in the form in which a browser serializes it after parsing. */
const PARTS = {
  policy: `default-src 'none'; script-src 'sha256-%script%'; style-src 'sha256-%style%'; base-uri 'none'; form-action 'none'`,
  head: `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%policy%"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Close pack, not checked</title>`,
  body: `<p id="wait">${UNCHECKED}</p><script type="application/json" id="data" data-sha256="%hash%">`,
} as const;

const STYLE = `\n${PLAIN_STYLE}\n${PACK_STYLE}\n`;

const CONSTANTS = { PARTS, STYLE, PAGE_RULE };

/** Returns a value as script source. `<` is escaped, so that no text can end the script element. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** The part of the pack's script that needs no browser: everything that it checks and shows. */
export const PACK_CORE = [
  ...Object.entries(CONSTANTS).map(([name, value]) => `var ${name} = ${literal(value)};\n`),
  HASH_SCRIPT,
  RENDER_SCRIPT,
  CHECKS_SCRIPT,
].join('');

const SCRIPT = `(function () {\n'use strict';\n${PACK_CORE}${PAGE_SCRIPT}})();`;

function hashOf(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** Permits only this script and this style. If one byte of either changes, the page shows only the notice that it is not checked. */
const POLICY = PARTS.policy.replace('%script%', hashOf(SCRIPT, 'base64')).replace('%style%', hashOf(STYLE, 'base64'));

/** Returns the file of a pack with these data. Apart from the data, all packs of one version of Tieout are equal. */
export function packAround(data: string): string {
  const body = PARTS.body.replace('%hash%', hashOf(data, 'hex'));
  return `<!doctype html>${PARTS.head.replace('%policy%', POLICY)}${body}${data}</script><script>${SCRIPT}</script>\n`;
}

/**
 * Returns the close pack: the report, all data that it is made from, and checks that run in any browser without Tieout and without a connection. The
 * file contains data and a script, and the script builds the page from the data.
 */
export function packHtml(report: CloseReport, document: Document = documentOf(report)): string {
  // No hash covers the time of printing, because it differs between copies. The page shows only data under a hash and therefore omits it.
  const { printed: _, ...identity } = document.identity;
  return packAround(canonicalJson(reportData(report, { ...document, identity })));
}
