import { AnchorTurns, type AnchorTurnsOptions } from './anchor-turns.ts';
import { ContentSealer } from './content-sealer.ts';

/** Sees to it that what changes without Tieout is found: digests what large writes leave, and keeps the anchor beside the book. */
export function keepBook(options: AnchorTurnsOptions): { readonly close: () => Promise<void> } {
  const sealer = new ContentSealer(options);
  const anchor = new AnchorTurns(options);
  return {
    close: async () => {
      await sealer.close();
      anchor.close();
    },
  };
}
