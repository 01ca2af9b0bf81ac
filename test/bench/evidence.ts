import { existsSync } from 'node:fs';
import path from 'node:path';
import { type EvidenceSet, folderSet, thinned, withoutPartners } from './data/evidence-sets.ts';
import { customers, rents, settlements } from './data/evidence-generators.ts';
import { deposits, instalments, mixed, severalInvoices } from './data/evidence-group-generators.ts';
import { KINDS } from './data/evidence-kinds.ts';
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

/** How right matching by evidence is, and whether what it expects to be wrong is wrong: set by set, with lines taken away. */
export function evidence(): object {
  const rows = sets().flatMap((set) =>
    DELETIONS.map((deletion) => {
      const left = deleted(set, deletion);
      const input = inputOf(left);
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
