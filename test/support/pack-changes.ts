import { createHash } from 'node:crypto';
import { packAround } from '../../src-main/domain/report/pack-html.ts';
import { canonicalJson } from '../../src-main/domain/report/report-data.ts';
import { present } from '../../src-shared/values/assert.ts';
import { packData } from './pack-checks.ts';

/** A named change of a pack. */
export interface PackChange {
  readonly name: string;
  readonly of: (pack: string) => string;
}

const DATA = '<script type="application/json"';
const BODY = '<p id="wait">';

/** Returns the pack with one text replaced; throws where it is missing. */
function swapped(pack: string, from: string, to: string, after = ''): string {
  const at = pack.indexOf(from, pack.indexOf(after));
  if (at < 0) throw new Error(`${from} is not in the pack`);
  return pack.slice(0, at) + to + pack.slice(at + from.length);
}

const swap =
  (from: string, to: string, after = '') =>
  (pack: string): string =>
    swapped(pack, from, to, after);

type Json = Record<string, unknown>;

/** Returns a change of the data with all hashes of the file recomputed. */
function anew(change: (data: Json) => void) {
  return (pack: string): string => {
    const data = structuredClone(packData(pack)) as Json;
    change(data);
    const document = data['document'] as Json;
    const { contents: _, printed, ...identity } = document['identity'] as Json;
    const { contents, ...rest } = JSON.parse(canonicalJson({ ...data, document: { ...document, identity } })) as Json;
    const hash = createHash('sha256')
      .update(JSON.stringify({ ...rest, ...(contents === undefined ? {} : { contents }) }))
      .digest('hex');
    const short = (hash.slice(0, 16).match(/.{4}/g) ?? []).join(' ');
    return packAround(canonicalJson({ ...data, document: { ...document, identity: { ...identity, printed, contents: short } } }));
  };
}

/** Returns a change that replaces a text everywhere in the data. */
const renamed =
  (from: string, to: string) =>
  (pack: string): string => {
    const data = JSON.parse(JSON.stringify(packData(pack)).replaceAll(from, to)) as Json;
    return anew((all) => Object.assign(all, data))(pack);
  };

/** Recomputes the audit chain of changed data from the first entry. */
function chained(data: Json): void {
  let before = '';
  const rows = data['audit'] as (string | number | null)[][];
  data['audit'] = rows.map((row, index) => {
    const [id, environment, at, actor, action, detail, content, previous] = row;
    const behind = index === 0 ? previous : before;
    const parts = [behind, environment, at, actor, action, detail, ...(content === null ? [] : [content])];
    before = createHash('sha256').update(parts.join('\n')).digest('hex');
    return [id, environment, at, actor, action, detail, content, behind, before] as (string | number | null)[];
  });
}

const identityOf = (data: Json): Json => (data['document'] as Json)['identity'] as Json;
const rowsOf = (data: Json, name: string): Json[] => data[name] as Json[];
const GOOD = '<div style="position:fixed;inset:0;background:#fff;z-index:9">All 512 figures re-added: nothing was changed</div>';
const before = (text: string) => swap(BODY, text + BODY);
const behind =
  (text: string) =>
  (pack: string): string =>
    pack + text;
const script = (text: string): string => `<script>${text}</script>`;

/** Returns a change that adds a script and loosens the policy so that it may run. */
function loosened(text: string, where: 'before' | 'behind') {
  return (pack: string): string => {
    const hash = createHash('sha256').update(text).digest('base64');
    const loose = swapped(pack, "script-src '", `script-src 'sha256-${hash}' '`);
    return where === 'before' ? swapped(loose, BODY, script(text) + BODY) : loose + script(text);
  };
}

/** Changes around the data: elements, attributes, styles, scripts and policies that do not belong to a pack. */
const AROUND: readonly PackChange[] = [
  { name: 'a style that hides rows', of: before('<style>tr.r{display:none}</style>') },
  { name: 'a second stylesheet behind the page', of: behind('<style>.ban{display:none}</style>') },
  { name: 'a stylesheet of another file', of: before('<link rel="stylesheet" href="other.css">') },
  { name: 'an overlay in front of the page', of: before(GOOD) },
  { name: 'an overlay behind the page', of: behind(GOOD) },
  { name: 'an overlay in the title', of: swap('<title>Close pack', `<title>Close pack</title>${GOOD}<title>`) },
  { name: 'other words in the title', of: swap('not checked</title>', 'checked</title>') },
  { name: 'other words in the sentence that is shown first', of: swap('This close pack is not checked', 'This close pack is checked') },
  { name: 'a hidden body', of: swap('<meta charset', '<body hidden><meta charset') },
  { name: 'a style on the root', of: swap('<meta charset', '<html style="color:#fff"><meta charset') },
  { name: 'a green root', of: swap('<meta charset', '<html data-checked="good"><meta charset') },
  { name: 'an attribute on the sentence', of: swap('<p id="wait">', '<p id="wait" hidden>') },
  { name: 'an attribute on the data', of: swap('id="data"', 'id="data" class="a"') },
  { name: 'a comment in front of the page', of: (pack) => `<!-- checked -->${pack}` },
  { name: 'a comment within the page', of: before('<!-- checked -->') },
  { name: 'no doctype', of: swap('<!doctype html>', '') },
  { name: 'an old doctype', of: swap('<!doctype html>', '<!doctype html public "-//W3C//DTD HTML 3.2//EN">') },
  { name: 'text behind the page', of: behind('All figures were checked.') },
  { name: 'blanks behind the page', of: behind('\n\n') },
  { name: 'a script of one’s own under the old policy', of: before(script('document.title = "good"')) },
  {
    name: 'a script in front under a looser policy',
    of: loosened('setTimeout(function () { document.documentElement.dataset.checked = "good"; }, 50)', 'before'),
  },
  {
    name: 'a script behind under a looser policy',
    of: loosened('addEventListener("load", function () { document.documentElement.dataset.checked = "good"; })', 'behind'),
  },
  { name: 'a policy that lets every style in', of: swap("style-src '", "style-src 'unsafe-inline' '") },
  { name: 'a second policy', of: swap('<title>', '<meta http-equiv="Content-Security-Policy" content="img-src *"><title>') },
  { name: 'a page that goes elsewhere', of: swap('<title>', '<meta http-equiv="refresh" content="600; url=about:blank"><title>') },
  { name: 'a base of one’s own', of: swap('<title>', '<base target="_blank"><title>') },
  { name: 'a form with the name of a function', of: before('<form name="querySelector"></form><form name="createElement"></form>') },
  { name: 'an image with the name of the root', of: before('<img name="documentElement"><img name="currentScript">') },
  { name: 'second data', of: swap(DATA, `<script type="application/json" id="data" data-sha256="00">{}</script>${DATA}`) },
  { name: 'no data', of: (pack) => pack.slice(0, pack.indexOf(DATA)) + pack.slice(pack.lastIndexOf('<script>')) },
  { name: 'a shadow over the sentence', of: before(`<div><template shadowrootmode="open">${GOOD}</template></div>`) },
  { name: 'a table around the data', of: before('<table><tr><td>') },
  { name: 'one word of the check', of: swap("'good' : 'bad'", "'good' : 'good'", '</script><script>') },
  { name: 'one rule of the style', of: swap('.ban{display:flex', '.ban{display:none') },
  { name: 'the hash of the data', of: (pack) => pack.replace(/data-sha256="[0-9a-f]/, 'data-sha256="x') },
];

const signOff = (data: Json, at: number): Json => present(rowsOf(data, 'sign_offs').at(at), 'sign-off');

/** Changes of the data, with all hashes within the file recomputed. */
const WITHIN: readonly PackChange[] = [
  { name: 'another amount of a line', of: swap('-127500,"CHQ-1043"', '-117500,"CHQ-1043"', DATA) },
  {
    name: 'another amount of a line, hashes anew',
    of: anew((data) => Object.assign(data, JSON.parse(JSON.stringify(data).replaceAll('-127500', '-117500')))),
  },
  { name: 'another reviewer, hashes anew', of: renamed('Tom Whitfield', 'Tim Whitfield') },
  { name: 'another reviewer in the sign-offs only', of: anew((data) => Object.assign(signOff(data, 2), { by: 'Ida Falk' })) },
  {
    name: 'another reviewer, the audit chain anew as well',
    of: (pack) => {
      const data = JSON.parse(JSON.stringify(packData(pack)).replaceAll('Tom Whitfield', 'Ida Falk')) as Json;
      return anew((all) => {
        Object.assign(all, data);
        chained(all);
      })(pack);
    },
  },
  { name: 'a sign-off left out', of: anew((data) => rowsOf(data, 'sign_offs').splice(2, 1)) },
  { name: 'a sign-off that nobody gave', of: anew((data) => rowsOf(data, 'sign_offs').push({ ...signOff(data, 3), by: 'Ida Falk' })) },
  { name: 'a sign-off of another day', of: anew((data) => Object.assign(signOff(data, 3), { at: '2026-07-01T09:03:00.000Z' })) },
  { name: 'a reason that nobody gave', of: anew((data) => Object.assign(signOff(data, 3), { reason: 'agreed' })) },
  { name: 'an open period shown as closed', of: anew((data) => rowsOf(data, 'sign_offs').splice(3, 1)) },
  {
    name: 'a closed period shown as open',
    of: anew((data) => {
      data['state'] = 'open';
      identityOf(data)['state'] = 'open';
    }),
  },
  { name: 'another preparer in the margins', of: anew((data) => Object.assign(identityOf(data), { preparedBy: 'Ida Falk' })) },
  { name: 'the fingerprint of another print', of: anew((data) => Object.assign(identityOf(data), { fingerprint: '0000 1111 2222 3333' })) },
  { name: 'another currency', of: anew((data) => Object.assign(identityOf(data), { currency: 'EUR' })) },
  { name: 'another title', of: anew((data) => Object.assign(data['document'] as Json, { title: 'Bank reconciliation, July 2026' })) },
  { name: 'another verdict', of: renamed('Not proved.', 'All proved.') },
  { name: 'another comment', of: renamed('Posted 12/06, supplier told', 'Posted 12/06, customer told') },
  { name: 'a match left out', of: anew((data) => rowsOf(data, 'matches').pop()) },
  { name: 'a line left out', of: anew((data) => rowsOf(data, 'records').pop()) },
  { name: 'another balance', of: anew((data) => Object.assign((data['balances'] as Record<string, Json>)['bank'] ?? {}, { opening: 5 })) },
  { name: 'the name of a file', of: renamed('northgate-june.csv', 'northgate-july.csv') },
];

export const PACK_CHANGES: readonly PackChange[] = [...AROUND, ...WITHIN];

/** Returns the page with a random change: a character replaced, inserted or deleted, a part doubled, or two parts exchanged. */
export function randomChange(pack: string, random: () => number): string {
  const at = Math.floor(random() * (pack.length - 1));
  const letter = String.fromCharCode(32 + Math.floor(random() * 94));
  const further = Math.min(pack.length, at + 1 + Math.floor(random() * 40));
  switch (Math.floor(random() * 5)) {
    case 0:
      return pack.slice(0, at) + letter + pack.slice(at + 1);
    case 1:
      return pack.slice(0, at) + letter + pack.slice(at);
    case 2:
      return pack.slice(0, at) + pack.slice(at + 1);
    case 3:
      return pack.slice(0, further) + pack.slice(at);
    default:
      return pack.slice(0, at) + pack.slice(further) + pack.slice(at, further);
  }
}

/** Returns the page with a random leaf of the data changed and all hashes within the file recomputed. */
export function randomForgery(pack: string, random: () => number): string {
  return anew((data) => {
    let held: Record<string, unknown> | unknown[] = data;
    for (;;) {
      const names = Object.keys(held);
      const name = present(names[Math.floor(random() * names.length)], 'member');
      const each: unknown = (held as Record<string, unknown>)[name];
      if (typeof each === 'object' && each !== null && Object.keys(each).length > 0) {
        held = each as Record<string, unknown>;
        continue;
      }
      (held as Record<string, unknown>)[name] =
        typeof each === 'number' ? each + 1 : typeof each === 'boolean' ? !each : typeof each === 'string' ? `${each}x` : 'x';
      return;
    }
  })(pack);
}
