import type { MantineThemeComponents } from '@mantine/core';

const BUTTON_HEIGHTS: Readonly<Record<string, string>> = {
  xs: '24px',
  md: 'var(--control-l)',
  lg: 'var(--control-l)',
  'compact-xs': '22px',
  'compact-sm': '24px',
};
const SMALL = new Set(['xs', 'compact-xs', 'compact-sm']);
const ICON_SIZES: Readonly<Record<string, string>> = { xs: '20px', sm: '24px' };

interface Sized {
  readonly size?: string | number;
}

const sizeOf = ({ size }: Sized): string => String(size ?? 'sm');

/** Every control in the sizes of the window: 28 high, text of 13, small ones 22 to 24 with text of 12. */
export const controls: MantineThemeComponents = {
  Button: {
    vars: (_theme: unknown, props: Sized) => ({
      root: {
        '--button-height': BUTTON_HEIGHTS[sizeOf(props)] ?? 'var(--control)',
        '--button-padding-x': SMALL.has(sizeOf(props)) ? 'var(--s4)' : '11px',
        '--button-fz': SMALL.has(sizeOf(props)) ? 'var(--t-small)' : 'var(--t-body)',
      },
    }),
    styles: { label: { fontWeight: 560 } },
  },
  ActionIcon: {
    vars: (_theme: unknown, props: Sized) => ({ root: { '--ai-size': ICON_SIZES[sizeOf(props)] ?? 'var(--control)' } }),
  },
  CloseButton: { defaultProps: { size: 'sm' } },
  Input: {
    vars: (_theme: unknown, props: Sized) => ({
      wrapper: {
        '--input-height': sizeOf(props) === 'xs' ? '24px' : 'var(--control)',
        '--input-fz': sizeOf(props) === 'xs' ? 'var(--t-small)' : 'var(--t-body)',
        '--input-padding': 'var(--s4)',
        '--input-bd': 'var(--line-2)',
        '--input-radius': 'var(--r-m)',
      },
    }),
  },
  InputWrapper: {
    styles: {
      label: { fontSize: 'var(--t-small)', fontWeight: 560, marginBottom: 'var(--s1)' },
      description: { fontSize: 'var(--t-small)' },
      error: { fontSize: 'var(--t-small)' },
    },
  },
  Pill: { defaultProps: { size: 'sm' } },
  Checkbox: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 'var(--t-body)' } } },
  Radio: { defaultProps: { size: 'xs' }, styles: { label: { fontSize: 'var(--t-body)' } } },
  Switch: { defaultProps: { size: 'sm' }, styles: { label: { fontSize: 'var(--t-body)' } } },
  SegmentedControl: {
    vars: () => ({ root: { '--sc-padding': '2px 10px', '--sc-font-size': 'var(--t-body)', '--sc-radius': 'var(--r-m)' } }),
    styles: {
      root: { background: 'var(--chrome)', border: '1px solid var(--line)', padding: 2 },
      indicator: { boxShadow: '0 0 0 1px var(--line-2)', background: 'var(--surface)' },
    },
  },
  Tabs: { styles: { tab: { height: 'var(--tabs)', padding: '0 var(--s5)', fontSize: 'var(--t-body)', fontWeight: 500 } } },
  Tooltip: {
    defaultProps: { openDelay: 350, multiline: true, maw: 320, withArrow: true, events: { hover: true, focus: true, touch: true } },
    styles: { tooltip: { fontSize: 'var(--t-small)', background: 'var(--text)', color: 'var(--surface)' } },
  },
  Badge: {
    defaultProps: { variant: 'light', radius: 'sm' },
    vars: (_theme: unknown, props: Sized) => ({
      root: { '--badge-height': sizeOf(props) === 'xs' || props.size === 'sm' ? '18px' : '20px', '--badge-padding-x': '6px' },
    }),
    styles: {
      root: {
        textTransform: 'none',
        fontWeight: 500,
        letterSpacing: 0,
        flexShrink: 0,
        minWidth: 'max-content',
        fontSize: 'var(--t-small)',
      },
    },
  },
  Modal: {
    styles: { title: { fontWeight: 620, fontSize: 'var(--t-title)' }, header: { minHeight: 'var(--bar)' } },
    defaultProps: {
      centered: true,
      radius: 'lg',
      padding: 'lg',
      shadow: 'xl',
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
    },
  },
  Menu: { defaultProps: { shadow: 'md' }, styles: { item: { fontSize: 'var(--t-body)', padding: '5px 10px' } } },
  Popover: { defaultProps: { shadow: 'md' } },
  Combobox: { defaultProps: { shadow: 'md' } },
  Notification: { styles: { description: { color: 'var(--text)', fontSize: 'var(--t-body)' } } },
  Alert: { styles: { title: { fontSize: 'var(--t-body)' }, message: { fontSize: 'var(--t-body)', color: 'var(--text)' } } },
  Kbd: { styles: { root: { fontFamily: 'var(--font)', fontSize: 'var(--t-caption)', fontWeight: 500, color: 'var(--text-2)' } } },
  NavLink: { styles: { label: { fontSize: 'var(--t-body)' } } },
  Table: {
    defaultProps: { verticalSpacing: 4, horizontalSpacing: 'md' },
    styles: { table: { fontSize: 'var(--t-body)', lineHeight: '1.45' } },
  },
};
