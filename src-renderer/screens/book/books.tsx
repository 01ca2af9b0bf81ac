import { ActionIcon, Badge, Button, Group, Modal, Skeleton, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconFolderOpen, IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { KnownBook } from '../../../src-shared/contract/book/books.ts';
import type { Failure, Output } from '../../../src-shared/contract/index.ts';
import type { FolderPurpose } from '../../../src-shared/contract/wire.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { Note, StateBadge } from '../../components/primitives.tsx';
import { Said } from '../../components/said.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { bytesText } from '../../format/counts.ts';
import { useNavigation } from '../../state/navigation.ts';
import { Section, ShowInFolder } from './section.tsx';
import styles from './settings.module.css';

/** The open book with its name and place, and the others that were open on this computer. */
export function Books() {
  const open = useNavigation((state) => state.open);
  const list = useOperation('books.list', {});
  const { data: book } = useOperation('book.overview', {});
  const here = list.data?.books.find(({ state }) => state === 'open');
  return (
    <Section
      id="books"
      title={say('book.books.title')}
      about={say('book.books.about')}
      action={
        <Group gap="xs">
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => open('new_book')}
            data-testid="new-book"
          >
            {say('book.books.newInDots')}
          </Button>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconFolderOpen size={15} aria-hidden />}
            rightSection={<KeyHint keys="Ctrl O" />}
            onClick={() => open('open_book')}
            data-testid="open-book"
          >
            {say('book.books.openInDots')}
          </Button>
        </Group>
      }
    >
      {list.isLoadingError && <FailurePanel title={say('book.books.couldNotBeListed')} failure={list.error} onRetry={list.refetch} />}
      {list.isPending && <Skeleton height={160} />}
      {book !== undefined && <Name key={book.name} name={book.name} />}
      {list.data !== undefined && (
        <Group className={styles.row} justify="space-between" gap="sm">
          <Stack gap={2} flex="1 1 16rem" miw={0}>
            <Text size="sm" fw={560}>
              {say('book.books.folder')}
            </Text>
            <span className={styles.address} data-testid="book-folder">
              {list.data.folder}
            </span>
          </Stack>
          <Group gap="xs">
            <CopyButton text={list.data.folder} what={say('book.books.folder')} testId="copy-book-folder" />
            <ShowInFolder backup={null} />
            <Button variant="default" size="xs" onClick={() => open('move_book')} data-testid="move-book">
              {say('book.books.moveInDots')}
            </Button>
          </Group>
          {here !== undefined && here.left_at !== null && (
            <Note data-testid="book-left-at">{say('book.books.leftAt', { folder: here.left_at })}</Note>
          )}
        </Group>
      )}
      {list.data !== undefined && <Condition />}
      {list.data !== undefined && <KnownBooks books={list.data.books} />}
    </Section>
  );
}

/** The books of the list but the open one, for a window whose own book cannot be opened. */
export function OtherBooks() {
  const { data } = useOperation('books.list', {});
  if (data === undefined || data.books.every(({ state }) => state === 'open')) return null;
  return (
    <div className="card">
      <KnownBooks books={data.books} />
    </div>
  );
}

function Name({ name }: { readonly name: string }) {
  const [text, setText] = useState(name);
  const rename = useCommand('book.update', (failure) => notifyFailure(say('book.books.notRenamed'), failure));
  const isChanged = text.trim() !== name && text.trim() !== '';
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) void rename.run({ name: text.trim() });
      }}
    >
      <Group gap="xs" align="flex-end">
        <TextInput
          label={say('book.books.name')}
          flex="0 1 24rem"
          maxLength={255}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-testid="book-name"
        />
        {isChanged && (
          <WriteButton type="submit" loading={rename.isRunning} data-testid="rename-book">
            {say('book.books.rename')}
          </WriteButton>
        )}
      </Group>
    </form>
  );
}

/** Whether the whole book is as it was stored, which a check tells. */
function Condition() {
  const [found, setFound] = useState<Output<'book.check'> | null>(null);
  const check = useCommand('book.check', (failure) => notifyFailure(say('book.books.notChecked'), failure));
  async function look(): Promise<void> {
    if (check.isRunning) return;
    setFound(null);
    const answer = await check.run({});
    if (answer.ok) setFound(answer.value);
  }
  const isSound = found?.findings.length === 0;
  return (
    <Group className={styles.row} justify="space-between" align="flex-start" gap="sm" data-testid="book-check">
      <Stack gap={4} flex="1 1 16rem" miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={560}>
            {say('book.books.condition')}
          </Text>
          {found !== null && (
            <StateBadge tone={isSound ? 'done' : 'broken'}>{isSound ? say('book.books.sound') : say('book.books.notSound')}</StateBadge>
          )}
        </Group>
        <Stack gap={2} aria-live="polite" data-testid="book-found">
          {sentencesOf(found, check.isRunning).map((sentence) => (
            <Text
              key={sentence}
              size="sm"
              c={found === null || isSound ? 'dimmed' : 'var(--mantine-color-error)'}
              style={{ overflowWrap: 'anywhere' }}
            >
              {sentence}
            </Text>
          ))}
        </Stack>
      </Stack>
      <Button variant="default" size="xs" loading={check.isRunning} onClick={() => void look()} data-testid="check-book">
        {say('book.books.checkNow')}
      </Button>
    </Group>
  );
}

function sentencesOf(found: Output<'book.check'> | null, isRunning: boolean): readonly string[] {
  if (isRunning) return [say('book.books.isBeingChecked')];
  if (found === null) return [say('book.books.howItIsChecked')];
  if (found.findings.length === 0) return [say('book.books.checkedAndSound', { size: bytesText(found.bytes) })];
  return [...found.findings, ...(found.is_more ? [say('book.books.moreFindings')] : [])];
}

function KnownBooks({ books }: { readonly books: readonly KnownBook[] }) {
  const others = books.filter(({ state }) => state !== 'open');
  return (
    <>
      <Text className={styles.row} size="sm" fw={560}>
        {others.length === 0 ? say('book.books.noOthers') : say('book.books.others')}
      </Text>
      {others.map((book) => (
        <KnownRow key={book.folder} book={book} />
      ))}
    </>
  );
}

function KnownRow({ book }: { readonly book: KnownBook }) {
  const { folder, name, state } = book;
  const openBook = useCommand('books.open', (failure) => notifyFailure(say('book.books.notOpened'), failure));
  const forget = useCommand('books.forget', (failure) => notifyFailure(say('book.books.notTakenOff'), failure));
  return (
    <Group className={styles.row} justify="space-between" gap="xs" data-testid="known-book">
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={560}>
            {name}
          </Text>
          {state === 'gone' && <Badge color="yellow">{say('book.books.gone')}</Badge>}
          {state === 'in_use' && <Badge color="gray">{say('book.books.inUse')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {state === 'gone' && say('book.books.goneHint', { folder })}
          {state === 'in_use' && `${folder} · ${say('book.books.inUseHint')}`}
          {state === 'here' && folder}
        </Text>
        {state === 'here' && (
          <Text size="sm" c="dimmed" className="tabular">
            <Said words="book.books.openedOn" with={{ at: <Instant at={book.opened_at} /> }} />
          </Text>
        )}
      </Stack>
      <Group gap="xs">
        {state === 'here' && (
          <Button
            variant="default"
            size="xs"
            loading={openBook.isRunning}
            onClick={() => void openBook.run({ folder })}
            aria-label={say('book.books.openNamed', { name })}
            data-testid="open-known-book"
          >
            {say('book.books.open')}
          </Button>
        )}
        <Tooltip label={say('book.books.takeOffHint')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => void forget.run({ folder })}
            aria-label={say('book.books.takeOff', { name })}
            data-testid="forget-book"
          >
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Group>
  );
}

type Kind = 'open_book' | 'new_book' | 'move_book';

const WORDS = {
  open_book: { title: say('book.books.openTitle'), about: say('book.books.openAbout'), act: say('book.books.open') },
  new_book: { title: say('book.books.newTitle'), about: say('book.books.newAbout'), act: say('book.books.create') },
  move_book: { title: say('book.books.moveTitle'), about: say('book.books.moveAbout'), act: say('book.books.move') },
} as const satisfies Record<Kind, object>;

const NOT_DONE = {
  open_book: say('book.books.notOpened'),
  new_book: say('book.books.notMade'),
  move_book: say('book.books.notMoved'),
} as const satisfies Record<Kind, string>;

/** Returns a name without the characters that a folder's name cannot have on one of the systems. */
const asFolderName = (name: string): string =>
  name
    .replaceAll(/[<>:"/\\|?*\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Does what a dialog asks for, and holds its refusal. */
function useGoing(kind: Kind) {
  const [failure, setFailure] = useState<Failure | null>(null);
  // The window is loaded anew while the answer is under way; a refusal after that is a message.
  const fail = (failed: Failure): void => {
    setFailure(failed);
    if (useNavigation.getState().dialog !== kind) notifyFailure(NOT_DONE[kind], failed);
  };
  const commands = { open: useCommand('books.open', fail), create: useCommand('books.create', fail), move: useCommand('books.move', fail) };
  const isRunning = Object.values(commands).some((command) => command.isRunning);
  async function run(folder: string, name: string): Promise<boolean> {
    setFailure(null);
    const { open, create, move } = commands;
    if (kind === 'open_book') return (await open.run({ folder })).ok;
    return (await (kind === 'new_book' ? create.run({ folder, name }) : move.run({ folder }))).ok;
  }
  return { run, isRunning, failure, forget: () => setFailure(null) };
}

/** Asks for the folder of another book, of a new one, or for the new place of this one. */
export function BookDialog({ kind, onClose }: { readonly kind: Kind; readonly onClose: () => void }) {
  const { data: list } = useOperation('books.list', {});
  const [name, setName] = useState('');
  const [typed, setTyped] = useState<string | null>(null);
  const { run, isRunning, failure, forget } = useGoing(kind);
  const suggested = kind === 'new_book' && list !== undefined && asFolderName(name) !== '' ? `${list.new_books}${asFolderName(name)}` : '';
  const folder = typed ?? suggested;
  const isReady = folder.trim() !== '' && (kind !== 'new_book' || name.trim() !== '');
  async function act(): Promise<void> {
    if (isReady && !isRunning && (await run(folder, name.trim()))) onClose();
  }
  const { title, about, act: label } = WORDS[kind];
  return (
    <Modal
      opened
      onClose={isRunning ? () => {} : onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('book.about.close') }}
      size="lg"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <Stack>
          <Text size="sm">{about}</Text>
          {kind === 'new_book' && (
            <TextInput
              label={say('book.books.name')}
              value={name}
              maxLength={255}
              onChange={(event) => setName(event.currentTarget.value)}
              data-autofocus
              data-testid="new-book-name"
            />
          )}
          <FolderField
            purpose={kind === 'open_book' ? 'book' : 'new_book'}
            value={folder}
            failure={failure?.message ?? null}
            onChange={(text) => {
              forget();
              setTyped(text);
            }}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} disabled={isRunning}>
              {say('book.books.cancel')}
            </Button>
            <Button type="submit" loading={isRunning} disabled={!isReady} data-testid="book-dialog-act">
              {label}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface FolderFieldProps {
  readonly purpose: FolderPurpose;
  readonly value: string;
  readonly failure: string | null;
  readonly onChange: (folder: string) => void;
}

/** A folder: typed as a path, or chosen in the system's dialog where the window has one. */
function FolderField({ purpose, value, failure, onChange }: FolderFieldProps) {
  const { chooseFolder } = useConnection();
  return (
    <Group gap="xs" align="flex-start">
      <TextInput
        flex={1}
        label={purpose === 'book' ? say('book.books.bookFolder') : say('book.books.newFolder')}
        description={purpose === 'book' ? undefined : say('book.books.newFolderHint')}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={failure}
        errorProps={{ role: 'alert' }}
        autoComplete="off"
        spellCheck={false}
        data-autofocus={purpose === 'book' ? true : undefined}
        data-testid="book-folder-field"
      />
      {chooseFolder !== null && (
        <Button
          mt={purpose === 'book' ? 25 : 45}
          variant="default"
          onClick={() => void chooseFolder(purpose).then((chosen) => chosen !== null && onChange(chosen))}
          data-testid="choose-folder"
        >
          {say('book.books.choose')}
        </Button>
      )}
    </Group>
  );
}
