import { Box, Button, Flex, SimpleGrid, TextInput, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { StatementGroup, StatementRow, StatementSide } from '../../../src-shared/contract/index.ts';
import { signedMinorOfText } from '../../../src-shared/values/amount-input.ts';
import { Band, classes, Note, TextButton } from '../../components/primitives.tsx';
import { dateText, shortDay } from '../../format/dates.ts';
import { withMinus } from '../../format/close-words.ts';
import { countOf, countText } from '../../format/counts.ts';
import { plainAmount, typedAmount } from '../../format/money.ts';
import { type BalanceKey, sideOf, useClosing } from './close-context.ts';
import { Figure } from './figure.tsx';
import { CauseLines } from './record-link.tsx';
import styles from './close.module.css';
import { useCloseEdits } from './use-close-edits.ts';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

/** Draws the statement of a period in one currency. The user can enter balances in it. */
export function StatementView() {
  const { statement } = useClosing();
  const { title, subtitle, sides } = statement.document;
  const general = statement.warnings.filter(({ code }) => code === 'other_currency' || code === 'work_in_progress');
  return (
    <div data-testid="statement">
      <Flex gap={10} mb="sm" align="baseline" wrap="wrap">
        <h2 className="plain">{title}</h2>
        <span className="mid">{subtitle}</span>
        <Box component="span" className={`quiet small ${styles.aside}`} ml="auto">
          {say('close.statementView.enterShowsTheLines')}
        </Box>
      </Flex>
      {general.map(({ message }) => (
        <Note key={message}>{withMinus(message)}</Note>
      ))}
      <SimpleGrid className={`framed clipped ${styles.statement}`} minColWidth={234} autoFlow="auto-fit" spacing={0}>
        {sides.map((side) => (
          <SideColumn key={side.side} side={side} />
        ))}
      </SimpleGrid>
      <OpeningDifference />
      <AgreeBand />
    </div>
  );
}

/** Shows how much the opening balances differ beyond the earlier items, and how to solve it. */
function OpeningDifference() {
  const { statement, enter, isLocked } = useClosing();
  const { opening_difference: difference, decimal_places: places, warnings } = statement;
  if (difference === null || difference === 0) return null;
  const message = warnings.find(({ code }) => code === 'opening_difference')?.message;
  const corrections =
    !isLocked &&
    statement.document.sides.map(({ side: slot, name }) => (
      <TextButton key={slot} onClick={() => enter({ slot, which: 'opening' })} data-testid={`correct-opening-${slot}`}>
        {say('close.statementView.correct', { name })}
      </TextButton>
    ));
  return (
    <Band
      tone="open"
      icon={<IconAlertTriangle size={16} aria-hidden />}
      actions={corrections}
      className={styles.inset}
      data-testid="opening-difference"
    >
      <p>
        <Said
          words="close.statementView.importTheLinesFromBefore"
          with={{
            part: <b>{say('close.statementView.openingDifference', { difference: plainAmount(difference, places) })}</b>,
            withMinus: message === undefined ? '' : withMinus(message),
            fullDay: dateText(statement.period.from),
          }}
        />
      </p>
    </Band>
  );
}

const WHICH = { opening: say('close.which.opening'), stated_closing: say('close.which.statedClosing') } as const;

/** A balance of the statement, or the field to enter it. An empty field removes the entered balance. */
function BalanceField({ slot, which, unknown }: BalanceKey & Pick<StatementRow, 'unknown'>) {
  const { statement, entering, enter, noEntry } = useClosing();
  const button = useRef<HTMLButtonElement>(null);
  const isEntering = entering?.slot === slot && entering.which === which;
  const wasEntering = useRef(false);
  useEffect(() => {
    if (wasEntering.current && !isEntering) button.current?.focus();
    wasEntering.current = isEntering;
  }, [isEntering]);
  const minor = statement[slot][which];
  const name = say('close.statementView.of', { which: WHICH[which], name: sideOf(statement, slot).name });
  if (isEntering) return <BalanceInput slot={slot} which={which} name={name} minor={minor} />;
  const text = minor === null ? say('close.statementView.enter', { unknown }) : plainAmount(minor, statement.decimal_places);
  if (noEntry !== null)
    return (
      <span className="nowrap" title={noEntry}>
        {minor === null ? unknown : text}
      </span>
    );
  return (
    <UnstyledButton
      ref={button}
      className={classes('tabular', styles.balance, minor === null && 'doubt')}
      aria-label={say('close.statementView.enterTheUnknown', { name, unknown: minor === null ? `, ${unknown}` : `, ${text}` })}
      title={say('close.statementView.enterTheBalance', { name })}
      onClick={() => enter({ slot, which })}
      data-testid={`balance-${slot}-${which}`}
    >
      {text}
    </UnstyledButton>
  );
}

interface BalanceInputProps extends BalanceKey {
  readonly name: string;
  readonly minor: number | null;
}

function BalanceInput({ slot, which, name, minor }: BalanceInputProps) {
  const { statement, enter } = useClosing();
  const { enterBalance } = useCloseEdits();
  const { decimal_places: places } = statement;
  const [text, setText] = useState(minor === null ? '' : typedAmount(minor, places));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const value = text.trim() === '' ? null : signedMinorOfText(text, places);
  const isWrong = text.trim() !== '' && value === null;
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isWrong) return;
    if (value === minor || (await enterBalance({ slot, which }, value))) enter(null);
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    enter(null);
  }
  return (
    <Flex component="form" gap={3} flex="none" onSubmit={(event) => void save(event)}>
      <TextInput
        ref={field}
        size="xs"
        w={112}
        error={isWrong}
        inputMode="decimal"
        aria-label={`${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`}
        title={isWrong ? say('close.statementView.anAmountWithAtMostDecimals', { places }) : say('close.statementView.enterKeepsItEsc')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
        data-testid={`enter-${slot}-${which}`}
      />
      <Button
        type="submit"
        size="compact-sm"
        variant="default"
        aria-label={say('close.statementView.keep')}
        disabled={isWrong}
        data-testid="balance-keep"
      >
        ↵
      </Button>
    </Flex>
  );
}

/** Codes of the warnings about the balance of a side. */
const OF_BALANCE = new Set([
  'balance_unknown',
  'opening_unknown',
  'closing_not_stated',
  'balance_does_not_hold',
  'balances_disagree',
  'balance_of_earlier_day',
]);

/** One side: its movement, its balance, the items to add and to subtract, and the adjusted balance. */
function SideColumn({ side }: { readonly side: StatementSide }) {
  const { statement } = useClosing();
  const { side: slot, title, account, movement, balance, groups, adjusted } = side;
  return (
    <section className="column" aria-label={`${title}: ${account}`} data-testid={`statement-${slot}`}>
      <Box component="h3" className="truncate line-below" bg="var(--sunken)" m={0} px="md" lh="27px" title={account}>
        {title} <span className="quiet">{account}</span>
      </Box>
      <div>
        {movement.map((row) => (
          <Line key={row.label} kind="minor" label={row.label} note={row.note}>
            <Moved slot={slot} row={row} />
          </Line>
        ))}
        <Line kind="total" label={balance.label} note={balance.note}>
          <Sum row={balance} figure={{ kind: 'balance', slot }} testId={`balance-${slot}`} />
        </Line>
        {statement.warnings
          .filter((warning) => warning.side === slot && OF_BALANCE.has(warning.code))
          .map(({ code, message }) => (
            <Note key={message} tone={code === 'balance_does_not_hold' ? 'broken' : 'open'} className={styles.warning}>
              {withMinus(message)}
            </Note>
          ))}
      </div>
      <Box className="grow" pb={4}>
        {groups.map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </Box>
      <Line kind="adjusted" label={adjusted.label}>
        <Sum row={adjusted} figure={{ kind: 'adjusted', slot }} testId={`adjusted-${slot}`} />
      </Line>
    </section>
  );
}

interface LineProps {
  /** `minor`: a term of the balance. `total`: the balance or the sum of a group. `adjusted`: the result. */
  readonly kind: 'minor' | 'total' | 'adjusted';
  readonly label: string;
  /** Behind the label: where the figure is from, or how many lines it has. */
  readonly note?: string | null;
  /** The figure. */
  readonly children: ReactNode;
}

/** One line of a side: its label at the left, its figure at the right. */
function Line({ kind, label, note, children }: LineProps) {
  return (
    <Flex
      className={classes('row', kind === 'minor' ? 'mid' : 'strong', styles[kind])}
      justify="space-between"
      mih={kind === 'minor' ? 22 : 25}
      px="md"
      data-testid="statement-row"
    >
      <span className={kind === 'minor' ? undefined : styles.label}>
        {label} <span className="quiet">{note}</span>
      </span>
      {children}
    </Flex>
  );
}

/** A figure of the movement. The user can enter the opening and the closing balance. */
function Moved({ slot, row }: { readonly slot: BalanceKey['slot']; readonly row: StatementRow }) {
  const { statement } = useClosing();
  if (row.name === `opening_${slot}`) return <BalanceField slot={slot} which="opening" unknown={row.unknown} />;
  if (row.name === `stated_${slot}`) return <BalanceField slot={slot} which="stated_closing" unknown={row.unknown} />;
  return <span className="tabular">{row.amount === null ? row.unknown : plainAmount(row.amount, statement.decimal_places)}</span>;
}

interface SumProps {
  readonly row: StatementRow;
  readonly figure: Parameters<typeof Figure>[0]['figure'];
  readonly testId: string;
}

/** A figure with details, or the words that it is unknown. */
function Sum({ row, figure, testId }: SumProps) {
  if (row.amount === null) return <span className="doubt nowrap">{row.unknown}</span>;
  return <Figure minor={row.amount} label={row.label} figure={figure} testId={testId} />;
}

function Group({ group }: { readonly group: StatementGroup }) {
  const { look } = useClosing();
  const { name, label, count, amount, lines } = group;
  return (
    <div data-testid={`group-${name}`}>
      <Line kind="total" label={label} note={countText(count)}>
        <Figure minor={amount} label={`${label}, ${countOf(count, 'count.lines')}`} figure={{ kind: 'group', name }} />
      </Line>
      {lines.map((line) => (
        <Flex
          key={`${line.record_id} ${line.match_id}`}
          className="row mid"
          mih={25}
          pl="xl"
          pr="clamp(12px, 12cqi, 86px)"
          data-testid="statement-row"
        >
          <span className="truncate grow" title={line.label}>
            {line.date !== null && (
              <time className="tabular quiet small" dateTime={line.date}>
                {shortDay(line.date)}{' '}
              </time>
            )}
            {line.date === null ? (
              <TextButton className="small" onClick={() => look({ kind: 'group', name })} data-testid={`more-${name}`}>
                {line.label}
              </TextButton>
            ) : (
              line.label
            )}
          </span>
          {line.note !== null && <span className="doubt small">{line.note}</span>}
          <Figure
            minor={line.amount}
            label={line.label}
            figure={line.record_id === null ? { kind: 'group', name } : { kind: 'item', recordId: line.record_id }}
          />
        </Flex>
      ))}
    </div>
  );
}

const TONES = { agree: 'done', differ: 'broken', not_proved: 'open', unknown: 'open' } as const;
const ICONS = { done: IconCircleCheck, broken: IconCircleX, open: IconAlertTriangle } as const;

/** The verdict. When the figures do not agree, it says why and names the likely line. */
function AgreeBand() {
  const { statement } = useClosing();
  const { outcome, verdict, why, undone, reason, unexplained } = statement.document;
  const tone = TONES[outcome];
  const Icon = ICONS[tone];
  return (
    <Band tone={tone} icon={<Icon size={16} aria-hidden />} className={styles.inset} aria-live="polite" data-testid="agree-band">
      <Flex columnGap="lg" rowGap={2} align="center" wrap="wrap" data-testid="statement-row">
        <b>{verdict}</b>
        <span className="tabular">{unexplained.note}</span>
        <Box component="span" className="nowrap" ml="auto">
          {unexplained.label} <Sum row={unexplained} figure={{ kind: 'unexplained' }} testId="unexplained" />
        </Box>
      </Flex>
      {why !== null && <p className="small">{why}</p>}
      {undone !== null && <p className="small">{undone}</p>}
      {reason !== null && <p className="small">{reason}</p>}
      {unexplained.amount !== null && unexplained.amount !== 0 && <Causes />}
    </Band>
  );
}

/** The likely causes of an unexplained amount. */
export function Causes() {
  const { statement } = useClosing();
  const { unexplained_causes: causes, looked_at: lookedAt, opening_difference: opening, decimal_places: places } = statement;
  return (
    <Box component="ul" className="small" m={0} pl={18} data-testid="unexplained-causes">
      <CauseLines causes={causes} />
      {causes.length === 0 && opening !== null && opening !== 0 && (
        <li>{say('close.statementView.theOpeningBalancesDiffer', { opening: plainAmount(opening, places) })}</li>
      )}
      {causes.length === 0 && (opening === null || opening === 0) && <li>{say('close.statementView.noLineOrImport')}</li>}
      {lookedAt !== null && <li>{withMinus(lookedAt)}</li>}
    </Box>
  );
}
