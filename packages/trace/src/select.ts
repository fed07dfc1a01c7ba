/** Part of a recording: the requests that somebody asks about, with all that they led to. */

import type { Recording, Step, Undertaking } from './recording.ts';

/** What is absent is not asked for. */
export interface Selection {
  readonly user?: string;
  /** As in RBAC: `create`, `list`, `watch`. */
  readonly verb?: string;
  /** `pods`, `deployments`, `pods/log` */
  readonly resource?: string;
}

export function selected(recording: Recording, selection: Selection): Recording {
  const asked = Object.entries(selection).filter(([, value]) => value !== undefined && value !== '');
  if (asked.length === 0) return recording;
  return withEffects(
    recording,
    ({ kind, steps }) => kind === 'request' && asked.every(([name, value]) => noted(steps, name) === value),
  );
}

/** What is asked for, with all that it led to. */
export function withEffects(recording: Recording, isAsked: (one: Undertaking) => boolean): Recording {
  const kept = new Set<string>();
  for (const undertaking of recording.undertakings) {
    // A cause begins before what it leads to, and stands before it.
    if (isAsked(undertaking) || undertaking.causes.some((cause) => kept.has(cause))) kept.add(undertaking.id);
  }
  return { ...recording, undertakings: recording.undertakings.filter(({ id }) => kept.has(id)) };
}

/** What the first step says of it: filters stand before what they let through. */
export function noted(steps: Undertaking['steps'], name: string): unknown {
  for (const { values, steps: inner } of steps as readonly Step[]) {
    const value = values?.[name] ?? noted(inner, name);
    if (value !== undefined) return value;
  }
}
