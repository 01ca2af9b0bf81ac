import { say } from '../../src-shared/words/say.ts';
import type { Engine } from './engine.ts';
import { type RuleRehearsed, RUN_LIMITS } from './run.ts';

/** Bytes that a line takes on the disk for the tables of a run, with room for sorting. */
const BYTES_OF_LINE = 200;
/** What a line takes for its loading and for each rule, as `npm run bench warehouse` measured it in DuckDB. */
const MICROSECONDS_OF_STEP = 4;

export const megabytesOf = (lines: number): number => Math.ceil((lines * BYTES_OF_LINE) / 1_000_000);

/** Returns what a run takes, in words. */
export function takesOf({ dialect }: Engine, lines: number, rules: number, memory: number): string {
  const needed = megabytesOf(lines);
  const minutes = Math.max(1, Math.ceil((lines * (1 + rules) * MICROSECONDS_OF_STEP) / 60_000_000));
  if (dialect.name !== 'DuckDB') return say('warehouse.command.itTakesOnAServer', { lines, needed, minutes });
  return say('warehouse.command.itTakes', { lines, memory, needed, minutes });
}

const FORMED_AT_HOME = {
  date: 'warehouse.command.ruleFormsGroupsByDays',
  identifier: 'warehouse.command.ruleFormsGroups',
  subset: 'warehouse.command.ruleAddsUpAnyLines',
} as const;

/** Returns what a rule would do, in words and in statements. */
export function planOfRule({ ruleId: id, statements, estimate, isSolvedThere, groups, atHome, isRefused }: RuleRehearsed): {
  readonly says: readonly string[];
  readonly statements: readonly string[];
} {
  const { blocks, alone, compared, rivals, home, largest, unshared } = estimate;
  const way = isSolvedThere
    ? say(groups !== null ? 'warehouse.command.cohortsAreSettledThere' : 'warehouse.command.ruleIsSettledThere', { id })
    : groups !== null
      ? say(FORMED_AT_HOME[groups], { id })
      : say('warehouse.command.ruleIsSolvedAtHome', { id, conditions: atHome.join(', ') });
  return {
    says: [
      way,
      say('warehouse.command.estimateOfRule', { blocks, alone, compared, rivals, home, a: unshared.a, b: unshared.b }),
      ...(isRefused ? [say('warehouse.command.ruleWouldBeRefused', { id, largest, most: RUN_LIMITS.linesOfBlock })] : []),
    ],
    statements: Object.values(statements).flatMap((sql) => (sql === null ? [] : [`${sql};`])),
  };
}
