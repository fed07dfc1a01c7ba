/** What of a cluster outlives its page, in the storage of the tab: a page that is loaded anew goes on where it was. */

import type { Session } from './session.ts';
import { stateOf, stateText, type SharedState } from './shared-state.ts';

/** @param key names the page and the element */
export function keep({ state, link }: Session, key: string): void {
  const isUntouched = state.steps.length === 0 && Object.keys(state.written ?? {}).length === 0;
  try {
    if (isUntouched) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify([link, stateText(state)]));
  } catch {
    // The reader allows no storage, or it is full.
  }
}

/**
 * Undefined where nothing was kept, or what this version cannot replay.
 * @param link in the page's address: another one is another cluster
 */
export function kept(key: string, link: string): SharedState | undefined {
  try {
    const [keptLink, text] = JSON.parse(sessionStorage.getItem(key) ?? '[]') as string[];
    return text !== undefined && keptLink === link ? stateOf(text) : undefined;
  } catch {
    return undefined;
  }
}
