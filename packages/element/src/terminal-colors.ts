/** Colours of the terminal, which xterm.js needs as values. They equal those of the style sheet. */

import type { ITheme } from '@xterm/xterm';

const dark: ITheme = {
  background: '#0d1420',
  foreground: '#d7e0ee',
  cursor: '#6cb2ff',
  selectionBackground: '#2c4770',
  cyan: '#56c8d8',
  green: '#6fcf97',
  red: '#ff8a80',
  yellow: '#f2c94c',
  blue: '#6cb2ff',
};

const light: ITheme = {
  background: '#fbfcfe',
  foreground: '#1c2736',
  cursor: '#1d63c9',
  selectionBackground: '#cfe0fa',
  cyan: '#0b7285',
  green: '#1a7f46',
  red: '#b3261e',
  yellow: '#8a6100',
  blue: '#1d63c9',
};

export const terminalColors = (isDark: boolean): ITheme => (isDark ? dark : light);

/** Reports whether the page shows the element in dark colours, by the reader's preference or the page's own switch. */
export const isDark = (element: Element): boolean => {
  const [red = 255, green = 255, blue = 255] = Array.from(
    getComputedStyle(element).color.matchAll(/[\d.]+/g),
    Number,
  );
  // The text colour.
  return red + green + blue > (3 * 255) / 2;
};

/** @returns a function that stops following the theme */
export function whenColorsChange(changed: () => void): () => void {
  const preferred = matchMedia('(prefers-color-scheme: dark)');
  preferred.addEventListener('change', changed);
  // Theme switches set a class or an attribute of the document element.
  const switched = new MutationObserver(changed);
  switched.observe(document.documentElement, { attributes: true });
  return () => {
    preferred.removeEventListener('change', changed);
    switched.disconnect();
  };
}
