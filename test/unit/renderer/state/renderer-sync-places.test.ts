import { beforeEach, describe, expect, it } from 'vitest';
import { placeFrom, placeText } from '../../../../src-renderer/state/places.ts';
import { placeOf, sameChoices, sameOf } from '../../../../src-renderer/state/sync-places.ts';

describe('the place of a sync', () => {
  it.each(['/sync', '/sync/3', '/sync/3?tab=decide', '/sync/3?tab=decide&conflict=7', '/sync/3?tab=history'])(
    '%s is read as it is written',
    (text) => {
      expect(placeText(placeFrom(text))).toBe(text);
    },
  );

  it('omits unknown parts', () => {
    expect(placeText(placeFrom('/sync/x?tab=nowhere&conflict=-1'))).toBe('/sync');
  });
});

describe('the place of a synced object', () => {
  const nowhere = { local_id: null, reconciliation_id: null, data_stream_key: null };

  it('is the screen that shows it', () => {
    expect(placeOf({ ...nowhere, resource: 'accounts', local_id: 4 })).toEqual({ screen: 'account', id: 4 });
    expect(placeOf({ ...nowhere, resource: 'rules', local_id: 9, reconciliation_id: 2 })).toEqual({
      screen: 'reconciliation',
      id: 2,
      tab: 'rules',
    });
    expect(placeOf({ ...nowhere, resource: 'matches', reconciliation_id: 2 })).toEqual({ screen: 'reconciliation', id: 2, tab: 'matched' });
    expect(placeOf({ ...nowhere, resource: 'records', local_id: 5, data_stream_key: 'bank' })).toEqual({ screen: 'stream', key: 'bank' });
  });

  it('is null when the book does not have it', () => {
    expect(placeOf({ ...nowhere, resource: 'accounts' })).toBeNull();
  });
});

describe('pairs that may be the same', () => {
  const pair = {
    resource: 'accounts',
    local_id: 3,
    remote_key: 'cafe',
    local_name: '',
    local_words: '',
    remote_name: '',
    remote_words: '',
  } as const;
  beforeEach(() => sameChoices.setState({ same: {} }));

  it('are two until the user says otherwise, and again when that is taken back', () => {
    const said = () => sameOf([pair], sameChoices.getState().same[1] ?? []);
    expect(said()).toEqual([]);
    sameChoices.getState().say(1, 'accounts 3 cafe', true);
    expect(said()).toEqual([{ resource: 'accounts', local_id: 3, remote_key: 'cafe' }]);
    sameChoices.getState().say(1, 'accounts 3 cafe', false);
    expect(said()).toEqual([]);
  });
});
