import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PaneHeader } from '../../components/pane-header.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { countText } from '../../format/counts.ts';
import { AccountList } from './account-list.tsx';
import styles from './accounts.module.css';

/** The bank accounts of the book and its streams. */
export function AccountsScreen() {
  const accounts = useQuery('bank_accounts.list', {});
  const book = useQuery('book.overview', {});
  const failed = [accounts, book].find(({ value, failure }) => value === undefined && failure !== undefined);
  if (failed?.failure !== undefined) {
    return (
      <Page title="Accounts" testId="accounts-screen">
        <FailurePanel title="The accounts could not be read" failure={failed.failure} onRetry={failed.refetch} />
      </Page>
    );
  }
  if (accounts.value === undefined || book.value === undefined) {
    return (
      <Page title="Accounts">
        <Skeleton height={220} />
      </Page>
    );
  }
  const { streams } = book.value;
  return (
    <Page title="Accounts" testId="accounts-screen" isFlush>
      <section aria-labelledby="accounts-heading" data-testid="account-list">
        <PaneHeader title="Bank accounts" id="accounts-heading" count={countText(accounts.value.length)} />
        {accounts.value.length === 0 ? (
          <Text className={styles.none}>No bank account yet. A stream names its account: open the stream and link one.</Text>
        ) : (
          <AccountList accounts={accounts.value} streams={streams.map(({ stream }) => stream)} />
        )}
      </section>
      <section aria-labelledby="streams-heading" data-testid="stream-list">
        <PaneHeader title="Streams" id="streams-heading" count={countText(streams.length)} />
        {streams.length === 0 ? (
          <Text className={styles.none}>No stream yet. The first import makes one.</Text>
        ) : (
          <div className={styles.table}>
            <StreamTable streams={streams} />
          </div>
        )}
      </section>
    </Page>
  );
}
