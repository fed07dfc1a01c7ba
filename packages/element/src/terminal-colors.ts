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
