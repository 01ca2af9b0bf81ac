import * as fc from 'fast-check';

/** Any code point, halves of pairs as well: what fast-check calls `binary`, which first makes a table of a million of them and takes more than a second for it. */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
