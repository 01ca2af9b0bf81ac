import { Alert, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Reconciliation, ReconciliationSummary } from '../../../src-shared/contract/index.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { currenciesApart, currenciesApartSentence } from '../../format/shared-currency.ts';

interface NoSharedCurrencyProps {
  readonly reconciliation: Reconciliation;
  readonly summary: ReconciliationSummary | undefined;
}

/** Why nothing can match, where the sides share no currency, with the way to where a wrong one is corrected. */
export function NoSharedCurrency({ reconciliation, summary }: NoSharedCurrencyProps) {
  const apart = summary === undefined ? null : currenciesApart(summary);
  if (apart === null) return null;
  const streams = [...reconciliation.side_a_streams, ...reconciliation.side_b_streams];
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title="The two sides share no currency"
      style={{ flexShrink: 0 }}
      data-testid="no-shared-currency"
    >
      <Text size="sm" mb={4}>
        {currenciesApartSentence(apart)} If a file was read in the wrong one, correct its import on the page of its stream:
      </Text>
      <Group gap="md">
        {streams.map(({ key, name }) => (
          <PlaceLink key={key} place={{ screen: 'stream', key }}>
            {name}
          </PlaceLink>
        ))}
      </Group>
    </Alert>
  );
}
