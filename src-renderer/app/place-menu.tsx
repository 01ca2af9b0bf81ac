import { ActionIcon, Menu, ScrollArea } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useOperation } from '../api/use-operation.ts';
import { useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import { say } from '../../src-shared/words/say.ts';

interface Choice {
  readonly name: string;
  readonly place: Place;
}

/** A menu beside the name of a screen that leads to the other screens of its kind. */
export function PlaceMenu() {
  const screen = useNavigation((state) => state.place.screen);
  if (screen === 'reconciliation' || screen === 'close') return <OtherReconciliations />;
  if (screen === 'account' || screen === 'stream') return <OtherAccounts />;
  if (screen === 'sync') return <OtherRemotes />;
  return null;
}

/** Lists the other remotes. Renders nothing when there is only one. */
function OtherRemotes() {
  const { data: value } = useOperation('sync_remotes.list', {});
  const remotes = value?.remotes ?? [];
  if (remotes.length < 2) return null;
  const choices = remotes.map(({ id, name }): Choice => ({ name, place: { screen: 'sync', id } }));
  return (
    <Others
      label={say('shell.placeMenu.otherRemotes')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allRemotes'), place: { screen: 'settings' } }}
    />
  );
}

function OtherReconciliations() {
  const { data: value } = useOperation('reconciliations.list', { limit: 100 });
  const choices = (value?.data ?? []).map(({ id, name }): Choice => ({ name, place: { screen: 'reconciliation', id } }));
  return (
    <Others
      label={say('shell.placeMenu.otherReconciliations')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allReconciliations'), place: { screen: 'book' } }}
    />
  );
}

function OtherAccounts() {
  const { data: accounts } = useOperation('bank_accounts.list', {});
  const { data: streams } = useOperation('streams.list', {});
  const choices = [
    ...(accounts ?? []).map(({ id, name }): Choice => ({ name, place: { screen: 'account', id } })),
    ...(streams ?? []).map(({ key, name }): Choice => ({ name, place: { screen: 'stream', key } })),
  ];
  return (
    <Others
      label={say('shell.placeMenu.otherAccountsAndStreams')}
      choices={choices}
      all={{ name: say('shell.placeMenu.allAccountsAndStreams'), place: { screen: 'accounts' } }}
    />
  );
}

function Others({ label, choices, all }: { readonly label: string; readonly choices: readonly Choice[]; readonly all: Choice }) {
  const go = useNavigation((state) => state.go);
  const here = useNavigation((state) => placeText(state.place));
  return (
    <Menu position="bottom-start" width={280} withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} data-testid="place-menu">
          <IconChevronDown size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah="60vh" type="auto">
          {choices.map(({ name, place }) => (
            <Menu.Item key={placeText(place)} onClick={() => go(place)} aria-current={placeText(place) === here} title={name}>
              <div className="truncate">{name}</div>
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
        <Menu.Divider />
        <Menu.Item onClick={() => go(all.place)}>{all.name}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
