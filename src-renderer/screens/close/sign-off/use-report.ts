import { useState } from 'react';
import type { Call } from '../../../../src-shared/contract/index.ts';
import { useConnection } from '../../../api/connection-context.ts';
import { saveFile } from '../../../api/save-file.ts';
import { useClosing } from '../close-context.ts';

export type ReportFormat = NonNullable<Call<'periods.report'>['format']>;

/** Has a report made and hands it over as a file; one at a time. */
export function useReport() {
  const { client } = useConnection();
  const { period, statement } = useClosing();
  const [making, setMaking] = useState<ReportFormat | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  async function make(format: ReportFormat): Promise<void> {
    if (making !== null) return;
    setMaking(format);
    setFailure(null);
    const answer = await client.call('periods.report', { id: period.id, format, currency: statement.currency });
    setMaking(null);
    if (answer.ok) saveFile(answer.value);
    else setFailure(answer.error.message);
  }
  return { make, making, failure };
}
