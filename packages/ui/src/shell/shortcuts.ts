/** Keyboard shortcuts of every page. A page's own shortcuts are defined there. */

import { useEffect } from 'preact/hooks';
import { chooseTheme, theme, type Theme } from '../design/theme.ts';
import { explorerPath } from '../navigation/paths.ts';
import { isTaken } from '../controls/is-taken.ts';
import { go } from '../navigation/route.ts';
import { isHelpOpen } from './help.tsx';
import { openPalette } from './palette/palette-state.ts';

const after: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

export const nextTheme = (): void => chooseTheme(after[theme.value]);

/** Pressed after `g`. */
const places: Readonly<Record<string, () => string>> = {
  o: () => '/',
  s: () => '/scheduler',
  a: () => '/access',
  p: () => explorerPath({ group: '', version: 'v1', resource: 'pods' }),
  d: () => explorerPath({ group: 'apps', version: 'v1', resource: 'deployments' }),
  n: () => explorerPath({ group: '', version: 'v1', resource: 'nodes' }),
  e: () => explorerPath({ group: '', version: 'v1', resource: 'events' }),
};

const goWithinMs = 1000;

export function useShortcuts(): void {
  useEffect(() => {
    let goneMs = -Infinity;
    const take = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key === 'k') {
        event.preventDefault();
        return openPalette('everything');
      }
      if (isTaken(event)) return;
      const place = performance.now() - goneMs < goWithinMs ? places[event.key] : undefined;
      goneMs = event.key === 'g' ? performance.now() : -Infinity;
      const act = place === undefined ? actions[event.key] : () => go(place());
      if (act === undefined || document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', take);
    return () => removeEventListener('keydown', take);
  }, []);
}

const actions: Readonly<Record<string, () => void>> = {
  '/': search,
  ':': () => openPalette('kinds'),
  '?': () => (isHelpOpen.value = true),
  t: nextTheme,
  c: () => go('/create'),
};

/** Focuses the search field of the current page, if it has one. */
function search(): void {
  const field = document.querySelector<HTMLElement>('#main [data-search]');
  if (field === null) openPalette('everything');
  else field.focus();
}
