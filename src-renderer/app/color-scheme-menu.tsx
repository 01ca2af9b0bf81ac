import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

export const COLOR_SCHEMES = [
  { scheme: 'light', label: 'Light', Icon: IconSun },
  { scheme: 'dark', label: 'Dark', Icon: IconMoon },
  { scheme: 'auto', label: 'As the system', Icon: IconDeviceDesktop },
] as const;

/** Chooses the colour scheme: light, dark, or the system's. */
export function ColorSchemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const current = COLOR_SCHEMES.find(({ scheme }) => scheme === colorScheme) ?? COLOR_SCHEMES[2];
  return (
    <Menu position="top-end" withinPortal>
      <Menu.Target>
        <Tooltip label={`Colours: ${current.label.toLowerCase()}`}>
          <ActionIcon variant="subtle" color="gray" size="xs" aria-label={`Colours: ${current.label}`} data-testid="color-scheme">
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
