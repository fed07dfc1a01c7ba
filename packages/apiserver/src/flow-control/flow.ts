/** A flow schema in use: the level that serves its requests, and the distinguisher of its flows. */
import type { FlowSchemaSpec } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';
import { isForEveryone } from './flow-matching.ts';
import { dealHand } from './shuffle-sharding.ts';

/** The maximum number of flows per schema whose queues are cached; others are dealt again. */
const handsMax = 4_096;

const noHand: readonly number[] = [];

const reviewGroups: ReadonlySet<string> = new Set(['authentication.k8s.io', 'authorization.k8s.io']);

export class Flow {
  readonly name: string;
  /** Empty while a mandatory schema is only assumed, not stored. */
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
  readonly level: PriorityLevel;
  /** Everyone may send probes, so they are not urgent. */
  readonly #isUrgent: boolean;
  readonly #makeCounts: () => FlowCounts;
  #counts: FlowCounts | undefined;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(
    name: string,
    uid: string,
    spec: FlowSchemaSpec,
    level: PriorityLevel,
    counts: () => FlowCounts,
  ) {
    this.name = name;
    this.uid = uid;
    this.spec = spec;
    this.level = level;
    this.#isUrgent = level.isUrgent && !isForEveryone(spec);
    this.#makeCounts = counts;
  }

  /** Created with the first request, so unused schemas have no metrics. */
  get counts(): FlowCounts {
    return (this.#counts ??= this.#makeCounts());
  }

  /**
   * Whether the request goes before those of other users. Reviews do not: components send them for their own clients,
   * whom nobody knows yet.
   */
  isUrgent({ group, resource }: RequestInfo): boolean {
    return this.#isUrgent && !(reviewGroups.has(group) && resource.endsWith('reviews'));
  }

  /** The text that distinguishes the requests' flows; empty if the level has no queues to choose from. */
  distinguisherOf(info: RequestInfo, user: UserInfo): string {
    const { queuing } = this.level;
    if (queuing.kind !== 'queue' || queuing.queues < 2) return '';
    switch (this.spec.distinguisherMethod?.type) {
      case 'ByUser':
        return user.name;
      case 'ByNamespace':
        return info.namespace;
      default:
        return '';
    }
  }

  /** The queues for one flow's requests. */
  handOf(distinguisher: string): readonly number[] {
    const { queuing } = this.level;
    if (queuing.kind !== 'queue') return noHand;
    const known = this.#hands.get(distinguisher);
    if (known !== undefined) return known;
    const hand = dealHand(this.name, distinguisher, queuing.queues, queuing.handSize);
    if (this.#hands.size >= handsMax) this.#hands.clear();
    this.#hands.set(distinguisher, hand);
    return hand;
  }
}
