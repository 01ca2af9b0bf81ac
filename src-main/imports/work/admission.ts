import type { ImportResult } from '../../../src-shared/contract/index.ts';
import type { Statement } from '../../domain/statement/index.ts';
import type { ImportPayload } from '../../jobs/protocol.ts';
import { isClosed } from './closed-lines.ts';
import { asksForAccount } from './understanding.ts';

/** What decides whether a file goes in. */
interface Findings extends Pick<Statement, 'accounts' | 'proof' | 'rejectedRows'> {
  /** Whether a kept recipe may not fit the file. */
  readonly isDoubtful: boolean;
  /** Whether a question is open. */
  readonly isAsked: boolean;
  /** Whether it seems to be the wrong file for its stream. */
  readonly isMisfit: boolean;
  /** Whether it has new lines of a closed period. */
  readonly isClosed: boolean;
}

/** Whether a file goes in. Otherwise it stays out until a person has looked at it. */
export function isAdmitted(payload: ImportPayload, found: Findings): boolean {
  if (asksForAccount(found, payload) || found.isDoubtful || found.isAsked || found.isClosed) return false;
  if (found.isMisfit && payload.acceptTarget !== true) return false;
  if (found.rejectedRows > 0 && !payload.acceptRejected) return false;
  return found.proof !== 'broken' || payload.acceptBroken;
}

/** What is found once all lines of a file are read and compared. */
export function findingsOf(statement: Statement, { recipe, misfits }: ImportResult): Findings {
  const { accounts, proof, rejectedRows, questions, problems } = statement;
  return {
    accounts,
    proof,
    rejectedRows,
    isDoubtful: recipe?.state === 'doubtful',
    isAsked: questions.length > 0,
    isMisfit: misfits.length > 0 || problems.some(({ code }) => code === 'wrong_currency'),
    isClosed: isClosed(statement),
  };
}
