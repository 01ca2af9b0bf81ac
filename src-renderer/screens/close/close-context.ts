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

/** A figure of the statement that has details. */
export type FigureKey =
  | { readonly kind: 'group'; readonly name: GroupName }
  | { readonly kind: 'balance' | 'adjusted'; readonly slot: Slot }
  | { readonly kind: 'item'; readonly recordId: number }
  | { readonly kind: 'unexplained' };

/** The balance that the user is entering. */
export interface BalanceKey {
  readonly slot: Slot;
  readonly which: 'opening' | 'stated_closing';
}

/** The visible period, and the functions that connect the parts of the screen. */
export interface Closing {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly statement: PeriodStatement;
  readonly isNeutral: boolean;
  /** Whether the period is closed. Nothing of it can be changed here then. */
  readonly isLocked: boolean;
  /** The reason why no balance can be entered; null when one can. */
  readonly noEntry: string | null;
  /** The figure whose lines are visible. */
  readonly looked: FigureKey | null;
  readonly look: (figure: FigureKey | null) => void;
  readonly entering: BalanceKey | null;
  readonly enter: (balance: BalanceKey | null) => void;
  /** The open item to jump to. Each jump is a new object. */
  readonly jumped: { readonly recordId: number } | null;
  readonly jumpTo: (recordId: number) => void;
  readonly showChanges: () => void;
  /** Whether a status other than open explains an item. */
  readonly statusExplains: boolean;
}

export const ClosingContext = createContext<Closing | null>(null);

/** Returns the visible period. The component must be inside its provider. */
export function useClosing(): Closing {
  return present(useContext(ClosingContext), 'The period');
}

/** Returns one side of the statement. */
export function sideOf({ document: { sides } }: Pick<PeriodStatement, 'document'>, slot: Slot): StatementSide {
  return sides[slot === 'bank' ? 0 : 1];
}

/** Returns a group of the statement; undefined when it is empty. */
export function groupOf({ document: { sides } }: Pick<PeriodStatement, 'document'>, name: GroupName): StatementGroup | undefined {
  return sides.flatMap(({ groups }) => groups).find((group) => group.name === name);
}
