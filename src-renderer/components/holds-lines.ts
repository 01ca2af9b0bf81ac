import { ADJUSTMENTS_KEY } from '../../src-shared/contract/streams/streams.ts';

/** Whether a stream is of people's lines, so that files go into it and sides are made of it: every one but Tieout's own. */
export function holdsLines(stream: { readonly key: string }): boolean {
  return stream.key !== ADJUSTMENTS_KEY;
}
