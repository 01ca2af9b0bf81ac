import {
  Alert,
  Anchor,
  Badge,
  Box,
  Button,
  Flex,
  Group,
  Modal,
  NumberInput,
  Radio,
  SegmentedControl,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { IconAlertTriangle, IconExternalLink, IconInfoCircle } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { OTHER_MACHINES_SENTENCE } from '../../../src-shared/contract/book/local-port.ts';
import type { Call, Failure, LocalPort } from '../../../src-shared/contract/index.ts';
import { hostNameFrom, isLoopback, LOOPBACK, originFrom } from '../../../src-shared/values/network.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { COLOR_SCHEMES } from '../../app/color-scheme-menu.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { SearchField } from '../../components/filter-bar.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { Note } from '../../components/primitives.tsx';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { DatabasesSection } from '../databases/databases-section.tsx';
import { Recipes } from '../imports/recipes.tsx';
import { SyncSection } from '../sync/sync-section.tsx';
import { About } from './about.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Backups } from './backups.tsx';
import { Books } from './books.tsx';
import { DatesAndNumbers } from './dates-and-numbers.tsx';
import { Environments } from './environments.tsx';
import { FoundParts, Section } from './section.tsx';
import styles from './settings.module.css';
import { TextList } from './text-list.tsx';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

const USUAL_PORT = 4690;
const HIGHEST_PORT = 65_535;

/** Chooses a fixed port, or a free one at each start. */
function PortForm({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning, forget } = useLocalPort();
  const [isFree, setFree] = useState(port.port === null);
  const [number, setNumber] = useState<number | string>(port.port ?? USUAL_PORT);
  const wanted = isFree ? null : Number(number);
  const isPort = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= HIGHEST_PORT);
  const isChanged = wanted !== port.port;
  async function save(): Promise<void> {
    const before = port.port;
    if (await change({ port: wanted })) done(say('book.settings.thePortWasChanged'), { port: before });
  }
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPort && isChanged) void save();
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label={say('book.settings.port')}
          labelProps={{ fw: 600 }}
          description={say('book.settings.aSpreadsheetFindsTheBook')}
          value={isFree ? 'free' : 'fixed'}
          onChange={(value) => {
            forget();
            setFree(value === 'free');
          }}
        >
          <Group gap="lg" mt="xs">
            <Radio value="fixed" label={say('book.settings.alwaysThisOne')} data-testid="port-fixed" />
            <Radio value="free" label={say('book.settings.aFreeOneAtEachStart')} data-testid="port-free" />
          </Group>
        </Radio.Group>
        <Group gap="sm" align="flex-start">
          {!isFree && (
            <NumberInput
              aria-label={say('book.settings.portNumber')}
              w="8rem"
              value={number}
              onChange={(value) => {
                forget();
                setNumber(value);
              }}
              min={1}
              max={HIGHEST_PORT}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=""
              clampBehavior="none"
              error={!isPort}
              data-testid="port-number"
            />
          )}
          {(isChanged || isRunning) && (
            <WriteButton type="submit" disabled={!isPort} loading={isRunning} data-testid="port-save">
              {say('book.settings.changeThePort')}
            </WriteButton>
          )}
        </Group>
        <PortProblem isPort={isPort} message={failure?.message ?? null} />
      </Stack>
    </form>
  );
}

function PortProblem({ isPort, message }: { readonly isPort: boolean; readonly message: string | null }) {
  const text = isPort ? message : say('book.settings.aPortIsAWhole', { highestPort: HIGHEST_PORT });
  if (text === null) return null;
  return (
    <Box role="alert" fz="sm" c="var(--mantine-color-error)" data-testid="port-problem">
      {text}
    </Box>
  );
}

/** The address for other programs: whether it is on, where it listens, and who may use it. */
function LocalAddress() {
  const { data: port, error: failure, refetch } = useOperation('local_port.get', {});
  return (
    <Section id="local-address" title={say('book.settings.localAddress')} about={say('book.settings.spreadsheetsScriptsAndAdd')}>
      {port === undefined && failure === null && <Skeleton height={160} />}
      {port === undefined && failure !== null && (
        <FailurePanel title={say('book.settings.theSettingsCouldNotBeRead')} failure={failure} onRetry={refetch} />
      )}
      {port?.served_by === 'command' && <ServedByCommand />}
      {port?.served_by === 'settings' && <OnOff port={port} />}
      {port?.status === 'on' && <Addresses port={port} />}
      {port?.served_by === 'settings' && <PortForm key={String(port.port)} port={port} />}
      {port?.served_by === 'settings' && <OtherMachines port={port} />}
      {port !== undefined && <AllowedOrigins port={port} />}
    </Section>
  );
}

function ServedByCommand() {
  return (
    <div className={styles.row}>
      <Alert
        color="blue"
        icon={<IconInfoCircle size={18} aria-hidden />}
        title={say('book.settings.onByTieoutServe')}
        data-testid="served-by-command"
      >
        <Text size="sm">{say('book.settings.thisBookWasOpened')}</Text>
      </Alert>
    </div>
  );
}

function OnOff({ port }: { readonly port: LocalPort }) {
  const { change, failure, isRunning } = useLocalPort();
  const message = failure?.message ?? port.message;
  return (
    <Stack className={styles.row} gap="sm">
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Switch
          checked={port.enabled}
          disabled={isRunning}
          onChange={(event) => void change({ enabled: event.currentTarget.checked })}
          label={say('book.settings.otherProgramsMayReach')}
          description={say('book.settings.whileItIsOff')}
          data-testid="local-address-switch"
        />
        <StatusBadge status={port.status} />
      </Group>
      {message !== null && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />} data-testid="local-address-failure">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{message}</Text>
            <Group gap="xs">
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true })}>
                {say('book.settings.tryAgain')}
              </Button>
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true, port: null })}>
                {say('book.settings.takeAFreePort')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

const STATUS = {
  off: { color: 'gray', text: say('book.status.off.text') },
  on: { color: 'pine', text: say('book.status.on.text') },
  failed: { color: 'red', text: say('book.status.failed.text') },
} as const;

function StatusBadge({ status }: { readonly status: LocalPort['status'] }) {
  return (
    <Badge color={STATUS[status].color} data-testid="local-address-status">
      {STATUS[status].text}
    </Badge>
  );
}

function Addresses({ port }: { readonly port: LocalPort }) {
  return (
    <Stack className={styles.row} gap="xs">
      <Group gap="sm">
        <span className={styles.address} data-testid="local-address-url">
          {port.base_url}
        </span>
        <CopyButton text={port.base_url ?? ''} what={say('book.settings.theAddress')} testId="copy-address" />
        <Anchor href={port.docs_url ?? ''} target="_blank" rel="noreferrer" size="sm" data-testid="docs-link">
          <Group gap={4} wrap="nowrap" component="span">
            {say('book.settings.documentation')}
            <IconExternalLink size={14} aria-hidden />
          </Group>
        </Anchor>
      </Group>
      {port.other_urls.map((url) => (
        <Text key={url} size="sm" c="dimmed" component="div">
          <Said words="book.settings.fromOtherMachines" with={{ url: <span className={styles.address}>{url}</span> }} />
        </Text>
      ))}
    </Stack>
  );
}

/** The web pages that may call the address. */
function AllowedOrigins({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning } = useLocalPort();
  async function set(origins: string[], title: string): Promise<boolean> {
    const before = port.allowed_origins;
    const isSet = await change({ allowed_origins: origins });
    if (isSet) done(title, { allowed_origins: before });
    return isSet;
  }
  return (
    <div className={styles.row}>
      <TextList
        label={say('book.settings.webPagesThatMayCallIt')}
        about={say('book.settings.addInsOfASpreadsheet')}
        empty={say('book.settings.noPageIsOnTheList')}
        placeholder="https://addin.example.com"
        items={port.allowed_origins}
        read={originFrom}
        onChange={set}
        failure={failure?.message ?? null}
        isRunning={isRunning}
        testId="allowed-origins"
      />
    </div>
  );
}

/** The settings of this book and this window: access and appearance. */
export function SettingsScreen() {
  const [find, setFind] = useState('');
  const [found, setFound] = useState<ReadonlySet<string> | null>(null);
  return (
    <Page title={say('book.settings.settings')} testId="settings-screen">
      <Flex gap="lg" align="flex-start" className={styles.frame}>
        <Contents
          find={find}
          found={found}
          onFind={(text) => {
            setFind(text);
            setFound(partsWith(text));
          }}
        />
        <Stack className="fill" gap={32} maw="60rem">
          <FoundParts value={found}>
            {found?.size === 0 && <Note data-testid="no-setting">{say('book.settings.noSettingHas', { find: find.trim() })}</Note>}
            <Appearance />
            <DatesAndNumbers />
            <Books />
            <Backups />
            <Recipes />
            <SyncSection />
            <DatabasesSection />
            <LocalAddress />
            <ApiKeys />
            <Environments />
            <About />
          </FoundParts>
        </Stack>
      </Flex>
    </Page>
  );
}

/** The parts of the settings, by their ids, in the order in which they stand. */
const PARTS = [
  { id: 'appearance', label: say('book.settings.appearance') },
  { id: 'dates-and-numbers', label: say('book.notation.title') },
  { id: 'books', label: say('book.books.title') },
  { id: 'backups', label: say('book.backups.backups') },
  { id: 'recipes', label: say('imports.recipes.importProfiles') },
  { id: 'sync-remotes', label: say('sync.syncSection.sync') },
  { id: 'databases', label: say('databases.section.title') },
  { id: 'local-address', label: say('book.settings.localAddress') },
  { id: 'api-keys', label: say('book.settings.apiKeys') },
  { id: 'environments', label: say('book.environments.environments') },
  { id: 'about', label: say('book.about.aboutTieout') },
] as const;

/** Returns the ids of the parts that have all words of a text, in what they show; null without a word. */
function partsWith(text: string): ReadonlySet<string> | null {
  const words = text.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return null;
  const shown = (id: string): string => document.querySelector(`[data-testid="${id}"]`)?.textContent?.toLowerCase() ?? '';
  return new Set(PARTS.filter(({ id }) => words.every((word) => shown(id).includes(word))).map(({ id }) => id));
}

function goToPart(id: string): void {
  const heading = document.querySelector<HTMLElement>(`[id="${id}-heading"]`);
  heading?.setAttribute('tabindex', '-1');
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}

interface ContentsProps {
  readonly find: string;
  readonly found: ReadonlySet<string> | null;
  readonly onFind: (text: string) => void;
}

/** Names the parts beside them, leads to each, and finds those that have some words. */
function Contents({ find, found, onFind }: ContentsProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => field.current?.focus() });
  const parts = PARTS.filter(({ id }) => found === null || found.has(id));
  return (
    <nav className={styles.contents} aria-label={say('book.settings.parts')} data-testid="settings-contents">
      <SearchField
        label={say('book.settings.findASetting')}
        placeholder={say('book.settings.findASetting')}
        aria-keyshortcuts="/"
        field={field}
        value={find}
        onText={onFind}
        onLeave={() => parts[0] !== undefined && goToPart(parts[0].id)}
        testId="search-settings"
      />
      {parts.map(({ id, label }) => (
        <button key={id} type="button" onClick={() => goToPart(id)}>
          {label}
        </button>
      ))}
    </nav>
  );
}

/** Chooses light, dark, or the system's colour scheme. */
function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section id="appearance" title={say('book.settings.appearance')} about={say('book.settings.ofThisWindowAlone')}>
      <div className={styles.row}>
        <SegmentedControl
          aria-label={say('book.settings.colours')}
          maw="100%"
          value={colorScheme}
          onChange={setColorScheme}
          data={COLOR_SCHEMES.map(({ scheme, label }) => ({ value: scheme, label }))}
          data-testid="appearance-scheme"
        />
      </div>
    </Section>
  );
}

/** Allows access from other machines, which the user confirms by typing a sentence. */
function OtherMachines({ port }: { readonly port: LocalPort }) {
  const [isAsking, setAsking] = useState(false);
  const { change, failure, isRunning } = useLocalPort();
  const isOwn = isLoopback(port.address);
  return (
    <Stack className={styles.row} gap="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 16rem" miw={0}>
          <Text size="sm" fw={600}>
            {isOwn ? say('book.settings.onlyThisComputer') : say('book.settings.otherMachinesMayReach')}
          </Text>
          <Text size="xs" c="dimmed">
            {isOwn
              ? say('book.settings.itListensOnWhereNoOtherMachine', { address: port.address })
              : say('book.settings.itListensOnWithout', { address: port.address })}
          </Text>
        </Stack>
        {isOwn ? (
          <WriteButton variant="default" size="xs" onClick={() => setAsking(true)} data-testid="other-machines-ask">
            {say('book.settings.letOtherMachinesInDots')}
          </WriteButton>
        ) : (
          <WriteButton
            variant="default"
            size="xs"
            loading={isRunning}
            onClick={() => void change({ address: LOOPBACK })}
            data-testid="other-machines-end"
          >
            {say('book.settings.thisComputerOnly')}
          </WriteButton>
        )}
      </Group>
      {failure !== null && (
        <Box role="alert" fz="sm" c="var(--mantine-color-error)">
          {failure.message}
        </Box>
      )}
      {!isOwn && <HostNames port={port} />}
      {isAsking && <AskDialog onClose={() => setAsking(false)} />}
    </Stack>
  );
}

function HostNames({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning } = useLocalPort();
  async function set(names: string[], title: string): Promise<boolean> {
    const before = port.host_names;
    const isSet = await change({ host_names: names });
    if (isSet) done(title, { host_names: before });
    return isSet;
  }
  return (
    <TextList
      label={say('book.settings.namesOfThisMachine')}
      about={say('book.settings.otherMachinesMayCall')}
      empty={say('book.settings.noNamesOnlyTheAddressIsAnswered')}
      placeholder={say('book.settings.officePc')}
      items={port.host_names}
      read={hostNameFrom}
      onChange={set}
      failure={failure?.message ?? null}
      isRunning={isRunning}
      testId="host-names"
    />
  );
}

function AskDialog({ onClose }: { readonly onClose: () => void }) {
  const { change, failure, isRunning, forget } = useLocalPort();
  const [address, setAddress] = useState('0.0.0.0');
  const [sentence, setSentence] = useState('');
  const problemOf = (field: string): string | null =>
    failure?.errors?.some(({ path }) => path === field) === true ? failure.message : null;
  const elsewhere = failure !== null && problemOf('sentence') === null && problemOf('address') === null ? failure.message : null;
  async function allow(): Promise<void> {
    if (await change({ address: address.trim(), sentence })) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('book.settings.letOtherMachinesInQuestion')}
      closeButtonProps={{ 'aria-label': say('book.settings.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void allow();
        }}
      >
        <Stack>
          <Alert color="orange" icon={<IconAlertTriangle size={18} aria-hidden />}>
            <Text size="sm">{say('book.settings.everyMachineInYourNetwork')}</Text>
          </Alert>
          <TextInput
            label={say('book.settings.addressToListenOn')}
            description={say('book.settings.everyAddressOfThisComputer')}
            value={address}
            onChange={(event) => {
              forget();
              setAddress(event.currentTarget.value);
            }}
            error={problemOf('address')}
            data-testid="other-machines-address"
          />
          <TextInput
            label={say('book.settings.type', { otherMachinesSentence: OTHER_MACHINES_SENTENCE })}
            value={sentence}
            onChange={(event) => {
              forget();
              setSentence(event.currentTarget.value);
            }}
            error={problemOf('sentence') ?? elsewhere}
            errorProps={{ role: 'alert' }}
            data-autofocus
            autoComplete="off"
            data-testid="other-machines-sentence"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('book.settings.cancel')}
            </Button>
            <Button type="submit" color="red" loading={isRunning} data-testid="other-machines-allow">
              {say('book.settings.letThemIn')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Changes the local address and holds the result for the control that asked for it. */
function useLocalPort() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('local_port.update', setFailure);
  const change = async (input: Call<'local_port.update'>): Promise<boolean> => {
    setFailure(null);
    return (await update.run(input)).ok;
  };
  // The control may be gone by then, or show another value.
  const restore = useCommand('local_port.update', (failed) => notifyFailure(say('book.settings.thisCouldNotBeUndone'), failed));
  return {
    change,
    failure,
    isRunning: update.isRunning,
    forget: () => setFailure(null),
    /** Confirms the change and offers to restore the previous settings. */
    done: (title: string, before: Call<'local_port.update'>) => notifyDone(title, () => void restore.run(before)),
  };
}
