import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import type { Call, DifferenceCode, Failure, MatchGroup, Output } from '../../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { say } from '../../../src-shared/words/say.ts';
import { type Connection, useConnection, useSteadyOperation } from '../../api/use-operation.ts';
import { FailureAlert } from '../../components/failure-panel.tsx';
import { Choice, Choices } from '../../components/primitives.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { minorOfText } from '../../../src-shared/values/amount-input.ts';
import { countText } from '../../format/counts.ts';
import { typedAmount } from '../../format/money.ts';
import { ADJUSTED_CODES, confirmedText } from '../../format/match-words.ts';

type Expected = Output<'confirmations.expect'>;

const REASONS = ADJUSTED_CODES.map((value) => ({ value, label: REASON_WORDS[value] }));
/** No difference is larger. */
const ANY_DIFFERENCE = Number.MAX_SAFE_INTEGER;

/** The proposals that are decided together: those that are selected, or all that a search finds. */
export type Together = { readonly groups: readonly MatchGroup[] } | { readonly search: string };

/** Returns what to expect of selected proposals. */
function expectedOf(groups: readonly MatchGroup[], mostDifference: number): Expected {
  const chosen = groups.filter(({ match }) => Math.abs(match.difference) <= mostDifference);
  const rated = chosen.map(({ match }) => match.likelihood).filter((likelihood) => likelihood !== null);
  return {
    count: chosen.length,
    differing: chosen.filter(({ match }) => match.difference !== 0).length,
    rated: rated.length,
    expected_wrong: rated.reduce((sum, likelihood) => sum + 1 - likelihood, 0),
  };
}

/** Returns what to expect, and whether it is still what a difference that was typed before would have: nothing is confirmed by it. */
function useExpected(
  id: number,
  together: Together,
  mostDifference: number,
): { readonly expected: Expected | undefined; readonly isOld: boolean } {
  const search = 'search' in together ? together.search : '';
  const { data, isPlaceholderData } = useSteadyOperation('confirmations.expect', { id, search, most_difference: mostDifference });
  return 'groups' in together
    ? { expected: expectedOf(together.groups, mostDifference), isOld: false }
    : { expected: data, isOld: isPlaceholderData };
}

const MOST_AT_ONCE = 5_000;

/** Returns the calls that decide about the proposals: one for each part of a selection, or one that is repeated while there is more. */
function callsOf(id: number, together: Together) {
  if ('search' in together) return [{ id, search: together.search }];
  const ids = together.groups.map(({ match }) => String(match.id));
  const starts = Array.from({ length: Math.ceil(ids.length / MOST_AT_ONCE) }, (_, part) => part * MOST_AT_ONCE);
  return starts.map((start) => ({ id, match_ids: ids.slice(start, start + MOST_AT_ONCE) }));
}

async function decideAll(
  client: Connection['client'],
  operation: 'confirmations.create' | 'rejections.create',
  calls: readonly (Call<'confirmations.create'> & Call<'rejections.create'>)[],
): Promise<Failure | null> {
  for (const call of calls) {
    for (let isMore = true; isMore;) {
      const answer = await client.call(operation, call);
      if (!answer.ok) return answer.error;
      isMore = answer.value.is_more && !('match_ids' in call);
    }
  }
  return null;
}

interface DecideTogetherProps {
  readonly verdict: 'confirm' | 'reject';
  readonly reconciliationId: number;
  readonly together: Together;
  /** The decimal places of the one currency; null where there are several, so that no difference can be named. */
  readonly places: number | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before many proposals are confirmed or rejected, and says what to expect of them. */
export function DecideTogether(props: DecideTogetherProps) {
  const { verdict, onClose } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      title={say(verdict === 'confirm' ? 'matches.together.confirmTogether' : 'matches.together.rejectTogether')}
      closeButtonProps={{ 'aria-label': say('matches.difference.close') }}
    >
      <div data-testid="decide-together">{verdict === 'confirm' ? <ConfirmMany {...props} /> : <RejectMany {...props} />}</div>
    </Modal>
  );
}

function useDeciding({ reconciliationId, together, onClose, onDone }: DecideTogetherProps) {
  const { client } = useConnection();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function run(
    operation: 'confirmations.create' | 'rejections.create',
    said: Partial<Call<'confirmations.create'>> = {},
  ): Promise<void> {
    setRunning(true);
    const refused = await decideAll(
      client,
      operation,
      callsOf(reconciliationId, together).map((call) => ({ ...said, ...call })),
    );
    setRunning(false);
    setFailure(refused);
    if (refused !== null) return;
    onDone();
    onClose();
  }
  return { isRunning, failure, run };
}

/** What becomes of the proposals that leave a difference. */
interface DifferingAnswer {
  readonly isAdjusting: boolean;
  /** The largest difference that is adjusted, as it is typed. */
  readonly most: string;
  readonly reason: DifferenceCode;
}

interface DifferingChoiceProps {
  readonly count: number;
  readonly canAdjust: boolean;
  readonly answer: DifferingAnswer;
  readonly isWrong: boolean;
  readonly onAnswer: (answer: DifferingAnswer) => void;
}

function DifferingChoice({ count, canAdjust, answer, isWrong, onAnswer }: DifferingChoiceProps) {
  return (
    <>
      <Choices legend={say('matches.together.leaveADifference', { count })}>
        <Choice
          name="differing"
          checked={!answer.isAdjusting}
          onChange={() => onAnswer({ ...answer, isAdjusting: false })}
          label={say('matches.together.leaveAsProposals')}
          testId="leave-differing"
        />
        {canAdjust && (
          <Choice
            name="differing"
            checked={answer.isAdjusting}
            onChange={() => onAnswer({ ...answer, isAdjusting: true })}
            label={say('matches.together.confirmWithAdjustments')}
            testId="adjust-differing"
          />
        )}
      </Choices>
      {answer.isAdjusting && (
        <Group gap="xs">
          <TextInput
            size="xs"
            w={90}
            label={say('matches.together.upTo')}
            value={answer.most}
            inputMode="decimal"
            error={isWrong}
            onChange={(event) => onAnswer({ ...answer, most: event.currentTarget.value })}
            data-testid="most-difference"
          />
          <Select
            size="xs"
            w={180}
            label={say('matches.together.bookedAs')}
            data={REASONS}
            value={answer.reason}
            onChange={(picked) => onAnswer({ ...answer, reason: picked ?? answer.reason })}
            allowDeselect={false}
            data-testid="reason-of-differences"
          />
        </Group>
      )}
    </>
  );
}

function ConfirmMany(props: DecideTogetherProps) {
  const { reconciliationId, together, places, onClose } = props;
  const [{ isAdjusting, most, reason }, setAnswer] = useState<DifferingAnswer>({
    isAdjusting: false,
    most: typedAmount(50, 2),
    reason: 'bank_charge',
  });
  const { isRunning, failure, run } = useDeciding(props);
  const difference = !isAdjusting || places === null ? 0 : minorOfText(most, places);
  const { expected: all } = useExpected(reconciliationId, together, ANY_DIFFERENCE);
  const { expected: chosen, isOld } = useExpected(reconciliationId, together, difference ?? 0);
  if (all === undefined || chosen === undefined) return null;
  const said = isAdjusting ? { most_difference: difference ?? 0, create_adjustment: true, difference_reason: { code: reason } } : {};
  const cannotConfirm = isOld || chosen.count === 0 || difference === null;
  const confirm = (): void => {
    if (!cannotConfirm && !isRunning) void run('confirmations.create', said);
  };
  return (
    <Stack component="form" gap="sm" onSubmit={(event) => (event.preventDefault(), confirm())}>
      <Text size="sm" data-testid="expected-of-proposals" aria-live="polite">
        {difference === null ? say('matches.together.thatIsNoAmount') : confirmedText(chosen, all.count, isAdjusting ? most : null)}
      </Text>
      {all.differing > 0 && (
        <DifferingChoice
          count={all.differing}
          canAdjust={places !== null}
          answer={{ isAdjusting, most, reason }}
          isWrong={difference === null}
          onAnswer={setAnswer}
        />
      )}
      {failure !== null && <FailureAlert title={say('matches.together.notConfirmed')} failure={failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {say('matches.difference.cancel')}
        </Button>
        <DecideButton disabled={cannotConfirm} loading={isRunning}>
          {say('matches.together.confirm', { count: countText(chosen.count) })}
        </DecideButton>
      </Group>
    </Stack>
  );
}

/**
 * The button that decides. It takes the focus as soon as the number of proposals is known, which may be after the dialog has opened; while nothing can be
 * decided yet, the choice before it does.
 */
function DecideButton(props: ComponentProps<typeof WriteButton>) {
  const around = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const button = around.current?.querySelector('button');
    if (button?.disabled === true) around.current?.closest('form')?.querySelector<HTMLElement>('input:checked')?.focus();
    else button?.focus();
  }, []);
  return (
    <span ref={around}>
      <WriteButton type="submit" data-autofocus data-testid="decide-together-button" {...props} />
    </span>
  );
}

function RejectMany(props: DecideTogetherProps) {
  const { reconciliationId, together, onClose } = props;
  const { isRunning, failure, run } = useDeciding(props);
  const { expected: all } = useExpected(reconciliationId, together, ANY_DIFFERENCE);
  if (all === undefined) return null;
  const reject = (): void => {
    if (all.count > 0 && !isRunning) void run('rejections.create');
  };
  return (
    <Stack component="form" gap="sm" onSubmit={(event) => (event.preventDefault(), reject())}>
      <Text size="sm">{say('matches.together.whatRejectingDoes', { count: all.count })}</Text>
      {failure !== null && <FailureAlert title={say('matches.together.notRejected')} failure={failure} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {say('matches.difference.cancel')}
        </Button>
        <DecideButton disabled={all.count === 0} loading={isRunning}>
          {say('matches.together.reject', { count: countText(all.count) })}
        </DecideButton>
      </Group>
    </Stack>
  );
}
