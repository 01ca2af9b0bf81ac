import { useRef, useState } from 'react';
import type { Call } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { saveFile } from '../../api/save-file.ts';
import { useClosing } from './close-context.ts';

export type ReportFormat = NonNullable<Call<'periods.report'>['format']>;

/** Has a report made and hands it over as a file; one at a time. */
export function useReport() {
  const { client } = useConnection();
  const { period, statement } = useClosing();
  const [making, setMaking] = useState<ReportFormat | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  // A key that comes before the window has drawn the end of the last report is heard all the same.
  const isMaking = useRef(false);
  async function make(format: ReportFormat): Promise<void> {
    if (isMaking.current) return;
    isMaking.current = true;
    setMaking(format);
    setFailure(null);
    const answer = await client.call('periods.report', { id: period.id, format, currency: statement.currency });
    isMaking.current = false;
    setMaking(null);
    if (answer.ok) saveFile(answer.value);
    else setFailure(answer.error.message);
  }
  return { make, making, failure };
}
