import type { RecordContent } from './resources.ts';

/** A stream on both sides. */
export interface StreamPair {
  readonly key: string;
  /** Null in a preview, where a stream would only be made. */
  readonly localId: number | null;
  readonly isThere: boolean;
}

/** A record that both sides know, and that one side is to get otherwise. */
export interface RecordChange {
  readonly stream: string;
  readonly localId: number;
  readonly remoteKey: string;
  /** What the other side has; null where it has it no more. */
  readonly content: RecordContent | null;
  readonly hash: string;
}

/** `content` is what the remote has, `merged` what both are to have. */
export interface Merge extends RecordChange {
  readonly merged: RecordContent;
}

/** What waits until matches that hold records are taken apart. */
export interface RecordPlan {
  readonly changeHere: RecordChange[];
  readonly changeThere: RecordChange[];
  /** Records that both sides edited in different fields: each side gets what the other has. */
  readonly merge: Merge[];
  readonly removeHere: RecordChange[];
  readonly removeThere: RecordChange[];
  /** What one side deleted, and is to get back. */
  readonly bringHere: RecordChange[];
  readonly bringThere: RecordChange[];
  /** Marks there by reconciliation and record, both ids of the remote. */
  readonly marksThere: { readonly record: string; readonly reconciliation: string; readonly at: string }[];
}

export function emptyPlan(): RecordPlan {
  return { changeHere: [], changeThere: [], merge: [], removeHere: [], removeThere: [], bringHere: [], bringThere: [], marksThere: [] };
}
