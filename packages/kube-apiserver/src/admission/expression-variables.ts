/** The variables for expressions of webhooks and policies: `object`, `oldObject`, `request`, `authorizer`. */
import {
  admissionRequestType,
  authorizerValue,
  requestResourceValue,
  valueOf,
  type Value,
} from '@coxswain/cel';
import type { KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes } from '@coxswain/apiserver';
import type { ExpressionAuthorizer } from './expression-authorizer.ts';
import type { MatchedRequest } from './rule-matching.ts';

/** A write in the version that a webhook or a policy requires. */
export interface VersionedWrite {
  readonly attributes: AdmissionAttributes;
  readonly matched: MatchedRequest;
  /** As the server encodes it: with null and empty members where upstream has them. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** The names are those in expressions. */
export type ExpressionVariables = Readonly<Record<string, Value>>;

export function expressionVariables(
  write: VersionedWrite,
  authorizer: ExpressionAuthorizer,
): ExpressionVariables {
  const { attributes, object, oldObject } = write;
  const { resource, subresource, namespace, name } = attributes;
  const { group } = resource;
  return {
    object: valueOf(object ?? null),
    oldObject: valueOf(oldObject ?? null),
    request: valueOf(requestOf(write), admissionRequestType),
    authorizer: authorizerValue(authorizer.ask),
    'authorizer.requestResource': requestResourceValue(authorizer.ask, {
      group,
      resource: resource.resource,
      subresource,
      namespace,
      name,
    }),
  };
}

/** The AdmissionRequest without uid and objects; empty members are absent. */
function requestOf({ attributes, matched }: VersionedWrite): object {
  const { subresource, name, namespace, operation, user, dryRun, kind, resource } = attributes;
  return {
    kind: matched.kind,
    resource: matched.resource,
    ...(subresource && { subResource: subresource }),
    requestKind: kind,
    requestResource: resource,
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: reviewedUser(user),
    dryRun,
    options: attributes.operationOptions(),
  };
}

/** authentication.k8s.io's UserInfo. */
export const reviewedUser = ({ name, uid, groups, extra }: AdmissionAttributes['user']): object => ({
  ...(name && { username: name }),
  ...(uid && { uid }),
  ...(groups.length > 0 && { groups }),
  ...(extra && Object.keys(extra).length > 0 && { extra }),
});
