import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import type { SyncPlan, SyncPlanRow, SyncRemote } from '../../../src-shared/contract/index.ts';
import { momentText } from '../../format/close-days.ts';
import { countText } from '../../format/counts.ts';
import { bracketWords, partsOf, sumsOf } from '../../format/plan-figures.ts';
import own from './next.module.css';
import type { PlanFigure } from './plan-drawer.tsx';
import { PlanRow } from './plan-row.tsx';
import styles from './sync.module.css';

interface PlanTableProps {
  readonly plan: SyncPlan;
  readonly remote: SyncRemote;
  readonly onLook: (figure: PlanFigure) => void;
}

/** Here = send + agree + to decide, there = agree + to decide + receive, kind by kind. */
export function PlanTable({ plan, remote, onLook }: PlanTableProps) {
  const { objects, others } = partsOf(plan);
  const sums = sumsOf(objects);
  const stays = { here: sums.stays_here > 0, there: sums.stays_there > 0 };
  const shared = { stays, remote, onLook };
  return (
    <table className={`${styles.table} ${own.plan}`} data-testid="plan-table">
      <colgroup>
        <col />
        {Array.from({ length: 6 + Number(stays.here) + Number(stays.there) }, (_each, place) => (
          <col key={place} className={own.figure} />
        ))}
      </colgroup>
      <PlanHead plan={plan} name={remote.name} stays={stays} />
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
    </table>
  );
}

interface Stays {
  readonly stays: { readonly here: boolean; readonly there: boolean };
}

function PlanHead({ plan, name, stays }: Stays & { readonly plan: SyncPlan; readonly name: string }) {
  return (
    <thead>
      <tr className={own.groups}>
        <Blank span={2} />
        <th scope="colgroup" colSpan={stays.here ? 2 : 1}>
          <span>Only here</span>
        </th>
        <th scope="colgroup" colSpan={2}>
          <span>On both sides</span>
        </th>
        <th scope="colgroup" colSpan={stays.there ? 2 : 1}>
          <span>Only there</span>
        </th>
        <Blank span={1} />
      </tr>
      <tr>
        <th scope="col">
          <span className={styles.wide}>As of </span>
          {momentText(plan.as_of)}
        </th>
        <th scope="col" className={`${styles.num} ${own.side}`}>
          Here
        </th>
        {stays.here && (
          <th scope="col" className={styles.num}>
            Stays
          </th>
        )}
        <th scope="col" className={styles.num}>
          <IconArrowRight size={14} aria-hidden className={own.arrow} /> Send
        </th>
        <th scope="col" className={styles.num}>
          Agree
        </th>
        <th scope="col" className={styles.num}>
          To decide
        </th>
        <th scope="col" className={styles.num}>
          <IconArrowLeft size={14} aria-hidden className={own.arrow} /> Receive
        </th>
        {stays.there && (
          <th scope="col" className={styles.num}>
            Stays
          </th>
        )}
        <th scope="col" className={`${styles.num} ${own.side}`} title={name}>
          {name}
        </th>
      </tr>
    </thead>
  );
}

type Sums = Stays & { readonly sums: Readonly<Record<Exclude<keyof SyncPlanRow, 'resource'>, number | null>> };

function Total({ sums, stays }: Sums) {
  const cell = (count: number | null) => <td className={styles.num}>{countText(count ?? 0)}</td>;
  return (
    <tr className={styles.total} data-testid="plan-total">
      <th scope="row">Total</th>
      {cell(sums.here)}
      {stays.here && cell(sums.stays_here)}
      {cell(sums.send)}
      {cell(sums.agree)}
      <td className={`${styles.num} ${(sums.to_decide ?? 0) > 0 ? styles.open : ''}`}>{countText(sums.to_decide ?? 0)}</td>
      {cell(sums.receive)}
      {stays.there && cell(sums.stays_there)}
      {cell(sums.there)}
    </tr>
  );
}

/** Which columns of the total add up to what. */
function Brackets({ sums, name, stays }: Sums & { readonly name: string }) {
  const here = bracketWords('Here', 'send', sums.stays_here ?? 0);
  const there = bracketWords(name, 'receive', sums.stays_there ?? 0);
  return (
    <>
      <tr className={own.bracket}>
        <Blank span={1} />
        <td colSpan={stays.here ? 5 : 4}>
          <span title={here}>{here}</span>
        </td>
        <Blank span={stays.there ? 3 : 2} />
      </tr>
      <tr className={own.bracket}>
        <Blank span={stays.here ? 4 : 3} />
        <td colSpan={stays.there ? 5 : 4} className={own.last}>
          <span title={there}>{there}</span>
        </td>
      </tr>
    </>
  );
}

/** A cell of the rows that say what belongs together. */
function Blank({ span }: { readonly span: number }) {
  return <td colSpan={span} aria-hidden />;
}
