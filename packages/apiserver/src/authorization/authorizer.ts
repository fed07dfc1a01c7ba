/** Whether a user may do something: the question's attributes, and the answer with its reason. */
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
}

/** Where nothing is to be said about why. */
export const allowed: Decision = { kind: 'allow', reason: '' };

export const noOpinion: Decision = { kind: 'no-opinion', reason: '' };
