import { createContext, useContext } from 'react';
import { present } from '../../../src-shared/values/assert.ts';
import type { Match, PeriodStatement, Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import type { FigureKey, Slot } from '../../format/statement-rows.ts';

/** A balance that is being entered. */
export interface BalanceKey {
  readonly slot: Slot;
  readonly which: 'opening' | 'stated_closing';
}

/** A match that is cleared as of the last day, and whose sides differ. */
export interface MatchDifference {
  readonly matchId: number;
  /** The line of the books, or the first one: what is written is written there. */
  readonly recordId: number;
  readonly date: string;
  readonly reference: string | null;
  readonly description: string | null;
  /** Bank less books, minor units. */
  readonly amount: number;
  readonly reason: Match['difference_reason'];
  /** What a person wrote on its adjustment; null for none. */
  readonly adjustment: string | null;
}

/** The period on show, and ways between the parts of the screen. */
export interface Closing {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly statement: PeriodStatement;
  readonly differences: readonly MatchDifference[];
  readonly isNeutral: boolean;
  /** Closed: nothing beneath it is changed here. */
  readonly isLocked: boolean;
  /** The figure whose lines are on show. */
  readonly looked: FigureKey | null;
  readonly look: (figure: FigureKey | null) => void;
  readonly entering: BalanceKey | null;
  readonly enter: (balance: BalanceKey | null) => void;
  /** The open item that was jumped to, each jump a new object. */
  readonly jumped: { readonly recordId: number } | null;
  readonly jumpTo: (recordId: number) => void;
  readonly showChanges: () => void;
}

export const ClosingContext = createContext<Closing | null>(null);

/** The period on show; every part of the screen stands inside its provider. */
export function useClosing(): Closing {
  return present(useContext(ClosingContext), 'The period');
}
