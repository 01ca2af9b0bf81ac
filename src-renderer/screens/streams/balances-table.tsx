import { Badge, Button, Group, Stack, Table, Text, Title, Tooltip } from '@mantine/core';
import { useState } from 'react';
import type { BalanceType, BankAccountBalance, Coverage } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { type BalanceDay, balanceDays, typesAmong } from '../../format/balance-days.ts';
import { BALANCE_LABELS } from '../../format/balances.ts';
import { counted } from '../../format/counts.ts';
import { moneyText, plainAmount } from '../../format/money.ts';
import styles from './account.module.css';
import type { Scale } from './scale.ts';

/** Days shown at first, and how many more each time. */
const PAGE = 60;

interface BalancesTableProps {
  readonly balances: readonly BankAccountBalance[];
  readonly coverages: readonly Coverage[];
  readonly scale: Scale;
  /** Of the currencies in which the account has balances. */
  readonly isOneOfSeveral: boolean;
}

type File = Pick<Coverage['statements'][number], 'filename'> & { readonly streamKey: string };

/** Balances day by day, the newest first, each type in a column of its own, with the statements that say them. */
export function BalancesTable({ balances, coverages, scale, isOneOfSeveral }: BalancesTableProps) {
  const [shown, setShown] = useState(PAGE);
  const days = balanceDays(balances);
  const types = typesAmong(balances);
  const files = new Map<number, File>(
    coverages.flatMap(({ statements, data_stream_key: streamKey }) =>
      statements.map(({ import_batch_id: id, filename }) => [id, { filename, streamKey }] as const),
    ),
  );
  return (
    <section aria-labelledby={`balances-heading${scale.currency ?? ''}`} data-testid="account-balances">
      <Title order={2} id={`balances-heading${scale.currency ?? ''}`} mb="xs">
        {isOneOfSeveral ? `Balances in ${scale.currency ?? 'no currency'}` : 'Balances'}
      </Title>
      {days.length === 0 ? (
        <Stack className="card" p="lg">
          <Text size="sm" c="dimmed">
            The statements of this account state no balance.
          </Text>
        </Stack>
      ) : (
        <div className={`card ${styles.table}`}>
          <Table.ScrollContainer
            minWidth={280 + 130 * types.length}
            type="native"
            tabIndex={0}
            aria-label={isOneOfSeveral ? `Balances in ${scale.currency ?? 'no currency'} by day` : 'Balances by day'}
          >
            <Table verticalSpacing={7} horizontalSpacing="sm">
              <Head types={types} />
              <Table.Tbody>
                {days.slice(0, shown).map((day) => (
                  <Row key={day.date} day={day} types={types} files={files} scale={scale} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </div>
      )}
      {days.length > shown && (
        <Group justify="center" mt="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + PAGE)} data-testid="older-balances">
            Show older days ({days.length - shown} more)
          </Button>
        </Group>
      )}
    </section>
  );
}

function Head({ types }: { readonly types: readonly BalanceType[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Date</Table.Th>
        {types.map((type) => (
          <Table.Th key={type} ta="right">
            {BALANCE_LABELS[type]}
          </Table.Th>
        ))}
        <Table.Th>From</Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

interface RowProps {
  readonly day: BalanceDay;
  readonly types: readonly BalanceType[];
  readonly files: ReadonlyMap<number, File>;
  readonly scale: Scale;
}

function Row({ day, types, files, scale }: RowProps) {
  return (
    <Table.Tr data-testid="balance-day">
      <Table.Td>
        <Day iso={day.date} />
      </Table.Td>
      {types.map((type) => (
        <Table.Td key={type} className="amount">
          <Cell balance={day.byType.get(type)} scale={scale} />
        </Table.Td>
      ))}
      <Table.Td className={styles.sources}>
        <Stack gap={0}>
          {day.sources.map((id) => (
            <div key={id} className="truncate">
              <Source id={id} file={id === null ? undefined : files.get(id)} />
            </div>
          ))}
        </Stack>
      </Table.Td>
    </Table.Tr>
  );
}

function Cell({ balance, scale }: { readonly balance: BankAccountBalance | undefined; readonly scale: Scale }) {
  if (balance === undefined) return null;
  const { conflicts } = balance;
  const { currency, decimalPlaces } = scale;
  const text = (minor: number): string =>
    currency === null ? plainAmount(minor, decimalPlaces) : moneyText(minor, currency, decimalPlaces);
  return (
    <Stack gap={2} align="flex-end">
      <Amount minor={balance.amount_cents} decimalPlaces={decimalPlaces} />
      {conflicts.length > 0 && (
        <Tooltip label={`Also stated: ${conflicts.map(({ amount_cents: amount }) => text(amount)).join(', ')}`} multiline maw={320}>
          <Badge color="orange" size="sm" tabIndex={0} data-testid="balance-conflict">
            {counted(conflicts.length, 'statement')} {conflicts.length === 1 ? 'differs' : 'differ'}
          </Badge>
        </Tooltip>
      )}
    </Stack>
  );
}

function Source({ id, file }: { readonly id: number | null; readonly file: File | undefined }) {
  if (id === null) {
    return (
      <Text span size="sm" c="dimmed">
        Given by hand, or by a program
      </Text>
    );
  }
  return file === undefined ? <OtherImport id={id} /> : <ImportLink id={id} {...file} />;
}

/** An import that covers nothing of its own, such as a file that was imported again. */
function OtherImport({ id }: { readonly id: number }) {
  const { value: batch } = useQuery('import_batches.get', { id });
  if (batch === undefined) return <Text size="sm">Import {id}</Text>;
  return <ImportLink id={id} filename={batch.filename} streamKey={batch.data_stream_key} />;
}

function ImportLink({ id, filename, streamKey }: File & { readonly id: number }) {
  const name = filename ?? `Import ${id}`;
  return (
    <Text span size="sm">
      <PlaceLink place={{ screen: 'stream', key: streamKey }} title={name} testId="balance-source">
        {name}
      </PlaceLink>
    </Text>
  );
}
