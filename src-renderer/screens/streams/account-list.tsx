import { Table } from '@mantine/core';
import { Fragment } from 'react';
import type { BankAccount, Stream } from '../../../src-shared/contract/index.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import styles from './accounts.module.css';

interface AccountListProps {
  readonly accounts: readonly BankAccount[];
  readonly streams: readonly Stream[];
}

/** Each bank account with its currency and the streams that are linked to it. */
export function AccountList({ accounts, streams }: AccountListProps) {
  return (
    <div className={styles.table}>
      <div className="card">
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Account</Table.Th>
              <Table.Th>Currency</Table.Th>
              <Table.Th>Streams</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {accounts.map(({ id, name, currency }) => (
              <Table.Tr key={id}>
                <Table.Td className={styles.name}>
                  <PlaceLink place={{ screen: 'account', id }} title={name}>
                    {name}
                  </PlaceLink>
                </Table.Td>
                <Table.Td>{currency ?? '–'}</Table.Td>
                <Table.Td className={styles.name}>
                  <Streams streams={streams.filter((stream) => stream.bank_account_id === id)} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
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
