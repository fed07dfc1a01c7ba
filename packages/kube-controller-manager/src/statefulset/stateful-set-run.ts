/** The state of one reconciliation of a StatefulSet. */

import type { StepObserver } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { referenceTo, type EventRecorder, type ResourceClient } from '@coxswain/client';
import { revisionHashLabel } from '../history/revisions.ts';
import type { ControllerRevision, Pod, StatefulSet } from '../objects.ts';
import { isAvailable } from '../pods/pod-state.ts';
import type { Claims } from './claims.ts';
import { statefulSetKind } from './ordinals.ts';

export type StatefulSetStatus = NonNullable<StatefulSet['status']>;

export interface StatefulSetSyncOptions {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
  readonly claims: Claims;
  readonly setClient: ResourceClient<StatefulSet>;
  readonly podClient: ResourceClient<Pod>;
  readonly revisionClient: ResourceClient<ControllerRevision>;
  readonly events: EventRecorder;
  readonly observer?: StepObserver | undefined;
  readonly nowMs: number;
  /** Called with sets and pods as written. */
  readonly wrote: (object: StatefulSet | Pod) => void;
}

/** One reconciliation of a StatefulSet: its pods by ordinal, and its revisions. */
export class StatefulSetRun {
  readonly options: StatefulSetSyncOptions;
  readonly set: StatefulSet;
  readonly replicas: Pod[] = [];
  condemned: Pod[] = [];
  /** The number of pods that are missing besides those in `replicas`. */
  furtherMissing = 0;
  current!: ControllerRevision;
  update!: ControllerRevision;
  collisionCount: number;
  deletedForUpdate = 0;

  constructor(options: StatefulSetSyncOptions) {
    this.options = options;
    this.set = options.set;
    this.collisionCount = options.set.status?.collisionCount ?? 0;
  }

  get isOrdered(): boolean {
    return this.set.spec?.podManagementPolicy !== 'Parallel';
  }

  isUnavailable(pod: Pod): boolean {
    return (
      !isAvailable(pod, this.set.spec?.minReadySeconds ?? 0, this.options.nowMs) ||
      pod.metadata.deletionTimestamp !== undefined
    );
  }

  report(verb: 'Create' | 'Delete' | 'Update', pod: Pod, error?: unknown): void {
    const about = referenceTo(this.set, statefulSetKind.kind, statefulSetKind.apiVersion);
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${this.set.metadata.name}`;
    if (error === undefined)
      this.options.events.event(about, 'Normal', `Successful${verb}`, `${what} successful`);
    else
      this.options.events.event(
        about,
        'Warning',
        `Failed${verb}`,
        `${what} failed error: ${messageOf(error)}`,
      );
  }
}

export const revisionLabel = ({ metadata }: Pod): string => metadata.labels?.[revisionHashLabel] ?? '';
