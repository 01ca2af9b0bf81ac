/** What says of a line that it returns or reverses another one. */
export interface ReversalMark {
  /** A mark of the file's format, or words in the line's text: these count only where the line that is taken back is found. */
  readonly by: 'format' | 'words';
  /** The code of the reason, such as `AC04` or `R01`, or the words. */
  readonly reason: string | null;
  /** What the mark calls the line that it takes back: its trace number or end-to-end id. */
  readonly reference: string | null;
}

/** A mark of the format. */
export function markOfFormat(reason: string | null = null, reference: string | null = null): ReversalMark {
  return { by: 'format', reason, reference };
}
