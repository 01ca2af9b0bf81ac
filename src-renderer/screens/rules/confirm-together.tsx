import { Group, Select, Text, TextInput } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import type { Call, DifferenceCode, Output } from '../../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../../src-shared/contract/matches/difference-reasons.ts';
import { say } from '../../../src-shared/words/say.ts';
import type { Connection } from '../../api/connection.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { minorOfText } from '../../format/amount-input.ts';
import { countText } from '../../format/counts.ts';
import { ADJUSTED_CODES } from '../../format/match-words.ts';

type Expected = Output<'confirmations.expect'>;

const ANY = 'any';
const LEAST = [
  { value: '0.999', label: '99.9 %' },
  { value: '0.99', label: '99 %' },
  { value: '0.95', label: '95 %' },
  { value: '0.9', label: '90 %' },
  { value: ANY, label: say('rules.confirmLikely.anyLikelihood') },
] as const;
const REASONS = ADJUSTED_CODES.map((value) => ({ value, label: REASON_WORDS[value] }));
/** Shares below one in this many are shown as such. */
const RAREST = 10_000;

/** Returns how many turn out wrong where one in `one` does, rounded to its first digit. */
function oddsText(one: number): string {
  if (one >= RAREST) return say('rules.confirmLikely.fewerThanOneInTurnsOutWrong', { one: countText(RAREST) });
  if (one < 1.5) return say('rules.confirmLikely.mostTurnOutWrong');
  const digit = 10 ** Math.floor(Math.log10(one));
  return say('rules.confirmLikely.aboutOneInTurnsOutWrong', { one: countText(Math.round(one / digit) * digit) });
}

/** Returns what to expect of proposals that are confirmed together: `about one in 2,000 of these turns out wrong`. */
export function expectedText({ count, differing, rated, expected_wrong: wrong }: Expected): string {
  if (count === 0) return say('rules.confirmLikely.noProposalFits');
  const one = wrong === 0 ? Number.POSITIVE_INFINITY : rated / wrong;
  const odds = rated === 0 ? say('rules.confirmLikely.likelihoodIsNotKnown') : oddsText(one);
  const unrated = rated > 0 && rated < count ? [say('rules.confirmLikely.unratedOfThem', { count: count - rated })] : [];
  const adjusted = differing === 0 ? [] : [say('rules.confirmLikely.differingOfThem', { count: differing })];
  return [odds, ...unrated, ...adjusted].join(' · ');
}

interface DifferenceChoiceProps {
  /** As it is typed, in currency units; empty for none. */
  readonly most: string;
  readonly isWrong: boolean;
  readonly onMost: (text: string) => void;
  readonly reason: DifferenceCode;
  readonly onReason: (reason: DifferenceCode) => void;
}

/** The largest difference that is confirmed, and what its adjustments are booked as. */
function DifferenceChoice({ most, isWrong, onMost, reason, onReason }: DifferenceChoiceProps) {
  return (
    <>
      <Text size="sm">{say('rules.confirmLikely.differenceUpTo')}</Text>
      <TextInput
        size="xs"
        w={64}
        value={most}
        placeholder="0"
        inputMode="decimal"
        error={isWrong}
        onChange={(event) => onMost(event.currentTarget.value)}
        aria-label={say('rules.confirmLikely.mostDifference')}
        data-testid="most-difference"
      />
      {most.trim() !== '' && (
        <>
          <Text size="sm">{say('rules.confirmLikely.bookedAs')}</Text>
          <Select
            size="xs"
            w={130}
            data={REASONS}
            value={reason}
            onChange={(chosen) => onReason((chosen as DifferenceCode | null) ?? reason)}
            allowDeselect={false}
            aria-label={say('rules.confirmLikely.reasonOfTheDifference')}
            data-testid="reason-of-differences"
          />
        </>
      )}
    </>
  );
}

/** Confirms all proposals of a choice, 1,000 with each call. */
async function confirmAll(client: Connection['client'], choice: Call<'confirmations.create'>): Promise<void> {
  for (let isMore = true; isMore;) {
    const answer = await client.call('confirmations.create', choice);
    if (!answer.ok) return notifyFailure(say('rules.confirmLikely.theProposalsWereNotConfirmed'), answer.error);
    isMore = answer.value.is_more;
  }
}

interface ConfirmTogetherProps {
  readonly id: number;
  /** Descriptions of the rules by id. */
  readonly rules: ReadonlyMap<number, string>;
  /** The decimal places of the one currency; null where there are several, so that no difference can be named. */
  readonly places: number | null;
}

/** Confirms all proposals of a choice together, after showing how many they are and how many of them are wrong by expectation. */
export function ConfirmTogether({ id, rules, places }: ConfirmTogetherProps) {
  const [least, setLeast] = useState<string>('0.99');
  const [rule, setRule] = useState<string>(ANY);
  const [most, setMost] = useState('');
  const [reason, setReason] = useState<DifferenceCode>('bank_charge');
  const [isRunning, setRunning] = useState(false);
  const { client } = useConnection();
  const difference = most.trim() === '' || places === null ? 0 : minorOfText(most, places);
  const choice = {
    id,
    ...(least === ANY ? {} : { least_likelihood: Number(least) }),
    ...(rule === ANY ? {} : { rule_id: Number(rule) }),
    most_difference: difference ?? 0,
  };
  const { data: value } = useOperation('confirmations.expect', choice);
  if (value === undefined) return null;
  async function confirm(): Promise<void> {
    setRunning(true);
    const said = choice.most_difference === 0 ? {} : { create_adjustment: true, difference_reason: { code: reason } };
    await confirmAll(client, { ...choice, ...said });
    setRunning(false);
  }
  return (
    <Group p="6px 12px" style={{ flexShrink: 0, borderBottom: '1px solid var(--line)' }} gap="xs" data-testid="confirm-likely">
      <Select
        size="xs"
        w={92}
        data={[...LEAST]}
        value={least}
        onChange={(chosen) => setLeast(chosen ?? least)}
        allowDeselect={false}
        aria-label={say('rules.confirmLikely.leastLikelihood')}
        data-testid="least-likelihood"
      />
      <Text size="sm">{say('rules.confirmLikely.likelyOrMore')}</Text>
      {rules.size > 1 && (
        <Select
          size="xs"
          w={170}
          data={[
            { value: ANY, label: say('rules.confirmLikely.ofAnyRule') },
            ...[...rules].map(([value, label]) => ({ value: String(value), label })),
          ]}
          value={rule}
          onChange={(chosen) => setRule(chosen ?? ANY)}
          allowDeselect={false}
          aria-label={say('rules.confirmLikely.ofWhichRule')}
          data-testid="rule-of-proposals"
        />
      )}
      {places !== null && (
        <DifferenceChoice most={most} isWrong={difference === null} onMost={setMost} reason={reason} onReason={setReason} />
      )}
      <WriteButton
        size="compact-sm"
        leftSection={<IconChecks size={14} aria-hidden />}
        disabled={value.count === 0 || difference === null}
        loading={isRunning}
        onClick={() => void confirm()}
        data-testid="confirm-likely-button"
      >
        {say('rules.confirmLikely.confirm', { count: countText(value.count) })}
      </WriteButton>
      <Text size="sm" c="dimmed" aria-live="polite" data-testid="expected-of-proposals">
        {difference === null ? say('rules.confirmLikely.thatIsNoAmount') : expectedText(value)}
      </Text>
    </Group>
  );
}
