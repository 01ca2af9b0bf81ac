import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconFileTypeHtml,
  IconFileTypePdf,
  IconPackage,
  IconReceipt,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { KeyHint } from '../../components/key-hint.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { useClosing } from './close-context.ts';
import frame from './close.module.css';
import styles from './sign-off.module.css';
import { type ReportFormat, useReport } from './use-report.ts';

/** The report of the period, in the formats it is wanted in. */
export function ReportButtons() {
  const { period } = useClosing();
  const { make, making, failure } = useReport();
  useShortcuts({ p: () => void make('pack') });
  const button = (format: ReportFormat, label: string, icon: ReactNode, hint?: ReactNode): ReactNode => (
    <Button
      variant="default"
      justify="flex-start"
      className={frame.button}
      leftSection={icon}
      rightSection={hint}
      loading={making === format}
      disabled={making !== null && making !== format}
      onClick={() => void make(format)}
      aria-keyshortcuts={format === 'pack' ? 'P' : undefined}
      data-testid={`report-${format}`}
    >
      {label}
    </Button>
  );
  return (
    <div className={styles.report} data-testid="reports">
      <h2>Report</h2>
      <div className={styles.two}>
        {button('pdf', 'PDF', <IconFileTypePdf size={16} aria-hidden />)}
        {button('xlsx', 'XLSX', <IconFileSpreadsheet size={16} aria-hidden />)}
      </div>
      {button('pack', 'Close pack', <IconPackage size={16} aria-hidden />, <KeyHint keys="P" />)}
      <div className={styles.two}>
        {button('html', 'HTML', <IconFileTypeHtml size={16} aria-hidden />)}
        {button('csv', 'CSV', <IconFileTypeCsv size={16} aria-hidden />)}
      </div>
      {button('journal', 'Journal', <IconReceipt size={16} aria-hidden />)}
      {making !== null && <p aria-live="polite">The report is being made…</p>}
      {failure !== null && (
        <p className={styles.failed} role="alert" data-testid="report-failure">
          <IconAlertTriangle size={14} aria-hidden />
          <span>{failure}</span>
        </p>
      )}
      <p>
        {period.state === 'closed' ? '' : `Marked “draft” until ${period.name} is closed. `}The pack re-adds every total in any browser.
      </p>
    </div>
  );
}
