import { Box, Button, Flex, Group, Modal, MultiSelect, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { FigureTable } from '../../components/figure-table.tsx';
import { Fragment, useState } from 'react';
import { Mark, PaneHeader } from '../../components/primitives.tsx';
import type {
  BankAccount,
  Failure,
  Reconciliation,
  ReconciliationSummary,
  Story,
  StoryLink,
  Stream,
} from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailureAlert, FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { StreamTable } from '../../components/stream-table.tsx';
import { countText } from '../../format/counts.ts';
import { say } from '../../../src-shared/words/say.ts';
import { IconArrowRight, IconPencil, IconPlus } from '@tabler/icons-react';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import { moneyText } from '../../format/money.ts';

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
            {say('streams.accountsScreen.noAccountYetTheFirstImport')}
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

/** Chains of reconciliations: how much flows from one to the next, and what is stuck before it. */
function Chains() {
  const stories = useOperation('stories.list', {});
  const reconciliations = useOperation('reconciliations.list', { limit: 100 });
  const [form, setForm] = useState<Story | 'new' | null>(null);
  if (stories.isLoadingError) {
    return <FailurePanel title={say('streams.chains.couldNotBeRead')} failure={stories.error} onRetry={stories.refetch} />;
  }
  const chains = stories.data?.data ?? [];
  const known = reconciliations.data?.data ?? [];
  // One reconciliation makes no chain, so that a small book has nothing to see here.
  if (chains.length === 0 && known.length < 2) return null;
  return (
    <section aria-labelledby="chains-heading" data-testid="chain-list">
      <PaneHeader title={say('streams.chains.chains')} id="chains-heading" count={countText(chains.length)}>
        <WriteButton
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => setForm('new')}
          data-testid="new-chain"
        >
          {say('streams.chains.newChain')}
        </WriteButton>
      </PaneHeader>
      <Stack px={20} pb="lg" gap="sm">
        {chains.length === 0 && <Text c="dimmed">{say('streams.chains.none')}</Text>}
        {chains.map((story) => (
          <Chain key={story.id} story={story} onEdit={() => setForm(story)} />
        ))}
      </Stack>
      {form !== null && <ChainForm story={form === 'new' ? null : form} known={known} onClose={() => setForm(null)} />}
    </section>
  );
}

function Chain({ story, onEdit }: { readonly story: Story; readonly onEdit: () => void }) {
  return (
    <div className="card" data-testid="chain">
      <Group justify="space-between" px="md" pt="xs">
        <Text fw={600}>{story.name}</Text>
        <WriteIcon
          variant="subtle"
          color="gray"
          aria-label={say('streams.chains.edit', { name: story.name })}
          onClick={onEdit}
          data-testid="edit-chain"
        >
          <IconPencil size={15} aria-hidden />
        </WriteIcon>
      </Group>
      <Flex component="ol" className="plain" gap="sm" align="stretch" wrap="wrap" p="sm">
        {story.links.map((link, place) => (
          <Fragment key={link.id}>
            {place > 0 && (
              <Flex component="li" className="mid small" align="center" justify="center" maw="9rem" ta="center" direction="column">
                <span>{link.shared_data_stream_name ?? say('streams.chains.noSharedAccount')}</span>
                <IconArrowRight size={16} aria-hidden />
              </Flex>
            )}
            <Link link={link} />
          </Fragment>
        ))}
      </Flex>
    </div>
  );
}

/** One reconciliation of a chain: what of it flows on, and what is stuck. */
function Link({ link }: { readonly link: StoryLink }) {
  const { data: summary } = useOperation('reconciliations.summary', { id: link.reconciliation_id });
  const place = { screen: 'reconciliation', id: link.reconciliation_id } as const;
  const sides: readonly ReconciliationSummary['side_a'][] = summary === undefined ? [] : [summary.side_a, summary.side_b];
  const sum = (of: 'records' | 'matched' | 'open'): number => sides.reduce((total, side) => total + side[of], 0);
  const names = [link.side_a_streams, link.side_b_streams].map((streams) => streams.map(({ name }) => name).join(', '));
  return (
    <Box component="li" className="framed" flex="1 1 220px" miw={0} p="sm" data-testid="chain-link">
      <PlaceLink place={place} title={link.reconciliation_name}>
        {link.reconciliation_name}
      </PlaceLink>
      {summary === undefined ? (
        <Text size="sm" c="dimmed">
          …
        </Text>
      ) : (
        <>
          <Text size="sm">
            <Mark tone="done" /> {say('streams.chains.flows', { matched: countText(sum('matched')), records: countText(sum('records')) })}
          </Text>
          {sum('open') === 0 ? (
            <Text size="sm">{say('streams.chains.nothingStuck')}</Text>
          ) : (
            sides.map((side, at) =>
              side.open === 0 ? null : (
                // oxlint-disable-next-line react/no-array-index-key -- a side has no name but its place
                <Text key={at} size="sm" data-testid="chain-stuck">
                  <Mark tone="open" />{' '}
                  {say('streams.chains.stuck', {
                    open: countText(side.open),
                    account: names[at] ?? '',
                    amounts: side.totals.map((total) => moneyText(total.open_net, total.currency, total.decimal_places)).join(', '),
                  })}
                </Text>
              ),
            )
          )}
        </>
      )}
    </Box>
  );
}

interface ChainFormProps {
  /** Null for a new chain. */
  readonly story: Story | null;
  readonly known: readonly Reconciliation[];
  readonly onClose: () => void;
}

const streamsOf = ({ side_a_streams: a, side_b_streams: b }: Reconciliation) => [...a, ...b];

interface ChosenLink {
  readonly reconciliation_id: number;
  readonly shared_data_stream_id?: number;
}

/** Returns the links of a chain, each with the first account that it shares with the one before; `apart` names the first two that share none. */
function linksOf(chain: readonly Reconciliation[]) {
  const links = chain.map((each, place): ChosenLink => {
    const before = chain[place - 1];
    const shared = before === undefined ? undefined : streamsOf(each).find(({ id }) => streamsOf(before).some((other) => other.id === id));
    return { reconciliation_id: each.id, ...(shared === undefined ? {} : { shared_data_stream_id: shared.id }) };
  });
  const gap = links.findIndex((link, place) => place > 0 && link.shared_data_stream_id === undefined);
  return { links, apart: gap < 0 ? null : { from: chain[gap - 1]?.name ?? '', to: chain[gap]?.name ?? '' } };
}

/** The draft of a chain, and what keeps or deletes it. */
function useChain({ story, known, onClose }: ChainFormProps) {
  const [name, setName] = useState(story?.name ?? '');
  const [ids, setIds] = useState<readonly string[]>(story?.links.map((link) => String(link.reconciliation_id)) ?? []);
  const [failure, setFailure] = useState<Failure | null>(null);
  const create = useCommand('stories.create', setFailure);
  const update = useCommand('stories.update', setFailure);
  const remove = useCommand('stories.remove', setFailure);
  const chain = ids.map((id) => known.find((each) => String(each.id) === id)).filter((each) => each !== undefined);
  const { links, apart } = linksOf(chain);
  const isReady = name.trim() !== '' && links.length > 0 && apart === null;
  async function save(): Promise<void> {
    if (!isReady) return;
    const given = { name: name.trim(), links };
    const answer = story === null ? await create.run(given) : await update.run({ id: story.id, ...given });
    if (answer.ok) onClose();
  }
  async function takeOut(id: number): Promise<void> {
    if ((await remove.run({ id })).ok) onClose();
  }
  return {
    name,
    setName,
    ids,
    setIds,
    apart,
    isReady,
    failure,
    save,
    takeOut,
    isSaving: create.isRunning || update.isRunning,
    isRemoving: remove.isRunning,
  };
}

/** Names a chain and puts its reconciliations in the order in which money flows. */
function ChainForm({ story, known, onClose }: ChainFormProps) {
  const { name, setName, ids, setIds, apart, isReady, failure, isSaving, isRemoving, save, takeOut } = useChain({ story, known, onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      title={say(story === null ? 'streams.chains.newChain' : 'streams.chains.changeChain')}
      closeButtonProps={{ 'aria-label': say('streams.account.close') }}
      data-testid="chain-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Stack>
          <TextInput
            label={say('streams.chains.name')}
            value={name}
            maxLength={255}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
            data-testid="chain-name"
          />
          <MultiSelect
            label={say('streams.chains.order')}
            description={say('streams.chains.orderHint')}
            data={known.map((each) => ({ value: String(each.id), label: each.name }))}
            value={[...ids]}
            onChange={setIds}
            error={apart === null ? null : say('streams.chains.apart', apart)}
            searchable
            data-testid="chain-reconciliations"
          />
          <FailureAlert title={say('streams.chains.wasNotKept')} failure={failure} />
          <Group justify="flex-end">
            {story !== null && (
              <Box mr="auto">
                <WriteButton variant="default" loading={isRemoving} onClick={() => void takeOut(story.id)} data-testid="chain-delete">
                  {say('streams.chains.delete')}
                </WriteButton>
              </Box>
            )}
            <Button variant="default" onClick={onClose}>
              {say('streams.account.cancel')}
            </Button>
            <Button type="submit" disabled={!isReady} loading={isSaving} data-testid="chain-save">
              {say('streams.chains.keep')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
