/**
 * A recording in Chrome's trace event format, which ui.perfetto.dev also opens: a process for each component, slices
 * for undertakings and their steps, and flows from causes to effects.
 */

import { linkFrom } from './causality.ts';
import { endOf, laneOut, type LaidUndertaking } from './lanes.ts';
import type { Recording, Span, Step } from './recording.ts';

type TraceEvent = Readonly<Record<string, unknown>>;

export function perfettoOf(
  recording: Recording,
): { readonly traceEvents: readonly TraceEvent[] } & TraceEvent {
  const laid = laneOut(recording);
  const processes = new Map<string, number>();
  for (const { component } of laid)
    if (!processes.has(component)) processes.set(component, processes.size + 1);
  const end = endOf(recording);
  return {
    displayTimeUnit: 'ns',
    otherData: { startTime: recording.startTime },
    traceEvents: [
      ...[...processes].flatMap(([name, pid]) => processEvents(name, pid)),
      ...laid.flatMap((undertaking) => slicesOf(undertaking, processes.get(undertaking.component)!, end)),
      ...flowsOf(laid, processes),
    ],
  };
}

const processEvents = (name: string, pid: number): TraceEvent[] => [
  { ph: 'M', name: 'process_name', pid, tid: 0, args: { name } },
  { ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: pid } },
];

function slicesOf({ span, lane, steps }: LaidUndertaking, pid: number, end: number): TraceEvent[] {
  const { id, kind, values } = span;
  return [
    { ...slice(span, pid, lane, end), cat: kind, args: { id, ...values, ...failed(span) } },
    ...steps.map((laid) => ({
      ...slice(laid.span, pid, laid.lane, end),
      cat: 'step',
      args: { ...placesOf(laid.span), ...laid.span.values, ...failed(laid.span) },
    })),
  ];
}

const slice = ({ name, startNs, durationNs }: Span, pid: number, lane: number, end: number): TraceEvent => ({
  ph: 'X',
  name,
  pid,
  tid: lane + 1,
  ts: startNs / 1000,
  dur: (durationNs ?? Math.max(0, end - startNs)) / 1000,
});

const failed = ({ failure }: Span): object => (failure === undefined ? {} : { failure });

const placesOf = ({ file, line, function: name, definition }: Step): object => ({
  file: `${file}:${line}`,
  function: name,
  ...(definition && { definition: `${definition.file}:${definition.line}` }),
});

function flowsOf(laid: readonly LaidUndertaking[], processes: ReadonlyMap<string, number>): TraceEvent[] {
  const byId = new Map(laid.map((undertaking) => [undertaking.span.id, undertaking]));
  const flows: TraceEvent[] = [];
  for (const effect of laid) {
    for (const from of effect.span.causes) {
      const cause = byId.get(from);
      if (cause === undefined) continue;
      const by = linkFrom(effect.span, from)?.by ?? 'call';
      const flow = { cat: 'cause', name: by, id: flows.length / 2 + 1 };
      const last = cause.span.startNs + (cause.span.durationNs ?? Infinity);
      const leaves = Math.max(cause.span.startNs, Math.min(effect.span.startNs, last));
      flows.push(
        { ...flow, ph: 's', ...threadOf(cause, processes), ts: leaves / 1000 },
        { ...flow, ph: 'f', bp: 'e', ...threadOf(effect, processes), ts: effect.span.startNs / 1000 },
      );
    }
  }
  return flows;
}

const threadOf = ({ component, lane }: LaidUndertaking, processes: ReadonlyMap<string, number>): object => ({
  pid: processes.get(component),
  tid: lane + 1,
});
