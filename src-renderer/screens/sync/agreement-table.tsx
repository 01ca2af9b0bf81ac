import { Box, Flex } from '@mantine/core';
import { IconTool } from '@tabler/icons-react';
import { useState } from 'react';
import type { SyncVerified } from '../../../src-shared/contract/index.ts';
import { FigureTable } from '../../components/figure-table.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { PlaceLink, ThingLink } from '../../components/place-link.tsx';
import { StateBadge, TextButton } from '../../components/primitives.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { countOf, countText } from '../../format/counts.ts';
import { keyed } from '../../format/sync-resources.ts';
import { differenceOf, fingerprint, rowState, sideSumText } from '../../format/sync-words.ts';
import styles from './sync.module.css';
import type { SyncControl } from './use-sync-control.ts';
import { say } from '../../../src-shared/words/say.ts';

type Row = SyncVerified['rows'][number];

/** The number of agreeing rows in the list before the user asks for the others. */
const LISTED = 20;

interface AgreementTableProps {
  readonly kind: Row['resource'];
  /** Sorted: rows that differ come first. */
  readonly rows: readonly Row[];
  readonly control: SyncControl;
  readonly canRepair: boolean;
}

/** Streams with their lines, or reconciliations with their matches. */
export function AgreementTable({ kind, rows, control, canRepair }: AgreementTableProps) {
  const [isLong, setLong] = useState(false);
  const differing = rows.filter(({ equal }) => !equal);
  const equal = rows.filter((row) => row.equal);
  const shown = isLong || equal.length <= LISTED ? equal : equal.slice(0, LISTED);
  const hasCurrency = new Set(rows.map(({ currency }) => currency)).size > 1;
  const isLines = kind === 'records';
  if (rows.length === 0) return null;
  return (
    <FigureTable
      columns={[
        { head: isLines ? countOf(rows.length, 'count.streams') : countOf(rows.length, 'count.reconciliations') },
        { head: isLines ? say('sync.agreementTable.lines') : say('sync.agreementTable.matches'), width: 66, narrow: 58, isFigure: true },
        { head: isLines ? say('sync.agreementTable.sum') : say('sync.agreementTable.linesInThem'), width: 112, narrow: 96, isFigure: true },
        { head: say('sync.agreementTable.fingerprint'), width: 86, narrow: 0, isFigure: true, className: 'wide-cell' },
        { head: say('sync.agreementTable.result'), width: 128, narrow: 122 },
      ]}
      data-testid={`agreement-${kind}`}
    >
      {differing.map((row) => (
        <DifferingRow key={keyOf(row)} row={row} hasCurrency={hasCurrency} control={control} canRepair={canRepair} />
      ))}
      <tbody>
        {shown.map((row) => (
          <EqualRow key={keyOf(row)} row={row} hasCurrency={hasCurrency} />
        ))}
        {shown.length < equal.length && (
          <tr>
            <td colSpan={5}>
              <TextButton onClick={() => setLong(true)} data-testid="more-agreeing">
                {say('sync.agreementTable.othersAgreeShowThem', { equal: countText(equal.length - shown.length) })}
              </TextButton>
            </td>
          </tr>
        )}
      </tbody>
    </FigureTable>
  );
}

const keyOf = ({ resource, name, currency }: Row): string => `${resource} ${name} ${currency ?? ''}`;

function EqualRow({ row, hasCurrency }: { readonly row: Row; readonly hasCurrency: boolean }) {
  const state = rowState(row);
  return (
    <tr>
      <th scope="row" title={row.name}>
        {row.name} {hasCurrency && <span className="quiet">{row.currency}</span>}
      </th>
      <td className="amount">{countText(row.local.count)}</td>
      <td className="amount wrap">{sideSumText(row, row.local.sum)}</td>
      <td className="amount quiet wide-cell" title={row.local.hash}>
        {fingerprint(row.local.hash)}
      </td>
      <td>
        <StateBadge tone={state.tone} isPlain>
          {state.words}
        </StateBadge>
      </td>
    </tr>
  );
}

type DifferingRowRow = SyncVerified['rows'][number];

interface DifferingRowProps {
  readonly row: DifferingRowRow;
  /** Whether the book has several currencies. */
  readonly hasCurrency: boolean;
  readonly control: SyncControl;
  readonly canRepair: boolean;
}

/** One stream or reconciliation that differs: both sides, the difference, and the lines that cause it. */
function DifferingRow({ row, hasCurrency, control, canRepair }: DifferingRowProps) {
  const { remote } = control;
  const state = rowState(row);
  const difference = differenceOf(row);
  return (
    <tbody className={styles.differing} data-tone={state.tone} data-testid="differing">
      <tr>
        <th scope="rowgroup" colSpan={4} className="strong" title={row.name}>
          {row.name} {hasCurrency && <span className="quiet">{row.currency}</span>}
        </th>
        <td>
          <StateBadge tone={state.tone} isPlain>
            {state.words}
          </StateBadge>
        </td>
      </tr>
      <SideRow name="Here" sums={row.local} row={row} />
      <SideRow name={remote.name} sums={row.remote} row={row} />
      <tr>
        <Box component="th" scope="row" pl={34} className="strong">
          {say('sync.agreementTable.difference')}
        </Box>
        <td className="amount strong">{countText(difference.count).replace('-', '−')}</td>
        <td className="amount wrap strong">{sideSumText(row, difference.sum)}</td>
        <td colSpan={2} aria-hidden />
      </tr>
      <tr>
        <Box component="td" colSpan={5} pl={34} className="wrap">
          <Differences row={row} remoteName={remote.name} />
          <Flex gap="md" align="center" justify="flex-end">
            {row.to_decide > 0 && (
              <PlaceLink place={{ screen: 'sync', id: remote.id, tab: 'decide' }} testId="differing-decide">
                {say('sync.agreementTable.toDecide', { toDecide: countText(row.to_decide) })}
              </PlaceLink>
            )}
            {canRepair && row.to_decide === 0 && (
              <WriteButton
                variant="default"
                size="compact-sm"
                leftSection={<IconTool size={14} aria-hidden />}
                rightSection={<KeyHint keys="R" />}
                onClick={control.repair}
                loading={control.isStarting}
                aria-keyshortcuts="R"
                data-testid="repair"
              >
                {say('sync.agreementTable.repair')}
              </WriteButton>
            )}
          </Flex>
        </Box>
      </tr>
    </tbody>
  );
}

interface SideRowProps {
  readonly name: string;
  readonly sums: DifferingRowRow['local'];
  readonly row: DifferingRowRow;
}

function SideRow({ name, sums, row }: SideRowProps) {
  return (
    <tr>
      <Box component="th" scope="row" pl={34} title={name}>
        {name}
      </Box>
      <td className="amount">{countText(sums.count)}</td>
      <td className="amount wrap">{sideSumText(row, sums.sum)}</td>
      <td className="amount wide-cell" title={sums.hash}>
        {fingerprint(sums.hash)}
      </td>
      <td aria-hidden />
    </tr>
  );
}

function Differences({ row: { differences, more }, remoteName }: { readonly row: DifferingRowRow; readonly remoteName: string }) {
  const where = {
    here: say('sync.agreementTable.onlyHere'),
    there: say('sync.agreementTable.onlyAt', { remoteName }),
    both: say('sync.agreementTable.onBothSidesButDifferently'),
  } as const;
  if (differences.length === 0) return null;
  return (
    <ul className="plain small wrap">
      {keyed(differences, ({ line }) => line.name).map(({ item: { line, side }, key }) => (
        <li key={key}>
          <ThingLink thing={line} name={line.name} /> <span className="mid">{where[side]}</span>
        </li>
      ))}
      {more > 0 && <li className="mid">{say('sync.agreementTable.more', { more: countText(more) })}</li>}
    </ul>
  );
}
