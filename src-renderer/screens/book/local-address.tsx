import { Alert, Anchor, Badge, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconAlertTriangle, IconExternalLink, IconInfoCircle } from '@tabler/icons-react';
import type { LocalPort } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { AllowedOrigins } from './allowed-origins.tsx';
import { OtherMachines } from './other-machines.tsx';
import { PortForm } from './port-form.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { useLocalPort } from './use-local-port.ts';

/** The address for other programs: on or off, where it listens, and whom it lets in. */
export function LocalAddress() {
  const { value: port, failure, refetch } = useQuery('local_port.get', {});
  return (
    <Section
      id="local-address"
      title="Local address"
      about="Spreadsheets, scripts and add-ins can read and write this book over HTTP, with an API key."
    >
      {port === undefined && failure === undefined && <Skeleton height={160} />}
      {port === undefined && failure !== undefined && (
        <FailurePanel title="The settings could not be read" failure={failure} onRetry={refetch} />
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
      <Alert color="blue" icon={<IconInfoCircle size={18} aria-hidden />} title="On, by tieout serve" data-testid="served-by-command">
        <Text size="sm">This book was opened with tieout serve, so its address stays on until that command ends.</Text>
      </Alert>
    </div>
  );
}

function OnOff({ port }: { readonly port: LocalPort }) {
  const { change, failure, isRunning } = useLocalPort();
  const told = failure?.message ?? port.message;
  return (
    <Stack className={styles.row} gap="sm">
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Switch
          checked={port.enabled}
          disabled={isRunning}
          onChange={(event) => void change({ enabled: event.currentTarget.checked })}
          label="Other programs may reach this book"
          description="While it is off, nothing listens. Switching takes effect at once."
          data-testid="local-address-switch"
        />
        <StatusBadge status={port.status} />
      </Group>
      {told !== null && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />} data-testid="local-address-failure">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{told}</Text>
            <Group gap="xs">
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true })}>
                Try again
              </Button>
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true, port: null })}>
                Take a free port
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

const STATUS = {
  off: { color: 'gray', text: 'Off' },
  on: { color: 'pine', text: 'On' },
  failed: { color: 'red', text: 'Failed' },
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
        <CopyButton text={port.base_url ?? ''} what="the address" testId="copy-address" />
        <Anchor href={port.docs_url ?? ''} target="_blank" rel="noreferrer" size="sm" data-testid="docs-link">
          <Group gap={4} wrap="nowrap" component="span">
            Documentation
            <IconExternalLink size={14} aria-hidden />
          </Group>
        </Anchor>
      </Group>
      {port.other_urls.map((url) => (
        <Text key={url} size="sm" c="dimmed" component="div">
          From other machines: <span className={styles.address}>{url}</span>
        </Text>
      ))}
    </Stack>
  );
}
