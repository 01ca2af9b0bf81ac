import { expect } from 'vitest';

/** `expect` under a name of its own: proofs are functions that tests call, so they stand outside of any test. */
export const that = expect;
