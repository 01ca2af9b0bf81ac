import type { Input, Output, ReportFormat } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { JOURNAL_LAYOUTS, type JournalLayout, layoutOfColumns, PLAIN_LAYOUT } from '../../domain/report/index.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { findPeriod } from '../store/periods.ts';
import { whenRead } from '../work/figures.ts';
import type { ReportFile } from '../work/report-file.ts';
import { nameOf } from './period-views.ts';
import { noSuchCurrency } from './periods.ts';

const HTML = 'text/html; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';

/** File ending and content type of each format. */
const FILES: Readonly<Record<ReportFormat, { readonly ending: string; readonly type: string }>> = {
  html: { ending: '.html', type: HTML },
  pdf: { ending: '.pdf', type: 'application/pdf' },
  xlsx: { ending: '.xlsx', type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  csv: { ending: '.csv', type: CSV },
  pack: { ending: '-pack.html', type: HTML },
  journal: { ending: '-journal.csv', type: CSV },
};

const NO_PRINTER = phrase('close.refusals.nothingOnThisMachinePrintsAsk');

function refusedField(path: string, message: string) {
  return refuseField('validation_failed', path, message);
}

/** Returns the layout of the requested journal, or a refusal if the layout is wrong or the format is no journal. */
function layoutOf({ format, layout, columns }: Input<'periods.report'>): Result<JournalLayout, ReturnType<typeof refusedField>['error']> {
  if (format !== 'journal') {
    const given = columns !== undefined ? 'columns' : layout !== undefined ? 'layout' : null;
    if (given === null) return success(PLAIN_LAYOUT);
    return refusedField(given, phrase('close.reports.onlyAJournalHasLeave', { given: given === 'columns' ? given : `a ${given}` }));
  }
  if (columns === undefined) {
    const named = JOURNAL_LAYOUTS.find(({ id }) => id === (layout ?? PLAIN_LAYOUT.id));
    return success(present(named, 'layout'));
  }
  if (layout !== undefined && layout !== 'plain')
    return refusedField('columns', phrase('close.refusals.theColumnsOfAreFixedLeave', { layout }));
  const chosen = layoutOfColumns(columns);
  return chosen.ok ? chosen : refusedField('columns', chosen.error);
}

function fileOf(format: ReportFormat, { name, content, fingerprint }: ReportFile): Output<'periods.report'> {
  const { ending, type } = FILES[format];
  const said = { file_name: `${name}${ending}`, content_type: type, fingerprint };
  if (typeof content === 'string') return { ...said, encoding: 'utf8', content };
  return { ...said, encoding: 'base64', content: Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64') };
}

/** Prints the HTML of a report as PDF. */
async function printed({ printer, log }: ServiceContext, file: ReportFile): Promise<Answer> {
  if (printer === null) return refuse('no_printer', NO_PRINTER);
  const pdf = await printer.pdfOf(String(file.content));
  if (pdf.ok) return answer(fileOf('pdf', { ...file, content: pdf.value }));
  log.warning('a report was not printed', { error: pdf.error });
  return refuse('no_printer', pdf.error);
}

type Answer = Awaited<ReturnType<Handlers['periods.report']>>;

export function reportHandlers(context: ServiceContext): Pick<Handlers, 'periods.report'> {
  const { database, figures, clock, version } = context;
  return {
    'periods.report': (caller, input) => {
      const { id, format, currency } = input;
      const period = findPeriod(database, caller.environmentId, id);
      if (period === undefined) return missing('period', id);
      const layout = layoutOf(input);
      if (!layout.ok) return layout;
      if (format === 'pdf' && context.printer === null) return refuse('no_printer', NO_PRINTER);
      const wanted = { format: format === 'pdf' ? 'html' : format, currency: currency ?? null, layout: layout.value } as const;
      return whenRead(figures.of('report', id, wanted, { atMs: clock.nowMs(), version }), (read): Answer | Promise<Answer> => {
        if (!read.ok) return refuse('total_out_of_range', read.error.message);
        if (read.value === null) return noSuchCurrency(currency, nameOf(period));
        return format === 'pdf' ? printed(context, read.value) : answer(fileOf(format, read.value));
      });
    },
  };
}
