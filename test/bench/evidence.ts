import { existsSync } from 'node:fs';
import path from 'node:path';
import { type EvidenceSet, folderSet, thinned, withoutPartners } from './data/evidence-sets.ts';
import { customers, rents, settlements } from './data/evidence-generators.ts';
import { deposits, instalments, mixed, severalInvoices } from './data/evidence-group-generators.ts';
import { cheques, formulas, generalLedger, invoices, joined, KINDS, memos, parts, returns } from './data/evidence-kinds.ts';
import type { EvidenceInput } from '../../src-main/domain/evidence/model/input.ts';
import { figuresOf, inputOf, weigh } from '../support/inputs/evidence-run.ts';

/** Parts of each side that are taken away: a share in percent, of both or of one; `gone`: one line of each true link. */
const DELETIONS = ['0', '10', '30', '60', '30a', '30b', 'gone'] as const;
/** Standard deviations within which the observed number of wrong links stays. */
const WITHIN = 2;

function sets(): EvidenceSet[] {
  const made = [
    rents(200),
    settlements(300),
    customers(4_000),
    severalInvoices(1_500),
    instalments(120),
    deposits(250),
    mixed(1_000),
    mixed(8_000),
    ...Object.values(KINDS).map((make, place) => make(41 + place)),
  ];
  // A folder of folders with ledger.csv, bank.csv and truth.csv, amounts as decimals.
  const folder = process.env['TIEOUT_PAIRS'] ?? '';
  const names = (process.env['TIEOUT_PAIRS_NAMES'] ?? 'splink').split(',');
  if (folder === '') return made;
  const given = names.map((name) =>
    existsSync(path.join(folder, name)) ? folderSet(path.join(folder, name), name, name === 'splink' ? 15 : null) : null,
  );
  return [...made, ...given.filter((set) => set !== null)];
}

function deleted(set: EvidenceSet, deletion: (typeof DELETIONS)[number]): EvidenceSet {
  if (deletion === 'gone') return withoutPartners(set);
  const side = deletion.endsWith('a') ? 'a' : deletion.endsWith('b') ? 'b' : 'both';
  return deletion === '0' ? set : thinned(set, Number.parseInt(deletion, 10) / 100, side, 7);
}

/** The input of a run over one file a side, which covers all its days whatever was taken away from it. */
function importedFrom(set: EvidenceSet): EvidenceInput {
  const input = inputOf(set);
  return { ...input, a: { ...input.a, coverage: 'days' }, b: { ...input.b, coverage: 'days' } };
}

/** How right matching by evidence is, and whether what it expects to be wrong is wrong: set by set, with lines taken away. */
export function evidence(): object {
  const rows = sets().flatMap((set) =>
    DELETIONS.map((deletion) => {
      const left = deleted(set, deletion);
      const input = importedFrom(left);
      const before = process.cpuUsage();
      const { links, outcome } = weigh(input);
      const { user } = process.cpuUsage(before);
      const { committed, wrongCommitted, precision, recall, f1OfAll, at } = figuresOf(left, links);
      const isWithin = at.slice(1).every(({ expected, wrong }) => wrong <= Math.max(1, expected + WITHIN * Math.sqrt(expected)));
      const row = {
        set: set.name,
        deletion,
        lines: `${left.a.length}/${left.b.length}`,
        committed,
        wrong: wrongCommitted,
        expected: round(outcome.committed.expectedWrong),
        precision: round(precision),
        recall: round(recall),
        f1_of_all: round(f1OfAll),
        calibration: at.map(({ least, expected, wrong }) => `${least}: ${round(expected)}/${wrong}`).join(' '),
        within: isWithin,
        cpu_ms: Math.round(user / 1_000),
      };
      process.stderr.write(`${Object.values(row).join('\t')}\n`);
      return row;
    }),
  );
  return { bench: 'evidence', rows };
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Books of about so many lines by kind. */
const BOOKS: Readonly<Record<string, (lines: number, seed: number) => EvidenceSet>> = {
  rents: (lines, seed) => rents(Math.ceil(lines / 12), seed),
  settlements: (lines, seed) => settlements(Math.ceil(lines * 0.29), 4, seed),
  customers: (lines, seed) => customers(lines, 0.02, seed),
  'several invoices': (lines, seed) => severalInvoices(Math.ceil(lines * 0.6), seed),
  instalments: (lines, seed) => instalments(Math.ceil(lines / 16), seed),
  deposits: (lines, seed) => deposits(Math.ceil(lines / 6), 3, seed),
  mixed: (lines, seed) => mixed(lines, seed),
  'memo texts': (lines, seed) => memos(Math.ceil(lines / 6), seed),
  returns: (lines, seed) => returns(Math.ceil(lines / 1.15), seed),
  'second payments': (lines, seed) => invoices(lines, 0.04, seed),
  'numbers joined': (lines, seed) => joined(Math.ceil(lines / 3), false, seed),
  'cheque numbers': (lines, seed) => cheques(lines, seed),
  'part payments': (lines, seed) => parts(lines, seed),
  'fees by formula': (lines, seed) => formulas(lines, 0, seed),
  'general ledger': (lines, seed) => generalLedger(lines, seed),
};
/** Sizes of the books, each with the first of its seeds and their number. */
const SIZES = [
  { lines: 300, seed: 301, books: 2 },
  { lines: 1_000, seed: 201, books: 3 },
  { lines: 8_000, seed: 801, books: 1 },
] as const;

/** Committed and wrong links by size and by what is missing, summed over all kinds of books. `TIEOUT_EVIDENCE_LINES` keeps one size. */
export function evidenceBooks(): object {
  const only = Number(process.env['TIEOUT_EVIDENCE_LINES'] ?? 0);
  const rows = SIZES.filter(({ lines }) => only === 0 || only === lines).flatMap((size) =>
    DELETIONS.filter((deletion) => deletion !== 'gone').map((deletion) => sumOfBooks(size, deletion)),
  );
  return { bench: 'evidence-books', rows };
}

function sumOfBooks({ lines, seed, books }: (typeof SIZES)[number], deletion: (typeof DELETIONS)[number]): object {
  const sum = { books: 0, committed: 0, wrong: 0, expected: 0, above_budget: 0 };
  const at = [0.9, 0.99, 0.999].map((least) => ({ least, expected: 0, wrong: 0 }));
  for (const make of Object.values(BOOKS)) {
    for (let turn = 0; turn < books; turn += 1) {
      const left = deleted(make(lines, seed + turn), deletion);
      const { links, outcome } = weigh(importedFrom(left));
      const figures = figuresOf(left, links);
      sum.books += 1;
      sum.committed += figures.committed;
      sum.wrong += figures.wrongCommitted;
      sum.expected += outcome.committed.expectedWrong;
      if (figures.wrongCommitted > Math.max(1, figures.committed / 1_000)) sum.above_budget += 1;
      at.forEach((each, place) => {
        each.expected += figures.at[place + 1]?.expected ?? 0;
        each.wrong += figures.at[place + 1]?.wrong ?? 0;
      });
    }
  }
  const calibration = at.map(({ least, expected, wrong }) => `${least}: ${round(expected)}/${wrong}`).join(' ');
  const row = { lines, deletion, ...sum, expected: round(sum.expected), calibration };
  process.stderr.write(`${Object.values(row).join('\t')}\n`);
  return row;
}
