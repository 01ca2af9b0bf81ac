import { Skeleton, Stack, Text, Title } from '@mantine/core';
import type { BankAccount, BankAccountBalance, Coverage, Stream } from '../../../src-shared/contract/index.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { useQuery } from '../../api/use-query.ts';
import { Amount } from '../../components/amount.tsx';
import { CoverageCard } from '../../components/coverage-card.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { SyncWhy } from '../../components/sync-why.tsx';
import { balancesByCurrency, newestBalances } from '../../format/balance-days.ts';
import { dateText } from '../../format/dates.ts';
import { AccountActions } from './account-actions.tsx';
import styles from './account.module.css';
import { BalanceChart } from './balance-chart.tsx';
import { BalancesTable } from './balances-table.tsx';
import type { Scale } from './scale.ts';

/** A bank account: what its statements say of its balances, and the days that they cover. */
export function AccountScreen({ id }: { readonly id: number }) {
  const account = useQuery('bank_accounts.get', { id });
  if (account.value === undefined) {
    return (
      <Page title="Bank account">
        {account.failure === undefined ? (
          <Skeleton height={200} radius="lg" />
        ) : (
          <FailurePanel title="The bank account could not be read" failure={account.failure} onRetry={account.refetch} />
        )}
      </Page>
    );
  }
  return (
    <Page
      title={account.value.name}
      subtitle={<Facts account={account.value} />}
      actions={<AccountActions account={account.value} />}
      testId="account-screen"
    >
      <Contents account={account.value} />
    </Page>
  );
}

function Facts({ account }: { readonly account: BankAccount }) {
  const { value: streams } = useQuery('streams.list', {});
  const own = streams?.filter((stream) => stream.bank_account_id === account.id) ?? [];
  return (
    <Text size="sm" component="div">
      {account.currency ?? 'No currency yet'}
      {own.map((stream: Stream) => (
        <span key={stream.key}>
          {' · '}
          <PlaceLink place={{ screen: 'stream', key: stream.key }} testId="account-stream">
            {stream.name}
          </PlaceLink>
        </span>
      ))}
      {streams !== undefined && own.length === 0 && ' · no stream is linked to it'}
      <SyncWhy resource="accounts" id={account.id} />
    </Text>
  );
}

function Contents({ account }: { readonly account: BankAccount }) {
  const balances = useQuery('bank_account_balances.list', { bank_account_id: account.id });
  const coverage = useQuery('coverage.of_account', { id: account.id });
  const failed = [balances, coverage].find((read) => read.failure !== undefined && read.value === undefined);
  if (failed?.failure !== undefined) {
    return <FailurePanel title="The balances could not be read" failure={failed.failure} onRetry={failed.refetch} />;
  }
  if (balances.value === undefined || coverage.value === undefined) return <Skeleton height={240} radius="lg" />;
  const { accounts } = coverage.value;
  if (balances.value.length === 0 && accounts.length === 0) return <Nothing />;
  const kept = balancesByCurrency(balances.value, account.currency).map(([currency, own]) => ({
    key: currency ?? '',
    balances: own,
    scale: { currency, decimalPlaces: decimalPlacesOf(currency ?? 'USD') },
  }));
  return (
    <>
      {kept.map((each) => (
        <Newest key={each.key} balances={each.balances} scale={each.scale} />
      ))}
      {kept.map(({ key, balances: own, scale }) => (
        <BalanceChart
          key={key}
          balances={own}
          coverages={accounts.filter(({ currency }) => currency === scale.currency)}
          scale={scale}
          isOneOfSeveral={kept.length > 1}
        />
      ))}
      <Coverages coverages={accounts} />
      {kept.map(({ key, balances: own, scale }) => (
        <BalancesTable key={key} balances={own} coverages={accounts} scale={scale} isOneOfSeveral={kept.length > 1} />
      ))}
    </>
  );
}

function Nothing() {
  return (
    <Stack className="card" p="xl" gap="xs" align="center" ta="center" data-testid="account-empty">
      <Text fw={560}>Nothing is known of this account yet</Text>
      <Text c="dimmed" maw={460}>
        Import a statement into a stream that is linked to it: its balances and the days that it covers then stand here.
      </Text>
    </Stack>
  );
}

function Newest({ balances, scale }: { readonly balances: readonly BankAccountBalance[]; readonly scale: Scale }) {
  const { booked, available } = newestBalances(balances);
  if (booked === null && available === null) return null;
  return (
    <dl className={`card ${styles.newest}`} data-testid="newest-balances">
      {booked !== null && <Figure label="Balance" balance={booked} scale={scale} />}
      {available !== null && <Figure label="Available" balance={available} scale={scale} />}
    </dl>
  );
}

interface FigureProps {
  readonly label: string;
  readonly balance: BankAccountBalance;
  readonly scale: Scale;
}

function Figure({ label, balance, scale }: FigureProps) {
  return (
    <div>
      <dt>
        {label} on {dateText(balance.date)}
      </dt>
      <dd>
        <Amount minor={balance.amount_cents} {...scale} />
      </dd>
    </div>
  );
}

function Coverages({ coverages }: { readonly coverages: readonly Coverage[] }) {
  const { value: streams } = useQuery('streams.list', {});
  if (coverages.length === 0) return null;
  const areInSeveral = new Set(coverages.map(({ currency }) => currency)).size > 1;
  const isOfSeveral = new Set(coverages.map(({ data_stream_key: key }) => key)).size > 1;
  return (
    <section aria-labelledby="coverage-heading">
      <Title order={2} id="coverage-heading" mb="xs">
        Days that statements cover
      </Title>
      <Stack gap="xs">
        {coverages.map((each) => (
          <CoverageCard
            key={`${each.data_stream_key} ${each.account ?? ''} ${each.currency ?? ''}`}
            coverage={each}
            namesCurrency={areInSeveral}
            of={isOfSeveral ? (streams?.find(({ key }) => key === each.data_stream_key)?.name ?? each.data_stream_key) : null}
          />
        ))}
      </Stack>
    </section>
  );
}
