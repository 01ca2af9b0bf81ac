import { createTheme, type CSSVariablesResolver, type MantineColorsTuple, type MantineThemeComponents } from '@mantine/core';

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

/** Mantine makes it a `header`, which outside of an article is the banner of the page; the window has one already. */
const HEADER_OF_DIALOG = { header: { role: 'presentation' } } as const;

const sizeOf = ({ size }: Sized): string => String(size ?? 'sm');

/** Returns the size of a button with an icon: one in pixels as it is given. */
const iconSizeOf = (props: Sized): string =>
  typeof props.size === 'number' ? `${props.size}px` : (ICON_SIZES[sizeOf(props)] ?? 'var(--control)');

/** Sizes of every control: 28 px high with text of 13 px; small ones 22 to 24 px with text of 12 px. */
const controls: MantineThemeComponents = {
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
    vars: (_theme: unknown, props: Sized) => ({ root: { '--ai-size': iconSizeOf(props) } }),
  },
  // A link is underlined, faintly, so that colour is not the only sign of it within a text.
  Anchor: {
    defaultProps: { underline: 'always' },
    styles: { root: { textDecorationColor: 'var(--line-2)', textUnderlineOffset: '2px' } },
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
    // A long title has several lines.
    styles: { title: { fontWeight: 620, fontSize: 'var(--t-title)', lineHeight: 1.3 }, header: { minHeight: 'var(--bar)' } },
    defaultProps: {
      centered: true,
      radius: 'lg',
      padding: 'lg',
      shadow: 'xl',
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
      attributes: HEADER_OF_DIALOG,
    },
  },
  Drawer: {
    styles: {
      title: { fontWeight: 620, fontSize: 'var(--t-title)', overflow: 'hidden', textOverflow: 'ellipsis' },
      header: { paddingInline: 'var(--edge)' },
    },
    defaultProps: {
      position: 'right',
      size: 620,
      overlayProps: { color: 'var(--scrim)', backgroundOpacity: 1 },
      attributes: HEADER_OF_DIALOG,
    },
  },
  // Without the place that Mantine puts before the entries, the focus goes to the menu itself, which has no other children than entries then.
  Menu: {
    defaultProps: { shadow: 'md', withInitialFocusPlaceholder: false, menuItemTabIndex: 0 },
    styles: { item: { fontSize: 'var(--t-body)', padding: '5px 10px' } },
  },
  Popover: { defaultProps: { shadow: 'md' } },
  Combobox: { defaultProps: { shadow: 'md' } },
  Notification: { styles: { description: { color: 'var(--text)', fontSize: 'var(--t-body)' } } },
  Alert: { styles: { title: { fontSize: 'var(--t-body)' }, message: { fontSize: 'var(--t-body)', color: 'var(--text)' } } },
  Kbd: { styles: { root: { fontFamily: 'var(--font)', fontSize: 'var(--t-caption)', fontWeight: 500, color: 'var(--text-2)' } } },
  NavLink: { styles: { label: { fontSize: 'var(--t-body)' } } },
  Table: {
    defaultProps: { verticalSpacing: 4, horizontalSpacing: 'md' },
    styles: {
      table: { fontSize: 'var(--t-body)', lineHeight: '1.45' },
      th: { fontWeight: 500, fontSize: 'var(--t-small)', color: 'var(--text-2)' },
    },
  },
};

const token = (name: string): string => `var(--${name})`;
const scale = (...names: readonly string[]): MantineColorsTuple => names.map(token) as unknown as MantineColorsTuple;

/** Ink green, the colour of what ties out. */
const PINE = scale('tint-2', 'tint', 'tint', 'matched', 'matched', 'matched', 'matched', 'accent', 'accent', 'accent-hover');
/** Mantine asks for these by index: a light scheme begins with the lightest, a dark scheme with the text colour. */
const GRAY = scale('sunken', 'hover', 'line', 'line-2', 'line-2', 'control-line', 'text-3', 'text-2', 'text', 'text');
const DARK = scale('text', 'text-2', 'text-3', 'text-3', 'line-2', 'hover', 'surface', 'surface', 'sunken', 'chrome');

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 7 },
  colors: { pine: PINE, gray: GRAY, dark: DARK },
  fontFamily: token('font'),
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, "Liberation Mono", monospace',
  fontSizes: { xs: token('t-small'), sm: token('t-body'), md: token('t-body'), lg: token('t-title'), xl: token('t-figure') },
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.4', lg: '1.35', xl: '1.3' },
  spacing: { xs: token('s3'), sm: token('s4'), md: token('s5'), lg: token('s6'), xl: token('s7') },
  radius: { xs: token('r-s'), sm: token('r-s'), md: token('r-m'), lg: token('r-l'), xl: token('r-l') },
  shadows: { xs: token('e1'), sm: token('e1'), md: token('e2'), lg: token('e2'), xl: token('e3') },
  headings: {
    fontFamily: token('font'),
    fontWeight: '620',
    sizes: {
      h1: { fontSize: token('t-title'), lineHeight: '1.3' },
      h2: { fontSize: token('t-title'), lineHeight: '1.4' },
      h3: { fontSize: token('t-body'), lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: controls,
});

interface Hue {
  readonly tint: string;
  readonly text: string;
  readonly fill: string;
}

/** The variables that Mantine derives from a colour: light fill with its text, solid fill, outline, and plain text. */
function hue(name: string, { tint, text, fill }: Hue): Record<string, string> {
  const base = `--mantine-color-${name}`;
  return {
    [`${base}-light`]: tint,
    [`${base}-light-hover`]: `color-mix(in srgb, ${tint} 85%, ${text})`,
    [`${base}-light-color`]: text,
    [`${base}-text`]: text,
    [`${base}-outline`]: text,
    [`${base}-outline-hover`]: tint,
    [`${base}-filled`]: fill,
    [`${base}-filled-hover`]: `color-mix(in srgb, ${fill} 88%, black)`,
  };
}

/** A darker shade that white text is readable on. */
const deep = (name: string): string => `color-mix(in srgb, ${token(name)} 60%, black)`;

function named(isDark: boolean): Record<string, string> {
  const fill = isDark ? deep : token;
  return {
    ...hue('pine', { tint: token('tint'), text: token('accent-text'), fill: token('accent') }),
    ...hue('orange', { tint: token('open-tint'), text: token('open-text'), fill: deep('open') }),
    ...hue('violet', { tint: token('proposed-tint'), text: token('proposed-text'), fill: fill('proposed') }),
    ...hue('red', { tint: token('bad-tint'), text: token('bad-text'), fill: fill('bad') }),
    ...hue('blue', { tint: token('info-tint'), text: token('info-text'), fill: fill('info-text') }),
    ...hue('gray', { tint: token('hover'), text: token('text-2'), fill: deep('text-3') }),
    '--mantine-primary-color-filled': token('accent'),
    '--mantine-primary-color-filled-hover': token('accent-hover'),
    '--mantine-primary-color-light': token('tint'),
    '--mantine-primary-color-light-hover': token('tint'),
    '--mantine-primary-color-light-color': token('accent-text'),
    '--mantine-color-pine-filled-hover': token('accent-hover'),
    '--mantine-color-text': token('text'),
    '--mantine-color-bright': token('text'),
    '--mantine-color-body': token('surface'),
    '--mantine-color-dimmed': token('text-3'),
    '--mantine-color-placeholder': token('text-3'),
    '--mantine-color-anchor': token('accent-text'),
    '--mantine-color-error': token('bad-text'),
    '--mantine-color-default': token('surface'),
    '--mantine-color-default-hover': token('hover'),
    '--mantine-color-default-color': token('text'),
    '--mantine-color-default-border': token('line-2'),
    '--mantine-color-disabled': token('hover'),
    '--mantine-color-disabled-color': token('text-3'),
    '--mantine-color-disabled-border': token('line'),
  };
}

/** Mantine's own colour variables, set from the tokens. */
export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: named(false), dark: named(true) });
