import { Button, CloseButton, Group, Menu, Modal, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { IconBookmark, IconCheck, IconFilter, IconSearch, IconTrash, IconX } from '@tabler/icons-react';
import { Fragment, type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import type { Failure, SavedView, Stream, ViewedList } from '../../src-shared/contract/index.ts';
import { dayFromParts, isoFromDay } from '../../src-shared/values/civil-date.ts';
import { termsOf } from '../../src-shared/values/match-filter.ts';
import { grouped } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../api/use-operation.ts';
import { monthText } from '../format/dates.ts';
import styles from './filter-bar.module.css';
import { notifyFailure } from './notify.tsx';
import { WriteButton, WriteIcon } from './writing.tsx';

interface SearchFieldProps extends Pick<TextInputProps, 'className' | 'flex' | 'maw' | 'placeholder' | 'title' | 'aria-keyshortcuts'> {
  /** Says what is searched. */
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
  /** Moves the focus to what was found: by Enter, by the arrow down, and by Esc in an empty field. */
  readonly onLeave?: () => void;
  readonly testId: string;
}

/** The search above a list. Esc clears it. */
export function SearchField({ label, value, onText, field, onLeave, testId, ...rest }: SearchFieldProps) {
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        value === '' ? null : <CloseButton size="xs" aria-label={say('common.filter.clearSearch')} onClick={() => onText('')} />
      }
      value={value}
      maxLength={200}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        const { key } = event;
        const isClearing = key === 'Escape' && value !== '';
        const isLeaving = onLeave !== undefined && (key === 'Escape' || key === 'ArrowDown' || key === 'Enter');
        if (!isClearing && !isLeaving) return;
        event.preventDefault();
        event.stopPropagation();
        if (isClearing) onText('');
        else onLeave?.();
      }}
      {...rest}
      data-testid={testId}
    />
  );
}

/** Moves the focus to the search of a list. */
export const focusSearch = (name: string): void => document.querySelector<HTMLElement>(`[data-testid="search-${name}"]`)?.focus();

/** A term of a search, and what it says in words. */
export interface Offer {
  readonly term: string;
  readonly label: string;
}

/** Offers about the same. One of them takes the place of another, unless several may be chosen. */
export interface OfferGroup {
  readonly name: string;
  readonly offers: readonly Offer[];
  readonly isSeveral?: boolean;
}

const offer = (term: string, label: string): Offer => ({ term, label });

/** Returns the terms about the age of lines. */
export const ageOffers = (): OfferGroup => ({
  name: say('common.filter.age'),
  offers: [30, 60, 90].map((days) => offer(`age:>${days}`, say('common.filter.olderThan', { days }))),
});

/** Returns the terms about accounts, of which there is something to choose where there are several. */
export const accountOffers = (streams: readonly Pick<Stream, 'key' | 'name'>[]): OfferGroup => ({
  name: say('common.filter.account'),
  isSeveral: true,
  offers: streams.length < 2 ? [] : streams.map(({ key, name }) => offer(`account:"${key}"`, name)),
});

const STATES = {
  open: say('common.filter.open'),
  matched: say('common.filter.matched'),
  proposed: say('common.filter.inAProposal'),
  unproposed: say('common.filter.inNoProposal'),
  overdue: say('common.filter.overdue'),
  return: say('common.filter.returned'),
};

interface LineOffers {
  readonly streams: readonly Pick<Stream, 'key' | 'name'>[];
  readonly states: readonly (keyof typeof STATES)[];
  /** Who the selected lines are from or to. */
  readonly parties?: readonly string[];
  readonly today: number;
}

/** Returns the terms that a menu offers for lines: about amount, day, age, state, account and party. */
export function lineOffers({ streams, states, parties = [], today }: LineOffers): readonly OfferGroup[] {
  const [year = 0, month = 1] = isoFromDay(today).split('-').map(Number);
  const before = isoFromDay((dayFromParts(year, month, 1) ?? today) - 1);
  const months = [isoFromDay(today), before].map((iso) => iso.slice(0, 7));
  const groups = [
    {
      name: say('common.filter.amount'),
      offers: [
        ...['100', '1000', '10000'].map((size) => offer(`>${size}`, say('common.filter.above', { size: grouped(size) }))),
        offer('<=10', say('common.filter.upTo', { size: '10' })),
        offer('>=+0.01', say('common.filter.moneyIn')),
        offer('<=-0.01', say('common.filter.moneyOut')),
      ],
    },
    {
      name: say('common.filter.days'),
      offers: [...months.map((term) => offer(term, monthText(`${term}-01`))), offer('age:<=7', say('common.filter.lastDays', { days: 7 }))],
    },
    ageOffers(),
    { name: say('common.filter.state'), offers: states.map((state) => offer(`is:${state}`, STATES[state])) },
    accountOffers(streams),
    { name: say('common.filter.party'), offers: parties.map((name) => offer(`party:"${name.replaceAll('"', '')}"`, name)) },
  ];
  return groups.filter(({ offers }) => offers.length > 0);
}

const nameOf = (term: string): string | null => /^([a-z]+):/u.exec(term)?.[1] ?? null;

/** Adds a term to a text in place of those that say something else about the same. Of several, one that is there already is taken out. */
function withTerm(text: string, term: string, { offers, isSeveral = false }: OfferGroup): string {
  const terms = termsOf(text);
  if (isSeveral) return (terms.includes(term) ? terms.filter((other) => other !== term) : [...terms, term]).join(' ');
  const isOther = (other: string): boolean =>
    (nameOf(term) === null || nameOf(other) !== nameOf(term)) && !offers.some((each) => each.term === other);
  return [...terms.filter(isOther), term].join(' ');
}

interface FilterMenuProps {
  readonly groups: readonly OfferGroup[];
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Tells the menus of one screen apart. */
  readonly label?: string;
  /** Ends the test ids. */
  readonly name: string;
}

/** A menu that writes into the search, and the terms of the search as chips, each of which a click takes out. */
export function FilterMenu({ groups, text, onText, label, name }: FilterMenuProps) {
  const labels = new Map(groups.flatMap(({ offers }) => offers.map((each) => [each.term, each.label])));
  const terms = [...new Set(termsOf(text))];
  return (
    <>
      <Menu position="bottom-start" shadow="md" returnFocus>
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            className={styles.button}
            leftSection={<IconFilter size={13} aria-hidden />}
            aria-label={label}
            title={label ?? say('common.filter.filters')}
            data-short
            data-testid={`filters-${name}`}
          >
            {say('common.filter.filters')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="scrolls" mah="min(30rem, 70vh)">
          {groups.map((group) => (
            <Fragment key={group.name}>
              <Menu.Label>{group.name}</Menu.Label>
              {group.offers.map((each) => (
                <Menu.Item
                  key={each.term}
                  rightSection={terms.includes(each.term) ? <IconCheck size={13} aria-label={say('common.filter.chosen')} /> : undefined}
                  closeMenuOnClick={group.isSeveral !== true}
                  onClick={() => onText(withTerm(text, each.term, group))}
                >
                  {each.label}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      {terms.map((term) => (
        <button
          key={term}
          type="button"
          className={styles.chip}
          onClick={() => onText(terms.filter((other) => other !== term).join(' '))}
          title={say('common.filter.takeOut')}
          data-testid="filter-chip"
        >
          <span className="truncate">{labels.get(term) ?? term}</span>
          <IconX size={11} aria-hidden />
        </button>
      ))}
    </>
  );
}

type Filter = SavedView['filter'];
type View = Pick<SavedView, 'name' | 'filter'>;

const view = (name: string, search: string, more: Filter = {}): View => ({ name, filter: { search, ...more } });
const older = (days: number): View => view(say('common.filter.olderThan', { days }), `age:>${days}`);
const above = (size: string): View => view(say('common.filter.above', { size: grouped(size) }), `>${size}`);

/** The views that every book has. They are made when they are asked for, since the notation of the book may change. */
const SHIPPED: Readonly<Record<ViewedList, () => readonly View[]>> = {
  open: () => [
    older(30),
    older(90),
    above('1000'),
    view(say('common.filter.inNoProposal'), 'is:unproposed'),
    view(say('common.filter.overdue'), 'is:overdue'),
  ],
  proposed: () => [
    view(say('matches.filter.likelyOrMore', { percent: '99' }), 'likely:>=99'),
    view(say('matches.filter.likelyBelow', { percent: '50' }), 'likely:<50'),
    view(say('matches.filter.differenceUpTo', { size: grouped('0.50') }), 'difference:<=0.50'),
    view(say('matches.filter.anyDifference'), 'difference:>0'),
  ],
  matched: () => [
    view(say('matches.filter.anyDifference'), 'difference:>0'),
    view(say('matches.groupColumns.byHand'), 'by:hand'),
    above('1000'),
  ],
  records: () => [
    view(say('common.filter.openAndOlder', { days: 30 }), 'age:>30 is:open'),
    view(say('common.filter.openAndAbove', { size: grouped('1000') }), '>1000 is:open'),
    view(say('common.filter.overdue'), 'is:overdue'),
  ],
  history: () => [view(say('book.history.view.sync'), '', { by: 'sync' }), view(say('book.history.view.byHand'), '', { by: 'window' })],
  exceptions: () => [older(30), above('1000'), view(say('records.exceptionsScreen.open'), '', { status: 'open' })],
};

/** Returns what tells filters apart: the fields that say something. */
function keyOf(filter: Filter): string {
  return JSON.stringify(
    Object.entries(filter)
      .map(([field, value]) => [field, value.trim()])
      .filter(([, value]) => value !== '')
      .toSorted(),
  );
}
const NOTHING = keyOf({});
const NO_VIEWS: readonly SavedView[] = [];

interface SavedViewsProps {
  readonly list: ViewedList;
  /** What is filtered now: the fields by name, of which an empty one does not filter. */
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** Moves the focus to the list. */
  readonly onLeave: () => void;
  readonly label?: string;
  readonly name: string;
}

/** Opens the menu of views by its key. */
export const openViews = (name: string): void => document.querySelector<HTMLElement>(`[data-testid="views-${name}"]`)?.click();

/** The filters with a name: chosen here, and the present one kept under a name. */
export function SavedViews({ list, filter, onFilter, onLeave, label = say('common.views.title'), name }: SavedViewsProps) {
  const { data: own = NO_VIEWS } = useOperation('views.list', { list });
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'keep' | 'edit' | null>(null);
  const isChoosing = useRef(false);
  const button = useRef<HTMLButtonElement>(null);
  const shipped = SHIPPED[list]();
  const key = keyOf(filter);
  const current = [...own, ...shipped].find((each) => keyOf(each.filter) === key);
  function choose(chosen: Filter): void {
    isChoosing.current = true;
    onFilter(chosen);
  }
  function close(): void {
    setOpen(false);
    if (isChoosing.current) onLeave();
    else if (document.activeElement?.closest('[role="menu"]') !== null) button.current?.focus();
    isChoosing.current = false;
  }
  return (
    <>
      <Menu position="bottom-start" shadow="md" returnFocus={false} opened={isOpen} onOpen={() => setOpen(true)} onClose={close}>
        <Menu.Target>
          <Button
            ref={button}
            size="compact-sm"
            variant="default"
            className={styles.button}
            leftSection={<IconBookmark size={13} aria-hidden />}
            aria-label={current === undefined ? label : say('common.views.current', { views: label, name: current.name })}
            aria-keyshortcuts="V"
            title={`${current === undefined ? label : current.name} (V)`}
            data-short={current === undefined || undefined}
            data-testid={`views-${name}`}
          >
            <span className="truncate">{current?.name ?? say('common.views.title')}</span>
          </Button>
        </Menu.Target>
        <Menu.Dropdown className="scrolls" mah="min(30rem, 70vh)">
          {own.length > 0 && <Menu.Label>{say('common.views.kept')}</Menu.Label>}
          <ViewItems views={own} current={current} onChoose={choose} />
          <Menu.Label>{say('common.views.readyMade')}</Menu.Label>
          <ViewItems views={shipped} current={current} onChoose={choose} />
          <Menu.Divider />
          <Menu.Item disabled={key === NOTHING || current !== undefined} onClick={() => setDialog('keep')} data-testid="keep-view">
            {say('common.views.keep')}
          </Menu.Item>
          <Menu.Item disabled={own.length === 0} onClick={() => setDialog('edit')} data-testid="edit-views">
            {say('common.views.edit')}
          </Menu.Item>
          <Menu.Item disabled={key === NOTHING} onClick={() => choose({})} data-testid="no-view">
            {say('common.views.none')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'keep' && <KeepView list={list} filter={filter} onClose={() => setDialog(null)} />}
      {dialog === 'edit' && <EditViews views={own} onClose={() => setDialog(null)} />}
    </>
  );
}

interface ViewItemsProps {
  readonly views: readonly View[];
  readonly current: View | undefined;
  readonly onChoose: (filter: Filter) => void;
}

function ViewItems({ views, current, onChoose }: ViewItemsProps) {
  return views.map((each) => (
    <Menu.Item
      key={each.name}
      aria-current={each === current ? 'true' : undefined}
      onClick={() => onChoose(each.filter)}
      data-testid="view"
    >
      {each.name}
    </Menu.Item>
  ));
}

/** Asks for the name under which a filter is kept. */
function KeepView({ list, filter, onClose }: Pick<SavedView, 'list' | 'filter'> & { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useCommand('views.create', setFailure);
  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value.trim() !== ''));
    if (name.trim() !== '' && (await create.run({ list, name, filter: given })).ok) onClose();
  }
  return (
    <Modal opened onClose={onClose} title={say('common.views.keepTitle')} closeButtonProps={{ 'aria-label': say('common.views.close') }}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack>
          <TextInput
            label={say('common.views.name')}
            value={name}
            maxLength={60}
            error={failure?.message}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setFailure(null);
            }}
            data-autofocus
            data-testid="view-name"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('records.cancel')}
            </Button>
            <WriteButton type="submit" loading={create.isRunning} disabled={name.trim() === ''} data-testid="view-save">
              {say('common.views.save')}
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Renames and deletes the views of a list. */
function EditViews({ views, onClose }: { readonly views: readonly SavedView[]; readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={say('common.views.editTitle')} closeButtonProps={{ 'aria-label': say('common.views.close') }}>
      <Stack gap="xs">
        {views.length === 0 && (
          <Text size="sm" c="dimmed">
            {say('common.views.noneLeft')}
          </Text>
        )}
        {views.map((each) => (
          <EditView key={each.id} view={each} />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('common.views.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** A name that is kept by Enter or when its field is left. Esc takes back what was typed. */
function EditView({ view: { id, name } }: { readonly view: SavedView }) {
  const [draft, setDraft] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('views.update', setFailure);
  const remove = useCommand('views.remove', (refused) => notifyFailure(say('common.views.notDeleted'), refused));
  async function rename(): Promise<void> {
    const typed = draft?.trim() ?? name;
    if (typed === '' || typed === name) return setDraft(null);
    if ((await update.run({ id, name: typed })).ok) setDraft(null);
  }
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <TextInput
        flex={1}
        size="xs"
        aria-label={say('common.views.name')}
        value={draft ?? name}
        maxLength={60}
        error={failure?.message}
        onChange={(event) => {
          setDraft(event.currentTarget.value);
          setFailure(null);
        }}
        onBlur={() => void rename()}
        onKeyDown={(event) => {
          if (event.key === 'Enter') void rename();
          if (event.key !== 'Escape' || draft === null) return;
          event.stopPropagation();
          setDraft(null);
          setFailure(null);
        }}
        data-mantine-stop-propagation={draft !== null || undefined}
        data-testid="view-rename"
      />
      <WriteIcon
        variant="default"
        size={30}
        loading={remove.isRunning}
        aria-label={say('common.views.delete', { name })}
        title={say('common.views.delete', { name })}
        onClick={() => void remove.run({ id })}
        data-testid="view-delete"
      >
        <IconTrash size={15} aria-hidden />
      </WriteIcon>
    </Group>
  );
}
