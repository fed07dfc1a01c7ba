/** The current location: the browser's address as a signal. */

import { batch, computed, signal } from '@preact/signals';

const path = signal(location.pathname);
const query = signal(new URLSearchParams(location.search));

export const currentPath = computed(() => path.value);
export const currentQuery = computed(() => query.value);

/** Navigates within the page; `replace` adds no history entry. */
export function go(to: string, { replace = false } = {}): void {
  const url = new URL(to, location.href);
  if (replace) history.replaceState(undefined, '', url);
  else if (url.href !== location.href) history.pushState(undefined, '', url);
  update();
  if (!replace) document.querySelector('#main')?.scrollTo(0, 0);
}

/** Changes parameters of the query; undefined removes one. */
export function goQuery(
  members: Readonly<Record<string, string | undefined>>,
  { replace = true } = {},
): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(members))
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  go(location.pathname + (text === '' ? '' : `?${text}`), { replace });
}

function update(): void {
  batch(() => {
    path.value = location.pathname;
    query.value = new URLSearchParams(location.search);
  });
}

/** Handles clicks on links within the page, so that they need no component of their own. */
export function followLinks(): void {
  addEventListener('popstate', update);
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest('a');
    if (link === null || link.origin !== location.origin || link.target !== '' || link.download !== '')
      return;
    // A separate document with scripts of its own.
    if (link.dataset['document'] !== undefined) return;
    event.preventDefault();
    go(link.href);
  });
}
