import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDispatch } from '../../src-main/transport/dispatch.ts';
import { contract, ERRORS, type Operation, OPERATION_IDS } from '../../src-shared/contract/index.ts';
import { runs } from '../support/long.ts';
import { appCaller, echoHandlers, memoryLog } from './support.ts';

const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withObjectString: true });
const operation = fc.constantFrom(...OPERATION_IDS);

/** An example of the contract with one member replaced, added or taken away. */
const nearlyRight = operation.chain((id) => {
  const { example, input }: Operation = contract[id];
  const member = fc.oneof(fc.constantFrom('nonsense', ...Object.keys(input.shape)), fc.string());
  return fc.tuple(
    fc.constant(id),
    fc.tuple(member, anything).map(([name, value]) => Object.fromEntries([...Object.entries(example), [name, value]])),
  );
});

it('whatever comes in, dispatch answers an outcome in words and never an internal error', async () => {
  const log = memoryLog();
  const dispatch = createDispatch(echoHandlers(), log);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.tuple(operation, anything), nearlyRight), async ([id, input]) => {
      const outcome = await dispatch(id, input, appCaller);
      expect(log.lines).toEqual([]);
      const { code, message, errors = [] } = outcome.ok ? ({ code: 'not_found', message: 'Fine.' } as const) : outcome.error;
      expect(Object.keys(ERRORS)).toContain(code);
      expect(message).toMatch(/^[A-Z][\s\S]*\.$/);
      expect(errors.every((fault) => fault.code !== '' && fault.message !== '')).toBe(true);
      expect(JSON.parse(JSON.stringify(errors))).toEqual(errors);
    }),
    { numRuns: runs(1_000, 200) },
  );
});
