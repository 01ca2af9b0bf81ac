import type { Reconciliation, ReconciliationPeriod } from '../../src-shared/contract/index.ts';
import { isoFromDay } from '../../src-shared/values/civil-date.ts';
import { parsePeriod, type PeriodSpan, periodText } from '../domain/ledger/index.ts';
import { CommandError, EXIT } from './output.ts';
import type { CommonOptions, Session } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

/** Options that name a period of a reconciliation. */
export interface PeriodOptions extends CommonOptions {
  /** Id or name of the reconciliation. */
  readonly reconciliation: string;
  /** `2026-06` or `2026-06-01..2026-06-30`. */
  readonly period: string;
  readonly currency?: string | undefined;
}

const usage = (code: string, message: string): CommandError => new CommandError(EXIT.usage, code, message);

async function allReconciliations({ client }: Session): Promise<Reconciliation[]> {
  const found: Reconciliation[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.get('reconciliations.list', { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** Returns a reconciliation by its id, else by its name. Throws where there is none, or several have the name. */
export async function findReconciliation(session: Session, text: string): Promise<Reconciliation> {
  const all = await allReconciliations(session);
  const byId = all.find(({ id }) => String(id) === text);
  if (byId !== undefined) return byId;
  const [first, ...others] = all.filter(({ name }) => name === text);
  if (first === undefined) {
    const names = all.map(({ id, name }) => `${name} (${id})`).join(', ');
    const there = names === '' ? say('commands.findPeriod.thereIsNoneInThisBook') : say('commands.findPeriod.thereAre', { names });
    throw usage('unknown_reconciliation', say('commands.findPeriod.thereIsNoReconciliation', { text, there }));
  }
  if (others.length > 0) {
    const ids = [first, ...others].map(({ id }) => id).join(', ');
    throw usage('several_reconciliations', say('commands.findPeriod.severalReconciliationsAreCalled', { text, ids }));
  }
  return first;
}

/** Returns the days that a text names. Throws for any other text. */
export function spanOf(text: string): PeriodSpan {
  const span = parsePeriod(text);
  if (!span.ok) throw usage('invalid_period', span.error);
  return span.value;
}

export function datesOf({ from, to }: PeriodSpan): { readonly from: string; readonly to: string } {
  return { from: isoFromDay(from), to: isoFromDay(to) };
}

/** Returns the period with exactly these days, or null. */
export async function findPeriod({ client }: Session, reconciliationId: number, span: PeriodSpan): Promise<ReconciliationPeriod | null> {
  const { from, to } = datesOf(span);
  let cursor: string | undefined;
  do {
    const asked = { reconciliation_id: reconciliationId, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.get('periods.list', asked);
    const found = page.data.find((period) => period.from === from && period.to === to);
    if (found !== undefined) return found;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}

/** Returns an existing period. Throws where there is none. */
export async function existingPeriod(session: Session, options: PeriodOptions): Promise<ReconciliationPeriod> {
  const span = spanOf(options.period);
  const reconciliation = await findReconciliation(session, options.reconciliation);
  const period = await findPeriod(session, reconciliation.id, span);
  if (period !== null) return period;
  throw usage('unknown_period', say('commands.findPeriod.hasNoPeriodTieout', { name: reconciliation.name, period: periodText(span) }));
}
