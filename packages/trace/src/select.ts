/** Selects part of a recording: the requests in question and everything that they led to. */

import type { Recording, Step, Undertaking } from './recording.ts';

/** Absent fields do not restrict the selection. */
export interface Selection {
  readonly user?: string;
  /** A verb as in RBAC: `create`, `list`, `watch`. */
  readonly verb?: string;
  /** `pods`, with all subresources, or one of them: `pods/log`. */
  readonly resource?: string;
}

export function selected(recording: Recording, selection: Selection): Recording {
  const asked = Object.entries(selection).filter(([, value]) => value !== undefined && value !== '');
  if (asked.length === 0) return recording;
  return withEffects(
    recording,
    ({ kind, steps }) =>
      kind === 'request' && asked.every(([name, value]) => isValue(name, value, noted(steps, name))),
  );
}

const isValue = (name: string, asked: string, found: unknown): boolean =>
  found === asked || (name === 'resource' && String(found).startsWith(`${asked}/`));

/** The selected undertakings with everything that they led to. */
export function withEffects(recording: Recording, isAsked: (one: Undertaking) => boolean): Recording {
  const kept = new Set<string>();
  for (const undertaking of recording.undertakings) {
    // Causes begin before their effects and precede them in the list.
    if (isAsked(undertaking) || undertaking.causes.some((cause) => kept.has(cause))) kept.add(undertaking.id);
  }
  return { ...recording, undertakings: recording.undertakings.filter(({ id }) => kept.has(id)) };
}

/** The value noted by the first step that has one: filters precede the handlers that they call. */
export function noted(steps: Undertaking['steps'], name: string): unknown {
  for (const { values, steps: inner } of steps as readonly Step[]) {
    const value = values?.[name] ?? noted(inner, name);
    if (value !== undefined) return value;
  }
}
