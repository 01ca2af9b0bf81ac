import { ADJUSTMENTS_KEY } from '../../src-shared/contract/streams/streams.ts';

/** Returns whether a stream holds imported lines, so that it can receive files and be a side. Only the stream of adjustments does not. */
export function holdsLines(stream: { readonly key: string }): boolean {
  return stream.key !== ADJUSTMENTS_KEY;
}
