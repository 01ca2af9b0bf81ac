import { dateText, instantText } from '../format/dates.ts';

/** A calendar date in the reader's format, with the ISO date as tooltip. */
export function Day({ iso }: { readonly iso: string | null }) {
  if (iso === null) return <span>–</span>;
  return (
    <time dateTime={iso} title={iso} className="tabular">
      {dateText(iso)}
    </time>
  );
}

/** An instant in the reader's time zone, with the exact text as tooltip. */
export function Instant({ at, text }: { readonly at: string; readonly text?: string }) {
  return (
    <time dateTime={at} title={at} className="tabular">
      {text ?? instantText(at)}
    </time>
  );
}
