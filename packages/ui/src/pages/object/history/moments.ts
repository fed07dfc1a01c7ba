/** What became of an object and what was reported of it, in one order: the moments that the slider goes through. */

import type { KubeObject } from '@coxswain/apimachinery';
import { holdsSecrets, jsonWithoutSecrets } from '@coxswain/api/core/secret-values.ts';
import { objectDiff, type DiffLine } from '@coxswain/client/history/object-diff.ts';
import type { Change } from '@coxswain/client/history/object-history.ts';
import { writerOf, type Writer } from '@coxswain/client/history/writer-of.ts';
import type { ReportedEvent } from '../../../cluster/event.ts';

interface AnyMoment {
  /** Of addresses, and the same as long as the moment is. */
  readonly id: string;
  readonly timeMs: number;
  /** The order within a second: writers and events tell no finer time. */
  readonly revision: number;
}

export interface RevisionMoment extends AnyMoment {
  readonly change: Change;
  readonly writer: Writer | undefined;
  readonly diff: readonly DiffLine[];
}

export interface EventMoment extends AnyMoment {
  readonly event: ReportedEvent;
}

export type Moment = RevisionMoment | EventMoment;

export const isRevision = (moment: Moment): moment is RevisionMoment => 'change' in moment;

/** Oldest first. */
export function momentsOf(
  resource: { readonly group: string; readonly resource: string },
  changes: readonly Change[],
  events: Iterable<ReportedEvent>,
): readonly Moment[] {
  const shown = holdsSecrets(resource) ? jsonWithoutSecrets : undefined;
  const moments: Moment[] = [];
  let timeMs = 0;
  for (const change of changes) {
    const { before, after, revision } = change;
    const writer = after === undefined ? undefined : writerOf(before, after);
    // What a server writes by itself has no time: it was not before the revision that precedes it.
    timeMs = Math.max(timeMs, timeOf(writer?.time) ?? timeOf(after?.metadata.creationTimestamp) ?? 0);
    const diff = after === undefined ? [] : objectDiff(before, after, shown);
    moments.push({ id: `r${revision}`, timeMs, revision, change, writer, diff });
  }
  for (const event of events) {
    const { uid, resourceVersion } = event.metadata;
    moments.push({ id: `e${uid}`, timeMs: event.timeMs, revision: Number(resourceVersion ?? 0), event });
  }
  return moments.toSorted((one, other) => secondOf(one) - secondOf(other) || one.revision - other.revision);
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
