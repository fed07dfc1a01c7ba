/** Merges the recordings of several processes into one. */

import { recordingVersion, type Recording, type Span, type Step, type Undertaking } from './recording.ts';
import { noted } from './select.ts';

/** Times are relative to the earliest recording, and as accurate as the clocks agree. */
export function merged(...recordings: readonly Recording[]): Recording {
  const starts = recordings.map(({ startTime }) => Date.parse(startTime));
  const earliest = Math.min(...starts);
  const dropped = recordings.reduce((sum, { droppedSteps = 0 }) => sum + droppedSteps, 0);
  return {
    apiVersion: recordingVersion,
    startTime: recordings[starts.indexOf(earliest)]!.startTime,
    undertakings: recordings
      .flatMap(({ undertakings }, index) =>
        undertakings.map((one) => moved(one, (starts[index]! - earliest) * 1e6)),
      )
      .toSorted((one, other) => one.startNs - other.startNs),
    ...(dropped > 0 && { droppedSteps: dropped }),
    sources: Object.assign({}, ...recordings.map(({ sources }) => sources)) as Record<string, string>,
  };
}

function moved<T extends Span>(span: T, byNs: number): T {
  if (byNs === 0) return span;
  return { ...span, startNs: span.startNs + byNs, steps: span.steps.map((step) => moved<Step>(step, byNs)) };
}

/**
 * One undertaking and everything that followed from it. Requests that do not name their sender and that `user` sent in
 * the meantime are attributed to it.
 */
export function followed(recording: Recording, from: string, user?: string): Recording {
  const root = recording.undertakings.find(({ id }) => id === from);
  if (root === undefined) return { ...recording, undertakings: [] };
  const end = root.startNs + (root.durationNs ?? Infinity);
  const kept = new Map<string, Undertaking>([[from, root]]);
  for (const undertaking of recording.undertakings) {
    const isOwn =
      undertaking.kind === 'request' &&
      undertaking.causes.length === 0 &&
      undertaking.startNs >= root.startNs &&
      undertaking.startNs <= end &&
      user !== undefined &&
      noted(undertaking.steps, 'user') === user;
    if (isOwn) kept.set(undertaking.id, { ...undertaking, causes: [from], links: [{ from, by: 'call' }] });
    else if (undertaking.causes.some((cause) => kept.has(cause))) kept.set(undertaking.id, undertaking);
  }
  const undertakings = recording.undertakings.flatMap(({ id }) => kept.get(id) ?? []);
  return { ...recording, undertakings };
}
