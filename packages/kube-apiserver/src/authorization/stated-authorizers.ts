/** The authorizers as the file of `--authorization-config` states them. */
import { always, bool, list, pointer, string, struct, type Static } from '@coxswain/schema';

export const Webhook = struct('WebhookConfiguration', {
  authorizedTTL: always(1, string),
  cacheAuthorizedRequests: pointer(2, bool),
  unauthorizedTTL: always(3, string),
  cacheUnauthorizedRequests: pointer(4, bool),
  timeout: always(5, string),
  subjectAccessReviewVersion: always(6, string),
  matchConditionSubjectAccessReviewVersion: always(7, string),
  failurePolicy: always(8, string),
  connectionInfo: always(
    9,
    struct('WebhookConnectionInfo', { type: always(1, string), kubeConfigFile: pointer(2, string) }),
  ),
  matchConditions: always(10, list(struct('WebhookMatchCondition', { expression: always(1, string) }))),
});

export const Authorizer = struct('AuthorizerConfiguration', {
  type: always(1, string),
  name: always(2, string),
  webhook: pointer(3, Webhook),
});

export type StatedAuthorizer = Static<typeof Authorizer>;
export type StatedWebhook = Static<typeof Webhook>;
