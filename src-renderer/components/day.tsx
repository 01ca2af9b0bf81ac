import { dateText, instantText } from '../format/dates.ts';

/** A calendar date in the reader's style; the ISO date is its tooltip. */
export function Day({ iso }: { readonly iso: string | null }) {
  if (iso === null) return <span>–</span>;
  return (
    <time dateTime={iso} title={iso} className="tabular">
      {dateText(iso)}
    </time>
  );
}

/** An instant in the reader's time zone; the exact text is its tooltip. */
export function Instant({ at, text }: { readonly at: string; readonly text?: string }) {
  return (
    <time dateTime={at} title={at} className="tabular">
      {text ?? instantText(at)}
    </time>
  );
}
