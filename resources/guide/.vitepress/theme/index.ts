import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

// VitePress takes the theme as a default export.
export default DefaultTheme satisfies Theme;
