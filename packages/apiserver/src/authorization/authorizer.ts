/** Authorization: the attributes of a request, and the decision with its reason. */
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
  /** Selector requirements of a list, watch or deletecollection, if they could be parsed. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** The observer of the request that asks. */
  readonly observer: StepObserver | undefined;
}

export interface Decision {
  /** `no-opinion` leaves the decision to the next authorizer; if none is left, the request is denied. */
  readonly kind: 'allow' | 'deny' | 'no-opinion';
  readonly reason: string;
  /** An error that kept an authorizer from deciding, such as a webhook that doesn't respond. */
  readonly problem?: string;
}

export interface Authorizer {
  readonly name: string;
  decide(attributes: AuthorizationAttributes): Decision | Promise<Decision>;
  /** The function that does the work, when `decide` only delegates to it. */
  readonly work?: Work;
}

/** Runs an authorizer as a step that observers see. */
export function askAuthorizer(
  authorizer: Authorizer,
  attributes: AuthorizationAttributes,
): Decision | Promise<Decision> {
  const { observer } = attributes;
  if (observer === undefined) return authorizer.decide(attributes);
  const report = (decision: Decision): Decision => {
    observer.note?.({ decision: decision.kind, reason: decision.reason, asked: questionOf(attributes) });
    return decision;
  };
  const decide = () => {
    const decision = authorizer.decide(attributes);
    return decision instanceof Promise ? decision.then(report) : report(decision);
  };
  return runStepInTurn(
    observer,
    `authorizer/${authorizer.name}`,
    decide,
    undefined,
    authorizer.work ?? authorizer.decide,
  );
}

/** `update deployments.apps/status web in shop by alice` */
function questionOf(attributes: AuthorizationAttributes): string {
  const { user, verb, namespace, group, resource, subresource, name, isResourceRequest, path } = attributes;
  if (!isResourceRequest) return `${verb} ${path} by ${user.name}`;
  const kind = group === '' ? resource : `${resource}.${group}`;
  const what = subresource === '' ? kind : `${kind}/${subresource}`;
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return `${verb} ${what}${name === '' ? '' : ` ${name}`}${where} by ${user.name}`;
}

/** A permission without a reason. */
export const allowed: Decision = { kind: 'allow', reason: '' };

export const noOpinion: Decision = { kind: 'no-opinion', reason: '' };
