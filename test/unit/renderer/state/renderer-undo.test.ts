import { expect, test } from 'vitest';
import { createChangesUnderWay } from '../../../../src-renderer/api/connection.ts';
import { takeBackNewest } from '../../../../src-renderer/components/use-undo.ts';
import { createClient, type Transport } from '../../../../src-shared/client/client.ts';

/** A service that answers the removal of a match when the test releases it. It records its requests. */
function slowService() {
  const asked: string[] = [];
  let answer = (): void => undefined;
  const gone = new Promise<void>((resolve) => (answer = resolve));
  let newest = 1;
  const transport: Transport = async (operation, input) => {
    asked.push(`${operation} ${String(input['id'])}`);
    if (operation === 'matches.remove') {
      await gone;
      newest = 2;
    }
    if (operation === 'undo.list')
      return { ok: true, value: { undo: [{ id: newest, label: 'a change', import_batch_id: null }], redo: [] } };
    return { ok: true, value: { label: 'a change' } };
  };
  const changes = createChangesUnderWay();
  return { asked, answer, answered: changes.answered, client: createClient(changes.watched(transport)) };
}

test('undo between a change and its answer takes back that change, not the one before it', async () => {
  const { asked, answer, answered, client } = slowService();
  const removing = client.call('matches.remove', { id: 2 });
  const undoing = takeBackNewest(client, answered);
  answer();
  await Promise.all([removing, undoing]);
  expect(asked).toEqual(['matches.remove 2', 'undo.list undefined', 'undo.take_back 2']);
});

test('undo does not wait for reads, and a failed change is no longer pending', async () => {
  const failing: Transport = (operation) =>
    operation === 'matches.get' ? new Promise(() => undefined) : Promise.reject(new Error('gone'));
  const changes = createChangesUnderWay();
  const client = createClient(changes.watched(failing));
  void client.call('matches.get', { id: 1 });
  await expect(client.call('matches.remove', { id: 2 })).rejects.toThrow('gone');
  await expect(changes.answered()).resolves.toBeUndefined();
});

test('commands are settled once none is under way, those included that an answer caused', async () => {
  const answers: (() => void)[] = [];
  const held: Transport = () => new Promise((resolve) => answers.push(() => resolve({ ok: true, value: {} })));
  const changes = createChangesUnderWay();
  const client = createClient(changes.watched(held));
  expect(changes.settled()).toBeNull();
  const order: string[] = [];
  void client
    .call('matches.remove', { id: 1 })
    .then(() => client.call('matches.remove', { id: 2 }))
    .then(() => order.push('answered'));
  const settled = changes.settled()?.then(() => order.push('settled'));
  answers[0]?.();
  await changes.answered();
  expect([order, answers.length]).toEqual([[], 2]);
  answers[1]?.();
  await settled;
  expect(order).toEqual(['answered', 'settled']);
  expect(changes.settled()).toBeNull();
});
