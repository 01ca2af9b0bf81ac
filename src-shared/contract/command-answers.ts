import { z } from 'zod';
import { statement } from './close/period-statement.ts';
import { contract } from './index.ts';
import { importResult } from './imports/imports.ts';
import { remoteKind, conflictKind, notMoved, syncCounts, syncDeletions } from './sync/sync-words.ts';

/** The document that a command prints when it fails, in place of its answer. Some failures have further members. */
export const failure = z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }) });

const figures = z.object({
  reconciliation_id: z.int(),
  run: contract['runs.get'].output,
  matches: z.int(),
  matched_a: z.int(),
  matched_b: z.int(),
  unmatched_a: z.int(),
  unmatched_b: z.int(),
  proposed_a: z.int().nullable().meta({ description: 'Lines of `unmatched_a` in proposals; null in a dry run' }),
  proposed_b: z.int().nullable(),
  proposed: z.int().meta({ description: 'Number of proposals' }),
});

const proposedRules = z.object({
  reconciliation_id: z.int(),
  run: contract['runs.get'].output,
  rules: contract['rules.list'].output,
  nothing: z.string().nullable().meta({ description: 'Why no rule was found; null where some were' }),
});

const several = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      result: importResult.nullable(),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  kept: z.int(),
  failing: z.int().meta({ description: 'Files that need attention' }),
});

const syncResult = z.object({
  ok: z.boolean(),
  preview: z.boolean(),
  remote: z.object({ base_url: z.string(), kind: remoteKind.nullable(), cannot_move: z.array(notMoved) }),
  sent: syncCounts,
  received: syncCounts,
  conflicts: z.array(
    z.object({ id: z.int(), kind: conflictKind, what: z.string(), local: z.string(), remote: z.string(), choices: z.array(z.string()) }),
  ),
  unsure: z.array(notMoved),
  refused: z.array(z.object({ resource: z.string(), name: z.string(), status: z.int(), message: z.string() })),
  deletions: syncDeletions,
  error: z
    .object({ code: z.string(), message: z.string(), field: z.string().optional(), choices: z.array(z.string()).optional() })
    .nullable(),
  duration_ms: z.number(),
});

const sums = z.object({ count: z.int(), sum: z.union([z.int(), z.string()]), hash: z.string() });
const issuedKey = contract['api_keys.issue'].output;
const report = z.object({
  reconciliation: z.string(),
  period: z.string(),
  state: z.string(),
  is_current: z.boolean(),
  fingerprint: z.string(),
});
const rule = contract['rules.get'].output;
const facts = { records: z.int(), audit_entries: z.int(), head: z.string().nullable() };

/** The document that each command prints with `--json`, by the words of the command. `start` and `completion` have no such answer. */
export const ANSWERS: Readonly<Record<string, z.ZodType>> = {
  import: z.union([importResult, several]).meta({ description: 'Of one file its result; of several all of them' }),
  reconcile: z.union([figures, proposedRules]).meta({ description: 'With `--propose` the rules that were found' }),
  close: statement,
  report: z
    .object({
      file: z.string(),
      format: z.string(),
      bytes: z.int(),
      fingerprint: z.string(),
      unexplained: z.int().nullable(),
      agrees: z.boolean(),
    })
    .meta({ description: 'With `--out -` the report itself is printed instead' }),
  export: z.object({ file: z.string(), what: z.string(), bytes: z.int() }),
  'rules list': contract['rules.list'].output,
  'rules set': contract['rules.list'].output,
  'rules use': rule,
  'rules pause': rule,
  'rules resume': rule,
  'rules remove': rule.meta({ description: 'The rule as it was' }),
  'runs list': z.array(contract['runs.get'].output),
  'runs undo': contract['runs.undo'].output,
  sync: syncResult,
  'sync repair': syncResult,
  'sync verify': z.object({
    equal: z.boolean(),
    differences: z.array(z.object({ resource: z.string(), name: z.string(), local: sums, remote: sums })),
  }),
  'sync resolve': z.object({ id: z.int(), choice: z.string() }),
  'sync settle': z.union([z.array(contract['sync_unsure.settle'].output), contract['sync_unsure.settle'].output]),
  'sync move': z.union([z.array(contract['sync_remotes.update'].output), contract['sync_remotes.update'].output]),
  'sync undo': z.object({
    ...contract['sync_runs.undo_plan'].output.shape,
    undone: z.boolean(),
    ...contract['sync_runs.undo'].output.partial().shape,
  }),
  serve: z.object({ base_url: z.string(), ui_url: z.string().nullable(), api_key: z.string() }),
  'keys add': issuedKey,
  'keys link': z.object({ ...issuedKey.shape, reconciliation: z.string(), path: z.string(), workbook: z.string().optional() }),
  'keys list': contract['api_keys.list'].output,
  'keys revoke': z.object({ id: z.int(), revoked: z.literal(true) }),
  verify: z.object({
    data: z.string(),
    findings: z.int(),
    is_more: z.boolean(),
    checks: z.array(
      z.object({
        id: z.string(),
        findings: z.array(z.string()),
        is_more: z.boolean(),
        reports: z.array(report).optional(),
        known: z.array(report).optional(),
      }),
    ),
  }),
  'books list': z.array(
    z.object({ folder: z.string(), name: z.string(), opened_at: z.string(), is_there: z.boolean(), left_at: z.string().nullable() }),
  ),
  'books move': z.object({ folder: z.string(), left_at: z.string() }),
  'books forget': z.object({ folder: z.string() }),
  backup: z.object({ file: z.string(), bytes: z.int(), sha256: z.string(), ...facts }),
  restore: z.object({ data: z.string(), file: z.string(), replaced: z.string().nullable(), ...facts }),
  demo: z.object({ data: z.string(), reconciliation_id: z.int(), created: z.boolean(), streams: z.array(z.string()) }),
};

/** Returns the JSON schema of what a command prints with `--json`: its answer, or a failure. */
export function schemaOf(words: string): object | null {
  const answer = ANSWERS[words];
  if (answer === undefined) return null;
  return { title: `tieout ${words} --json`, ...z.toJSONSchema(z.union([answer, failure]), { io: 'output', unrepresentable: 'any' }) };
}
