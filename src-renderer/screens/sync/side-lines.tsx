import type { SyncConflictSide } from '../../../src-shared/contract/index.ts';
import { fullDay } from '../../format/close-days.ts';
import { keyed } from '../../format/keyed.ts';
import { plainAmount } from '../../format/money.ts';
import styles from './decide.module.css';
import { SideHead } from './side-head.tsx';

interface SidesProps {
  readonly remoteName: string;
  readonly here: SyncConflictSide;
  readonly there: SyncConflictSide;
  /** What is said of a side that has it not. */
  readonly gone: string;
}

const isEmpty = ({ lines, sums }: SyncConflictSide): boolean => lines.length + sums.length === 0;

/** The lines of both sides beside each other; those that the other side has not, or otherwise, are marked. */
export function SideLines({ remoteName, here, there, gone }: SidesProps) {
  if (isEmpty(here) && isEmpty(there)) return null;
  const hasReferences = [...here.lines, ...there.lines].some(({ reference }) => reference !== null);
  return (
    <div className={styles.sides} data-bare={!hasReferences || undefined} data-testid="conflict-sides">
      <OneSide name="Here" isHere side={here} gone={gone} />
      <OneSide name={remoteName} isHere={false} side={there} gone={gone} />
    </div>
  );
}

interface OneSideProps {
  readonly name: string;
  readonly isHere: boolean;
  readonly side: SyncConflictSide;
  readonly gone: string;
}

function OneSide({ name, isHere, side, gone }: OneSideProps) {
  return (
    <section aria-label={name}>
      <div className={styles.sideTop}>
        <SideHead name={name} isHere={isHere} side={side} />
      </div>
      {isEmpty(side) && <p className={styles.gone}>{side.is_gone ? gone : 'No lines'}</p>}
      <table className={styles.lines}>
        <colgroup>
          <col className={styles.mark} />
          <col className={styles.day} />
          <col />
          <col className={styles.reference} />
          <col className={styles.amount} />
        </colgroup>
        <tbody>
          {keyed(side.lines, ({ record_id: id, description }) => String(id ?? description)).map(({ item: line, key }) => (
            <tr key={key} data-differs={line.differs || undefined}>
              <td>{line.side !== null && <span className={styles.letter}>{line.side.toUpperCase()}</span>}</td>
              <td className="tabular">{fullDay(line.date)}</td>
              <th scope="row" title={line.description ?? undefined}>
                {line.description ?? 'No description'}
              </th>
              <td title={line.reference ?? undefined}>{line.reference}</td>
              <td className="amount">{plainAmount(line.money.amount, line.money.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
        <tbody className={styles.sums}>
          {side.sums.map(({ label, money }) => (
            <tr key={label}>
              <th scope="row" colSpan={4} title={label}>
                {label}
              </th>
              <td className="amount">{plainAmount(money.amount, money.decimal_places)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
