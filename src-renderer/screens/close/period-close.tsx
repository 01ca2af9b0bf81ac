import {
  Box,
  Button,
  Drawer,
  Flex,
  Group,
  Menu,
  Modal,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuildingBank,
  IconCalendarMonth,
  IconCalendarPlus,
  IconChevronDown,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Failure, PeriodStatement, Reconciliation, ReconciliationPeriod } from '../../../src-shared/contract/index.ts';
import { useConnection, useOperation } from '../../api/use-operation.ts';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { Page } from '../../components/page.tsx';
import { Band, Pane, Panes, Step, Steps, TextButton } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useReadOnlyReason, WriteButton } from '../../components/writing.tsx';
import { changedMembers, changedThing, changeSentence } from '../../format/close-changes.ts';
import { daysAfter, daysName, instantText } from '../../format/dates.ts';
import { closeSteps, type SideCoverage, type Step as CloseStep, type Way } from '../../format/close-steps.ts';
import { lineName, stateWords } from '../../format/close-words.ts';
import { countText } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import { type BankChoice, BankChoices, DaysDialog, ScreenTabs, usePeriods } from './periods.tsx';
import { type BalanceKey, type Closing, ClosingContext, type FigureKey, groupOf, sideOf, type Slot, useClosing } from './close-context.ts';
import styles from './close.module.css';
import {
  AdjustedTable,
  BalanceTable,
  DifferenceTable,
  GroupTable,
  ItemDetail,
  StatementView,
  UnexplainedTable,
} from './statement-view.tsx';
import { OpenItems } from './open-items.tsx';
import { RecordLink } from './record-link.tsx';
import { SignOffPanel } from './sign-off-panel.tsx';
import { StateBadge, ToneBadge } from './state-badge.tsx';
import { say } from '../../../src-shared/words/say.ts';

const SINCE = { open: 'signed', prepared: 'prepared', reviewed: 'reviewed', closed: 'closed' } as const;
/** The most entries in the list. Others are only counted. */
const LISTED = 200;

/** Says that data under the last sign-off changed, and lists the changes. */
function StaleBand({ isOpen, onOpen }: { readonly isOpen: boolean; readonly onOpen: (isOpen: boolean) => void }) {
  const { period, statement, isNeutral } = useClosing();
  const { changes, change_count: count, decimal_places: decimalPlaces } = statement;
  const [first] = changes;
  const words = count > 1 || first === undefined ? say('close.periodClose.thingsDiffer', { count }) : '';
  return (
    <Band
      tone="open"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      actions={
        <Button variant="default" onClick={() => onOpen(!isOpen)} aria-expanded={isOpen} data-testid="show-changes">
          {isOpen ? say('close.periodClose.hideTheChanges', { count }) : say('close.periodClose.showTheChanges', { count })}
        </Button>
      }
      aria-live="polite"
      data-testid="stale-band"
    >
      <p>
        <b>{say('close.periodClose.changedSinceItWas', { since: SINCE[period.state] })}</b> {words}{' '}
        {first !== undefined && changeSentence(first, { isNeutral, decimalPlaces })}
      </p>
      {isOpen && <ChangeList changes={changes.slice(0, LISTED)} count={count} />}
    </Band>
  );
}

type Change = PeriodStatement['changes'][number];

function ChangeList({ changes, count }: { readonly changes: readonly Change[]; readonly count: number }) {
  const { isNeutral, statement } = useClosing();
  const head = useRef<HTMLTableElement>(null);
  useEffect(() => head.current?.focus(), []);
  return (
    <Box className="scrolls flush" mah={240} mt="sm">
      <FigureTable
        ref={head}
        tabIndex={-1}
        columns={[
          { head: say('close.periodClose.what') },
          { head: say('close.periodClose.asItWasSigned') },
          { head: say('close.periodClose.now') },
          { head: say('close.periodClose.changed') },
        ]}
        isWrapping
        data-testid="change-list"
        aria-label={say('close.periodClose.changesSinceTheLastSignOff')}
      >
        <tbody>
          {changes.map((change) => {
            const members = changedMembers(change, statement.decimal_places);
            const said = (pick: 'was' | 'now'): string => members.map((member) => `${member.name} ${member[pick]}`).join(', ');
            return (
              <tr key={JSON.stringify(change)}>
                <td>
                  {change.kind === 'record' && change.id !== null && change.after !== null ? (
                    <RecordLink recordId={change.id} text={changedThing(change, isNeutral)} />
                  ) : (
                    changedThing(change, isNeutral)
                  )}
                </td>
                <td>{change.before === null ? say('close.periodClose.notThere') : said('was') || say('close.periodClose.there')}</td>
                <td>{change.after === null ? say('close.periodClose.gone') : said('now') || say('close.periodClose.new')}</td>
                <td>
                  {[change.by, change.at === null ? null : instantText(change.at)].filter((part) => part !== null).join(', ') ||
                    say('close.periodClose.notKnown')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </FigureTable>
      {count > changes.length && <p>{say('close.periodClose.moreAreNotListed', { count: countText(count - changes.length) })}</p>}
    </Box>
  );
}

interface PeriodCloseProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
}

/** One period: its steps, its statement with open items, and its sign-off, side by side. */
export function PeriodClose({ reconciliation, period, periods }: PeriodCloseProps) {
  const [currency, setCurrency] = useState<string | null>(null);
  const read = useOperation('periods.get', { id: period.id, ...(currency === null ? {} : { currency }) });
  const statement = read.data?.statement;
  return (
    <Page
      title={reconciliation.name}
      actions={
        <>
          <PeriodMenu reconciliation={reconciliation} period={read.data ?? period} periods={periods} />
          <StateBadge period={read.data ?? period} doubts={statement?.doubts} />
          {statement !== undefined && <CurrencySwitch statement={statement} onChange={setCurrency} />}
          <ScreenTabs id={reconciliation.id} />
        </>
      }
      isFlush
      testId="close-screen"
    >
      {read.isLoadingError && (
        <Box p="lg">
          <FailurePanel
            title={say('close.periodClose.couldNotBeRead', { name: period.name })}
            failure={read.error}
            onRetry={read.refetch}
          />
        </Box>
      )}
      {read.error === null && read.data === undefined && (
        <SimpleGrid cols={3} spacing="lg" p="lg" h="100%" aria-busy>
          <Skeleton height="100%" />
          <Skeleton height="100%" />
          <Skeleton height="100%" />
        </SimpleGrid>
      )}
      {read.data !== undefined && <PeriodPanes reconciliation={reconciliation} read={read.data} />}
    </Page>
  );
}

type ReadPeriod = ReconciliationPeriod & Pick<Closing, 'statement'>;

function PeriodPanes({ reconciliation, read }: { readonly reconciliation: Reconciliation; readonly read: ReadPeriod }) {
  const [looked, look] = useState<FigureKey | null>(null);
  const [entering, enter] = useState<BalanceKey | null>(null);
  const [jumped, setJumped] = useState<Closing['jumped']>(null);
  const [isShowingChanges, setShowingChanges] = useState(false);
  const readOnly = useReadOnlyReason();
  const { data: book } = useOperation('book.overview', {});
  const statusExplains = book?.status_explains ?? false;
  const closing = useMemo(
    (): Closing => ({
      reconciliation,
      period: read,
      statement: read.statement,
      isNeutral: read.statement.bank_side === null,
      isLocked: read.state === 'closed',
      noEntry: read.state === 'closed' ? say('close.periodClose.thePeriodIsClosed') : readOnly,
      looked,
      look,
      entering,
      enter,
      jumped,
      jumpTo: (recordId) => setJumped({ recordId }),
      showChanges: () => setShowingChanges(true),
      statusExplains,
    }),
    [reconciliation, read, readOnly, looked, entering, jumped, statusExplains],
  );
  return (
    <ClosingContext value={closing}>
      {read.stale && <StaleBand isOpen={isShowingChanges} onOpen={setShowingChanges} />}
      <Panes columns="208px 1fr 216px" wide="280px 1fr 300px" narrow="190px 1fr 200px">
        <StepList />
        <Pane className={styles.centre} aria-label={say('close.periodClose.statementAndOpenItems', { name: read.name })}>
          <StatementView />
          <OpenItems />
        </Pane>
        <SignOffPanel />
      </Panes>
      {looked !== null && <FigureLines figure={looked} onClose={() => look(null)} />}
    </ClosingContext>
  );
}

interface CurrencySwitchProps {
  readonly statement: PeriodStatement;
  readonly onChange: (currency: string) => void;
}

/** Chooses the currency. Each currency has its own statement. */
function CurrencySwitch({ statement, onChange }: CurrencySwitchProps) {
  const { currency, currencies } = statement;
  if (currencies.length < 2) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={say('close.periodClose.currencyOfTheStatement')}
      value={currency}
      data={currencies.map((each) => ({
        value: each.currency,
        label: each.agrees ? each.currency : `${each.currency} ·`,
      }))}
      onChange={onChange}
      data-testid="currency-switch"
    />
  );
}

interface FigureLinesProps {
  readonly figure: FigureKey;
  readonly onClose: () => void;
}

/** The lines of a figure, with links to them in the reconciliation. */
function FigureLines({ figure, onClose }: FigureLinesProps) {
  const title = useTitle(figure);
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('close.periodClose.close') }}
      classNames={{ body: 'flush' }}
      data-testid="figure-lines"
    >
      <Content figure={figure} />
    </Drawer>
  );
}

function useTitle(figure: FigureKey): string {
  const { statement } = useClosing();
  switch (figure.kind) {
    case 'group':
      return groupOf(statement, figure.name)?.label ?? say('close.periodClose.group');
    case 'balance':
      return sideOf(statement, figure.slot).balance.label;
    case 'adjusted':
      return sideOf(statement, figure.slot).adjusted.label;
    case 'unexplained':
      return statement.document.unexplained.label;
    case 'item': {
      const item = statement.open_items.find((open) => open.record_id === figure.recordId);
      return item === undefined ? say('close.periodClose.line') : lineName(item);
    }
  }
}

function Content({ figure }: { readonly figure: FigureKey }) {
  switch (figure.kind) {
    case 'group':
      return figure.name === 'match_differences' ? <DifferenceTable /> : <GroupTable name={figure.name} />;
    case 'balance':
      return <BalanceTable slot={figure.slot} />;
    case 'adjusted':
      return <AdjustedTable slot={figure.slot} />;
    case 'unexplained':
      return <UnexplainedTable />;
    case 'item':
      return <ItemDetail recordId={figure.recordId} />;
  }
}

/** The steps of a close. Each step computes its own state. */
function StepList() {
  const { period, statement, reconciliation, statusExplains } = useClosing();
  const { data: summary } = useOperation('reconciliations.summary', { id: reconciliation.id });
  const coverage = useCoverage();
  const [isOpen, setOpen] = useState(false);
  const steps = closeSteps({ statement, period, coverage, matches: summary?.matches ?? 0, statusExplains });
  const done = steps.filter((step) => step.isDone).length;
  const current = steps.findIndex((step) => !step.isDone);
  const next = steps.find((step) => !step.isDone && step.way !== null);
  const follow = useWay();
  useShortcuts({ w: () => next?.way && follow(next.way.way) });
  const fold = (
    <UnstyledButton className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} data-testid="fold-steps">
      <span>
        {current < 0
          ? say('close.periodClose.ofStepsDone', { done, steps: steps.length })
          : say('close.periodClose.ofStepsDoneNext', { done, steps: steps.length, next: steps[current]?.title.toLowerCase() ?? '' })}
      </span>
      <IconChevronDown size={15} aria-hidden />
    </UnstyledButton>
  );
  return (
    <Steps
      title={say('close.periodClose.closeNamed', { name: period.name })}
      controls={fold}
      className={styles.steps}
      aria-label={say('close.periodClose.steps')}
      data-open={isOpen || undefined}
      data-testid="close-steps"
    >
      {steps.map((step, place) => (
        <StepRow key={step.name} step={step} number={place + 1} isCurrent={place === current} isNext={step === next} />
      ))}
    </Steps>
  );
}

interface StepRowProps {
  readonly step: CloseStep;
  readonly number: number;
  readonly isCurrent: boolean;
  /** Whether W follows its link. */
  readonly isNext: boolean;
}

function StepRow({ step, number, isCurrent, isNext }: StepRowProps) {
  const follow = useWay();
  const { way } = step;
  return (
    <Step
      number={number}
      title={step.title}
      state={step.isDone ? 'done' : isCurrent ? 'now' : 'to_come'}
      said={step.isDone ? say('close.periodClose.done') : say('close.periodClose.notDone')}
      isWaiting={isCurrent}
      testId={`step-${step.name}`}
    >
      {step.facts.map((fact) => (
        <p key={fact}>{fact}</p>
      ))}
      {step.missing.map((sentence) => (
        <Text key={sentence} c="var(--open-text)">
          {sentence}
        </Text>
      ))}
      {way !== null && (
        <Flex gap="xs" align="center">
          <TextButton
            className="small"
            onClick={() => follow(way.way)}
            aria-keyshortcuts={isNext ? 'W' : undefined}
            data-testid={`way-${step.name}`}
          >
            {way.label}
          </TextButton>
          {isNext && <KeyHint keys="W" />}
        </Flex>
      )}
    </Step>
  );
}

/** Returns the first and the last day that the files of each side cover near the period; null until that is known. */
function useCoverage(): readonly SideCoverage[] | null {
  const { client } = useConnection();
  const { reconciliation, statement } = useClosing();
  const [coverage, setCoverage] = useState<readonly SideCoverage[] | null>(null);
  useEffect(() => {
    let isShown = true;
    const { from, to } = statement.period;
    const isBankA = statement.bank_side !== 'b';
    const { side_a_streams: a, side_b_streams: b } = reconciliation;
    const of = async (slot: Slot, keys: readonly string[]): Promise<SideCoverage> => {
      const answers = await Promise.all(keys.map((key) => client.call('coverage.of_stream', { key, date_from: from, date_to: to })));
      const statements = answers.flatMap((answer) => (answer.ok ? answer.value.accounts.flatMap((account) => account.statements) : []));
      const first = statements.map(({ date_start: day }) => day).toSorted()[0] ?? null;
      const last =
        statements
          .map(({ date_end: day }) => day)
          .toSorted()
          .at(-1) ?? null;
      return { slot, from: first, to: last };
    };
    const keysOf = (streams: typeof a): string[] => streams.map(({ key }) => key);
    void Promise.all([of('bank', keysOf(isBankA ? a : b)), of('books', keysOf(isBankA ? b : a))]).then((found) => {
      if (isShown) setCoverage(found);
      return found;
    });
    return () => {
      isShown = false;
    };
  }, [client, reconciliation, statement]);
  return coverage;
}

/** Returns a function that goes to the target of a step: another screen, or a part of this one. */
function useWay(): (way: Way) => void {
  const go = useNavigation((state) => state.go);
  const { reconciliation, enter, jumpTo, look, showChanges } = useClosing();
  return (way) => {
    switch (way.to) {
      case 'import':
        go({ screen: 'import', streamKey: null });
        break;
      case 'proposals':
        go({ screen: 'reconciliation', id: reconciliation.id, tab: 'proposed' });
        break;
      case 'changes':
        showChanges();
        break;
      case 'differences':
        look({ kind: 'group', name: 'match_differences' });
        break;
      case 'unexplained':
        look({ kind: 'unexplained' });
        break;
      case 'sign':
        document.querySelector<HTMLElement>('[data-sign-next]')?.focus();
        break;
      case 'item':
        jumpTo(way.recordId);
        break;
      case 'balance':
        enter({ slot: way.slot, which: way.which });
        break;
    }
  };
}

interface PeriodMenuProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
}

/** Lists the periods of a reconciliation with their states, and the actions on the visible one. */
function PeriodMenu(props: PeriodMenuProps) {
  const { period } = props;
  const [asked, setAsked] = useState<Asked>(null);
  return (
    <>
      <Menu position="bottom-start" width={268} shadow="md">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="inherit"
            px="xs"
            rightSection={<IconChevronDown size={14} aria-hidden />}
            data-testid="period-menu"
            aria-label={say('close.periodClose.period', { name: period.name })}
          >
            {period.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Periods {...props} />
          <Menu.Divider />
          <Actions {...props} onAsk={setAsked} />
        </Menu.Dropdown>
      </Menu>
      <PeriodDialogs key={asked} {...props} asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

function Periods({ reconciliation, period, periods }: PeriodMenuProps) {
  const go = useNavigation((state) => state.go);
  return periods.map((each) => (
    <Menu.Item
      key={each.id}
      leftSection={<IconCalendarMonth size={15} aria-hidden />}
      rightSection={<ToneBadge {...stateWords(each)} />}
      aria-current={each.id === period.id || undefined}
      fw={each.id === period.id ? 600 : undefined}
      onClick={() => go({ screen: 'close', key: reconciliation.id, periodId: each.id })}
      data-testid="period-option"
    >
      {each.name}
    </Menu.Item>
  ));
}

function Actions({ reconciliation, period, periods, onAsk }: PeriodMenuProps & { readonly onAsk: (asked: Asked) => void }) {
  const actions = usePeriods(reconciliation.id);
  const readOnly = useReadOnlyReason() !== null;
  const next = daysAfter(periods[0] ?? period);
  async function createNext(): Promise<void> {
    if (!(await actions.create(next))) onAsk('new');
  }
  const item = (label: string, icon: ReactNode, testId: string, onClick: () => void): ReactNode => (
    <Menu.Item leftSection={icon} disabled={readOnly} onClick={onClick} data-testid={testId}>
      {label}
    </Menu.Item>
  );
  const plus = <IconCalendarPlus size={15} aria-hidden />;
  return (
    <>
      {item(say('close.periodClose.nextPeriod', { daysName: daysName(next) }), plus, 'next-period', () => void createNext())}
      {item(say('close.periodClose.otherDays'), plus, 'other-days', () => onAsk('new'))}
      <Menu.Divider />
      {item(say('close.periodClose.bankSideDots'), <IconBuildingBank size={15} aria-hidden />, 'change-bank-side', () => onAsk('bank'))}
      {period.state === 'open' && (
        <>
          {item(say('close.periodClose.changeTheDays'), <IconPencil size={15} aria-hidden />, 'edit-days', () => onAsk('days'))}
          {item(
            say('close.periodClose.delete', { name: period.name }),
            <IconTrash size={15} aria-hidden />,
            'delete-period',
            () => void actions.remove(period),
          )}
        </>
      )}
    </>
  );
}

/** The open dialog of the menu of periods. */
type Asked = 'new' | 'days' | 'bank' | null;

interface PeriodDialogsProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly periods: readonly ReconciliationPeriod[];
  readonly asked: Asked;
  readonly onClose: () => void;
}

/** The dialogs of the menu of periods. Each stays open and shows the reason when the service refuses. */
function PeriodDialogs({ reconciliation, period, periods, asked, onClose }: PeriodDialogsProps) {
  const actions = usePeriods(reconciliation.id);
  async function ending(work: Promise<boolean>): Promise<void> {
    if (await work) onClose();
  }
  const common = { failure: actions.failure, isRunning: actions.isRunning, onClose };
  if (asked === 'new') {
    const days = daysAfter(periods[0] ?? period);
    return (
      <DaysDialog
        {...common}
        title={say('close.periodClose.newPeriod')}
        verb="Create"
        days={days}
        onAnswer={(given) => void ending(actions.create(given))}
      />
    );
  }
  if (asked === 'days') {
    const title = say('close.periodClose.daysOf', { name: period.name });
    return (
      <DaysDialog {...common} title={title} verb="Save" days={period} onAnswer={(given) => void ending(actions.move(period, given))} />
    );
  }
  if (asked === 'bank') {
    const answer = (side: 'a' | 'b' | null): void => void ending(actions.nameBank(period, side));
    return <BankDialog {...common} reconciliation={reconciliation} period={period} onAnswer={answer} />;
  }
  return null;
}

interface BankDialogProps {
  readonly reconciliation: Reconciliation;
  readonly period: ReconciliationPeriod;
  readonly failure: Failure | null;
  readonly isRunning: boolean;
  readonly onAnswer: (side: 'a' | 'b' | null) => void;
  readonly onClose: () => void;
}

/** Chooses which side is the bank, for all periods of the reconciliation. */
function BankDialog({ reconciliation, period, failure, isRunning, onAnswer, onClose }: BankDialogProps) {
  const [choice, setChoice] = useState<BankChoice>(period.bank_side_given ? (period.bank_side ?? 'seen') : 'seen');
  function answer(event: FormEvent): void {
    event.preventDefault();
    onAnswer(choice === 'seen' ? null : choice);
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('close.periodClose.bankSide')}
      closeButtonProps={{ 'aria-label': say('close.periodClose.close') }}
      data-testid="bank-dialog"
    >
      <form onSubmit={answer}>
        <Stack gap="md">
          <FailureAlert title={say('close.periodClose.theBankSideWasNotChanged')} failure={failure} />
          <BankChoices reconciliation={reconciliation} value={choice} onChange={setChoice} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {say('close.periodClose.cancel')}
            </Button>
            <WriteButton type="submit" loading={isRunning} data-testid="bank-save">
              {say('close.periodClose.save')}
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
