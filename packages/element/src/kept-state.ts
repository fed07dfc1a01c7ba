/** Keeps the state of a cluster in the tab's session storage, so that a reloaded page continues where it was. */

import type { Session } from './session.ts';
import { stateOf, stateText, type SharedState } from './shared-state.ts';

/** @param key identifies the page and the element */
export function keep({ state, link }: Session, key: string): void {
  const isUntouched = state.steps.length === 0 && Object.keys(state.written ?? {}).length === 0;
  try {
    if (isUntouched) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify([link, stateText(state)]));
  } catch {
    // The reader's browser allows no storage, or the storage is full.
  }
}

/**
 * Undefined if nothing was kept, or nothing that this version can replay.
 * @param link the link in the page's address: a different link is a different cluster
 */
export function kept(key: string, link: string): SharedState | undefined {
  try {
    const [keptLink, text] = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];
    return text !== undefined && keptLink === link ? stateOf(text) : undefined;
  } catch {
    return undefined;
  }
}
