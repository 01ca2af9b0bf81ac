import { createContext, useContext } from 'react';
import { present } from '../../../src-shared/values/assert.ts';
import type {
  PeriodOpenItem,
  PeriodStatement,
  Reconciliation,
  ReconciliationPeriod,
  StatementGroup,
  StatementSide,
} from '../../../src-shared/contract/index.ts';

export type Slot = PeriodOpenItem['side'];
export type GroupName = StatementGroup['name'];

/** A figure of the statement that can be looked into. */
export type FigureKey =
  | { readonly kind: 'group'; readonly name: GroupName }
  | { readonly kind: 'balance' | 'adjusted'; readonly slot: Slot }
  | { readonly kind: 'item'; readonly recordId: number }
  | { readonly kind: 'unexplained' };

/** A balance that is being entered. */
export interface BalanceKey {
  readonly slot: Slot;
  readonly which: 'opening' | 'stated_closing';
}

/** The period on show, and ways between the parts of the screen. */
export interface Closing {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly statement: PeriodStatement;
  readonly isNeutral: boolean;
  /** Closed: nothing beneath it is changed here. */
  readonly isLocked: boolean;
  /** Why no balance can be entered; null where one can. */
  readonly noEntry: string | null;
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

/** Returns one side of the statement. */
export function sideOf({ document: { sides } }: Pick<PeriodStatement, 'document'>, slot: Slot): StatementSide {
  return sides[slot === 'bank' ? 0 : 1];
}

/** Returns a group of the statement; undefined where nothing is in it. */
export function groupOf({ document: { sides } }: Pick<PeriodStatement, 'document'>, name: GroupName): StatementGroup | undefined {
  return sides.flatMap(({ groups }) => groups).find((group) => group.name === name);
}
