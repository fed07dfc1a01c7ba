/** Whether a user may do something: the question's attributes, and the answer with its reason. */
import { runStepInTurn, type StepObserver, type Work } from '@coxswain/apimachinery';
import type { UserInfo } from '../user.ts';

export interface AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** Requirements of a list's, watch's or deletecollection's selectors, where they could be read. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Of the request that is decided about, where somebody watches it. */
  readonly observer?: StepObserver;
}

export interface Decision {
  /** `no-opinion` leaves it to the next authorizer; with none left the request is refused. */
  readonly kind: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  /** What kept an authorizer from deciding, such as a webhook that doesn't answer. */
  readonly problem?: string;
}

export interface Authorizer {
  readonly name: string;
  decide(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** The function that decides, where `decide` only calls it. */
  readonly work?: Work;
}

/** What it decides, as a step for whoever watches. */
export function askAuthorizer(
  authorizer: Authorizer,
  attributes: AuthorizationAttributes,
): Decision | Promise<Decision> {
  const { observer } = attributes;
  if (observer === undefined) return authorizer.decide(attributes);
  const tell = (decision: Decision): Decision => {
    observer.note?.({ decision: decision.kind, reason: decision.reason });
    return decision;
  };
  const decide = () => {
    const decision = authorizer.decide(attributes);
    return decision instanceof Promise ? decision.then(tell) : tell(decision);
  };
  return runStepInTurn(
    observer,
    `authorizer/${authorizer.name}`,
    decide,
    undefined,
    authorizer.work ?? authorizer.decide,
  );
}

/** Where nothing is to be said about why. */
export const allowed: Decision = { kind: 'allow', reason: '' };

export const noOpinion: Decision = { kind: 'no-opinion', reason: '' };
