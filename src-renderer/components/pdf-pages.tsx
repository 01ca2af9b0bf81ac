import { ActionIcon, Box, Button, PasswordInput, Skeleton, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRotateClockwise, IconZoomIn, IconZoomOut } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ImportPreview } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import styles from './pdf-pages.module.css';
import { Bar, classes } from './primitives.tsx';

/** The part of pdfjs that is used. */
interface PdfLibrary {
  readonly GlobalWorkerOptions: { workerSrc: string };
  readonly getDocument: (options: Readonly<Record<string, unknown>>) => {
    readonly promise: Promise<PdfDocument>;
    readonly destroy: () => Promise<void>;
  };
}

interface PdfDocument {
  readonly numPages: number;
  readonly getPage: (number: number) => Promise<PageOfLibrary>;
}

interface Viewport {
  readonly width: number;
  readonly height: number;
}

interface PageOfLibrary {
  readonly rotate: number;
  readonly userUnit: number;
  readonly getViewport: (options: { readonly scale: number; readonly rotation: number }) => Viewport;
  readonly render: (options: Readonly<Record<string, unknown>>) => { readonly promise: Promise<void>; readonly cancel: () => void };
  readonly cleanup: () => void;
}

/** Pixels of one picture of a page; a page of any size is drawn no finer than this. */
const MOST_PIXELS = 12_000_000;
const MOST_PIXELS_OF_PICTURE = 24_000_000;
const DRAWING_MS = 20_000;
const ZOOMS = [1, 1.5, 2, 3] as const;
const FOLDER = 'pdfjs/';

/** Opens a PDF to draw its pages. Nothing in it is run: scripts, forms, links and attachments are not looked at. */
async function openPages(content: string, password: string | null): Promise<OpenPages> {
  const at = (file: string): string => new URL(`${FOLDER}${file}`, document.baseURI).href;
  const library = (await import(/* @vite-ignore */ at('legacy/build/pdf.min.mjs'))) as PdfLibrary;
  library.GlobalWorkerOptions.workerSrc = at('legacy/build/pdf.worker.mjs');
  const loading = library.getDocument({
    data: Uint8Array.from(atob(content), (letter) => letter.codePointAt(0) ?? 0),
    ...(password !== null && { password }),
    cMapUrl: at('cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: at('standard_fonts/'),
    isEvalSupported: false,
    useWasm: false,
    enableXfa: false,
    // Letters are drawn as shapes, so that the fonts of a file stay out of the window.
    disableFontFace: true,
    useSystemFonts: false,
    maxImageSize: MOST_PIXELS_OF_PICTURE,
    stopAtErrors: false,
    verbosity: 0,
  });
  return { file: await loading.promise, close: () => void loading.destroy() };
}

interface OpenPages {
  readonly file: PdfDocument;
  readonly close: () => void;
}

/** Returns the open file; null until it is open, `locked` where no or another password opens it, and `failed` where it cannot be opened. */
function useOpenPages(content: string, password: string | null): PdfDocument | 'locked' | 'failed' | null {
  const [file, setFile] = useState<PdfDocument | 'locked' | 'failed' | null>(null);
  useEffect(() => {
    let isGone = false;
    let close = (): void => undefined;
    async function open(): Promise<void> {
      try {
        const opened = await openPages(content, password);
        if (isGone) return opened.close();
        close = opened.close;
        setFile(opened.file);
      } catch (error) {
        const isLocked = error instanceof Error && error.name === 'PasswordException';
        if (!isGone) setFile(isLocked ? 'locked' : 'failed');
      }
    }
    void open();
    return () => {
      isGone = true;
      close();
    };
  }, [content, password]);
  return file;
}

type PlaceOfRow = NonNullable<ImportPreview['pages']>['places'][number];

/** A page of a PDF that was opened, and the size at which it stands on the screen. */
interface Sheet {
  readonly page: PageOfLibrary;
  readonly turn: number;
  /** In points, as it is shown without and with the turn. */
  readonly given: Viewport;
  readonly shown: Viewport;
}

function useSheet(file: PdfDocument, number: number, turn: number): Sheet | 'failed' | null {
  const [sheet, setSheet] = useState<{ readonly of: string; readonly is: Sheet | 'failed' } | null>(null);
  const of = `${number} ${turn}`;
  useEffect(() => {
    let isGone = false;
    async function take(): Promise<void> {
      try {
        const page = await file.getPage(number);
        const size = (more: number): Viewport => page.getViewport({ scale: 1 / page.userUnit, rotation: (page.rotate + more) % 360 });
        if (!isGone) setSheet({ of, is: { page, turn, given: size(0), shown: size(turn) } });
      } catch {
        if (!isGone) setSheet({ of, is: 'failed' });
      }
    }
    void take();
    return () => {
      isGone = true;
    };
  }, [file, number, turn, of]);
  return sheet?.of === of ? sheet.is : null;
}

/** Draws a sheet as wide as its element, as fine as the screen, and again whenever either changes. */
function useDrawing(sheet: Sheet, canvas: RefObject<HTMLCanvasElement | null>, onFailed: () => void): void {
  const failed = useEffectEvent(onFailed);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    let task: ReturnType<PageOfLibrary['render']> | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let drawn = 0;
    const draw = (): void => {
      const { width, height } = sheet.shown;
      const wide = Math.min(element.clientWidth * devicePixelRatio, Math.sqrt((MOST_PIXELS * width) / height));
      if (wide < 1 || Math.abs(wide - drawn) < 1) return;
      drawn = wide;
      task?.cancel();
      clearTimeout(timer);
      const scale = wide / width / sheet.page.userUnit;
      const viewport = sheet.page.getViewport({ scale, rotation: (sheet.page.rotate + sheet.turn) % 360 });
      element.width = Math.ceil(viewport.width);
      element.height = Math.ceil(viewport.height);
      element.removeAttribute('data-drawn');
      const own = sheet.page.render({ canvas: element, viewport, annotationMode: 0 });
      task = own;
      timer = setTimeout(() => own.cancel(), DRAWING_MS);
      void ended(own, element);
    };
    async function ended(own: NonNullable<typeof task>, picture: HTMLCanvasElement): Promise<void> {
      try {
        await own.promise;
        picture.setAttribute('data-drawn', '');
      } catch (error) {
        if (!(error instanceof Error && error.name === 'RenderingCancelledException')) failed();
      }
    }
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      task?.cancel();
      sheet.page.cleanup();
    };
  }, [sheet, canvas]);
}

/** Returns where a place is on a page that is turned, as shares of its width and height. */
function styleOf({ left, top, width, height }: PlaceOfRow, { given, shown, turn }: Sheet): Readonly<Record<string, string>> {
  const turned = {
    0: [left, top, width, height],
    90: [given.height - top - height, left, height, width],
    180: [given.width - left - width, given.height - top - height, width, height],
    270: [top, given.width - left - width, height, width],
  }[turn] ?? [left, top, width, height];
  const [x = 0, y = 0, wide = 0, high = 0] = turned;
  const share = (length: number, whole: number): string => `${(length / whole) * 100}%`;
  const [room, sides] = [2, 4];
  return {
    left: share(x - sides, shown.width),
    top: share(y - room, shown.height),
    width: share(wide + sides * 2, shown.width),
    height: share(high + room * 2, shown.height),
  };
}

interface PdfPagesProps {
  /** The file in base64. */
  readonly content: string;
  readonly password: string | null;
  /** For each page, the quarter turns by which its text runs. */
  readonly quarters: readonly number[];
  readonly places: readonly PlaceOfRow[];
  /** The row that is marked; each choice is an object of its own, so that a row that is chosen again brings its page again. */
  readonly chosen: { readonly row: number } | null;
  readonly onChoose: (row: number) => void;
}

/** The pages of a PDF, one at a time, with the places of its rows. The arrow keys go from row to row. */
export function PdfPages({ content, password, ...rest }: PdfPagesProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const file = useOpenPages(content, typed ?? password);
  if (file === 'locked') return <Locked isWrong={typed !== null} onPassword={setTyped} />;
  if (file === 'failed') return <NoPages>{say('imports.pages.cannotBeShown')}</NoPages>;
  if (file === null) return <Skeleton height={480} radius="lg" data-testid="pdf-opening" />;
  return <OpenFile file={file} {...rest} />;
}

/** Asks for the password of a locked file, to draw its pages. */
function Locked({ isWrong, onPassword }: { readonly isWrong: boolean; readonly onPassword: (password: string) => void }) {
  const [password, setPassword] = useState('');
  return (
    <form
      className={classes('card', styles.locked)}
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') onPassword(password);
      }}
      data-testid="pdf-locked"
    >
      <Text size="sm">{say('imports.kept.locked')}</Text>
      <FilePassword password={password} isWrong={isWrong} onChange={setPassword} />
      <Button type="submit" disabled={password === ''} data-testid="pdf-unlock">
        {say('imports.locked.open')}
      </Button>
    </form>
  );
}

interface FilePasswordProps {
  readonly field?: RefObject<HTMLInputElement | null>;
  readonly password: string;
  readonly isWrong: boolean;
  readonly onChange: (password: string) => void;
}

export function FilePassword({ field, password, isWrong, onChange }: FilePasswordProps) {
  return (
    <PasswordInput
      {...(field === undefined ? {} : { ref: field })}
      w={320}
      maw="100%"
      label={say('imports.locked.password')}
      value={password}
      maxLength={500}
      autoComplete="off"
      error={isWrong && password === '' ? say('imports.locked.wrongPassword') : null}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-testid="file-password"
    />
  );
}

export function NoPages({ children }: { readonly children: ReactNode }) {
  return (
    <div className="card" data-testid="pdf-pages">
      <Text size="sm" c="dimmed" p="md">
        {children}
      </Text>
    </div>
  );
}

function OpenFile({
  file,
  quarters,
  places,
  chosen: choice,
  onChoose,
}: Omit<PdfPagesProps, 'content' | 'password'> & { readonly file: PdfDocument }) {
  const chosen = choice?.row ?? null;
  const place = places.find(({ row }) => row === chosen);
  const [number, setNumber] = useState(place?.page ?? places[0]?.page ?? 1);
  const [seen, setSeen] = useState(choice);
  const [zoom, setZoom] = useState(0);
  const [more, setMore] = useState(0);
  // A row that was chosen elsewhere brings its page.
  if (seen !== choice) {
    setSeen(choice);
    if (place !== undefined) setNumber(place.page);
  }
  const turn = (360 - (quarters[number - 1] ?? 0) * 90 + more) % 360;
  const sheet = useSheet(file, number, turn);
  const [byKey, setByKey] = useState<number | null>(null);
  function onKey(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = places.findIndex(({ row }) => row === chosen);
    const ofPage = step.kind === 'page' ? places.find(({ page }) => page === number + step.by) : undefined;
    const next = step.kind === 'page' ? ofPage : at < 0 ? places.find(({ page }) => page === number) : places[at + step.by];
    if (next === undefined) return;
    setByKey(next.row);
    onChoose(next.row);
  }
  return (
    <section className={classes('card', styles.pages)} aria-label={say('imports.pages.label')} data-testid="pdf-pages">
      <PageBar
        number={number}
        pages={file.numPages}
        row={place?.page === number ? place.row : null}
        zoom={zoom}
        onPage={(to) => setNumber(Math.min(file.numPages, Math.max(1, to)))}
        onZoom={setZoom}
        onTurn={() => setMore(more + 90)}
      />
      {sheet === 'failed' ? (
        <NoPages>{say('imports.pages.cannotBeShown')}</NoPages>
      ) : (
        <Scroller
          key={`${number} ${turn}`}
          sheet={sheet}
          zoom={ZOOMS[zoom] ?? 1}
          places={places.filter(({ page }) => page === number)}
          chosen={chosen}
          onChoose={onChoose}
          onKey={onKey}
          isByKey={byKey === chosen}
        />
      )}
    </section>
  );
}

interface PageBarProps {
  readonly number: number;
  readonly pages: number;
  readonly row: number | null;
  readonly zoom: number;
  readonly onPage: (number: number) => void;
  readonly onZoom: (zoom: number) => void;
  readonly onTurn: () => void;
}

function PageBar({ number, pages, row, zoom, onPage, onZoom, onTurn }: PageBarProps) {
  return (
    <Bar>
      <PageButton label={say('imports.pages.before')} isOff={number === 1} onClick={() => onPage(number - 1)} Icon={IconChevronLeft} />
      <Text size="sm" className="tabular" aria-live="polite" data-testid="pdf-page">
        {row === null ? say('imports.pages.page', { number, pages }) : say('imports.pages.pageAndRow', { number, pages, row })}
      </Text>
      <PageButton label={say('imports.pages.after')} isOff={number === pages} onClick={() => onPage(number + 1)} Icon={IconChevronRight} />
      <span className="grow" />
      <PageButton label={say('imports.pages.smaller')} isOff={zoom === 0} onClick={() => onZoom(zoom - 1)} Icon={IconZoomOut} />
      <PageButton
        label={say('imports.pages.larger')}
        isOff={zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
        Icon={IconZoomIn}
      />
      <PageButton label={say('imports.pages.turn')} onClick={onTurn} Icon={IconRotateClockwise} />
    </Bar>
  );
}

const STEPS: Readonly<Record<string, { readonly kind: 'row' | 'page'; readonly by: number }>> = {
  ArrowDown: { kind: 'row', by: 1 },
  ArrowUp: { kind: 'row', by: -1 },
  PageDown: { kind: 'page', by: 1 },
  PageUp: { kind: 'page', by: -1 },
};

interface PageButtonProps {
  readonly label: string;
  readonly isOff?: boolean;
  readonly onClick: () => void;
  readonly Icon: typeof IconZoomIn;
}

function PageButton({ label, isOff = false, onClick, Icon }: PageButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}

interface ScrollerProps extends Pick<PdfPagesProps, 'places' | 'onChoose'> {
  readonly chosen: number | null;
  readonly sheet: Sheet | null;
  readonly zoom: number;
  readonly onKey: (event: KeyboardEvent) => void;
  /** Whether the row was chosen by a key, so that its mark takes the focus. */
  readonly isByKey: boolean;
}

function Scroller({ sheet, zoom, places, chosen, onChoose, onKey, isByKey }: ScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const mark = useRef<HTMLButtonElement>(null);
  const isReady = sheet !== null;
  useEffect(() => {
    const [frame, marked] = [scroller.current, mark.current];
    if (!isReady || chosen === null || frame === null || marked === null) return;
    // The window itself stays where it is.
    const top = marked.offsetTop + marked.offsetHeight / 2 - frame.clientHeight / 2;
    if (isByKey) marked.focus({ preventScroll: true });
    frame.scrollTo({ top, left: zoom > 1 ? marked.offsetLeft - frame.clientWidth / 8 : 0 });
  }, [chosen, isReady, zoom, isByKey]);
  const reached = places.some(({ row }) => row === chosen) ? chosen : places[0]?.row;
  return (
    <Box ref={scroller} className="scrolls" h="min(72vh, 56rem)" bg="var(--sunken)">
      {sheet !== null && (
        <div
          className={styles.sheet}
          style={{ width: `${zoom * 100}%`, aspectRatio: `${sheet.shown.width} / ${sheet.shown.height}` }}
          data-testid="pdf-sheet"
        >
          <Picture sheet={sheet} />
          {places.map((place) => (
            <button
              key={place.row}
              ref={place.row === chosen ? mark : null}
              type="button"
              tabIndex={place.row === reached ? 0 : -1}
              className={styles.place}
              style={styleOf(place, sheet)}
              aria-label={say('imports.pages.row', { row: place.row })}
              aria-pressed={place.row === chosen}
              onClick={() => onChoose(place.row)}
              onKeyDown={onKey}
              data-testid={`pdf-row-${place.row}`}
            />
          ))}
        </div>
      )}
    </Box>
  );
}

function Picture({ sheet }: { readonly sheet: Sheet }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useDrawing(sheet, canvas, () => setFailed(true));
  return (
    <>
      <canvas ref={canvas} aria-hidden data-testid="pdf-picture" />
      {hasFailed && <Text c="red">{say('imports.pages.cannotBeShown')}</Text>}
    </>
  );
}
