import { createHash } from 'node:crypto';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type SideBalances, statementOf } from '../../../src-main/domain/ledger/index.ts';
import { type CloseReport, documentOf, type PackedFile, packHtml, reportHtml } from '../../../src-main/domain/report/index.ts';
import { HASH_SCRIPT } from '../../../src-main/domain/report/pack-html.ts';
import { canonicalJson } from '../../../src-main/domain/report/report-data.ts';
import { closedJune } from '../../support/close-report.ts';
import { CFP_MATCHED } from '../../support/inputs/ledger-input.ts';
import { packChecked, packFaults } from '../../support/pack-checks.ts';

describe('the files that were kept with its imports', () => {
  const bytes = Buffer.from('%PDF-1.7 a statement');
  const hash = createHash('sha256').update(bytes).digest('hex');
  const file = { name: 'june.pdf', sha256: hash, bytes };
  const signed = (): CloseReport => {
    const june = closedJune();
    return {
      ...june,
      covered: [...june.covered, { kind: 'import', key: '99', id: 99, text: JSON.stringify({ name: 'june.pdf', content_hash: hash }) }],
    };
  };
  const filesIn = (report: CloseReport, files: readonly PackedFile[]) =>
    packChecked(packHtml(report, documentOf(report), files)).checks.find(({ title }) => title === 'Source files');

  it('are in the pack, and are those that were imported', () => {
    expect(filesIn(signed(), [file])).toMatchObject({ of: 1, held: 1 });
    expect(filesIn(signed(), [])).toBeUndefined();
    const changed = filesIn(signed(), [{ ...file, bytes: Buffer.from('another') }]);
    expect(changed?.faults).toEqual(['the file june.pdf is not the one that was imported']);
    expect(filesIn(closedJune(), [file])?.held).toBe(0);
  });

  it('are named with the reason where the pack does not have them', () => {
    const pack = packHtml(signed(), documentOf(signed()), [{ ...file, bytes: 'it is damaged' }]);
    expect(pack).toContain('"absent":"it is damaged"');
    expect(packFaults(pack)).toEqual(packFaults(packHtml(signed(), documentOf(signed()))));
  });

  it('change nothing of the contents that a print states', () => {
    const printed = packChecked(packHtml(closedJune())).prints;
    expect(packChecked(packHtml(closedJune(), documentOf(closedJune()), [file])).prints).toEqual(printed);
  });
});

describe('the data of a pack', () => {
  it('are one text for one meaning, which no text in them can end', () => {
    expect(canonicalJson({ b: 1, a: { d: null, c: ['</script>\u2028'] } })).toBe(
      String.raw`{"a":{"c":["\u003c/script>\u2028"],"d":null},"b":1}`,
    );
    expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
  });

  it('stand in the page with their hash, and the page lets only its own script run', () => {
    const page = packHtml(closedJune());
    const [, hash, data = ''] =
      /<script type="application\/json" id="data" data-sha256="([0-9a-f]{64})">([^<]*)<\/script>/.exec(page) ?? [];
    expect(createHash('sha256').update(data).digest('hex')).toBe(hash);
    const script = /<script>([^]*?)<\/script>/.exec(page)?.[1] ?? '';
    expect(page).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page).not.toMatch(/https?:|\bsrc=|url\(|@import|<link|<iframe|<img|\beval\b|new Function|XMLHttpRequest|\bfetch\b|innerHTML/);
    expect(packFaults(page)).toEqual([]);
    expect(JSON.parse(data)).toMatchObject({
      format: 'tieout-close-pack',
      currency: 'GBP',
      state: 'closed',
      records: { length: 37 },
      audit: { length: 12 },
    });
  });
});

/** A closed June whose balances are known otherwise. */
function juneWith(bank: Partial<SideBalances>, books: Partial<SideBalances> = {}): CloseReport {
  const report = closedJune();
  const { balances } = CFP_MATCHED;
  const input = { ...CFP_MATCHED, balances: { bank: { ...balances.bank, ...bank }, books: { ...balances.books, ...books } } };
  const statement = statementOf(input);
  if (!statement.ok) throw new Error(statement.error.message);
  return { ...report, statement: statement.value };
}

const STATED = { bank: CFP_MATCHED.balances.bank.stated ?? 0, books: CFP_MATCHED.balances.books.stated ?? 0 };
const ACCOUNTS = [
  { name: 'Current', amount: 200 },
  { name: 'Savings', amount: -200 },
];

describe('what a pack shows', () => {
  it.each([
    ['figures that agree', closedJune()],
    ['a balance that is off by a cent', juneWith({ stated: STATED.bank + 1 })],
    ['a break with its days', juneWith({ stated: STATED.bank + 1, breaks: [{ from: 20_610, to: 20_612, amount: 1 }] })],
    ['accounts that cancel each other', juneWith({ offByAccount: ACCOUNTS })],
    ['one of several accounts that is off', juneWith({ stated: STATED.bank + 200, offByAccount: ACCOUNTS.slice(0, 1) })],
    ['a balance of an earlier day', juneWith({ earlierDay: 20_631 }, { earlierDay: 20_630 })],
    ['a balance that nobody states', juneWith({}, { stated: null })],
    ['a balance that is not known', juneWith({ opening: null, stated: null })],
  ])('%s: is what the report says, word by word', (_what, report) => {
    const words = (text: string): string[] =>
      text
        .replaceAll('&amp;', '&')
        .replaceAll(/&(?:#39|quot|lt|gt);/g, '"')
        .replaceAll(/['"<>]/g, '"')
        .split(/\s+/)
        .filter((word) => word !== '');
    // What follows the first page is longer in a pack, which leaves nothing out.
    const first = /<div class="p1">([^]*?)<\/section>/.exec(reportHtml(documentOf(report)))?.[1] ?? '';
    const said = words(first.replaceAll(/<[^>]*>/g, ' '));
    expect(said.length).toBeGreaterThan(150);
    expect(words(packChecked(packHtml(report)).text).slice(0, said.length)).toEqual(said);
  });
});

it('says above all figures that they do not agree, since the verdict may stand on the second page', () => {
  expect(documentOf(juneWith({ stated: STATED.bank + 1 })).warnings[0]).toBe('The figures do not agree: 0.01 is unexplained.');
  expect(documentOf(closedJune()).warnings.join(' ')).not.toContain('do not agree');
});

describe('the hash that a browser works out', () => {
  const context = vm.createContext({ TextEncoder, Uint8Array, Int32Array, DataView });
  vm.runInContext(HASH_SCRIPT, context);

  it('is SHA-256 of any text, whatever its length', () => {
    const lengths = [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_000, 70_000];
    for (const text of [...lengths.map((length) => 'é'.repeat(length).slice(0, length)), 'abc', 'café “…” 😀', '\ud800']) {
      context['text'] = text;
      expect(vm.runInContext('sha256OfText(text)', context)).toBe(createHash('sha256').update(text).digest('hex'));
    }
  });
});
