import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

/** Ink green: the colour of what ties out. */
const PINE: MantineColorsTuple = [
  '#eef6f3',
  '#dcebe5',
  '#b7d8cb',
  '#8fc4af',
  '#6bb196',
  '#4a9d80',
  '#358a6c',
  '#25765b',
  '#1a6049',
  '#124a38',
];
/** Greys with a breath of the same green, so that cards and paper belong together. */
const DARK: MantineColorsTuple = [
  '#dfe5e3',
  '#b4bdba',
  '#8f9996',
  '#66706d',
  '#3a4341',
  '#2c3432',
  '#222928',
  '#1a201f',
  '#141918',
  '#0e1211',
];

const FONT =
  '"Inter Variable", Inter, "Segoe UI Variable Text", "Segoe UI", -apple-system, BlinkMacSystemFont, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif';

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 8, dark: 7 },
  colors: { pine: PINE, dark: DARK },
  fontFamily: FONT,
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, "Liberation Mono", monospace',
  headings: {
    fontFamily: FONT,
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    Tooltip: {
      defaultProps: { openDelay: 350, multiline: true, maw: 320, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
    Badge: {
      defaultProps: { variant: 'light', radius: 'sm' },
      styles: { root: { textTransform: 'none', fontWeight: 550, letterSpacing: 0, flexShrink: 0, minWidth: 'max-content' } },
    },
    Button: { styles: { label: { fontWeight: 560 } } },
    Modal: {
      styles: { title: { fontWeight: 620, fontSize: '1.0625rem' } },
      defaultProps: { centered: true, radius: 'lg', padding: 'lg', overlayProps: { backgroundOpacity: 0.35, blur: 2 } },
    },
    Notification: { styles: { description: { color: 'var(--tieout-text)' } } },
    Table: { defaultProps: { verticalSpacing: 10, horizontalSpacing: 'md' } },
  },
});

/** Names for what the product needs beside the library's own: paper, card, line, and the three states of a line. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--tieout-row-height': '38px',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#5b6663',
    // The library's own red is too pale for a sentence.
    '--mantine-color-error': '#c92a2a',
    '--tieout-paper': '#f5f7f6',
    '--tieout-card': '#ffffff',
    '--tieout-line': '#e2e7e5',
    '--tieout-text': '#17201d',
    '--tieout-matched': '#25765b',
    '--tieout-proposed': '#5b5bd6',
    '--tieout-open': '#c77d0a',
    '--tieout-debit': '#17201d',
    '--tieout-hover': '#f1f5f3',
    '--tieout-selected': '#e3f0ea',
    '--tieout-shadow': '0 1px 2px rgb(18 40 32 / 5%)',
  },
  dark: {
    '--mantine-color-body': '#1a201f',
    '--mantine-color-dimmed': '#9aa5a1',
    '--mantine-color-error': '#f5a49c',
    '--tieout-paper': '#121615',
    '--tieout-card': '#1a201f',
    '--tieout-line': '#2b3331',
    '--tieout-text': '#e4eae7',
    '--tieout-matched': '#4fb08d',
    '--tieout-proposed': '#9a9bf3',
    '--tieout-open': '#e0a243',
    '--tieout-debit': '#e4eae7',
    '--tieout-hover': '#212927',
    '--tieout-selected': '#1f3a30',
    '--tieout-shadow': 'none',
    // Quiet tints in place of the library's own, which are nearly black on these cards.
    '--mantine-color-gray-light': 'rgb(255 255 255 / 7%)',
    '--mantine-color-gray-light-hover': 'rgb(255 255 255 / 10%)',
    '--mantine-color-gray-light-color': '#c3ccc8',
    '--mantine-color-pine-light': 'rgb(79 176 141 / 17%)',
    '--mantine-color-pine-light-hover': 'rgb(79 176 141 / 22%)',
    '--mantine-color-pine-light-color': '#8fd3b9',
    '--mantine-color-orange-light': 'rgb(224 162 67 / 17%)',
    '--mantine-color-orange-light-color': '#eec07c',
    '--mantine-color-violet-light': 'rgb(154 155 243 / 17%)',
    '--mantine-color-violet-light-color': '#bcbdf9',
    '--mantine-color-blue-light': 'rgb(110 168 240 / 16%)',
    '--mantine-color-blue-light-color': '#9fc6f6',
    '--mantine-color-red-light': 'rgb(240 110 100 / 15%)',
    '--mantine-color-red-light-color': '#f5a49c',
  },
});
