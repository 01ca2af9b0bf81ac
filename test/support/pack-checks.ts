import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { PACK_CORE } from '../../src-main/domain/report/pack-html.ts';
import { PAGE_SCRIPT } from '../../src-main/domain/report/pack-html.ts';
import { present } from '../../src-shared/values/assert.ts';

interface PackCheck {
  readonly title: string;
  readonly of: number;
  readonly held: number;
  readonly faults: readonly string[];
}

const DATA = '<script type="application/json" id="data" data-sha256="';
const END = '</script>';

/** Returns the parts of a pack as a browser finds them; null where its policy does not allow its script. */
function partsOf(page: string) {
  const at = page.indexOf(DATA);
  const from = page.indexOf('>', at) + 1;
  const to = page.indexOf(END, from);
  const own = /^<\/script><script>([^]*?)<\/script>/.exec(page.slice(to))?.[1];
  if (at < 0 || own === undefined || !page.includes(`script-src 'sha256-${createHash('sha256').update(own).digest('base64')}'`))
    return null;
  const raw = page.slice(from, to);
  const behind = to + END.length + '<script>'.length + own.length + END.length;
  const body = page.indexOf('<p id="wait">');
  const markup = `<html><head>${page.slice('<!doctype html>'.length, body)}</head><body>${page.slice(body, behind)}</body></html>`;
  const stated = page.slice(at + DATA.length, from).split('"')[0] ?? '';
  return { own, raw, stated, markup, isAlone: true, isPlain: page.startsWith('<!doctype html>'), rest: page.slice(behind) };
}

interface Checked {
  readonly checks: readonly PackCheck[];
  /** Figures as the page shows them. */
  readonly shown: readonly string[];
  /** All text of the page. */
  readonly text: string;
  /** The page as HTML, with no attributes but classes. */
  readonly html: string;
  /** Values that a person compares with the print. */
  readonly prints: readonly (string | undefined)[];
}

const NOTHING: Checked = { checks: [], shown: [], text: '', html: '', prints: [] };

const base64Of = /function base64Of[^]*?\n}/.exec(PAGE_SCRIPT)?.[0];
const pageMarkup = /function pageMarkup[^]*?\n}/.exec(PAGE_SCRIPT)?.[0];
const CORE = new vm.Script(`var checked = (function () {
${PACK_CORE}${present(base64Of, 'base64Of')}${present(pageMarkup, 'pageMarkup')}
function textOf(node) { return typeof node === 'object' ? node.kids.map(textOf).join(' ') : String(node); }
function htmlOf(node) {
  if (typeof node !== 'object') return String(node);
  return '<' + node.tag + (node.name === '' ? '' : ' class="' + node.name + '"') + '>' + node.kids.map(htmlOf).join('') + '</' + node.tag + '>';
}
function checked(seen) {
  var found = allChecks(seen);
  var by = function (title) { return found.checks.filter(function (each) { return each.title === title; })[0] || {}; };
  return {
    checks: found.checks,
    shown: found.report === null ? [] : found.report.figures.map(function (each) { return each.text; }),
    text: found.report === null ? '' : textOf(found.report.tree),
    html: found.report === null ? '' : htmlOf(found.report.tree),
    prints: [by('Sign-offs').print, by('Contents').value]
  };
}
return checked;
})();`);
const context = vm.createContext({ TextEncoder, Uint8Array, Int32Array, DataView, btoa, atob });
CORE.runInContext(context);

/** Returns the result of a pack's own script, run without a browser; empty where the script would not run. */
export function packChecked(page: string): Checked {
  const seen = partsOf(page);
  if (seen === null) return NOTHING;
  Object.assign(context, { seen });
  return vm.runInContext('checked(seen)', context) as Checked;
}

export function packChecks(page: string): readonly PackCheck[] {
  return packChecked(page).checks;
}

/** Returns the faults that this script finds; empty for a pack without changes. */
export function packFaults(page: string): string[] {
  if (packChecks(page).length === 0) return ['Page: its check does not run'];
  return packChecks(page).flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`));
}

/** Returns the data of a pack. */
export function packData(page: string): Readonly<Record<string, unknown>> {
  return JSON.parse(present(partsOf(page), 'parts').raw) as Readonly<Record<string, unknown>>;
}
