/** The light or dark theme: the system's, until the user chooses one. */

import { computed, effect, signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const key = 'coxswain-theme';
const stored = localStorage.getItem(key);

export const theme = signal<Theme>(stored === 'light' || stored === 'dark' ? stored : 'system');

const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
system.addEventListener('change', ({ matches }) => (systemIsDark.value = matches));

const isDark = computed(() => (theme.value === 'system' ? systemIsDark.value : theme.value === 'dark'));

effect(() => {
  document.documentElement.dataset['theme'] = isDark.value ? 'dark' : 'light';
});

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(key);
  else localStorage.setItem(key, chosen);
  theme.value = chosen;
}
