/** What became of an object, what was reported of it and what was done about it, in one order: the slider goes through it. */

import type { KubeObject } from '@coxswain/apimachinery';
import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';
import { objectDiff, type DiffLine } from '@coxswain/client/history/object-diff.ts';
import type { Change } from '@coxswain/client/history/object-history.ts';
import { writerOf, type Writer } from '@coxswain/client/history/writer-of.ts';
import type { ReportedEvent } from '../../../cluster/event.ts';
import type { Work } from '../../../work/work.ts';
import { containerStates, type DatedSituation } from './container-states.ts';

/** The kinds of moments, each a line of the axis. */
export type Lane = 'revision' | 'event' | 'scheduling' | 'container' | 'request' | 'reconcile';

interface AnyMoment {
  readonly lane: Lane;
  /** Of addresses, and the same as long as the moment is. */
  readonly id: string;
  readonly timeMs: number;
  /** The order within a second: writers and events tell no finer time. */
  readonly revision: number;
}

export interface RevisionMoment extends AnyMoment {
  readonly lane: 'revision';
  readonly change: Change;
  readonly writer: Writer | undefined;
  /** The user who deleted it, where requests are known. */
  readonly deletedBy?: string;
  readonly diff: readonly DiffLine[];
}

export interface EventMoment extends AnyMoment {
  readonly lane: 'event' | 'scheduling';
  readonly event: ReportedEvent;
}

export interface ContainerMoment extends AnyMoment {
  readonly lane: 'container';
  readonly container: string;
  readonly state: DatedSituation;
}

export interface WorkMoment extends AnyMoment {
  readonly lane: 'request' | 'reconcile' | 'scheduling';
  readonly work: Work;
}

export type Moment = RevisionMoment | EventMoment | ContainerMoment | WorkMoment;

export const isRevision = (moment: Moment): moment is RevisionMoment => moment.lane === 'revision';

export interface Past {
  readonly changes: readonly Change[];
  /** The first state known, where that is older than all changes that are. */
  readonly first?: KubeObject;
  readonly events: Iterable<ReportedEvent>;
  readonly work: readonly Work[];
}

/** Oldest first. */
export function momentsOf(
  resource: { readonly group: string; readonly resource: string },
  { changes, first, events, work }: Past,
): readonly Moment[] {
  const shown = holdsSecrets(resource) ? jsonWithoutSecrets : undefined;
  const moments: Moment[] = [];
  let timeMs = 0;
  for (const change of changes) {
    const { before, after, revision } = change;
    const writer = after === undefined ? undefined : writerOf(before, after);
    const deletion = after === undefined ? work.findLast(deletes) : undefined;
    // What a server writes by itself has no time: it was not before the revision that precedes it.
    const reportedMs = timeOf(writer?.time) ?? timeOf(after?.metadata.creationTimestamp) ?? deletion?.startMs;
    timeMs = Math.max(timeMs, reportedMs ?? 0);
    const diff = after === undefined ? [] : objectDiff(before, after, shown);
    moments.push({
      lane: 'revision',
      id: `r${revision}`,
      timeMs,
      revision,
      change,
      writer,
      diff,
      ...(deletion !== undefined && { deletedBy: deletion.by }),
    });
    moments.push(...containerMoments(before, after, { timeMs, revision }));
  }
  moments.push(...containerMoments(undefined, first, { timeMs: 0, revision: 0 }));
  for (const event of events) moments.push(eventMoment(event));
  for (const one of work) moments.push(workMoment(one));
  return moments.toSorted((one, other) => secondOf(one) - secondOf(other) || one.revision - other.revision);
}

const deletes = ({ kind, name, failure }: Work): boolean =>
  kind === 'request' && failure === undefined && name.startsWith('DELETE ');

function eventMoment(event: ReportedEvent): EventMoment {
  const { uid, resourceVersion } = event.metadata;
  return {
    lane: isOfScheduler(event) ? 'scheduling' : 'event',
    id: `e${uid}`,
    timeMs: event.timeMs,
    revision: Number(resourceVersion ?? 0),
    event,
  };
}

/** Whatever the scheduler is called. */
const schedulerReasons: ReadonlySet<string> = new Set(['Scheduled', 'FailedScheduling', 'Preempted']);

const isOfScheduler = ({ reason }: ReportedEvent): boolean => schedulerReasons.has(reason);

const laneOfWork = {
  request: 'request',
  reconcile: 'reconcile',
  sync: 'reconcile',
  schedule: 'scheduling',
} as const;

/** A request comes before the revision that it makes. */
const workMoment = (work: Work): WorkMoment => ({
  lane: laneOfWork[work.kind],
  id: `w${work.id}`,
  timeMs: work.startMs,
  revision: (work.wrote[0]?.revision ?? 0) - 0.5,
  work,
});

interface ObservedAt {
  readonly timeMs: number;
  readonly revision: number;
}

/** What a revision says of containers that the one before it did not. */
function containerMoments(
  before: KubeObject | undefined,
  after: KubeObject | undefined,
  { timeMs, revision }: ObservedAt,
): readonly ContainerMoment[] {
  const known = new Set(containerStates(before).map(({ container, state }) => `${container} ${state.key}`));
  return containerStates(after)
    .filter(({ container, state }) => !known.has(`${container} ${state.key}`))
    .map(({ container, state }) => ({
      lane: 'container',
      id: `c${revision}.${container}.${state.key}`,
      timeMs: state.sinceMs ?? timeMs,
      revision,
      container,
      state,
    }));
}

const secondOf = ({ timeMs }: Moment): number => Math.floor(timeMs / 1000);

const timeOf = (time: string | undefined): number | undefined => (time ? Date.parse(time) : undefined);

/** The revision that held at a moment; undefined before the first. */
export const revisionAt = (moments: readonly Moment[], index: number): RevisionMoment | undefined =>
  moments.slice(0, index + 1).findLast(isRevision);

/** The object as a revision left it, or as it was when it was deleted. */
export const objectOf = ({ change: { before, after } }: RevisionMoment): KubeObject => (after ?? before)!;

export interface FieldChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

/** Both lines of a field together. */
export function fieldChanges(diff: readonly DiffLine[]): readonly FieldChange[] {
  const fields = new Map<string, FieldChange>();
  for (const line of diff) {
    const end = line.indexOf(': ');
    const [path, value] = [line.slice(2, end), line.slice(end + 2)];
    fields.set(path, { ...fields.get(path), path, [line.startsWith('-') ? 'from' : 'to']: value });
  }
  return [...fields.values()];
}
