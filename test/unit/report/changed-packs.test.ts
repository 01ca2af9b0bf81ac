import { expect, it } from 'vitest';
import { documentOf, packHtml } from '../../../src-main/domain/report/index.ts';
import { closedJune } from '../../support/close-report.ts';
import { runs } from '../../support/long.ts';
import { PACK_CHANGES, randomChange, randomForgery } from '../../support/pack-changes.ts';
import { packChecked } from '../../support/pack-checks.ts';

const PACK = packHtml(closedJune());
const { identity } = documentOf(closedJune());
const untouched = packChecked(PACK);

/** Numbers from 0 to 1, always the same ones. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A changed pack is found by itself, or by a person who has the print beside it. */
function isFound(pack: string): boolean {
  const { checks, prints } = packChecked(pack);
  if (checks.length === 0 || checks.some(({ faults }) => faults.length > 0)) return true;
  return prints[0] !== identity.fingerprint || prints[1] !== identity.contents;
}

it('an untouched pack is green and has the numbers of the print', () => {
  expect(untouched.checks.flatMap(({ faults }) => faults)).toEqual([]);
  expect(untouched.prints).toEqual([identity.fingerprint, identity.contents]);
});

it('every deliberate change is found, with all hashes of the file worked out anew as well', () => {
  const unseen = PACK_CHANGES.filter(({ of }) => !isFound(of(PACK)));
  expect(unseen.map(({ name }) => name)).toEqual([]);
});

it('no random change of the file goes unseen', () => {
  const random = numbers(35);
  const unseen: number[] = [];
  for (let run = 0; run < runs(800, 25); run += 1) {
    const pack = randomChange(PACK, random);
    if (pack !== PACK && !isFound(pack)) unseen.push(run);
  }
  expect(unseen).toEqual([]);
});

it('no random change of the data goes unseen, with all hashes worked out anew', () => {
  const random = numbers(20);
  const unseen: number[] = [];
  for (let run = 0; run < runs(400, 25); run += 1) {
    const pack = randomForgery(PACK, random);
    if (pack !== PACK && !isFound(pack)) unseen.push(run);
  }
  expect(unseen).toEqual([]);
});
