import { Badge, Table, Text, Title } from '@mantine/core';
import type { BalanceOutcome, ImportedBalances } from '../../../src-shared/contract/index.ts';
import { Amount } from '../../components/amount.tsx';
import { Day } from '../../components/day.tsx';
import { balancesSentence, BALANCE_LABELS } from '../../format/balances.ts';
import styles from './import.module.css';

const OUTCOMES: Readonly<Record<BalanceOutcome, { readonly color: string; readonly label: string }>> = {
  new: { color: 'pine', label: 'New' },
  same: { color: 'gray', label: 'There already' },
  conflict: { color: 'red', label: 'Differs' },
  unlinked: { color: 'gray', label: 'No account' },
  other_currency: { color: 'orange', label: 'Other currency' },
};

/** The balances that the statement says, and what becomes of them. */
export function BalancesPanel({ balances }: { readonly balances: ImportedBalances }) {
  if (balances.stated === 0) return null;
  return (
    <section aria-labelledby="balances-heading" data-testid="import-balances">
      <Title order={2} id="balances-heading" mb="xs">
        Balances of the bank account
      </Title>
      <Text size="sm" mb="xs">
        {balancesSentence(balances)}
      </Text>
      <div className={`card ${styles.table}`}>
        <Table.ScrollContainer minWidth={480} maxHeight={220} type="native" tabIndex={0} aria-label="Balances of the bank account">
          <Table stickyHeader verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Date</Table.Th>
                <Table.Th>Balance</Table.Th>
                <Table.Th ta="right">Amount</Table.Th>
                <Table.Th>State</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {balances.items.map((item) => (
                <Row key={`${item.date} ${item.balance_type}`} item={item} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </div>
      {balances.stated > balances.items.length && (
        <Text size="xs" c="dimmed" mt={4}>
          The first {balances.items.length} of {balances.stated} are listed.
        </Text>
      )}
    </section>
  );
}

function Row({ item }: { readonly item: ImportedBalances['items'][number] }) {
  const { color, label } = OUTCOMES[item.outcome];
  const { currency, decimal_places: decimalPlaces } = item;
  return (
    <Table.Tr>
      <Table.Td>
        <Day iso={item.date} />
      </Table.Td>
      <Table.Td>{BALANCE_LABELS[item.balance_type]}</Table.Td>
      <Table.Td className="amount">
        <Amount minor={item.amount} currency={currency} decimalPlaces={decimalPlaces} />
      </Table.Td>
      <Table.Td>
        <Badge color={color}>{label}</Badge>
        {item.outcome === 'conflict' && item.existing_amount !== null && (
          <Text size="xs" c="red">
            stays <Amount minor={item.existing_amount} currency={currency} decimalPlaces={decimalPlaces} />
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
