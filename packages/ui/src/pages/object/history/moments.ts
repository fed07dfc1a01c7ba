/** The changes of an object, the events about it and the work on it, in one order for the slider. */

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
  /** Used in addresses, and stable over the lifetime of the moment. */
  readonly id: string;
  readonly timeMs: number;
  /** The order within a second, since writers and events record no finer time. */
  readonly revision: number;
}

export interface RevisionMoment extends AnyMoment {
  readonly lane: 'revision';
  readonly change: Change;
  readonly writer: Writer | undefined;
  /** The user whose request it was, if requests are known. */
  readonly user?: string;
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
  /** The first known state, if it is older than all known changes. */
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
    const request = work.find(wrote(revision)) ?? (after === undefined ? work.findLast(deletes) : undefined);
    // managedFields have no time for the writes of the server itself and of scale. It cannot be earlier than the
    // preceding revision.
    const reportedMs = timeOf(writer?.time) ?? request?.startMs ?? timeOf(after?.metadata.creationTimestamp);
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
      ...(request !== undefined && { user: request.by }),
    });
    moments.push(...containerMoments(before, after, { timeMs, revision }));
  }
  moments.push(...containerMoments(undefined, first, { timeMs: 0, revision: 0 }));
  for (const event of events) moments.push(eventMoment(event));
  const revisions = new Set(changes.map(({ revision }) => revision));
  for (const one of work) if (!isTold(one, revisions)) moments.push(workMoment(one));
  return moments.toSorted((one, other) => secondOf(one) - secondOf(other) || one.revision - other.revision);
}

/** Reports whether the work is the request that wrote this revision, which only one can be. */
export const wrote =
  (revision: number) =>
  ({ kind, wrote: written }: Work): boolean =>
    kind === 'request' && written.some((one) => one.revision === revision);

/** Reports whether all that is known of a request is told with the revision that it wrote. */
const isTold = ({ durationMs, wrote: written }: Work, revisions: ReadonlySet<number>): boolean =>
  durationMs === undefined && written.some(({ revision }) => revisions.has(revision));

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

/** Identify the scheduler's events, whatever name it runs under. */
const schedulerReasons: ReadonlySet<string> = new Set(['Scheduled', 'FailedScheduling', 'Preempted']);

const isOfScheduler = ({ reason }: ReportedEvent): boolean => schedulerReasons.has(reason);

const laneOfWork = {
  request: 'request',
  reconcile: 'reconcile',
  sync: 'reconcile',
  schedule: 'scheduling',
} as const;

/** A request precedes the revision that it creates. */
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

/** The container states that a revision reports and the one before it did not. */
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

/** The revision in effect at a moment; undefined before the first. */
export const revisionAt = (moments: readonly Moment[], index: number): RevisionMoment | undefined =>
  moments.slice(0, index + 1).findLast(isRevision);

/** The object after a revision, or before its deletion. */
export const objectOf = ({ change: { before, after } }: RevisionMoment): KubeObject => (after ?? before)!;

export interface FieldChange {
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
}

/** Pairs the removed and added lines of each field. */
export function fieldChanges(diff: readonly DiffLine[]): readonly FieldChange[] {
  const fields = new Map<string, FieldChange>();
  for (const line of diff) {
    const end = line.indexOf(': ');
    const [path, value] = [line.slice(2, end), line.slice(end + 2)];
    fields.set(path, { ...fields.get(path), path, [line.startsWith('-') ? 'from' : 'to']: value });
  }
  return [...fields.values()];
}
