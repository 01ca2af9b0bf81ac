import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { MatchRow } from '../../database/rows.ts';
import type { ServiceContext } from '../../service/context.ts';
import { reasonOf } from '../../service/difference-reasons.ts';
import type { Caller } from '../../service/handler.ts';
import { memberIds } from '../store/matches.ts';

/** Appends an audit entry about a match; `more` is added to its detail. */
export function auditMatch(
  write: WriteHandle,
  context: ServiceContext,
  caller: Caller,
  action: string,
  match: MatchRow,
  more: Readonly<Record<string, unknown>> = {},
): void {
  const reason = reasonOf(match);
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: {
      match_id: match.id,
      reconciliation_id: match.reconciliation_id,
      status: match.status,
      origin: match.origin,
      ...(match.adjustment_id === null ? {} : { adjustment_record_id: match.adjustment_id }),
      ...(reason === null ? {} : { difference_reason: reason }),
      ...more,
    },
  });
}

/** Returns the record ids of a match without its adjustment, which exists only in the match. */
export const idsOf = (read: ReadHandle, match: MatchRow) =>
  memberIds(read, match.id)
    .map((member) => member.record_id)
    .filter((id) => id !== match.adjustment_id);

/** An entry about a match names this many of its records, so that it is part of their history even when the match is gone. */
const NAMED_MEMBERS = 100;

/** Returns the records of a match as its audit entry names them. They did not change, so that they are no `record_ids`. */
export const membersOfEntry = (ids: readonly number[]) => ({ members: ids.slice(0, NAMED_MEMBERS) });
