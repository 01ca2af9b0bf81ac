import { Text } from '@mantine/core';
import { useQuery } from '../../api/use-query.ts';
import { PlaceLink } from '../../components/place-link.tsx';
import { otherOfReturn, type Returned, returnText } from '../../format/return-words.ts';

/** What a line returns or by what it was returned, with the way there, and why. */
export function ReturnNote({ record }: { readonly record: Returned }) {
  const other = otherOfReturn(record);
  if (other === null && record.reversal_reason === null) return null;
  return (
    <Text size="xs" c="dimmed" component="div" data-testid="return-note">
      {other !== null && <OtherLine record={record} otherId={other} />}
      {other !== null && record.reversal_reason !== null && ' · '}
      {record.reversal_reason}
    </Text>
  );
}

function OtherLine({ record, otherId }: { readonly record: Returned; readonly otherId: number }) {
  const { value } = useQuery('records.get', { id: otherId });
  if (value === undefined) return null;
  return (
    <PlaceLink place={{ screen: 'stream', key: value.data_stream_key }} title={value.description ?? 'No description'}>
      {returnText(record, value)}
    </PlaceLink>
  );
}
