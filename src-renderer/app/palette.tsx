import { Box, Flex, Kbd, Loader, Modal, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsExchange, IconBolt, IconBook2, IconBuildingBank, IconCalendar, IconFile, IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { say } from '../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../api/use-operation.ts';
import { notifyFailure } from '../components/notify.tsx';
import { dateText } from '../format/dates.ts';
import { listedAmount } from '../format/money.ts';
import { recordStateText } from '../format/record-words.ts';
import { type Dialog, recentPlaces, rememberPlace, useNavigation } from '../state/navigation.ts';
import { type Place, placeText } from '../state/places.ts';
import { actionKeys, SECTIONS } from './keyboard-help.tsx';
import styles from './palette.module.css';
import { RAIL_PLACES } from './rail.tsx';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
const DELAY_MS = 120;
const MOST_LINES = 8;
const MOST_IN_GROUP = 6;
const MOST_RECENT = 5;
/** More reconciliations and periods than a person looks through. */
const LISTED = 100;

interface Item {
  /** Unique, and the same the next time: what was chosen is remembered by it. */
  readonly key: string;
  readonly name: string;
  readonly hint?: string;
  readonly figure?: string;
  readonly keys?: readonly string[];
  readonly icon: ReactNode;
  readonly place?: Place;
  readonly dialog?: Dialog;
  /** Opens the book of a folder in this window. */
  readonly folder?: string;
  /** The key press that does it, on the screen behind. */
  readonly press?: KeyboardEventInit;
}

interface ItemGroup {
  readonly name: string;
  readonly items: readonly Item[];
}

const placed = (place: Place, name: string, icon: ReactNode, hint?: string): Item => ({
  key: placeText(place),
  name,
  place,
  icon,
  ...(hint === undefined ? {} : { hint }),
});

/** Removes accents, so that `chateau` finds `Château`. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** Returns how well a text fits what was typed: 0 not at all, then words within it, at the beginning of words, at its own beginning. */
function fit(item: Item, typed: string): number {
  const name = folded(item.name);
  const all = `${name} ${folded(item.hint ?? '')}`;
  const words = folded(typed)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (!words.every((word) => all.includes(word))) return 0;
  if (name.startsWith(words.join(' '))) return 3;
  return words.every((word) => ` ${all}`.includes(` ${word}`)) ? 2 : 1;
}

function fitting(items: readonly Item[], typed: string): Item[] {
  if (typed === '') return [...items];
  const recent = recentPlaces();
  const rank = (item: Item): number => fit(item, typed) * 10 + (recent.includes(item.key) ? 5 : 0);
  return items
    .filter((item) => fit(item, typed) > 0)
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, MOST_IN_GROUP);
}

const NEW_RECONCILIATION: Item = {
  key: 'new reconciliation',
  name: say('shell.palette.newReconciliation'),
  icon: <IconBolt {...ICON} />,
  dialog: 'new_reconciliation',
};
const NEW_BOOK: Item = { key: 'new book', name: say('book.books.newTitle'), icon: <IconBolt {...ICON} />, dialog: 'new_book' };

/** Returns what the keys of the screen do, as the help of the keyboard lists them. */
function actionsOf(screen: Place['screen']): Item[] {
  return SECTIONS.filter(({ screens }) => screens === 'all' || screens.includes(screen)).flatMap(({ title, keys }) =>
    keys.flatMap(([given, meaning]) => {
      const press = actionKeys(given);
      if (press === null) return [];
      return [{ key: `key ${title} ${given.join(' ')}`, name: meaning, hint: title, keys: given, icon: <IconBolt {...ICON} />, press }];
    }),
  );
}

/** Returns the places and actions of the book, without its lines. */
function useKnown(): { readonly groups: readonly ItemGroup[]; readonly isLoading: boolean } {
  const screen = useNavigation((state) => state.place.screen);
  const reconciliations = useOperation('reconciliations.list', { limit: LISTED });
  const periods = useOperation('periods.list', { limit: LISTED });
  const accounts = useOperation('bank_accounts.list', {});
  const streams = useOperation('streams.list', {});
  const books = useOperation('books.list', {});
  const others = (books.data?.books ?? [])
    .filter(({ state }) => state === 'here')
    .map(({ folder, name }): Item => ({
      key: `book ${folder}`,
      name: say('book.books.openNamed', { name }),
      hint: folder,
      folder,
      icon: <IconBook2 {...ICON} />,
    }));
  const names = new Map(reconciliations.data?.data.map(({ id, name }) => [id, name]));
  const groups: ItemGroup[] = [
    { name: say('shell.palette.screens'), items: RAIL_PLACES.map(({ name, place, icon }) => placed(place, name, icon)) },
    {
      name: say('shell.rail.reconciliations'),
      items: (reconciliations.data?.data ?? []).map(({ id, name }) =>
        placed({ screen: 'reconciliation', id }, name, <IconArrowsExchange {...ICON} />),
      ),
    },
    {
      name: say('shell.palette.periods'),
      items: (periods.data?.data ?? []).map(({ id, reconciliation_id: key, name }) =>
        placed({ screen: 'close', key, periodId: id }, name, <IconCalendar {...ICON} />, names.get(key) ?? ''),
      ),
    },
    {
      name: say('shell.rail.accounts'),
      items: [
        ...(accounts.data ?? []).map(({ id, name }) => placed({ screen: 'account', id }, name, <IconBuildingBank {...ICON} />)),
        ...(streams.data ?? []).map(({ key, name }) =>
          placed({ screen: 'stream', key }, name, <IconFile {...ICON} />, say('shell.palette.imports')),
        ),
      ],
    },
    { name: say('shell.palette.actions'), items: [NEW_RECONCILIATION, NEW_BOOK, ...actionsOf(screen), ...others] },
  ];
  const isLoading = [reconciliations, periods, accounts, streams].some(({ data, isError }) => data === undefined && !isError);
  return { groups, isLoading };
}

/** Returns lines with the words that were typed. */
function useLines(typed: string): { readonly items: readonly Item[]; readonly isLoading: boolean } {
  const [q] = useDebouncedValue(typed, DELAY_MS);
  const isAsked = q.length > 1;
  // Without words one line is read, which is not shown.
  const { data, isError } = useOperation('records.list', isAsked ? { q, limit: MOST_LINES, sort: '-date' } : { limit: 1 });
  const items = (isAsked ? (data?.data ?? []) : []).map((line): Item => {
    const hint = [dateText(line.date), line.external_id, recordStateText(line)].filter((part) => part !== null).join(' · ');
    const place: Place = { screen: 'records', streamKey: null, recordId: line.id };
    const name = line.description ?? line.external_id ?? say('records.aLineWithoutAText');
    return { ...placed(place, name, <IconFile {...ICON} />, hint), figure: listedAmount(line, true) };
  });
  return { items, isLoading: q !== typed || (isAsked && data === undefined && !isError) };
}

function useGroups(typed: string, here: string): { readonly groups: readonly ItemGroup[]; readonly isLoading: boolean } {
  const known = useKnown();
  const lines = useLines(typed);
  const all = known.groups.flatMap(({ items }) => items);
  const recent = recentPlaces()
    .filter((key) => key !== here)
    .flatMap((key) => all.find((item) => item.key === key) ?? []);
  const isLoading = known.isLoading || lines.isLoading;
  if (typed === '') {
    const first = { name: say('shell.palette.recent'), items: recent.slice(0, MOST_RECENT) };
    const isFirst = (item: Item): boolean => first.items.includes(item);
    const others = known.groups.map(({ name, items }) => ({
      name,
      items: items.filter((item) => !isFirst(item)).slice(0, MOST_IN_GROUP * 2),
    }));
    return { groups: [first, ...others].filter(({ items }) => items.length > 0), isLoading };
  }
  const found = known.groups.map(({ name, items }) => ({ name, items: fitting(items, typed) }));
  return {
    groups: [...found, { name: say('shell.palette.lines'), items: lines.items }].filter(({ items }) => items.length > 0),
    isLoading,
  };
}

/** Sends a key press to what had the focus before the palette, as if the person had pressed it there. */
function pressOn(before: Element | null, press: KeyboardEventInit): void {
  const target = before instanceof HTMLElement && before.isConnected ? before : document.body;
  target.dispatchEvent(new KeyboardEvent('keydown', { ...press, bubbles: true, cancelable: true }));
}

/** Returns how an item is chosen, and how the palette closes: the focus returns to where it was, and a key press goes there. */
function useChoice(onClose: () => void) {
  const go = useNavigation((state) => state.go);
  const open = useNavigation((state) => state.open);
  const openBook = useCommand('books.open', (failure) => notifyFailure(say('book.books.notOpened'), failure));
  const [before] = useState(() => document.activeElement);
  const close = (press?: KeyboardEventInit): void => {
    onClose();
    requestAnimationFrame(() => {
      if (before instanceof HTMLElement) before.focus();
      if (press !== undefined) pressOn(before, press);
    });
  };
  const choose = (item: Item | undefined): void => {
    if (item === undefined) return;
    rememberPlace(item.key);
    if (item.place !== undefined) go(item.place);
    else if (item.dialog !== undefined) open(item.dialog);
    else if (item.folder !== undefined) {
      onClose();
      void openBook.run({ folder: item.folder });
    } else close(item.press);
  };
  return { close, choose };
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: MOST_IN_GROUP, PageUp: -MOST_IN_GROUP };

/** Returns the place in the list after a key; the ends of the list follow each other. Null for a key that does not move. */
function movedTo(key: string, at: number, count: number): number | null {
  const step = STEPS[key];
  if (step === undefined || count === 0) return null;
  return Math.abs(step) === 1 ? (at + step + count) % count : Math.max(0, Math.min(count - 1, at + step));
}

/** Finds screens, actions, reconciliations, periods, accounts and lines by their words, and goes there. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const here = useNavigation((state) => placeText(state.place));
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { groups, isLoading } = useGroups(typed.trim(), here);
  const { close, choose } = useChoice(onClose);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(chosen, Math.max(0, items.length - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const moved = movedTo(event.key, at, items.length);
    if (moved === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (moved === null) choose(items[at]);
    else setChosen(moved);
  };
  return (
    <Modal
      opened
      centered={false}
      onClose={() => close()}
      title={say('shell.palette.title')}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
      size={640}
      yOffset="12vh"
      classNames={{ header: styles.header ?? '', body: styles.body ?? '', content: styles.content ?? '' }}
    >
      <Flex className="line-below" gap="sm" align="center" h={48} px="lg" c="dimmed">
        <IconSearch size={17} aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={items.length === 0 ? undefined : `palette-${at}`}
          aria-autocomplete="list"
          aria-label={say('shell.palette.title')}
          placeholder={say('shell.palette.hint')}
          data-autofocus
          data-testid="palette-input"
          value={typed}
          maxLength={200}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {isLoading ? <Loader size={14} aria-label={say('shell.loading')} /> : <Kbd size="xs">{say('shell.palette.escape')}</Kbd>}
      </Flex>
      <Groups groups={groups} at={at} onChoose={choose} onPoint={setChosen} />
      {items.length === 0 && (
        <Text
          component="output"
          className="wrap"
          display="block"
          py="xl"
          px="lg"
          ta="center"
          size="sm"
          c="dimmed"
          data-testid="palette-nothing"
        >
          {isLoading ? say('shell.palette.searching') : say('shell.palette.nothing', { typed })}
        </Text>
      )}
      <Foot />
    </Modal>
  );
}

function Foot() {
  return (
    <Flex className="line-above small" gap="lg" py="sm" px="lg" bg="var(--sunken)" c="dimmed" aria-hidden>
      <span>
        <Kbd size="xs">↑</Kbd> <Kbd size="xs">↓</Kbd> {say('shell.palette.choose')}
      </span>
      <span>
        <Kbd size="xs">↵</Kbd> {say('shell.palette.open')}
      </span>
      <span>
        <Kbd size="xs">{say('shell.palette.escape')}</Kbd> {say('shell.palette.close')}
      </span>
    </Flex>
  );
}

interface GroupsProps {
  readonly groups: readonly ItemGroup[];
  readonly at: number;
  readonly onChoose: (item: Item) => void;
  readonly onPoint: (place: number) => void;
}

const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/* The list of a combobox: the field keeps the focus and names the option, which no element of HTML does. */
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events -- the field has the keys, and no tag is such a list */
function Groups({ groups, at, onChoose, onPoint }: GroupsProps) {
  const starts = groups.map((_, place) => groups.slice(0, place).reduce((sum, { items }) => sum + items.length, 0));
  return (
    <Box
      className="scrolls"
      mah="min(60vh, 460px)"
      py={4}
      px="xs"
      role="listbox"
      id="palette-list"
      aria-label={say('shell.palette.found')}
      tabIndex={-1}
    >
      {groups.map(({ name, items }, group) => (
        <div key={name} role="group" aria-label={name}>
          <Box className="strong" pt="sm" pb={4} px="sm" c="dimmed" fz="var(--t-caption)" aria-hidden>
            {name}
          </Box>
          {items.map((item, within) => {
            const place = (starts[group] ?? 0) + within;
            return (
              <div
                key={item.key}
                id={`palette-${place}`}
                role="option"
                aria-selected={place === at}
                tabIndex={-1}
                ref={place === at ? intoView : undefined}
                className={styles.item}
                onMouseMove={() => place !== at && onPoint(place)}
                onClick={() => onChoose(item)}
                data-testid="palette-item"
              >
                <Option item={item} />
              </div>
            );
          })}
        </div>
      ))}
    </Box>
  );
}
/* oxlint-enable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events */

function Option({ item }: { readonly item: Item }) {
  return (
    <>
      <Flex component="span" flex="none" c="dimmed">
        {item.icon}
      </Flex>
      <Box component="span" className="truncate" flex="0 1 auto">
        {item.name}
      </Box>
      <span className={`quiet small truncate ${styles.hint}`}>{item.hint}</span>
      {item.figure !== undefined && <span className="amount">{item.figure}</span>}
      {item.keys !== undefined && (
        <Flex component="span" gap={4} flex="none">
          {item.keys.map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </Flex>
      )}
    </>
  );
}
