import { Group, Stack, Text } from '@mantine/core';
import { FigureTable } from '../../components/figure-table.tsx';
import type { RuleBacktest } from '../../../src-shared/contract/index.ts';
import { CertaintyBadge } from '../../components/certainty-badge.tsx';
import { countTexts, intervalText, leftOutTexts, shareText } from '../../format/backtest-words.ts';
import { countText } from '../../format/counts.ts';
import styles from './rules.module.css';
import { say } from '../../../src-shared/words/say.ts';

type ShownShare = NonNullable<RuleBacktest['precision']>;

/** The accuracy of a rule: precision and recall, and the outcomes of its matches. */
export function BacktestFigures({ found }: { readonly found: RuleBacktest }) {
  const { precision, recall, matches, records_a: a, records_b: b } = found;
  const leftOut = leftOutTexts(found);
  return (
    <Stack gap="sm" data-testid="backtest-figures">
      {precision === null ? (
        <Text size="sm" data-testid="backtest-unjudged">
          {found.summary}
        </Text>
      ) : (
        <ShareOf name="Precision" meaning={say('rules.backtestFigures.ofItsMatchesThatPeopleJudged')} share={precision} />
      )}
      {recall !== null && <ShareOf name="Recall" meaning={say('rules.backtestFigures.ofPeopleSMatches')} share={recall} />}
      <Stack gap={2}>
        <Text size="sm" fw={560}>
          {say('rules.backtestFigures.matchesOfLinesOfSide', { matches, a, b: countText(b) })}
        </Text>
        <ul className={styles.facts}>
          {countTexts(found).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {leftOut.map((text) => (
          <Text key={text} size="xs" c="dimmed">
            {text}
          </Text>
        ))}
      </Stack>
    </Stack>
  );
}

interface ShareOfProps {
  readonly name: string;
  readonly meaning: string;
  readonly share: ShownShare;
}

/** A share with its interval, as text and as a bar from 0 to 100 %. */
function ShareOf({ name, meaning, share }: ShareOfProps) {
  const { count, of, value, low, high } = share;
  const at = (part: number): string => `${part * 100}%`;
  return (
    <Stack gap={3}>
      <Group justify="space-between" wrap="nowrap" align="baseline" gap="xs">
        <Text className="tabular" fz="lg" fw={580}>
          {name} {shareText(value)}
        </Text>
        <Text size="xs" c="dimmed" className="tabular">
          {say('rules.backtestFigures.of', { count: countText(count), of: countText(of) })}
        </Text>
      </Group>
      <div className={styles.track} aria-hidden>
        <div className={styles.interval} style={{ left: at(low), width: at(high - low) }} />
        <div className={styles.value} style={{ left: at(value) }} />
      </div>
      <Text size="xs" c="dimmed">
        {say('rules.backtestFigures.confidenceInterval', { interval: intervalText(share), meaning })}
      </Text>
    </Stack>
  );
}

/** The accuracy by certainty, including matches that would wait for a person. */
export function ByCertainty({ found }: { readonly found: RuleBacktest }) {
  const rows = found.by_certainty.filter(({ matches }) => matches > 0);
  if (rows.length === 0) return null;
  return (
    <Stack gap={2}>
      <Text size="sm" fw={560}>
        {say('rules.backtestFigures.byCertainty')}
      </Text>
      <FigureTable
        columns={[
          { head: say('rules.backtestFigures.certainty') },
          { head: say('rules.backtestFigures.agree'), isFigure: true },
          { head: say('rules.backtestFigures.contradict'), isFigure: true },
          { head: say('rules.backtestFigures.unjudged'), isFigure: true },
          { head: say('rules.backtestFigures.wouldWait'), isFigure: true },
        ]}
        isWrapping
        isFitted
        className={styles.counts}
      >
        <tbody>
          {rows.map((row) => (
            <tr key={row.certainty}>
              <th scope="row">
                <CertaintyBadge certainty={row.certainty} />
              </th>
              {[row.agreements, row.contradictions, row.unjudged + row.partial_agreements, row.waiting].map((count, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns stay where they are
                <td key={column} className="amount">
                  {countText(count)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </FigureTable>
    </Stack>
  );
}
