import { Anchor, Group, Stack, Text, Tooltip } from '@mantine/core';
import { FigureTable, TableFrame } from './figure-table.tsx';
import { IconFileImport } from '@tabler/icons-react';
import type { Output } from '../../src-shared/contract/index.ts';
import { Instant } from './day.tsx';
import { ProofBadge } from './badges.tsx';
import { useNow } from './use-now.ts';
import { countText } from '../format/counts.ts';
import { agoText, dateRangeText } from '../format/dates.ts';
import { holdsLines } from './holds-lines.ts';
import { WriteIcon } from './writing.tsx';
import { useNavigation } from '../state/navigation.ts';
import { placeText } from '../state/places.ts';
import { say } from '../../src-shared/words/say.ts';

type StreamRow = Output<'book.overview'>['streams'][number];

/** Lists the streams of the book with their newest file. */
export function StreamTable({ streams }: { readonly streams: readonly StreamRow[] }) {
  return (
    <div className="card">
      <TableFrame least={720}>
        <FigureTable
          columns={[
            { head: say('streams.streamTable.account') },
            { head: say('streams.streamTable.records'), isFigure: true },
            { head: say('streams.streamTable.dates') },
            { head: say('streams.streamTable.lastFile') },
            { head: say('streams.streamTable.proof') },
            { label: say('streams.streamTable.actions') },
          ]}
          isWrapping
          isFitted
        >
          <tbody>
            {streams.map((row) => (
              <Row key={row.stream.key} row={row} />
            ))}
          </tbody>
        </FigureTable>
      </TableFrame>
    </div>
  );
}

function Row({ row }: { readonly row: StreamRow }) {
  const go = useNavigation((state) => state.go);
  const now = useNow();
  const { stream } = row;
  const place = { screen: 'stream', key: stream.key } as const;
  return (
    <tr>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- the cell is no control, and has its text further inside */}
      <td style={{ maxWidth: '18rem' }}>
        <Stack gap={0}>
          <Anchor
            href={`#${placeText(place)}`}
            fw={560}
            size="sm"
            c="inherit"
            className="truncate"
            title={stream.name}
            onClick={(event) => {
              event.preventDefault();
              go(place);
            }}
          >
            {stream.name}
          </Anchor>
          <Text size="xs" c="dimmed" className="truncate">
            {stream.key}
            {stream.currency === null ? '' : ` · ${stream.currency}`}
          </Text>
        </Stack>
      </td>
      <td className="amount">{countText(stream.record_count)}</td>
      <td className="tabular">{dateRangeText(row.date_range_start, row.date_range_end) || '–'}</td>
      <td style={{ maxWidth: '16rem' }}>
        <Text size="sm" className="truncate" title={row.last_filename ?? undefined}>
          {row.last_filename ?? '–'}
        </Text>
        {row.last_import_at !== null && (
          <Text size="xs" c="dimmed">
            <Instant at={row.last_import_at} text={agoText(row.last_import_at, now)} />
          </Text>
        )}
      </td>
      <td>{row.last_proof === null ? '–' : <ProofBadge proof={row.last_proof} />}</td>
      <td>
        <Group justify="flex-end">
          {holdsLines(stream) && (
            <Tooltip label={say('streams.streamTable.importAFileIntoThisAccount')}>
              <WriteIcon
                variant="subtle"
                color="gray"
                aria-label={say('streams.streamTable.importAFileIntoNamed', { name: stream.name })}
                onClick={() => go({ screen: 'import', streamKey: stream.key })}
              >
                <IconFileImport size={17} aria-hidden />
              </WriteIcon>
            </Tooltip>
          )}
        </Group>
      </td>
    </tr>
  );
}
