import type { Problem } from '../../src-shared/contract/index.ts';

/** How much a problem weighs: its severity, or `broken` where it is the place at which the file's own figures do not hold. */
type ProblemWeight = Problem['severity'] | 'broken';

const BREAKS: ReadonlySet<string> = new Set(['balance_broken', 'control_broken', 'file_cut_off']);
const ORDER: readonly ProblemWeight[] = ['fatal', 'broken', 'rejected', 'note'];

export function weightOf({ severity, code }: Pick<Problem, 'severity' | 'code'>): ProblemWeight {
  return severity === 'note' && BREAKS.has(code) ? 'broken' : severity;
}

/** The gravest first, those that weigh the same in the order of the file. */
export function gravestFirst(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((left, right) => ORDER.indexOf(weightOf(left)) - ORDER.indexOf(weightOf(right)));
}
