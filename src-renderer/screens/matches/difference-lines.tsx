import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { counted } from '../../format/counts.ts';
import { dateText } from '../../format/dates.ts';
import { plainAmount, signedOf } from '../../format/money.ts';
import { oneSideText, type SidedLine, transposedText, type Unbalanced } from '../../format/unbalanced.ts';
import styles from './difference.module.css';

/** Lines shown of each side. */
const SHOWN = 4;

interface DifferenceLinesProps {
  readonly unbalanced: Unbalanced;
  /** Lines of the match that are not among those known here. */
  readonly unlisted: number;
}

const amountOf = (line: SidedLine) => plainAmount(signedOf(line), line.decimal_places);

/** The lines of both sides above each other, the difference below, and what can be seen in it. */
export function DifferenceLines({ unbalanced, unlisted }: DifferenceLinesProps) {
  const { lines, difference } = unbalanced;
  const of = (side: 'a' | 'b') => lines.filter((line) => line.side === side);
  const hint = oneSideText(unbalanced) ?? transposedText(unbalanced, amountOf);
  return (
    <>
      <table className={styles.lines} aria-label="The lines and their difference" data-testid="difference-lines">
        <tbody>
          <SideRows side="A" lines={of('a')} unlisted={0} />
          <SideRows side="B" lines={of('b')} unlisted={unlisted} />
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={4}>Difference</td>
            <td className={styles.amount}>{plainAmount(difference.net, difference.decimal_places)}</td>
          </tr>
        </tfoot>
      </table>
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
            <span className={styles.mark}>{side}</span>
          </td>
          <td className={styles.date}>{dateText(line.date)}</td>
          <td className={styles.text} title={line.description ?? ''}>
            {line.description ?? 'No description'}
          </td>
          <td className={styles.date}>{line.external_id ?? ''}</td>
          <td className={styles.amount}>{amountOf(line)}</td>
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td>
            <span className={styles.mark}>{side}</span>
          </td>
          <td colSpan={4} className={styles.more}>
            and {counted(more, 'more line')}
          </td>
        </tr>
      )}
    </>
  );
}
