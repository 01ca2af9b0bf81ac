import type { Direction } from '../../../src-shared/values/money.ts';

/** A record as the engine sees it, with only what a rule may compare. */
export interface EngineRecord {
  readonly id: number;
  /** Unsigned amount in minor units. */
  readonly amountMinor: number;
  readonly decimalPlaces: number;
  readonly direction: Direction;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Days since 1970-01-01; null if unknown. */
  readonly valueDay: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly streamKey: string;
  /** The text that the stream's recipe defines as the reference; null if there is none. */
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}
