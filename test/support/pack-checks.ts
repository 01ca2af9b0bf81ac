import vm from 'node:vm';
import { CHECKS_SCRIPT } from '../../src-main/domain/report/pack/checks-script.ts';
import { HASH_SCRIPT } from '../../src-main/domain/report/pack/hash-script.ts';
import { present } from '../../src-shared/values/assert.ts';

interface PackCheck {
  readonly title: string;
  readonly of: number;
  readonly held: number;
  readonly faults: readonly string[];
}

const MARKUP: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The text that a browser finds in the markup of a pack. */
function textOf(markup: string): string {
  return markup.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (found) => MARKUP[found] ?? found);
}

function between(page: string, before: string, after: string): string {
  const from = page.indexOf(before);
  const start = page.indexOf('>', from) + 1;
  return page.slice(start, page.indexOf(after, start));
}

/** What a pack says of itself, worked out by its own checks without a browser. */
export function packChecks(page: string): readonly PackCheck[] {
  const report = between(page, '<main id="report"', '</main>');
  const figures = [...report.matchAll(/<span class="f">([^<]*)<\/span>/g)].map(([, text = '']) => ({ textContent: textOf(text) }));
  const context = vm.createContext({ TextEncoder, Uint8Array, Int32Array, DataView });
  Object.assign(context, {
    raw: between(page, '<script type="application/json" id="data"', '</script>'),
    hash: present(/data-sha256="([0-9a-f]{64})"/.exec(page)?.[1], 'hash of the data'),
    figures,
    text: textOf(report),
    style: between(page, '<style id="style"', '</style>'),
  });
  const script = `${HASH_SCRIPT}${CHECKS_SCRIPT}
    var data = JSON.parse(raw);
    var again = reAdded(data);
    [checkData(raw, hash), checkFigures(data, figures), checkLines(data, again), checkSigned(data, again), checkChain(data), checkPage(data, text, style)];`;
  return vm.runInContext(script, context) as readonly PackCheck[];
}

/** What such a check finds wrong; nothing of a pack that is as it was made. */
export function packFaults(page: string): string[] {
  return packChecks(page).flatMap(({ title, faults }) => faults.map((fault) => `${title}: ${fault}`));
}

/** The data of a pack. */
export function packData(page: string): Readonly<Record<string, unknown>> {
  return JSON.parse(between(page, '<script type="application/json" id="data"', '</script>')) as Readonly<Record<string, unknown>>;
}
