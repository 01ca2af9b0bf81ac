import { Alert, Button, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Problem } from '../../../src-shared/contract/index.ts';
import { counted } from '../../format/counts.ts';
import type { ImportProcess } from './use-import.ts';

interface OtherCurrencyProps {
  readonly process: ImportProcess;
  readonly problems: readonly Problem[];
}

/** A file, or single rows of it, in another currency than the stream's, and the way to import them nevertheless. */
export function OtherCurrency({ process, problems }: OtherCurrencyProps) {
  const whole = problems.find(({ code }) => code === 'wrong_currency');
  const rows = problems.filter(({ code }) => code === 'other_currency').length;
  if (whole === undefined && rows === 0) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title={whole === undefined ? 'Some rows are in another currency' : 'The file is in another currency than its stream'}
      data-testid="other-currency"
    >
      <Text size="sm" mb="xs" style={{ overflowWrap: 'anywhere' }}>
        {whole?.message ??
          `${counted(rows, 'row')} stay${rows === 1 ? 's' : ''} out as things stand; each is listed below with its currency.`}
      </Text>
      <Button size="compact-sm" variant="default" onClick={process.takeAnyCurrency} data-testid="any-currency">
        {whole === undefined ? 'Import these rows as well' : 'Import it nevertheless'}
      </Button>
    </Alert>
  );
}
