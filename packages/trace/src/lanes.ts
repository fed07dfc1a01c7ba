/** Assigns spans that overlap to lanes. The spans of a lane follow one another or are nested. */

import type { Recording, Span, Step, Undertaking } from './recording.ts';

export interface Laid<T extends Span> {
  readonly span: T;
  /** The number of the lane within its component. */
  readonly lane: number;
}

export interface LaidUndertaking extends Laid<Undertaking> {
  readonly component: string;
  readonly steps: readonly Laid<Step>[];
}

/** The time at which the last span ended. Spans that are still running end with the recording. */
export function endOf(recording: Recording): number {
  let end = 0;
  const left: Span[] = [...recording.undertakings];
  for (let span = left.pop(); span !== undefined; span = left.pop()) {
    end = Math.max(end, span.startNs + (span.durationNs ?? 0));
    for (const step of span.steps) left.push(step);
  }
  return end;
}

/** Undertakings in the order in which they began. */
export function laneOut(recording: Recording): readonly LaidUndertaking[] {
  const recordingEnd = endOf(recording);
  const busyUntil = new Map<string, number[]>();
  return recording.undertakings.map((span) => {
    const lanes = busyUntil.get(span.component) ?? [];
    busyUntil.set(span.component, lanes);
    const steps: Laid<Step>[] = [];
    const lane = free(lanes, span, recordingEnd);
    layOut(span, lane, { lanes, recordingEnd, steps });
    return { span, lane, component: span.component, steps };
  });
}

interface Laying {
  readonly lanes: number[];
  readonly recordingEnd: number;
  readonly steps: Laid<Step>[];
}

/** A step is placed in the lane of the span that contains it, unless a sibling occupies that lane at the time. */
function layOut(span: Span, lane: number, laying: Laying): void {
  let reached = span.startNs;
  for (const step of span.steps) {
    const fits = step.startNs >= reached;
    const own = fits ? lane : free(laying.lanes, step, laying.recordingEnd);
    if (fits) reached = ends(step, laying.recordingEnd);
    laying.steps.push({ span: step, lane: own });
    layOut(step, own, laying);
  }
}

function free(lanes: number[], span: Span, recordingEnd: number): number {
  const found = lanes.findIndex((busy) => busy <= span.startNs);
  const lane = found < 0 ? lanes.length : found;
  lanes[lane] = ends(span, recordingEnd);
  return lane;
}

const ends = ({ startNs, durationNs }: Span, recordingEnd: number): number =>
  durationNs === undefined ? recordingEnd : startNs + durationNs;
