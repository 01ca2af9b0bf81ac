import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Papa from 'papaparse';
import type { RuleBody } from '../../src-shared/contract/index.ts';
import { run } from './product.ts';

/**
 * Whether the product's own run finds the truth of generated files: `node test/bench/quality.ts FOLDER`, where FOLDER holds `ledger.csv`
 * (side A), `bank.csv` (side B) and `truth.csv` (kind, a_external_id, b_external_id) of the generator of the yardstick, amounts as decimals.
 * No test: it prints what it counted, and ends with 1 where committed matches hold a false pair or miss more than one in a thousand.
 */
const USAGE = `Usage: node test/bench/quality.ts FOLDER

FOLDER holds ledger.csv, bank.csv and truth.csv, as the generator of the yardstick writes them with --decimal 1.
`;

const RULES: readonly RuleBody[] = [
  {
    description: 'order id and reference',
    filters: {
      rules: [
        { key: 'metadata.order_id', value: 'metadata.reference' },
        { key: 'amount', value: 'amount', tolerance_amount: 50 },
      ],
    },
  },
  {
    description: 'order id in the description',
    filters: {
      rules: [
        {
          key: 'metadata.order_id',
          value: 'description',
          transforms: { value: { name: 'extract', args: { pattern: String.raw`ORD-\d+` } } },
        },
        { key: 'amount', value: 'amount', tolerance_amount: 50 },
      ],
    },
  },
  {
    description: 'batches',
    filters: {
      rules: [
        { key: 'metadata.batch_id', value: 'metadata.batch_ref' },
        { key: 'amount', value: 'amount' },
      ],
    },
    cardinality: 'many_to_one',
    group_by: ['metadata.batch_id'],
    rollup: { group_by_kind: 'identifier' },
  },
  {
    description: 'amount, direction and date',
    filters: {
      rules: [
        { key: 'amount', value: 'amount' },
        { key: 'direction', value: 'direction' },
        { key: 'date', value: 'date', tolerance_amount: 3 },
      ],
    },
    outcome: 'propose',
  },
];

type Row = Readonly<Record<string, string>>;

function csv(file: string): Row[] {
  return Papa.parse<Row>(readFileSync(file, 'utf8'), { header: true, skipEmptyLines: true }).data;
}

interface Truth {
  /** Side B's partner of each record of side A. */
  readonly partner: ReadonlyMap<string, string>;
  readonly oneToOne: number;
  /** Members of each batch, by side B's record. */
  readonly batches: ReadonlyMap<string, ReadonlySet<string>>;
}

function truthOf(file: string): Truth {
  const partner = new Map<string, string>();
  const batches = new Map<string, Set<string>>();
  let oneToOne = 0;
  for (const { kind, a_external_id: a = '', b_external_id: b = '' } of csv(file)) {
    partner.set(a, b);
    if (kind === 'one_to_one') oneToOne += 1;
    else batches.set(b, (batches.get(b) ?? new Set()).add(a));
  }
  return { partner, oneToOne, batches };
}

interface Counts {
  committed: number;
  falsePairs: number;
  proposed: number;
}

function counted(rows: readonly Row[], truth: Truth) {
  const byRule = new Map<string, Counts>();
  let oneToOne = 0;
  let batches = 0;
  for (const members of Map.groupBy(rows, (row) => row['match_id'] ?? '').values()) {
    const { rule = '', status } = members[0] ?? {};
    const counts = byRule.get(rule) ?? { committed: 0, falsePairs: 0, proposed: 0 };
    byRule.set(rule, counts);
    if (status !== 'matched') {
      counts.proposed += 1;
      continue;
    }
    counts.committed += 1;
    const a = members.filter((row) => row['side'] === 'a').map((row) => row['external_id'] ?? '');
    const [b = ''] = members.filter((row) => row['side'] === 'b').map((row) => row['external_id'] ?? '');
    const wrong = a.filter((id) => truth.partner.get(id) !== b).length;
    counts.falsePairs += wrong;
    const batch = truth.batches.get(b);
    if (wrong > 0) continue;
    if (batch === undefined) oneToOne += 1;
    else if (batch.size === a.length) batches += 1;
  }
  return { byRule, oneToOne, batches };
}

async function quality(folder: string): Promise<boolean> {
  const truth = truthOf(path.join(folder, 'truth.csv'));
  const work = mkdtempSync(path.join(os.tmpdir(), 'tieout-quality-'));
  try {
    const book = path.join(work, 'book');
    const rules = path.join(work, 'rules.json');
    const out = path.join(work, 'matches.csv');
    writeFileSync(rules, JSON.stringify(RULES));
    await run(['import', path.join(folder, 'ledger.csv'), '--data', book, '--stream', 'ledger']);
    await run(['import', path.join(folder, 'bank.csv'), '--data', book, '--stream', 'bank']);
    const sides = ['--a', 'ledger', '--b', 'bank', '--sign', 'same'];
    const { document, elapsedMs } = await run(['reconcile', '--data', book, ...sides, '--rules', rules, '--matches-out', out]);
    const { run: ran } = document as { run: { rule_summary: Readonly<Record<string, object>> } };
    const ruleIds = Object.keys(ran.rule_summary);
    const { byRule, oneToOne, batches } = counted(csv(out), truth);
    const committedFalse = [...byRule.values()].reduce((sum, counts) => sum + counts.falsePairs, 0);
    const recall = { one_to_one: oneToOne / truth.oneToOne, batches: batches / truth.batches.size };
    const figures = {
      bench: 'quality',
      false_pairs: committedFalse,
      recall,
      rules: RULES.map(({ description }, index) => {
        const id = ruleIds[index] ?? '';
        return { rule: description, ...ran.rule_summary[id], false_pairs: byRule.get(id)?.falsePairs ?? 0 };
      }),
      reconcile_ms: Math.round(elapsedMs),
    };
    process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
    return committedFalse === 0 && recall.one_to_one >= 0.999 && recall.batches >= 0.999;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const [folder] = process.argv.slice(2);
const needed = ['ledger.csv', 'bank.csv', 'truth.csv'];
const missing = folder === undefined ? needed : needed.filter((name) => !existsSync(path.join(folder, name)));
if (folder === undefined || missing.length > 0) {
  process.stderr.write(folder === undefined ? USAGE : `${folder} lacks ${missing.join(', ')}.\n\n${USAGE}`);
  process.exitCode = 2;
} else if (!(await quality(folder))) process.exitCode = 1;
