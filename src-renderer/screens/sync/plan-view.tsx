import { Box, Button, Fieldset, Flex, Group, List, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconArchive, IconArrowLeft, IconArrowRight, IconBuilding, IconDeviceLaptop, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { SyncDeletions, SyncPlan, SyncPlanRow, SyncRemote, SyncResource } from '../../../src-shared/contract/index.ts';
import { countedNoun, SYNC_NOUNS } from '../../../src-shared/values/english.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useOperation } from '../../api/use-operation.ts';
import { type Column, FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Bar, Choice, classes, FigureButton, FigureLink, Mark, Pane, PaneHeader, Panes } from '../../components/primitives.tsx';
import { Said } from '../../components/said.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { instantText } from '../../format/dates.ts';
import { countOf, countText } from '../../format/counts.ts';
import {
  bracketWords,
  isResource,
  KIND_WORDS,
  movesOf,
  pairKey,
  partsOf,
  RECOGNISED_BY,
  RESOURCE_NAMES,
  resourceCounted,
  RESOURCES,
  sumsOf,
} from '../../format/sync-resources.ts';
import { deletedText } from '../../format/sync-words.ts';
import { useNavigation } from '../../state/navigation.ts';
import { sameChoices } from '../../state/sync-places.ts';
import { LINES_PAGE, LinesFrame, LinesPage } from './lines-drawer.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';

/** A figure of a preview. */
interface PlanFigure {
  readonly resource: SyncResource;
  readonly part: 'send' | 'receive' | 'stays';
}

const PARTS: Readonly<Record<PlanFigure['part'], string>> = {
  send: say('sync.parts.send'),
  receive: say('sync.parts.receive'),
  stays: say('sync.parts.stays'),
};

interface PlanDrawerProps {
  readonly remoteId: number;
  /** Null while the drawer is closed. */
  readonly figure: PlanFigure | null;
  readonly onClose: () => void;
}

/** The lines of a figure in the preview. */
function PlanDrawer({ remoteId, figure, onClose }: PlanDrawerProps) {
  const title = figure === null ? '' : `${RESOURCE_NAMES[figure.resource]} ${PARTS[figure.part]}`;
  return (
    <LinesFrame title={title} isOpen={figure !== null} onClose={onClose}>
      {figure !== null && <PlanLines key={`${figure.resource} ${figure.part}`} remoteId={remoteId} figure={figure} />}
    </LinesFrame>
  );
}

function PlanLines({ remoteId, figure }: { readonly remoteId: number; readonly figure: PlanFigure }) {
  const [page, setPage] = useState(0);
  const read = useOperation('syncs.plan_lines', { id: remoteId, ...figure, limit: LINES_PAGE, offset: page * LINES_PAGE });
  return <LinesPage read={read} page={page} onPage={setPage} />;
}

type Pair = SyncPlan['uncertain'][number];

/** Pairs that may be the same object. Each counts as two until the user says otherwise. */
function Uncertain({ remote, pairs }: { readonly remote: SyncRemote; readonly pairs: readonly Pair[] }) {
  const same = useStore(sameChoices, (state) => state.same[remote.id]) ?? [];
  const { say: choose } = sameChoices.getState();
  const [at, setAt] = useState(0);
  const current = pairs[Math.min(at, pairs.length - 1)];
  const answer = (isSame: boolean) => () => current !== undefined && choose(remote.id, pairKey(current), isSame);
  const step = (by: number) => () => setAt((place) => (place + by + pairs.length) % pairs.length);
  useShortcuts({ 1: answer(false), 2: answer(true), ...(pairs.length > 1 ? { j: step(1), k: step(-1) } : {}) });
  return (
    <section aria-labelledby="uncertain-heading" data-testid="uncertain">
      <PaneHeader id="uncertain-heading" title={say('sync.planView.notCertain')}>
        <span className="mid">{countText(pairs.length)}</span>
      </PaneHeader>
      {pairs.map((pair, place) => (
        <UncertainPair
          key={pairKey(pair)}
          pair={pair}
          remoteName={remote.name}
          isSame={same.includes(pairKey(pair))}
          isCurrent={pair === current}
          onCurrent={() => setAt(place)}
          onSay={(isSame) => choose(remote.id, pairKey(pair), isSame)}
        />
      ))}
    </section>
  );
}

interface UncertainPairProps {
  readonly pair: Pair;
  readonly remoteName: string;
  readonly isSame: boolean;
  /** Whether the keys 1 and 2 answer for this pair. */
  readonly isCurrent: boolean;
  readonly onCurrent: () => void;
  readonly onSay: (isSame: boolean) => void;
}

const NOUNS = {
  accounts: [say('sync.nouns.accounts'), 'accounts'],
  reconciliations: [say('sync.nouns.reconciliations'), 'reconciliations'],
} as const;

function UncertainPair({ pair, remoteName, isSame, isCurrent, onCurrent, onSay }: UncertainPairProps) {
  const [noun, nouns] = NOUNS[pair.resource];
  const choices = [
    { label: say('sync.planView.two', { nouns }), keys: '1', value: false },
    { label: say('sync.planView.theSameOne'), keys: '2', value: true },
  ];
  return (
    <Fieldset
      variant="unstyled"
      px="var(--edge)"
      pb="md"
      legend={
        <VisuallyHidden>
          {say('sync.planView.isHereTheSame', { localName: pair.local_name, remoteName: pair.remote_name, remoteName2: remoteName })}
        </VisuallyHidden>
      }
    >
      <div className="row">
        <IconDeviceLaptop size={15} aria-label={say('sync.planView.here')} />
        <span className="truncate grow" title={pair.local_name}>
          {noun} <b>{pair.local_name}</b>
        </span>
        <span className="quiet">{pair.local_words}</span>
      </div>
      <div className="row">
        <IconBuilding size={15} aria-label={remoteName} />
        <span className="truncate grow" title={pair.remote_name}>
          {noun} <b>{pair.remote_name}</b>
        </span>
        <span className="quiet">{pair.remote_words}</span>
      </div>
      <Flex gap="sm" align="center" wrap="wrap" mt="sm">
        {choices.map(({ label, keys, value }) => (
          <Choice
            key={label}
            label={label}
            after={isCurrent && <KeyHint keys={keys} />}
            name={`same ${pairKey(pair)}`}
            checked={isSame === value}
            onChange={() => onSay(value)}
            onFocus={onCurrent}
          />
        ))}
      </Flex>
    </Fieldset>
  );
}

/** An arrow among words stands a little lower than their line. */
const RAISED = { verticalAlign: -2 };

/** The most names in the list. The figure of the plan opens all of them. */
const LISTED = 6;

/** The names of new objects on each side. */
function FreshNames({ plan: { fresh }, name }: { readonly plan: SyncPlan; readonly name: string }) {
  return (
    <section aria-labelledby="fresh-heading">
      <PaneHeader id="fresh-heading" title={say('sync.planView.new')}>
        <span className="mid">{say('sync.planView.linesAndMatchesAside')}</span>
      </PaneHeader>
      <FigureTable
        columns={[
          { width: 124, narrow: 120, head: <VisuallyHidden>{say('sync.planView.kind')}</VisuallyHidden> },
          { title: name, head: <Way Icon={IconArrowRight} words={say('sync.planView.at', { name })} /> },
          { head: <Way Icon={IconArrowLeft} words={say('sync.planView.here')} /> },
        ]}
        isWrapping
        className="small"
        data-testid="fresh-names"
      >
        <tbody>
          {fresh.map(({ resource, there, here }) => (
            <tr key={resource}>
              <th scope="row" className="mid">
                {RESOURCE_NAMES[resource]}
              </th>
              <Names names={there} />
              <Names names={here} />
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}

function Way({ Icon, words }: { readonly Icon: typeof IconArrowLeft; readonly words: string }) {
  return (
    <>
      <Icon size={14} aria-hidden style={RAISED} /> {words}
    </>
  );
}

function Names({ names }: { readonly names: readonly string[] }) {
  if (names.length === 0) return <td className="quiet">–</td>;
  const more = names.length - LISTED;
  const listed = names.slice(0, LISTED).join(', ');
  return <td title={names.join(', ')}>{more > 0 ? say('sync.planView.andMore', { names: listed, more: countText(more) }) : listed}</td>;
}

/** Shows what a sync would move. */
export function PlanView({ control, plan }: { readonly control: SyncControl; readonly plan: SyncPlan }) {
  const { remote } = control;
  const [looked, look] = useState<PlanFigure | null>(null);
  return (
    <Stack className="fill" gap={0} data-testid="sync-plan">
      <Panes columns="1fr 408px" wide="1fr 540px" narrow="1fr 300px">
        <Pane aria-label={say('sync.planView.whatWouldMove')}>
          <Bar>
            <Mark tone="done" />
            <b>{say('sync.planView.connected')}</b>
            <Box component="span" className="mid truncate" flex="1 1 0" title={remote.base_url}>
              {hostOf(remote.base_url)} · {KIND_WORDS[plan.kind]}
            </Box>
            <span className="mid">{say('sync.planView.onlyReadSoFar')}</span>
            <WriteButton variant="default" size="compact-xs" onClick={control.preview} disabled={control.isStarting} data-testid="compare">
              {say('sync.planView.compareAgain')}
            </WriteButton>
          </Bar>
          <PlanTable plan={plan} remote={remote} onLook={look} />
          {plan.cannot_move.length > 0 && <CannotMove plan={plan} onLook={look} />}
        </Pane>
        {/* A list without a control in it can be scrolled by keys only when it takes the focus. */}
        <Pane kind="aside" aria-label={say('sync.planView.whoIsWho')} tabIndex={0}>
          <Recognised plan={plan} />
          {plan.uncertain.length > 0 && <Uncertain remote={remote} pairs={plan.uncertain} />}
          {plan.fresh.length > 0 && <FreshNames plan={plan} name={remote.name} />}
        </Pane>
      </Panes>
      <PlanFoot control={control} plan={plan} />
      <PlanDrawer remoteId={remote.id} figure={looked} onClose={() => look(null)} />
    </Stack>
  );
}

/** Returns the address without the parts that all addresses share. */
function hostOf(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/v1$/, '');
}

interface CannotMoveProps {
  readonly plan: SyncPlan;
  readonly onLook: (figure: PlanFigure) => void;
}

/** The objects that stay where they are, with the reasons. */
function CannotMove({ plan, onLook }: CannotMoveProps) {
  return (
    <>
      <PaneHeader id="cannot-heading" title={say('sync.planView.cannotMove')} count={say('sync.planView.nothingIsLostEachStays')} />
      <FigureTable
        columns={[
          { head: say('sync.planView.what'), width: 226, narrow: 180 },
          { head: say('sync.planView.count'), width: 66, isFigure: true },
          { head: say('sync.planView.stays'), width: 92 },
          { head: say('sync.planView.why') },
        ]}
        aria-labelledby="cannot-heading"
        data-testid="cannot-move"
      >
        <tbody>
          {plan.cannot_move.map(({ resource, name, reason, count, stays }) => (
            <tr key={`${resource} ${name} ${stays}`}>
              <th scope="row" title={name}>
                {name}
              </th>
              <td className="amount">
                {count > 0 && isResource(resource) && isListed(plan, { resource, count, stays }) ? (
                  <FigureButton label={`${countText(count)}, ${name}`} onClick={() => onLook({ resource, part: 'stays' })}>
                    {countText(count)}
                  </FigureButton>
                ) : (
                  <span className="mid">{count === 0 ? '–' : countText(count)}</span>
                )}
              </td>
              <td>{stays}</td>
              <td className="mid wrap">{reason}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </>
  );
}

/** Returns whether the plan can list the lines of a count: those of its kind that stay. Objects that are not synced are only counted. */
function isListed(
  { rows }: SyncPlan,
  { resource, count, stays }: Pick<SyncPlan['cannot_move'][number], 'resource' | 'count' | 'stays'>,
): boolean {
  return rows.some((row) => row.resource === resource && (stays === 'here' ? row.stays_here : row.stays_there) === count);
}

/** A summary of the sync, and the button that starts it. */
function PlanFoot({ control, plan }: { readonly control: SyncControl; readonly plan: SyncPlan }) {
  const go = useNavigation((state) => state.go);
  const { send, receive, to_decide: toDecide } = movesOf(plan);
  const leave = (): void => go({ screen: 'book' });
  const [isAsking, ask] = useState(false);
  const begin = (): void => (plan.deletions.wants_word ? ask(true) : control.sync(plan));
  const accept = (): void => {
    ask(false);
    control.sync(plan, plan.deletions.count);
  };
  useShortcuts({ 'mod+Enter': begin, Escape: leave });
  return (
    <Bar edge="bottom" data-testid="plan-foot">
      <span className={`row nowrap ${styles.sum}`}>
        <IconArrowRight size={14} aria-hidden /> <Said words="sync.planView.sendHowMany" with={{ send: <b>{countText(send)}</b> }} />
      </span>
      <span className={`row nowrap ${styles.sum}`}>
        <IconArrowLeft size={14} aria-hidden />{' '}
        <Said words="sync.planView.receiveHowMany" with={{ receive: <b>{countText(receive)}</b> }} />
      </span>
      {plan.deletions.count > 0 && (
        <span className={`row nowrap doubt ${styles.sum}`} data-testid="plan-deletes">
          <IconTrash size={14} aria-hidden /> <Said words="sync.planView.delete" with={{ deleted: <b>{deletedText(plan.deletions)}</b> }} />
        </span>
      )}
      {toDecide > 0 && (
        <span className={`row nowrap doubt ${styles.sum}`}>
          <Mark tone="open" />
          <Said words="sync.planView.waitForYouAfterwards" with={{ count: <b>{countText(toDecide)}</b>, toDecide }} />
        </span>
      )}
      <span className="grow" />
      <DeletionsDialog deletions={plan.deletions} opened={isAsking} onAccept={accept} onClose={() => ask(false)} />
      {plan.is_first && (
        <span className="row mid small">
          <IconArchive size={15} aria-hidden /> {say('sync.planView.thisBookIsBacked')}
        </span>
      )}
      <Button variant="subtle" color="gray" rightSection={<KeyHint keys="Esc" />} onClick={leave} aria-keyshortcuts="Escape">
        {say('sync.planView.cancel')}
      </Button>
      <WriteButton
        rightSection={<KeyHint keys={SYNC_KEYS.hint} />}
        onClick={begin}
        loading={control.isStarting}
        aria-keyshortcuts={SYNC_KEYS.aria}
        data-testid="sync-begin"
      >
        {plan.is_first ? say('sync.planView.backUpAndSync') : say('sync.planView.sync')}
      </WriteButton>
    </Bar>
  );
}

interface DeletionsDialogProps {
  readonly deletions: SyncDeletions;
  readonly opened: boolean;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

const wordOf = ({ resource, of }: SyncDeletions['list'][number]): string => {
  const [one, several] = SYNC_NOUNS[resource] ?? [resource, resource];
  return of === null ? one : say('sync.planView.severalOf', { several });
};

function takesWords({ count, of, takes }: SyncDeletions['list'][number]): string {
  if (of !== null) return say('sync.planView.countOf', { count, of });
  const parts = Object.entries(takes).map(([name, taken]) => countedNoun(taken, name));
  return parts.length === 0 ? '' : say('sync.planView.with', { parts: parts.join(', ') });
}

/** The objects that a sync deletes with everything that belongs to them, and the number of single lines and matches, with examples. */
export function DeletionList({ deletions }: { readonly deletions: SyncDeletions }) {
  return (
    <List size="sm" data-testid="deletion-list">
      {deletions.list.map((one) => (
        <List.Item key={`${one.side} ${one.resource} ${one.name}`}>
          {one.side === 'here' ? say('sync.planView.here') : say('sync.planView.there')}: {wordOf(one)} <b>{one.name}</b> {takesWords(one)}
          {one.examples.length > 0 && <span className="quiet"> ({one.examples.join('; ')})</span>}
        </List.Item>
      ))}
    </List>
  );
}

/** Asks before a sync deletes more than is allowed without consent, and lists the deletions. */
function DeletionsDialog({ deletions, opened, onAccept, onClose }: DeletionsDialogProps) {
  const words = countOf(deletions.count, 'count.deletions');
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={say('sync.planView.allow', { words })}
      closeButtonProps={{ 'aria-label': say('sync.planView.close') }}
    >
      <Stack data-testid="sync-deletions">
        <Text size="sm">{say('sync.planView.somebodyDeletedThisOnOneSide')}</Text>
        <DeletionList deletions={deletions} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {say('sync.planView.deleteNothing')}
          </Button>
          <WriteButton color="red" onClick={onAccept} data-testid="sync-deletions-accept">
            {say('sync.planView.deleteAndSync', { count: deletions.count })}
          </WriteButton>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The properties by which objects of both sides were recognised as the same. */
function Recognised({ plan }: { readonly plan: SyncPlan }) {
  const recognised = plan.recognised.toSorted((left, right) => RESOURCES.indexOf(left.resource) - RESOURCES.indexOf(right.resource));
  const total = recognised.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="recognised-heading">
      <PaneHeader id="recognised-heading" title={say('sync.planView.recognisedAsTheSame')}>
        {recognised.length > 0 && <span className="mid wide-only">{say('sync.planView.checkBeforeYouSync')}</span>}
      </PaneHeader>
      {recognised.length === 0 ? (
        <Box component="p" className="plain mid" pt="sm" pb="md" px="var(--edge)">
          {say('sync.planView.nothingOfOneSide')}
        </Box>
      ) : (
        <FigureTable columns={[{ width: 124, narrow: 120 }, {}, { width: 70 }]} data-testid="recognised">
          <tbody>
            {recognised.map(({ resource, by, count }, place) => (
              <tr key={`${resource} ${by}`}>
                <th scope="row">{recognised[place - 1]?.resource === resource ? '' : RESOURCE_NAMES[resource]}</th>
                <td className="mid wrap" title={RECOGNISED_BY[by]}>
                  {RECOGNISED_BY[by]}
                </td>
                <td className="amount">{countText(count)}</td>
              </tr>
            ))}
            <tr data-total>
              <th scope="row" colSpan={2}>
                {say('sync.planView.onBothSides')}
              </th>
              <td className="amount">{countText(total)}</td>
            </tr>
          </tbody>
        </FigureTable>
      )}
    </section>
  );
}

interface PlanTableProps {
  readonly plan: SyncPlan;
  readonly remote: SyncRemote;
  readonly onLook: (figure: PlanFigure) => void;
}

/** Returns the width of a column of figures. The last one has the name of the remote above it. */
const widthOf = (figures: number, place: number): Column =>
  figures === 6 ? { width: '12.5%' } : { width: '11%', narrow: place === figures - 1 ? '12.5%' : '10%' };

/** Here = send + agree + to decide, there = agree + to decide + receive, with one row per kind. */
function PlanTable({ plan, remote, onLook }: PlanTableProps) {
  const { objects, others } = partsOf(plan);
  const sums = sumsOf(objects);
  const stays = { here: sums.stays_here > 0, there: sums.stays_there > 0 };
  const shared = { stays, remote, onLook };
  const figures = 6 + Number(stays.here) + Number(stays.there);
  return (
    <FigureTable
      columns={[{}, ...Array.from({ length: figures }, (_each, place) => widthOf(figures, place))]}
      head={<PlanHead plan={plan} name={remote.name} stays={stays} />}
      className={styles.plan}
      data-testid="plan-table"
    >
      <tbody>
        {objects.map((row) => (
          <PlanRow key={row.resource} row={row} {...shared} />
        ))}
        <Total sums={sums} stays={stays} />
        <Brackets sums={sums} name={remote.name} stays={stays} />
        {others.map((row) => (
          <PlanRow key={row.resource} row={row} {...shared} />
        ))}
      </tbody>
    </FigureTable>
  );
}

interface Stays {
  readonly stays: { readonly here: boolean; readonly there: boolean };
}

function PlanHead({ plan, name, stays }: Stays & { readonly plan: SyncPlan; readonly name: string }) {
  return (
    <thead>
      <tr className={styles.groups}>
        <Blank span={2} />
        <th scope="colgroup" colSpan={stays.here ? 2 : 1}>
          <span>{say('sync.planView.onlyHere')}</span>
        </th>
        <th scope="colgroup" colSpan={2}>
          <span>{say('sync.planView.onBothSides')}</span>
        </th>
        <th scope="colgroup" colSpan={stays.there ? 2 : 1}>
          <span>{say('sync.planView.onlyThere')}</span>
        </th>
        <Blank span={1} />
      </tr>
      <tr>
        <th scope="col">
          <span className="wide-only">{say('sync.planView.asOf')} </span>
          {instantText(plan.as_of)}
        </th>
        <th scope="col" className="amount strong">
          {say('sync.planView.here')}
        </th>
        {stays.here && (
          <th scope="col" className="amount">
            {say('sync.planView.stays')}
          </th>
        )}
        <th scope="col" className="amount">
          <IconArrowRight size={14} aria-hidden className="wide-only" style={RAISED} /> {say('sync.planView.send')}
        </th>
        <th scope="col" className="amount">
          {say('sync.planView.agree')}
        </th>
        <th scope="col" className="amount">
          {say('sync.planView.toDecide')}
        </th>
        <th scope="col" className="amount">
          <IconArrowLeft size={14} aria-hidden className="wide-only" style={RAISED} /> {say('sync.planView.receive')}
        </th>
        {stays.there && (
          <th scope="col" className="amount">
            {say('sync.planView.stays')}
          </th>
        )}
        <th scope="col" className="amount strong" title={name}>
          {name}
        </th>
      </tr>
    </thead>
  );
}

type Sums = Stays & { readonly sums: Readonly<Record<Exclude<keyof SyncPlanRow, 'resource'>, number | null>> };

function Total({ sums, stays }: Sums) {
  const cell = (count: number | null) => <td className="amount">{countText(count ?? 0)}</td>;
  return (
    <tr data-total data-testid="plan-total">
      <th scope="row">{say('sync.planView.total')}</th>
      {cell(sums.here)}
      {stays.here && cell(sums.stays_here)}
      {cell(sums.send)}
      {cell(sums.agree)}
      <td className={classes('amount', (sums.to_decide ?? 0) > 0 && 'doubt')}>{countText(sums.to_decide ?? 0)}</td>
      {cell(sums.receive)}
      {stays.there && cell(sums.stays_there)}
      {cell(sums.there)}
    </tr>
  );
}

/** The equations of the totals. */
function Brackets({ sums, name, stays }: Sums & { readonly name: string }) {
  const here = bracketWords(say('sync.planView.here'), 'send', sums.stays_here ?? 0);
  const there = bracketWords(name, 'receive', sums.stays_there ?? 0);
  return (
    <>
      <tr className={styles.bracket}>
        <Blank span={1} />
        <td colSpan={stays.here ? 5 : 4}>
          <span title={here}>{here}</span>
        </td>
        <Blank span={stays.there ? 3 : 2} />
      </tr>
      <tr className={styles.bracket}>
        <Blank span={stays.here ? 4 : 3} />
        <td colSpan={stays.there ? 5 : 4}>
          <span title={there}>{there}</span>
        </td>
      </tr>
    </>
  );
}

/** An empty cell in the rows of the equations. */
function Blank({ span }: { readonly span: number }) {
  return <td colSpan={span} aria-hidden />;
}

interface PlanRowProps {
  readonly row: SyncPlanRow;
  readonly stays: { readonly here: boolean; readonly there: boolean };
  readonly remote: SyncRemote;
  readonly onLook: (figure: PlanFigure) => void;
}

/** One kind: the numbers of objects on each side, and what happens to them. */
function PlanRow({ row, stays, remote, onLook }: PlanRowProps) {
  const figure = (count: number, part: PlanFigure['part'], words: string) => (
    <Figure
      count={count}
      label={`${resourceCounted(row.resource, count)} ${words}`}
      onClick={() => onLook({ resource: row.resource, part })}
    />
  );
  return (
    <tr data-testid="plan-row" data-resource={row.resource}>
      <th scope="row" title={RESOURCE_NAMES[row.resource]}>
        {RESOURCE_NAMES[row.resource]}
      </th>
      <Plain count={row.here} />
      {stays.here && figure(row.stays_here, 'stays', say('sync.planView.thatStayHere'))}
      {figure(row.send, 'send', say('sync.planView.toSend'))}
      <Plain count={row.agree} />
      <ToDecide row={row} remote={remote} />
      {figure(row.receive, 'receive', say('sync.planView.toReceive'))}
      {stays.there && figure(row.stays_there, 'stays', say('sync.planView.thatStayAt', { name: remote.name }))}
      {row.there === null && row.here !== null ? (
        <td className="amount quiet">{say('sync.planView.notListed')}</td>
      ) : (
        <Plain count={row.there} />
      )}
    </tr>
  );
}

function Plain({ count }: { readonly count: number | null }) {
  if (count === null || count === 0) return <td className="amount quiet">–</td>;
  return <td className="amount mid">{countText(count)}</td>;
}

function Figure({ count, label, onClick }: { readonly count: number; readonly label: string; readonly onClick: () => void }) {
  if (count === 0) return <Plain count={0} />;
  return (
    <td className="amount strong">
      <FigureButton label={label} onClick={onClick} testId="plan-figure">
        {countText(count)}
      </FigureButton>
    </td>
  );
}

/** A link to the decisions, once a sync has found conflicts. */
function ToDecide({ row, remote }: Pick<PlanRowProps, 'row' | 'remote'>) {
  if (row.to_decide === 0) return <Plain count={0} />;
  const text = countText(row.to_decide);
  return (
    <td className="amount doubt">
      {remote.to_decide === 0 ? (
        text
      ) : (
        <FigureLink
          place={{ screen: 'sync', id: remote.id, tab: 'decide' }}
          label={say('sync.planView.resourceToDecide', { resourceCounted: resourceCounted(row.resource, row.to_decide) })}
        >
          {text}
        </FigureLink>
      )}
    </td>
  );
}

/** The label of the key that `mod` means in a shortcut. */
const MOD = /Mac/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export const SYNC_KEYS = { hint: `${MOD} ↵`, aria: 'Control+Enter Meta+Enter' } as const;
export const CANCEL_KEYS = { hint: `${MOD} .`, aria: 'Control+. Meta+.' } as const;
