import { z } from 'zod';
import * as common from '../common.ts';
import { operation } from '../operation.ts';
import { JOURNAL_LAYOUT_IDS, REPORT_FORMATS } from './report-choices.ts';

const LONGEST_COLUMNS = 1_000;

const report = z
  .object({
    file_name: z.string().meta({ description: 'What the file may be called' }),
    content_type: z.string(),
    encoding: z.enum(['utf8', 'base64']),
    fingerprint: z.string().meta({
      description:
        'Stands on every page, for the signed figures and who signed them; the same in each format. `tieout verify --fingerprint` finds its period',
    }),
    content: z.string().meta({ description: 'The file; with `base64` its bytes are written so' }),
  })
  .meta({ id: 'PeriodReport' });

export const reports = {
  'periods.report': operation({
    id: 'periods.report',
    method: 'GET',
    path: '/reconciliation_periods/{id}/report',
    summary:
      'The report of a period as a file, as the book stands now; of several currencies the one that is asked for, else the one with the most lines',
    surface: 'public',
    permission: 'read',
    status: 200,
    input: z.strictObject({
      id: common.idInput,
      format: z.enum(REPORT_FORMATS),
      currency: common.currency.optional(),
      layout: z.enum(JOURNAL_LAYOUT_IDS).optional().meta({ description: 'Of a journal; `plain` where it is left out' }),
      columns: z.string().trim().min(1).max(LONGEST_COLUMNS).optional().meta({
        description:
          'Of a journal in the layout `plain`: its fields in their order, each with a title if wanted, such as `day:Posted on,account,debit,credit`',
      }),
    }),
    output: report,
    errors: ['unknown_reference', 'total_out_of_range', 'no_printer'],
    example: { id: '1', format: 'html' },
  }),
} as const;
