/** A tag of a SWIFT message with the lines that belong to it. */
export interface Field {
  readonly tag: string;
  readonly row: number;
  /** The text behind the tag, then the lines that go on with it. */
  readonly lines: readonly string[];
}

/** One message of a file. */
export interface Message {
  /** Empty where nothing but its envelope is there. */
  readonly fields: readonly Field[];
  readonly row: number;
  /** A line says that it ends. */
  readonly isEnded: boolean;
  /** It stands in an envelope, which must end. */
  readonly isEnveloped: boolean;
}

/** value date, entry date, mark with funds code, amount, type of transaction, references */
export const LINE = /^(\d{6})(\d{4}| {4})?(RC|RD|EC|ED|C|D)([A-Z])?\s*(\d[\d.]*(?:,\d*)?|,\d+)(.*)$/is;
export const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d[\d.]*(?:,\d*)?|,\d+)\s*$/;
/** number, currency, sum */
export const SUM = /^(\d{1,5})([A-Z]{3})(\d[\d.]*(?:,\d*)?|,\d+)\s*$/;

const TAG = /^:(\d{2}[A-Z]?|NS):/;
/** Ends of a message: a lone dash, or one with the bracket of the envelope in any of its national forms. */
const MESSAGE_END = /^-(?:\}.*|[å\]]?)$/i;
/** Blocks of an envelope that stand before the text of a message. */
const ENVELOPE = /^\{[1-4]:/;
/** Tags that stand inside a message, never at its beginning. */
const INNER_TAG = /^:(?:61|86|62[FM]|64|65|90[CD]):/;

interface Building {
  fields: Field[];
  row: number;
  isEnded: boolean;
  isEnveloped: boolean;
}

const begun = (): Building => ({ fields: [], row: 0, isEnded: false, isEnveloped: false });

/** Tags that stand before the transactions of a message, once each. */
export const HEAD_TAG = /^(?:20|25[A-Z]?|28C?|60F)$/;

/** Whether a tag begins the next message: tag 20 does, and where it is missing another of its head that the message has already, or that comes behind its closing balance. */
function beginsNext(tag: string, { fields }: Building): boolean {
  if (fields.length === 0 || !HEAD_TAG.test(tag)) return false;
  return tag === '20' || fields.some((field) => field.tag === tag || field.tag.startsWith('62'));
}

/** The messages of a text. Each ends with its envelope, or where the next one begins; tags behind the end of a message are one without it. */
export function messagesOf(text: string): Message[] {
  const messages: Message[] = [];
  let message = begun();
  let open: { tag: string; row: number; lines: string[] } | null = null;
  let isClosed = false;
  const close = (): void => {
    if (message.fields.length > 0 || message.isEnveloped) messages.push(message);
    message = begun();
    open = null;
  };
  const lines = text.split('\n').map((raw) => raw.replaceAll(/[^\P{Cc}\t]/gu, '').trimEnd());
  const goesOn = goingOn(lines);
  for (const [index, line] of lines.entries()) {
    const found = TAG.exec(line);
    if (found !== null) {
      const field: { tag: string; row: number; lines: string[] } = {
        tag: found[1] ?? '',
        row: index + 1,
        lines: [line.slice(found[0].length)],
      };
      if (beginsNext(field.tag, message)) close();
      isClosed = field.tag.startsWith('62') || (isClosed && !HEAD_TAG.test(field.tag));
      if (message.row === 0) message.row = field.row;
      message.fields.push(field);
      open = field;
    } else if (MESSAGE_END.test(line) && (isClosed || goesOn[index] !== true)) {
      message.isEnded = true;
      close();
    } else if (ENVELOPE.test(line)) {
      if (message.fields.length > 0) close();
      message.isEnveloped = true;
      if (message.row === 0) message.row = index + 1;
      open = null;
    } else if (line !== '' && open !== null && !line.startsWith('{')) (open as { lines: string[] }).lines.push(line);
  }
  close();
  return messages;
}

/** For each line whether the message goes on behind it: a text may hold a dash alone, and the next tag is one of the inner ones then. */
function goingOn(lines: readonly string[]): readonly boolean[] {
  const goesOn: boolean[] = [];
  let isInner = false;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    goesOn[at] = isInner;
    const line = lines[at] ?? '';
    if (TAG.test(line)) isInner = INNER_TAG.test(line);
  }
  return goesOn;
}
