/**
 * The flows that a user's requests can match. Most schemas first check the user, who stays the same between requests,
 * so the result is cached per user.
 */
import type { RequestInfo } from '../request-info.ts';
import type { UserInfo } from '../user.ts';
import type { Flow } from './flow.ts';
import { covers, coveredFor, type CoveredRequests } from './flow-matching.ts';

/** The maximum number of cached users; beyond it the cache is cleared. */
const usersMax = 2_000;

interface FlowOfUser {
  readonly flow: Flow;
  readonly covered: CoveredRequests;
}

interface FlowsOfUser {
  readonly groups: readonly string[];
  readonly flows: readonly FlowOfUser[];
}

export class FlowsOfUsers {
  readonly #flows: readonly Flow[];
  readonly #users = new Map<string, FlowsOfUser>();

  /** @param flows in matching order */
  constructor(flows: readonly Flow[]) {
    this.#flows = flows;
  }

  find(info: RequestInfo, user: UserInfo): Flow | undefined {
    for (const { flow, covered } of this.#of(user)) if (covers(covered, info)) return flow;
    return undefined;
  }

  #of(user: UserInfo): readonly FlowOfUser[] {
    const known = this.#users.get(user.name);
    if (known !== undefined && areSame(known.groups, user.groups)) return known.flows;
    const flows = this.#flows
      .map((flow) => ({ flow, covered: coveredFor(flow.spec, user) }))
      .filter(({ covered }) => covered.resourceRules.length + covered.nonResourceRules.length > 0);
    if (this.#users.size >= usersMax) this.#users.clear();
    this.#users.set(user.name, { groups: user.groups, flows });
    return flows;
  }
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some === others || (some.length === others.length && some.every((group, at) => group === others[at]));
