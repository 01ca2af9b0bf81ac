import * as fc from 'fast-check';

/**
 * Any code point, lone surrogates included. The `binary` unit of fast-check does the same, but builds a table of a million entries first, which takes
 * more than a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_ffff }).map((code) => String.fromCodePoint(code));
