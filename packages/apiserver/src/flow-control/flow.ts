/** A flow schema in use: which level serves its requests, and how they are told apart. */
import type { FlowSchemaSpec } from '@coxswain/api/flowcontrol/v1/flow-schema.ts';
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import type { FlowCounts } from './flow-counts.ts';
import type { PriorityLevel } from './priority-level.ts';
import { dealHand } from './shuffle-sharding.ts';

/** Flows of one schema whose queues are remembered: more are dealt anew. */
const handsMax = 4_096;

const noHand: readonly number[] = [];

export class Flow {
  readonly name: string;
  /** Empty while the schema is only imagined, as the two that must be there can be. */
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
  readonly level: PriorityLevel;
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
    this.#makeCounts = counts;
  }

  /** Made with the first request: schemas that nobody uses have no metrics. */
  get counts(): FlowCounts {
    return (this.#counts ??= this.#makeCounts());
  }

  /** By what its requests are told apart; nothing where the level has no queues to choose among. */
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

  /** The queues for the requests of one flow. */
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
