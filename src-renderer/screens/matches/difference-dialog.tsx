import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type Ref, useId, useRef, useState } from 'react';
import { FigureTable } from '../../components/figure-table.tsx';
import { Choice, Choices, Letter, Note } from '../../components/primitives.tsx';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { FailureAlert } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { dateText } from '../../format/dates.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { ADJUSTED_CODES, OPEN_CODES, OPEN_LABELS } from '../../format/match-words.ts';
import { plainAmount, signedOf } from '../../format/money.ts';
import { adjustmentOf, oneSideText, type SidedLine, sizeText, transposedText, type Unbalanced } from '../../format/unbalanced.ts';
import {
  answerOf,
  type DifferenceAnswer,
  type DifferenceDraft,
  type DifferenceFaults,
  faultsOf,
  isNoteRequired,
  NEW_DIFFERENCE,
} from '../../state/decisions.ts';
import { say } from '../../../src-shared/words/say.ts';

/** The number of lines that are listed of each side. */
const SHOWN = 4;

/** The letter of the side, the date, the description, the reference and the amount. */
const COLUMNS = [{}, {}, {}, {}, { isFigure: true }];

interface DifferenceLinesProps {
  readonly unbalanced: Unbalanced;
  /** The number of lines of the match that are not loaded. */
  readonly unlisted: number;
}

const amountOf = (line: SidedLine) => plainAmount(signedOf(line), line.decimal_places);

/** The lines of both sides, the difference below them, and an explanation when there is one. */
function DifferenceLines({ unbalanced, unlisted }: DifferenceLinesProps) {
  const { lines, difference } = unbalanced;
  const of = (side: 'a' | 'b') => lines.filter((line) => line.side === side);
  const hint = oneSideText(unbalanced) ?? transposedText(unbalanced, amountOf);
  return (
    <>
      <div className="card">
        <FigureTable
          columns={COLUMNS}
          isFitted
          aria-label={say('matches.difference.theLinesAndTheirDifference')}
          data-testid="difference-lines"
        >
          <tbody>
            <SideRows side="A" lines={of('a')} unlisted={0} />
            <SideRows side="B" lines={of('b')} unlisted={unlisted} />
          </tbody>
          <tfoot>
            <tr>
              <td colSpan={4}>{say('matches.difference.difference')}</td>
              <td className="amount">
                <Text span inherit c="var(--open-text)">
                  {plainAmount(difference.net, difference.decimal_places)}
                </Text>
              </td>
            </tr>
          </tfoot>
        </FigureTable>
      </div>
      {hint !== null && (
        <Alert color="blue" icon={<IconInfoCircle size={16} aria-hidden />} p="xs" data-testid="difference-hint">
          {hint}
        </Alert>
      )}
    </>
  );
}

interface SideRowsProps {
  readonly side: string;
  readonly lines: readonly SidedLine[];
  readonly unlisted: number;
}

function SideRows({ side, lines, unlisted }: SideRowsProps): ReactNode {
  const more = Math.max(0, lines.length - SHOWN) + unlisted;
  return (
    <>
      {lines.slice(0, SHOWN).map((line) => (
        <tr key={line.id}>
          <td>
            <Letter>{side}</Letter>
          </td>
          <td className="mid tabular">{dateText(line.date)}</td>
          <td className="rest" title={line.description ?? ''}>
            {line.description ?? say('matches.difference.noDescription')}
          </td>
          <td className="mid">{line.external_id ?? ''}</td>
          <td className="amount">{amountOf(line)}</td>
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td>
            <Letter>{side}</Letter>
          </td>
          <td colSpan={4} className="mid">
            {say('matches.difference.andMoreLines', { more })}
          </td>
        </tr>
      )}
    </>
  );
}

interface DifferenceDialogProps {
  readonly unbalanced: Unbalanced;
  /** The number of lines of the match that are not in `unbalanced`. */
  readonly unlisted?: number;
  /** The action: `Match` or `Confirm`. */
  readonly verb: 'Match' | 'Confirm';
  /** The names of both sides. */
  readonly names: { readonly a: string; readonly b: string };
  readonly isRunning: boolean;
  readonly failure: Failure | null;
  readonly onClose: () => void;
  readonly onAnswer: (answer: DifferenceAnswer) => void;
}

/** Asks about a difference: an adjustment with type and reason, or a difference that stays. The entries stay when the service refuses. */
export function DifferenceDialog(props: DifferenceDialogProps) {
  const { unbalanced, verb, onClose } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      size={620}
      title={
        verb === 'Match'
          ? say('matches.difference.matchWithADifferenceOf', { size: sizeText(unbalanced) })
          : say('matches.difference.confirmWithADifferenceOf', { size: sizeText(unbalanced) })
      }
      closeButtonProps={{ 'aria-label': say('matches.difference.close') }}
      data-testid="difference-dialog"
    >
      <Form {...props} />
    </Modal>
  );
}

const ADJUSTED = ADJUSTED_CODES.map((value) => ({ value, label: REASON_WORDS[value] }));
const OPEN = OPEN_CODES.map((value) => ({ value, label: OPEN_LABELS[value] }));

/** Returns whether a key submits the form. Enter does; in the text field Shift+Enter begins a new line. */
function sendsForm(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
}

function outcomesOf(size: string): { readonly value: DifferenceDraft['outcome']; readonly label: string; readonly hint: string }[] {
  return [
    {
      value: 'adjust',
      label: say('matches.difference.recordAnAdjustment'),
      hint: say('matches.difference.isMadeUpByARecord', { size }),
    },
    {
      value: 'open',
      label: say('matches.difference.leaveTheDifferenceOpen'),
      hint: say('matches.difference.staysADifferenceOfThisMatch', { size }),
    },
  ];
}

interface QuestionProps<T extends string> {
  readonly legend: string;
  readonly choices: readonly { readonly value: T; readonly label: string; readonly hint?: string }[];
  readonly value: T | null;
  readonly onChange: (value: T) => void;
  readonly testId: string;
  readonly error?: string | undefined;
  /** The first choice, which gets the focus after an error. */
  readonly firstRef?: Ref<HTMLInputElement>;
  /** Whether the choice that is made gets the focus when the dialog opens. */
  readonly isFocused?: boolean;
}

/** A question with its choices side by side. They are native radio buttons, so the arrow keys move between them and Enter submits the form. */
function Question<T extends string>({ legend, choices, value, onChange, testId, error, firstRef, isFocused }: QuestionProps<T>) {
  const name = useId();
  const faultId = useId();
  return (
    <div data-testid={testId}>
      <Choices legend={legend} isRow aria-describedby={error === undefined ? undefined : faultId}>
        {choices.map((choice, place) => (
          <Choice
            key={choice.value}
            label={choice.label}
            hint={choice.hint}
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            ref={place === 0 ? firstRef : undefined}
            data-autofocus={(isFocused === true && choice.value === value) || undefined}
          />
        ))}
      </Choices>
      {error !== undefined && (
        <Note id={faultId} tone="broken" role="alert">
          {error}
        </Note>
      )}
    </div>
  );
}

function Form({ unbalanced, unlisted = 0, verb, names, isRunning, failure, onClose, onAnswer }: DifferenceDialogProps) {
  const [draft, setDraft] = useState(NEW_DIFFERENCE);
  const [isChecked, setChecked] = useState(false);
  const type = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const faults: DifferenceFaults = isChecked ? faultsOf(draft) : {};
  const edit = (part: Partial<DifferenceDraft>) => setDraft({ ...draft, ...part });
  const size = sizeText(unbalanced);
  const isAdjusted = draft.outcome === 'adjust';
  function send(): void {
    if (isRunning) return;
    const answer = answerOf(draft);
    if (answer !== null) {
      onAnswer(answer);
      return;
    }
    setChecked(true);
    if (faultsOf(draft).type === undefined) note.current?.focus();
    else type.current?.focus();
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Stack gap="md">
        <DifferenceLines unbalanced={unbalanced} unlisted={unlisted} />
        <Question
          legend={say('matches.difference.whatHappensToTheDifference')}
          choices={outcomesOf(size)}
          value={draft.outcome}
          onChange={(outcome) => edit({ outcome })}
          testId="difference-outcome"
          isFocused
        />
        {isAdjusted ? (
          <Question
            legend={say('matches.difference.type')}
            choices={ADJUSTED}
            value={draft.adjusted}
            onChange={(adjusted) => edit({ adjusted })}
            testId="difference-type"
            error={faults.type}
            firstRef={type}
          />
        ) : (
          <Question
            legend={say('matches.difference.type')}
            choices={OPEN}
            value={draft.open}
            onChange={(open) => edit({ open })}
            testId="difference-type"
          />
        )}
        <NoteField draft={draft} fault={faults.note} inputRef={note} onChange={(text) => edit({ note: text })} onSend={send} />
        {isAdjusted && <AdjustmentLine unbalanced={unbalanced} names={names} />}
        <FailureAlert
          title={
            verb === 'Match' ? say('matches.difference.theseLinesWereNotMatched') : say('matches.difference.theProposalWasNotConfirmed')
          }
          failure={failure}
        />
        <Foot label={submitLabel(verb, draft, size)} isAdjusted={isAdjusted} isRunning={isRunning} onClose={onClose} />
      </Stack>
    </form>
  );
}

function submitLabel(verb: DifferenceDialogProps['verb'], { outcome }: DifferenceDraft, size: string): string {
  if (verb === 'Match')
    return outcome === 'adjust' ? say('matches.difference.matchAndAdjust') : say('matches.difference.matchAndLeaveOpen', { size });
  return outcome === 'adjust' ? say('matches.difference.confirmAndAdjust') : say('matches.difference.confirmAndLeaveOpen', { size });
}

interface NoteFieldProps {
  readonly draft: DifferenceDraft;
  readonly fault: string | undefined;
  readonly inputRef: React.Ref<HTMLTextAreaElement>;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

function NoteField({ draft, fault, inputRef, onChange, onSend }: NoteFieldProps) {
  const isRequired = isNoteRequired(draft);
  return (
    <Textarea
      label={
        <>
          {say('matches.difference.reason')}{' '}
          <Text span size="sm" c="dimmed" fw={400}>
            {say('matches.difference.keptWithTheMatch', {
              required: isRequired ? say('matches.difference.required') : say('matches.difference.optional'),
            })}
          </Text>
        </>
      }
      value={draft.note}
      maxLength={2_000}
      autosize
      minRows={2}
      maxRows={5}
      error={fault}
      ref={inputRef}
      aria-required={isRequired}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (!sendsForm(event)) return;
        event.preventDefault();
        onSend();
      }}
      data-testid="difference-note"
    />
  );
}

/** The adjustment that would be recorded. */
function AdjustmentLine({ unbalanced, names }: Pick<DifferenceDialogProps, 'unbalanced' | 'names'>) {
  const { side, date, net } = adjustmentOf(unbalanced);
  return (
    <div>
      <Text size="sm" fw={560} pb={4}>
        {say('matches.difference.whatIsRecorded')}
      </Text>
      <Group gap="sm" wrap="nowrap" data-testid="difference-record">
        <Letter>{side.toUpperCase()}</Letter>
        <span className="mid tabular">{dateText(date)}</span>
        <span className="truncate grow">{say('matches.difference.adjustmentFor', { names: names[side] })}</span>
        <span className="amount">{plainAmount(net, unbalanced.difference.decimal_places)}</span>
      </Group>
    </div>
  );
}

interface FootProps {
  readonly label: string;
  readonly isAdjusted: boolean;
  readonly isRunning: boolean;
  readonly onClose: () => void;
}

function Foot({ label, isAdjusted, isRunning, onClose }: FootProps) {
  return (
    <Group justify="space-between" gap="xs" pt="sm" style={{ borderTop: '1px solid var(--line)' }}>
      <Text size="xs" c="dimmed">
        {isAdjusted ? say('matches.difference.unmatchingRemovesTheAdjustment') : say('matches.difference.itShowsInTheSummary')}
      </Text>
      <Group gap="xs" wrap="nowrap" ml="auto">
        <Button variant="default" size="sm" rightSection={<KeyHint keys="Esc" />} onClick={onClose}>
          {say('matches.difference.cancel')}
        </Button>
        <Button type="submit" size="sm" rightSection={<KeyHint keys="↵" />} loading={isRunning} data-testid="difference-confirm">
          {label}
        </Button>
      </Group>
    </Group>
  );
}
