import type { Problem } from '../../src-shared/contract/index.ts';

/** The weight of a problem: its severity, or `broken` for the place where the file's own figures do not hold. */
type ProblemWeight = Problem['severity'] | 'broken';

const BREAKS: ReadonlySet<string> = new Set(['balance_broken', 'control_broken', 'file_cut_off']);
const ORDER: readonly ProblemWeight[] = ['fatal', 'broken', 'rejected', 'note'];

export function weightOf({ severity, code }: Pick<Problem, 'severity' | 'code'>): ProblemWeight {
  return severity === 'note' && BREAKS.has(code) ? 'broken' : severity;
}

/** Returns the most serious problems first. Problems of the same weight keep the order of the file. */
export function gravestFirst(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((left, right) => ORDER.indexOf(weightOf(left)) - ORDER.indexOf(weightOf(right)));
}
