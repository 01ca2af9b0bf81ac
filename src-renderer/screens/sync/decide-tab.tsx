import { Box, Button, Flex, Group, SimpleGrid, Skeleton, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconBuilding, IconCheck, IconDeviceLaptop, IconRefresh } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react';
import type { Output, SyncActivity, SyncConflict, SyncConflictSide, SyncRemote, SyncUnsure } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Bar, EmptyState, Letter, PaneHeader, Panes } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useShowThing } from '../../components/place-link.tsx';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { dateText, instantText } from '../../format/dates.ts';
import { countText } from '../../format/counts.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import {
  choiceWords,
  conflictKey,
  type DecideGroups,
  groupsOf,
  keyed,
  kindName,
  ofConflict,
  ofUnsure,
  SEND_AGAIN,
  undecidedOf,
} from '../../format/sync-resources.ts';
import { type Placed, placeOf } from '../../state/sync-places.ts';
import { ConflictList, type Decisions, useDecisions } from './conflict-list.tsx';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { say } from '../../../src-shared/words/say.ts';

interface SidesProps {
  readonly remoteName: string;
  readonly here: SyncConflictSide;
  readonly there: SyncConflictSide;
  /** The words for a side that does not have the object. */
  readonly gone: string;
}

const isEmpty = ({ lines, sums }: SyncConflictSide): boolean => lines.length + sums.length === 0;

/** The lines of both sides, side by side. Lines that the other side lacks or has with other values are marked. */
function SideLines({ remoteName, here, there, gone }: SidesProps) {
  if (isEmpty(here) && isEmpty(there)) return null;
  const hasReferences = [...here.lines, ...there.lines].some(({ reference }) => reference !== null);
  return (
    <SimpleGrid minColWidth={290} autoFlow="auto-fit" spacing={0} className={styles.sides} data-testid="conflict-sides">
      <OneSide name="Here" isHere side={here} gone={gone} hasReferences={hasReferences} />
      <OneSide name={remoteName} isHere={false} side={there} gone={gone} hasReferences={hasReferences} />
    </SimpleGrid>
  );
}

interface OneSideProps {
  readonly name: string;
  readonly isHere: boolean;
  readonly side: SyncConflictSide;
  readonly gone: string;
  /** Whether a line of either side has a reference. */
  readonly hasReferences: boolean;
}

function OneSide({ name, isHere, side, gone, hasReferences }: OneSideProps) {
  return (
    <section aria-label={name}>
      <Box className="line-below" pt={7} pb="sm" pr="md" pl="var(--edge)" bg="var(--sunken)">
        <SideHead name={name} isHere={isHere} side={side} />
      </Box>
      {isEmpty(side) && (
        <Box component="p" className="plain mid" pt="sm" pb="md" px="var(--edge)">
          {side.is_gone ? gone : say('sync.decideTab.noLines')}
        </Box>
      )}
      <FigureTable
        columns={[
          { width: 48 },
          { width: 88 },
          {},
          ...(hasReferences ? [{ width: '22%', narrow: 0, className: 'wide-cell' }] : []),
          { width: 106 },
        ]}
        className={styles.marked}
      >
        <tbody>
          {keyed(side.lines, ({ record_id: id, description }) => String(id ?? description)).map(({ item: line, key }) => (
            <tr key={key} data-differs={line.differs || undefined}>
              <td>{line.side !== null && <Letter>{line.side.toUpperCase()}</Letter>}</td>
              <td className="tabular mid small">{dateText(line.date)}</td>
              <th scope="row" title={line.description ?? undefined}>
                {line.description ?? say('sync.decideTab.noDescription')}
              </th>
              {hasReferences && (
                <td className="mid small wide-cell" title={line.reference ?? undefined}>
                  {line.reference}
                </td>
              )}
              <td className="amount">{plainAmount(line.money.amount, line.money.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
        <tbody>
          {side.sums.map(({ label, money }, place) => (
            <tr key={label} data-total={place === side.sums.length - 1 || undefined}>
              <th scope="row" colSpan={hasReferences ? 4 : 3} title={label}>
                {label}
              </th>
              <td className="amount">{plainAmount(money.amount, money.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </section>
  );
}

/** The frame of what is to be decided, beside its list. */
function OneToDecide({ testId, children }: { readonly testId: string; readonly children: ReactNode }) {
  return (
    <Flex component="section" className="fill" direction="column" aria-label={say('sync.decideTab.theOneToDecide')} data-testid={testId}>
      {children}
    </Flex>
  );
}

interface UnsureDetailProps {
  readonly remote: SyncRemote;
  readonly unsure: SyncUnsure;
  readonly groups: DecideGroups;
  readonly decisions: Decisions;
  readonly onLater: () => void;
}

/** A record that was sent without an answer. The user looks at the remote and says whether it arrived. */
function UnsureDetail({ remote, unsure, groups, decisions, onLater }: UnsureDetailProps) {
  const one = ofUnsure(unsure);
  const { choice, name, sent_as: sentAs, sent_at: sentAt } = unsure;
  const isRenamed = sentAs !== name && !sentAs.startsWith(`${name}, `);
  const field = useRef<HTMLInputElement>(null);
  const sendAgain = (): void => {
    if (choice !== SEND_AGAIN) decisions.choose(one, SEND_AGAIN);
  };
  useShortcuts({ '1': () => field.current?.focus(), '2': sendAgain });
  return (
    <OneToDecide testId="unsure-detail">
      <div className="fill scrolls">
        <Group className="line-below" justify="space-between" align="start" wrap="nowrap" px="var(--edge)" py="sm">
          <div>
            <h2 className="plain">{say('sync.decideTab.notSureWhetherItArrived')}</h2>
            <Flex component="p" className="mid" gap="sm" wrap="wrap" m={0}>
              <span>{say('sync.decideTab.bankAccount')}</span>
              <b className="truncate" title={sentAs}>
                {sentAs}
              </b>
              <span className="tabular">{say('sync.decideTab.sent', { moment: instantText(sentAt) })}</span>
              {isRenamed && (
                <span className="truncate" title={name}>
                  {say('sync.decideTab.now', { name })}
                </span>
              )}
            </Flex>
          </div>
          <WhichOne itemKey={one.key} groups={groups} />
        </Group>
        <Box component="p" className="plain mid" pt="sm" pb="md" px="var(--edge)">
          {say('sync.decideTab.theAnswerOfWasLost', { name: remote.name })}
        </Box>
        <SimpleGrid minColWidth={290} autoFlow="auto-fit" spacing={0} className={styles.sides}>
          <ThereForm unsure={unsure} decisions={decisions} field={field} />
          <Box component="section" px="var(--edge)" py="md" aria-labelledby="send-again-heading">
            <h3 id="send-again-heading" className="plain">
              <KeyHint keys="2" /> {say('sync.decideTab.itIsNotThere')}
            </h3>
            <p className="mid small">{say('sync.decideTab.theNextSyncSends')}</p>
            <Flex gap="sm" align="center" wrap="wrap" mt="sm">
              <WriteButton
                variant={choice === SEND_AGAIN ? 'light' : 'default'}
                disabled={decisions.isRunning}
                onClick={() => (choice === SEND_AGAIN ? decisions.takeBack(one) : sendAgain())}
                aria-keyshortcuts="2"
                aria-label={choice === SEND_AGAIN ? say('sync.decideTab.sendItAgainDecided') : undefined}
                data-testid="send-again"
              >
                {choice === SEND_AGAIN ? say('sync.decideTab.decidedUndo') : say('sync.decideTab.sendItAgain')}
              </WriteButton>
            </Flex>
          </Box>
        </SimpleGrid>
      </div>
      <DetailFoot
        remote={remote}
        thing={{ ...unsure, reconciliation_id: null, data_stream_key: null }}
        canWait={choice === null && undecidedOf(groups).length > 1}
        onLater={onLater}
      />
    </OneToDecide>
  );
}

interface ThereFormProps extends Pick<UnsureDetailProps, 'unsure' | 'decisions'> {
  readonly field: RefObject<HTMLInputElement | null>;
}

const IS_ID = /^[1-9]\d{0,14}$/;

/** Asks for the id of the record at the remote. */
function ThereForm({ unsure, decisions, field }: ThereFormProps) {
  const one = ofUnsure(unsure);
  const said = unsure.choice === SEND_AGAIN ? null : unsure.choice;
  const [typed, setTyped] = useState(said ?? '');
  const [isWrong, setWrong] = useState(false);
  const isReadOnly = useReadOnlyReason() !== null;
  const isChosen = said !== null && typed.trim() === said;
  function submit(event: FormEvent): void {
    event.preventDefault();
    const id = typed.trim();
    if (isChosen) return decisions.takeBack(one);
    setWrong(!IS_ID.test(id));
    if (IS_ID.test(id)) decisions.choose(one, id);
    else field.current?.focus();
  }
  return (
    <Box component="section" px="var(--edge)" py="md" aria-labelledby="there-heading">
      <h3 id="there-heading" className="plain">
        <KeyHint keys="1" /> {say('sync.decideTab.itIsThere')}
      </h3>
      <p className="mid small">{say('sync.decideTab.nothingIsSentBothAreTheSame')}</p>
      <Flex component="form" gap="sm" align="center" wrap="wrap" mt="sm" onSubmit={submit} noValidate>
        <TextInput
          ref={field}
          aria-label={say('sync.decideTab.itsIdThere')}
          placeholder={say('sync.decideTab.itsIdThere')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={15}
          value={typed}
          readOnly={isReadOnly}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(false);
          }}
          error={isWrong ? say('sync.decideTab.theIdIsAWhole') : undefined}
          aria-keyshortcuts="1"
          data-testid="id-there"
        />
        <WriteButton type="submit" variant={isChosen ? 'light' : 'default'} disabled={decisions.isRunning} data-testid="it-is-there">
          {isChosen ? say('sync.decideTab.decidedUndo') : say('sync.decideTab.itIsThere')}
        </WriteButton>
      </Flex>
    </Box>
  );
}

/** The most entries of one request. Others follow when these are decided. */
const LISTED = 500;

interface DecideTabProps {
  readonly control: SyncControl;
  readonly activity: SyncActivity | null;
  /** The conflict to show first; null for the first of the list. */
  readonly first: number | null;
}

/** The conflicts with the consequences of each choice, and the records that may not have arrived. */
export function DecideTab({ control, activity, first }: DecideTabProps) {
  const { remote } = control;
  const conflicts = useOperation('sync_conflicts.list', { id: remote.id, limit: LISTED });
  const unsure = useOperation('sync_unsure.list', { id: remote.id });
  const failure = conflicts.error ?? unsure.error;
  const groups = useMemo(() => groupsOf(conflicts.data?.data ?? [], unsure.data ?? []), [conflicts.data, unsure.data]);
  const decisions = useDecisions(groups, first === null ? null : conflictKey(first));
  const { shown, step } = decisions;
  const go = (by: 1 | -1) => () => {
    const next = step(by);
    if (next !== null) document.querySelector<HTMLElement>(`#${next}`)?.focus();
  };
  useShortcuts({ j: go(1), k: go(-1), l: go(1) });
  const isRead = conflicts.data !== undefined && unsure.data !== undefined;
  if (!isRead && failure !== null) {
    const retry = (): void => {
      void conflicts.refetch();
      void unsure.refetch();
    };
    return (
      <Box p="lg">
        <FailurePanel title={say('sync.decideTab.whatWaitsForYourDecision')} failure={failure} onRetry={retry} />
      </Box>
    );
  }
  if (!isRead) {
    return (
      <Box p="lg" aria-busy>
        <Skeleton height={240} radius="lg" />
      </Box>
    );
  }
  if (shown === undefined) return <NothingToDecide name={remote.name} isUnderWay={activity !== null && activity.ended_at === null} />;
  return (
    <Panes columns="316px 1fr" wide="400px 1fr" narrow="248px 1fr" data-testid="sync-decide">
      <ConflictList remote={remote} groups={groups} total={conflicts.data.total + unsure.data.length} decisions={decisions} />
      {shown.conflict === null ? (
        <UnsureDetail key={shown.key} remote={remote} unsure={shown.unsure} groups={groups} decisions={decisions} onLater={go(1)} />
      ) : (
        <ConflictDetail key={shown.key} remote={remote} conflict={shown.conflict} groups={groups} decisions={decisions} onLater={go(1)} />
      )}
    </Panes>
  );
}

function NothingToDecide({ name, isUnderWay }: { readonly name: string; readonly isUnderWay: boolean }) {
  return (
    <EmptyState title={say('sync.decideTab.nothingToDecide')} data-testid="nothing-to-decide">
      <p>{isUnderWay ? say('sync.decideTab.whatTheSyncThatGoesOnLeaves') : say('sync.decideTab.whereThisBookAndChanged', { name })}</p>
    </EmptyState>
  );
}

interface ConflictDetailProps {
  readonly remote: SyncRemote;
  readonly conflict: SyncConflict;
  readonly groups: DecideGroups;
  readonly decisions: Decisions;
  readonly onLater: () => void;
}

/** One conflict in full: both sides, the consequences of each choice, and the buttons. */
function ConflictDetail({ remote, conflict, groups, decisions, onLater }: ConflictDetailProps) {
  const { data: value, error: failure, refetch } = useOperation('sync_conflicts.get', { id: conflict.id });
  const gone = conflict.kind === 'closed_period' ? say('sync.decideTab.notOnThisSide') : say('sync.decideTab.deleted');
  return (
    <OneToDecide testId="conflict-detail">
      <div className="fill scrolls">
        <Head conflict={conflict} outcomeOf={value?.outcome_of ?? null} groups={groups} />
        {value === undefined && failure !== null && (
          <Box p="lg">
            <FailurePanel title={say('sync.decideTab.bothSidesCouldNotBeRead')} failure={failure} onRetry={refetch} />
          </Box>
        )}
        {value === undefined && failure === null && (
          <Box p="lg" aria-busy>
            <Skeleton height={220} />
          </Box>
        )}
        {value !== undefined && (
          <>
            <SideLines remoteName={remote.name} here={value.here} there={value.there} gone={gone} />
            <SideFields remoteName={remote.name} here={value.here} there={value.there} gone={gone} />
            <Outcomes read={value} conflict={conflict} decisions={decisions} />
            <Notes notes={value.notes} />
          </>
        )}
      </div>
      <DetailFoot remote={remote} thing={conflict} canWait={conflict.choice === null && undecidedOf(groups).length > 1} onLater={onLater} />
    </OneToDecide>
  );
}

interface HeadProps extends Pick<ConflictDetailProps, 'conflict' | 'groups'> {
  readonly outcomeOf: string | null;
}

function Head({ conflict, outcomeOf, groups }: HeadProps) {
  const { words, title, date, money } = conflict;
  return (
    <Group className="line-below" justify="space-between" align="start" wrap="nowrap" px="var(--edge)" py="sm">
      <div>
        <h2 className="plain wrap" title={conflict.what}>
          {words}
        </h2>
        <Flex component="p" className="mid" gap="sm" wrap="wrap" m={0}>
          <b className="truncate" title={title}>
            {title}
          </b>
          {date !== null && <span className="tabular">{dateText(date)}</span>}
          {money !== null && (
            <b className="tabular">
              {plainAmount(money.amount, money.decimal_places)} {money.currency}
            </b>
          )}
          {outcomeOf !== null && (
            <span className="truncate" title={outcomeOf}>
              {outcomeOf}
            </span>
          )}
        </Flex>
      </div>
      <WhichOne itemKey={conflictKey(conflict.id)} groups={groups} />
    </Group>
  );
}

function Notes({ notes }: { readonly notes: Output<'sync_conflicts.get'>['notes'] }) {
  if (notes.length === 0) return null;
  return (
    <Box component="ul" className="plain mid small" px="var(--edge)" py="sm" data-testid="conflict-notes">
      {notes.map(({ mark, words }) => (
        <li key={words} className="row">
          {mark === 'fact' ? (
            <IconCheck size={14} color="var(--matched)" aria-hidden />
          ) : (
            <IconAlertTriangle size={14} color="var(--open)" aria-label={say('sync.decideTab.note')} />
          )}
          <span>{words}</span>
        </li>
      ))}
    </Box>
  );
}

/** The position of the visible entry among the undecided ones. */
function WhichOne({ itemKey, groups }: { readonly itemKey: string; readonly groups: DecideGroups }) {
  const open = undecidedOf(groups);
  const at = open.findIndex(({ key }) => key === itemKey);
  return (
    <Flex component="span" className="mid small nowrap" gap={4} align="center">
      {at < 0 ? say('sync.decideTab.decided') : say('sync.decideTab.of', { at: countText(at + 1), open: countText(open.length) })}
      <KeyHint keys="J" />
      <KeyHint keys="K" />
    </Flex>
  );
}

interface DetailFootProps {
  readonly remote: SyncRemote;
  readonly thing: Placed;
  /** Whether the entry can wait: it is not decided and there are others. */
  readonly canWait: boolean;
  readonly onLater: () => void;
}

/** Says when a choice is carried out, links to the object, and leads to the next entry. */
function DetailFoot({ remote, thing, canWait, onLater }: DetailFootProps) {
  const show = useShowThing();
  const hasPlace = placeOf(thing) !== null;
  const open = (): void => void show(thing);
  useShortcuts(hasPlace ? { e: open } : {});
  return (
    <Bar edge="bottom">
      <Flex component="span" className="row mid small" flex="1 1 200px">
        <IconRefresh size={15} aria-hidden />
        <span className="truncate" title={say('sync.decideTab.theNextSyncCarries', { name: remote.name })}>
          {say('sync.decideTab.theNextSyncCarries', { name: remote.name })}
        </span>
      </Flex>
      {hasPlace && (
        <Button
          variant="subtle"
          color="gray"
          rightSection={<KeyHint keys="E" />}
          onClick={open}
          aria-keyshortcuts="E"
          data-testid="conflict-details"
        >
          {say('sync.decideTab.details')}
        </Button>
      )}
      {canWait && (
        <Button variant="default" rightSection={<KeyHint keys="L" />} onClick={onLater} aria-keyshortcuts="L" data-testid="decide-later">
          {say('sync.decideTab.decideLater')}
        </Button>
      )}
    </Bar>
  );
}

/** The column of the names of fields and effects. */
const FIELD = { width: 164, narrow: 128 };

type Read = Output<'sync_conflicts.get'>;
type Outcome = Read['outcomes'][number];

interface OutcomesProps {
  readonly read: Read;
  readonly conflict: SyncConflict;
  readonly decisions: Decisions;
}

/** Returns an outcome for every choice. A choice that the service does not describe gets its button nevertheless. */
function outcomesOf({ outcomes }: Read, { choices }: SyncConflict): readonly Outcome[] {
  const others = choices.filter((choice) => outcomes.every((outcome) => outcome.choice !== choice));
  return [
    ...outcomes,
    ...others.map((choice) => ({ choice, label: choiceWords(choice), verb: say('sync.decideTab.chooseThis'), effects: [] })),
  ];
}

/** The consequences of each choice side by side, with the buttons. */
function Outcomes({ read, conflict, decisions }: OutcomesProps) {
  const outcomes = outcomesOf(read, conflict);
  const labels = [...new Set(outcomes.flatMap(({ effects }) => effects.map(({ label }) => label)))];
  const choose = ({ choice }: Outcome): void => {
    if (choice !== conflict.choice) decisions.choose(ofConflict(conflict), choice);
  };
  useShortcuts(Object.fromEntries(outcomes.map((outcome, place) => [String(place + 1), () => choose(outcome)])));
  return (
    <>
      <div className="line-above">
        <PaneHeader
          id="outcomes-heading"
          title={say('sync.decideTab.whatEachChoiceLeads')}
          count={read.outcome_of === null ? undefined : <span title={read.outcome_of}>{read.outcome_of}</span>}
        />
      </div>
      <FigureTable
        columns={[
          { ...FIELD, head: <VisuallyHidden>{say('sync.decideTab.whatFollows')}</VisuallyHidden> },
          ...outcomes.map(({ label }, place) => ({
            title: label,
            head: (
              <>
                <KeyHint keys={String(place + 1)} /> {label}
              </>
            ),
          })),
        ]}
        isWrapping
        className={`${styles.marked} ${styles.ruled}`}
        aria-labelledby="outcomes-heading"
        data-testid="outcomes"
      >
        <tbody>
          {labels.map((label) => (
            <tr key={label}>
              <th scope="row" title={label}>
                {kindName(label)}
              </th>
              {outcomes.map((outcome) => (
                <Effect key={outcome.choice} outcome={outcome} label={label} />
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">
              <VisuallyHidden>{say('sync.decideTab.choose')}</VisuallyHidden>
            </th>
            {outcomes.map((outcome, place) => (
              <td key={outcome.choice}>
                <ChooseButton outcome={outcome} place={place + 1} conflict={conflict} decisions={decisions} onChoose={choose} />
              </td>
            ))}
          </tr>
        </tbody>
      </FigureTable>
    </>
  );
}

function Effect({ outcome, label }: { readonly outcome: Outcome; readonly label: string }) {
  const effect = outcome.effects.find((each) => each.label === label);
  if (effect === undefined) return <td className="quiet">–</td>;
  const { words, money, moves } = effect;
  return (
    <td data-differs={moves || undefined}>
      <Group justify="space-between" gap="xs">
        <span className={moves ? undefined : 'quiet'} title={words}>
          {words}
        </span>
        {money !== null && (
          <span className="tabular" title={moneyText(money.amount, money.currency, money.decimal_places)}>
            {plainAmount(money.amount, money.decimal_places)}
          </span>
        )}
      </Group>
    </td>
  );
}

interface ChooseButtonProps extends Pick<OutcomesProps, 'conflict' | 'decisions'> {
  readonly outcome: Outcome;
  readonly place: number;
  readonly onChoose: (outcome: Outcome) => void;
}

/** The button of a choice. The chosen one takes the decision back. */
function ChooseButton({ outcome, place, conflict, decisions, onChoose }: ChooseButtonProps) {
  const isChosen = outcome.choice === conflict.choice;
  return (
    <WriteButton
      fullWidth
      variant={isChosen ? 'light' : 'default'}
      rightSection={isChosen ? undefined : <KeyHint keys={String(place)} />}
      disabled={decisions.isRunning}
      onClick={() => (isChosen ? decisions.takeBack(ofConflict(conflict)) : onChoose(outcome))}
      aria-keyshortcuts={String(place)}
      aria-label={isChosen ? say('sync.decideTab.choiceDecidedUndo', { verb: outcome.verb }) : undefined}
      data-testid={`choose-${place}`}
    >
      {isChosen ? say('sync.decideTab.decidedUndo') : outcome.verb}
    </WriteButton>
  );
}

interface SideFieldsProps {
  readonly remoteName: string;
  readonly here: SyncConflictSide;
  readonly there: SyncConflictSide;
  /** The words for a side that does not have the object. */
  readonly gone: string;
}

/** The fields of the object on both sides. Fields that differ are marked. */
function SideFields({ remoteName, here, there, gone }: SideFieldsProps) {
  const names = [...new Set([...here.fields, ...there.fields].map(({ name }) => name))];
  if (names.length === 0) return null;
  return (
    <FigureTable
      columns={[
        { ...FIELD, head: <VisuallyHidden>{say('sync.decideTab.field')}</VisuallyHidden> },
        { head: <SideHead name="Here" isHere side={here} /> },
        { head: <SideHead name={remoteName} isHere={false} side={there} /> },
      ]}
      isWrapping
      className={`${styles.marked} ${styles.ruled}`}
      data-testid="conflict-fields"
    >
      <tbody>
        {names.map((name, place) => (
          <tr key={name}>
            <th scope="row">{kindName(name)}</th>
            <Field side={here} name={name} gone={place === 0 ? gone : null} />
            <Field side={there} name={name} gone={place === 0 ? gone : null} />
          </tr>
        ))}
      </tbody>
    </FigureTable>
  );
}

interface FieldProps {
  readonly side: SyncConflictSide;
  readonly name: string;
  /** The words for a deleted object, which its first field shows; null for the other fields. */
  readonly gone: string | null;
}

function Field({ side, name, gone }: FieldProps) {
  const field = side.fields.find((each) => each.name === name);
  if (side.is_gone && gone !== null && field === undefined) return <td data-differs>{gone}</td>;
  if (field === undefined || field.words === '') return <td className="quiet">–</td>;
  return (
    <td className="tabular" data-differs={field.differs || undefined}>
      {field.words}
    </td>
  );
}

interface SideHeadProps {
  readonly name: string;
  readonly isHere: boolean;
  readonly side: SyncConflictSide;
}

/** The name of a side, and its last change with author and time when known. */
function SideHead({ name, isHere, side }: SideHeadProps) {
  const Icon = isHere ? IconDeviceLaptop : IconBuilding;
  const parts = [side.by, side.at === null ? null : instantText(side.at)];
  const words = parts.filter((part) => part !== null).join(' · ');
  return (
    <>
      <Flex component="span" className="row" fz="sm" c="var(--text)">
        <Icon size={16} aria-hidden />
        <b className="truncate strong" title={name}>
          {name}
        </b>
      </Flex>
      <Box component="span" className="truncate small mid" display="block" mih={17} title={words}>
        {words}
      </Box>
    </>
  );
}
