import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { say } from '../../src-shared/words/say.ts';

export const COLOR_SCHEMES = [
  { scheme: 'light', label: say('shell.colorSchemeMenu.light'), Icon: IconSun },
  { scheme: 'dark', label: say('shell.colorSchemeMenu.dark'), Icon: IconMoon },
  { scheme: 'auto', label: say('shell.colorSchemeMenu.asTheSystem'), Icon: IconDeviceDesktop },
] as const;

/** Chooses the colour scheme: light, dark, or the system's. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = COLOR_SCHEMES.find(({ scheme }) => scheme === colorScheme) ?? COLOR_SCHEMES[2];
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <Tooltip label={say('shell.colorSchemeMenu.colours', { label: current.label.toLowerCase() })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="xs"
            aria-label={say('shell.colorSchemeMenu.colours', { label: current.label })}
            data-testid="color-scheme"
          >
            <current.Icon size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {COLOR_SCHEMES.map(({ scheme, label, Icon }) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={scheme === colorScheme ? <IconCheck size={14} aria-hidden /> : null}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
            data-testid={`color-scheme-${scheme}`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
