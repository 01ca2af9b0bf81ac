import { Box, Skeleton, Text } from '@mantine/core';
import { FigureTable } from '../../components/figure-table.tsx';
import { Fragment } from 'react';
import { PaneHeader } from '../../components/primitives.tsx';
import type { BankAccount, Stream } from '../../../src-shared/contract/index.ts';
import { useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { countText } from '../../format/counts.ts';
import { Chains } from './chains.tsx';
import { say } from '../../../src-shared/words/say.ts';

/** Lists the bank accounts of the book and its streams. */
export function AccountsScreen() {
  const accounts = useOperation('bank_accounts.list', {});
  const book = useOperation('book.overview', {});
  const failed = [accounts, book].find((read) => read.isLoadingError);
  if (failed?.isLoadingError) {
    return (
      <Page title={say('streams.accountsScreen.accounts')} testId="accounts-screen">
        <FailurePanel title={say('streams.accountsScreen.theAccountsCouldNotBeRead')} failure={failed.error} onRetry={failed.refetch} />
      </Page>
    );
  }
  if (accounts.data === undefined || book.data === undefined) {
    return (
      <Page title={say('streams.accountsScreen.accounts')}>
        <Skeleton height={220} />
      </Page>
    );
  }
  const { streams } = book.data;
  return (
    <Page title={say('streams.accountsScreen.accounts')} testId="accounts-screen" isFlush>
      <section aria-labelledby="accounts-heading" data-testid="account-list">
        <PaneHeader title={say('streams.accountsScreen.bankAccounts')} id="accounts-heading" count={countText(accounts.data.length)} />
        {accounts.data.length === 0 ? (
          <Text c="dimmed" px={20} pb="lg">
            {say('streams.accountsScreen.noBankAccountYet')}
          </Text>
        ) : (
          <AccountList accounts={accounts.data} streams={streams.map(({ stream }) => stream)} />
        )}
      </section>
      <Chains />
      <section aria-labelledby="streams-heading" data-testid="stream-list">
        <PaneHeader title={say('streams.accountsScreen.streams')} id="streams-heading" count={countText(streams.length)} />
        {streams.length === 0 ? (
          <Text c="dimmed" px={20} pb="lg">
            {say('streams.accountsScreen.noStreamYetTheFirstImport')}
          </Text>
        ) : (
          <Box px={20} pb="lg">
            <StreamTable streams={streams} />
          </Box>
        )}
      </section>
    </Page>
  );
}

interface AccountListProps {
  readonly accounts: readonly BankAccount[];
  readonly streams: readonly Stream[];
}

/** Lists each bank account with its currency and its streams. */
function AccountList({ accounts, streams }: AccountListProps) {
  return (
    <Box px={20} pb="lg">
      <div className="card">
        <FigureTable
          columns={[
            { head: say('streams.accountsScreen.account') },
            { head: say('streams.accountsScreen.currency'), width: 110 },
            { head: say('streams.accountsScreen.streams') },
          ]}
        >
          <tbody>
            {accounts.map(({ id, name, currency }) => (
              <tr key={id}>
                <td>
                  <PlaceLink place={{ screen: 'account', id }} title={name}>
                    {name}
                  </PlaceLink>
                </td>
                <td>{currency ?? '–'}</td>
                <td>
                  <Streams streams={streams.filter((stream) => stream.bank_account_id === id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </FigureTable>
      </div>
    </Box>
  );
}

function Streams({ streams }: { readonly streams: readonly Stream[] }) {
  if (streams.length === 0) return '–';
  return streams.map(({ key, name }, place) => (
    <Fragment key={key}>
      {place > 0 && ', '}
      <PlaceLink place={{ screen: 'stream', key }}>{name}</PlaceLink>
    </Fragment>
  ));
}
