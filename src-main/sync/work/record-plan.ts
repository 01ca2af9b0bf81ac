import type { RecordContent } from './resources.ts';

/** A stream, and the sides that have it. */
export interface StreamPair {
  readonly key: string;
  /** Null in a preview, in which the stream would still have to be created. */
  readonly localId: number | null;
  readonly isThere: boolean;
}

/** A linked record that one side must change or remove. */
export interface RecordChange {
  readonly stream: string;
  readonly localId: number;
  readonly remoteKey: string;
  /** The remote's content; null if it is not known or gone. */
  readonly content: RecordContent | null;
  readonly hash: string;
}

/** `content` is the remote's content, `merged` the content for both sides. */
export interface Merge extends RecordChange {
  readonly merged: RecordContent;
}

/** Changes of records that wait until the matches that hold them are taken apart. */
export interface RecordPlan {
  readonly changeHere: RecordChange[];
  readonly changeThere: RecordChange[];
  /** Records that both sides edited in different fields: each side gets the other's edits. */
  readonly merge: Merge[];
  readonly removeHere: RecordChange[];
  readonly removeThere: RecordChange[];
  /** Records that one side deleted and gets back. */
  readonly bringHere: RecordChange[];
  readonly bringThere: RecordChange[];
  /** Overdue marks of the remote; `record` and `reconciliation` are remote ids. */
  readonly marksThere: { readonly record: string; readonly reconciliation: string; readonly at: string }[];
}

export function emptyPlan(): RecordPlan {
  return { changeHere: [], changeThere: [], merge: [], removeHere: [], removeThere: [], bringHere: [], bringThere: [], marksThere: [] };
}
