import type { Direction } from '../../../src-shared/values/money.ts';
import { textPrint } from '../../../src-shared/values/text-print.ts';
import { bytesOfImage, TableImage, writeText } from '../../database/sqlite-image.ts';
import { STAGED_LINES } from '../../records/store/staged-records.ts';
import type { SpillRoom } from '../../domain/collections/spilled-counts.ts';
import { type BuiltLine, DedupeKeys, type RejectedRow, type StatementLine } from '../../domain/statement/index.ts';

/** Currency, decimal places and direction of an amount. */
export interface KindOfMoney {
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly direction: Direction;
}

/** Lines of a file that are about to be stored: an image of a SQLite table, and beside it the values that are needed without reading that table. */
export interface StagedLines {
  readonly image: Uint8Array;
  readonly count: number;
  /** Fingerprints of the dedupe keys. */
  readonly prints: Float64Array;
  /** Minor units. */
  readonly amounts: Float64Array;
  /** Since 1970-01-01. */
  readonly days: Int32Array;
  /** Index of each line's kind in `kindsOfMoney`, which grows with the file. */
  readonly kinds: Uint16Array;
  readonly kindsOfMoney: readonly KindOfMoney[];
  /** Dedupe keys in UTF-8, each with a line end. `keyEnds` holds the offset behind each of them. */
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Maximal pages of a stage. With fewer, the image would be opened too often; with more, it would only take memory. */
const MOST_PAGES = 64;
const MOST_LINES = 32_768;
const BYTES_OF_KEYS = 1 << 20;
/** Upper bound for the bytes of a key. */
const LONGEST_KEY = 2_048;
/** Estimates: lines per page in most files, and bytes per key. */
const LINES_OF_PAGE = 300;
const BYTES_OF_KEY = 128;

/** The memory of a stage. It may be shared with another thread. */
export interface RoomOfStage {
  readonly image: Uint8Array;
  readonly prints: Float64Array;
  readonly amounts: Float64Array;
  readonly days: Int32Array;
  readonly kinds: Uint16Array;
  readonly keys: Uint8Array;
  readonly keyEnds: Uint32Array;
}

/** Allocates memory for `lines` lines, but at most for as many as one stage takes. */
export function roomOfStage(lines: number, memory: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes)): RoomOfStage {
  const most = Math.min(lines, MOST_LINES);
  return {
    image: new Uint8Array(memory(bytesOfImage(Math.min(MOST_PAGES, 1 + Math.ceil(most / LINES_OF_PAGE))))),
    prints: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    amounts: new Float64Array(memory(most * Float64Array.BYTES_PER_ELEMENT)),
    days: new Int32Array(memory(most * Int32Array.BYTES_PER_ELEMENT)),
    kinds: new Uint16Array(memory(most * Uint16Array.BYTES_PER_ELEMENT)),
    keys: new Uint8Array(memory(Math.min(BYTES_OF_KEYS, most * BYTES_OF_KEY + LONGEST_KEY))),
    keyEnds: new Uint32Array(memory(most * Uint32Array.BYTES_PER_ELEMENT)),
  };
}

/** The kinds of money of a file, numbered in order of appearance. */
class KindsOfMoney {
  readonly #codes = new Map<string, number>();
  readonly all: KindOfMoney[] = [];

  codeOf({ currency, decimalPlaces, direction }: KindOfMoney): number {
    const name = direction === 'credit' ? `+${currency}${decimalPlaces}` : `-${currency}${decimalPlaces}`;
    let code = this.#codes.get(name);
    if (code === undefined) {
      code = this.all.push({ currency, decimalPlaces, direction }) - 1;
      this.#codes.set(name, code);
    }
    return code;
  }
}

/** Takes lines until it is full. */
class LineStage {
  readonly #room: RoomOfStage;
  readonly #kinds: KindsOfMoney;
  readonly #keys: Buffer;
  readonly #image: TableImage;
  #bytesOfKeys = 0;

  constructor(room: RoomOfStage, kinds: KindsOfMoney) {
    this.#room = room;
    this.#kinds = kinds;
    this.#keys = Buffer.from(room.keys.buffer, room.keys.byteOffset, room.keys.byteLength);
    this.#image = new TableImage(room.image, STAGED_LINES.name, STAGED_LINES.columns);
  }

  get count(): number {
    return this.#image.rows;
  }

  /** Whether the next line may not fit. */
  get isFull(): boolean {
    return this.count === this.#room.days.length || this.#image.isFull || this.#bytesOfKeys > this.#keys.length - LONGEST_KEY;
  }

  add(line: StatementLine, key: string): void {
    const { prints, amounts, days, kinds, keyEnds } = this.#room;
    const at = this.count;
    const print = textPrint(key);
    prints[at] = print;
    amounts[at] = line.amountMinor;
    days[at] = line.day;
    kinds[at] = this.#kinds.codeOf(line);
    this.#bytesOfKeys += writeText(this.#keys, key, this.#bytesOfKeys);
    this.#keys[this.#bytesOfKeys] = 10;
    this.#bytesOfKeys += 1;
    keyEnds[at] = this.#bytesOfKeys;
    const image = this.#image;
    image.int(line.row);
    image.int(line.day);
    image.int(line.amountMinor);
    image.int(line.direction === 'credit' ? 1 : 0);
    image.text(line.currency);
    image.int(line.decimalPlaces);
    image.textOrNull(line.description);
    image.textOrNull(line.externalId);
    image.text(JSON.stringify(line.metadata));
    image.text(key);
    image.int(print);
    image.textOrNull(line.reversal === undefined ? null : JSON.stringify(line.reversal));
    image.intOrNull(line.valueDay);
    image.end();
  }

  /** The lines so far. The value is valid until the next line is added. */
  get lines(): StagedLines {
    return { ...this.#room, image: this.#image.finished(), count: this.count, kindsOfMoney: this.#kinds.all };
  }

  /** Empties the stage after its lines were stored. */
  clear(): void {
    this.#image.clear();
    this.#bytesOfKeys = 0;
  }
}

/** This many rejected rows are handed over at once, even if few lines come with them. */
const MOST_REJECTED = 4_096;

/** Consecutive lines of a file, and the rejected rows among them. */
export interface StretchOfFile {
  readonly lines: StagedLines;
  readonly rejected: readonly RejectedRow[];
}

/** Stages lines and hands them over some ten thousand at a time. */
export class LineStager {
  readonly #nextRoom: () => RoomOfStage;
  readonly #hand: (stretch: StretchOfFile) => void;
  readonly #kinds = new KindsOfMoney();
  #stage: LineStage | null = null;
  #rejected: RejectedRow[] = [];

  /** `nextRoom` returns memory for the next lines. What was handed over stays unchanged until `nextRoom` returns the same room again. */
  constructor(nextRoom: () => RoomOfStage, hand: (stretch: StretchOfFile) => void) {
    this.#nextRoom = nextRoom;
    this.#hand = hand;
  }

  add(line: StatementLine, key: string): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#stage.add(line, key);
    if (this.#stage.isFull) this.end();
  }

  reject(row: RejectedRow): void {
    this.#stage ??= new LineStage(this.#nextRoom(), this.#kinds);
    this.#rejected.push(row);
    if (this.#rejected.length === MOST_REJECTED) this.end();
  }

  /** Hands over the remaining lines. */
  end(): void {
    if (this.#stage === null) return;
    this.#hand({ lines: this.#stage.lines, rejected: this.#rejected });
    this.#stage = null;
    this.#rejected = [];
  }

  /** Discards what was not handed over. Its room is used for the next lines. */
  drop(): void {
    this.#rejected = [];
    this.#stage?.clear();
  }
}

/** Stages the lines of a file while they are read. */
export class FileStager {
  readonly #stager: LineStager;
  readonly #asTaken: (line: StatementLine) => StatementLine;
  readonly #spill: SpillRoom | undefined;
  #keys: DedupeKeys;

  /**
   * `asTaken` converts a line to the form in which the stream takes it; the dedupe key is made from the line before that. `spill` is passed to
   * `DedupeKeys`.
   */
  constructor(
    nextRoom: () => RoomOfStage,
    hand: (stretch: StretchOfFile) => void,
    asTaken: (line: StatementLine) => StatementLine,
    spill?: SpillRoom,
  ) {
    this.#stager = new LineStager(nextRoom, hand);
    this.#asTaken = asTaken;
    this.#spill = spill;
    this.#keys = new DedupeKeys(spill);
  }

  /** Lines must come in the order of the file. */
  add(built: readonly BuiltLine[]): void {
    for (const { line, rejected } of built) {
      if (line !== null) this.#stager.add(this.#asTaken(line), this.#keys.next(line));
      else if (rejected !== null) this.#stager.reject(rejected);
    }
  }

  /** Hands over the remaining lines. */
  end(): void {
    this.#stager.end();
  }

  /** Releases the dedupe keys. No further lines may be added. */
  close(): void {
    this.#keys.close();
  }

  /** Discards all lines so far, because the file is read again from its first line. */
  drop(): void {
    this.#keys.close();
    this.#keys = new DedupeKeys(this.#spill);
    this.#stager.drop();
  }
}
