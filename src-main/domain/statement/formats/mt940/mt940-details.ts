/** What the information to the account owner (tag 86) says, taken apart as far as the bank marked its parts. */
interface Details {
  /** The purpose of the payment, else the whole text. */
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Lines of a SWIFT message have at most 65 characters: a line this long goes on without a break. */
const FULL_LINE = 60;
/** A sub-field holds at most 27 characters: one this long goes on in the next. */
const FULL_SUBFIELD = 27;
const STRUCTURED = /^\s*(\d{3})([^\p{L}\p{N}\s])(?=\d{2})/u;
const LINE_START = /^([?>])\d{2}/;

/** Codes of SEPA purpose text, each followed by `+` (as in `SVWZ+Rent`). */
const SEPA_CODES: Readonly<Record<string, string>> = {
  EREF: 'end_to_end_reference',
  KREF: 'customer_payment_reference',
  MREF: 'mandate_reference',
  CRED: 'creditor_id',
  BREF: 'bank_payment_reference',
  SVWZ: 'purpose',
};
/** Codes between slashes (as in `/REMI/Invoice 12/`), by what they mean. */
const SLASH_CODES: Readonly<Record<string, string>> = {
  NAME: 'counterparty',
  IBAN: 'counterparty_account',
  BIC: 'counterparty_bank',
  REMI: 'purpose',
  EREF: 'end_to_end_reference',
  MARF: 'mandate_reference',
  CSID: 'creditor_id',
  TRTP: 'transaction_type',
};

/** Reads the lines of a tag 86: German sub-fields (`?20`), codes between slashes, or free text. */
export function detailsOf(lines: readonly string[]): Details {
  const structured = STRUCTURED.exec(lines[0] ?? '');
  if (structured !== null) return subfields(joined(lines, ''), structured[1] ?? '', structured[2] ?? '?');
  const text = joined(lines, ' ').replaceAll(/\s+/g, ' ').trim();
  if (text === '') return { description: null, metadata: {} };
  const coded = /^\/[A-Z]{3,5}\//.test(text) ? slashCodes(text) : {};
  const { purpose, ...metadata } = coded;
  return { description: purpose ?? text, metadata };
}

/** Lines end within words where they are full; else a line end is a space, before a sub-field nothing. */
function joined(lines: readonly string[], gap: string): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1] ?? '';
    const isBroken = index > 0 && before.trimEnd().length < FULL_LINE && !LINE_START.test(line);
    text += `${isBroken ? ' ' : index > 0 && gap !== '' && before.endsWith(' ') ? gap : ''}${line}`;
  }
  return text;
}

function subfields(text: string, code: string, mark: string): Details {
  const parts = text.trimStart().slice(3).split(mark);
  const fields = new Map<string, string>();
  const purpose: string[] = [];
  for (const part of parts) {
    const found = /^(\d{2})([\s\S]*)$/.exec(part);
    const [number, value] = found === null ? [null, `${mark}${part}`] : [found[1] ?? '', found[2] ?? ''];
    if (number === null) {
      // The mark stands in the text itself.
      if (purpose.length > 0) purpose.push(`${purpose.pop() ?? ''}${value}`);
    } else if (isPurpose(number)) purpose.push(value);
    else fields.set(number, value);
  }
  const name = [fields.get('32'), fields.get('33')]
    .filter((each) => each !== undefined)
    .join('')
    .trim();
  const { purpose: remittance, ...codes } = sepaCodes(gathered(purpose));
  const metadata: Record<string, string> = { transaction_code: code, ...codes };
  put(metadata, 'booking_text', fields.get('00'));
  put(metadata, 'counterparty', name);
  put(metadata, 'counterparty_account', fields.get('31') ?? fields.get('38'));
  put(metadata, 'counterparty_bank', fields.get('30'));
  const description = remittance ?? (name === '' ? (fields.get('00') ?? null) : name);
  return { description: description === null || description.trim() === '' ? null : description.trim(), metadata };
}

function isPurpose(number: string): boolean {
  return /^(?:2\d|6[0-3])$/.test(number);
}

/** Sub-fields that are full run on; others are lines of their own, unless the next begins with a space of its own. */
function gathered(parts: readonly string[]): string {
  let text = '';
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1] ?? '';
    text += index === 0 || before.length >= FULL_SUBFIELD ? part : ` ${part}`;
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function sepaCodes(text: string): Record<string, string> {
  const codes: Record<string, string> = {};
  const marks = [...text.matchAll(/(?:^|\s?)(EREF|KREF|MREF|CRED|BREF|SVWZ)\+/g)];
  const first = marks[0];
  if (first === undefined) return text === '' ? {} : { purpose: text };
  const ahead = text.slice(0, first.index).trim();
  for (const [index, mark] of marks.entries()) {
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length).trim();
    put(codes, SEPA_CODES[mark[1] ?? ''] ?? 'purpose', value);
  }
  if (codes['purpose'] === undefined && ahead !== '') codes['purpose'] = ahead;
  return codes;
}

function slashCodes(text: string): Record<string, string> {
  const codes: Record<string, string> = {};
  const marks = [...text.matchAll(/\/([A-Z]{3,5})\//g)];
  for (const [index, mark] of marks.entries()) {
    const name = SLASH_CODES[mark[1] ?? ''];
    const value = text.slice(mark.index + mark[0].length, marks[index + 1]?.index ?? text.length).trim();
    if (name !== undefined && codes[name] === undefined) put(codes, name, value);
  }
  return codes;
}

function put(target: Record<string, string>, key: string, value: string | undefined): void {
  const trimmed = value?.trim() ?? '';
  if (trimmed !== '') target[key] = trimmed;
}
