/** The configured authorizers in order, from flags or a file. */

export type AuthorizationMode = 'AlwaysAllow' | 'AlwaysDeny' | 'ABAC' | 'Webhook' | 'RBAC' | 'Node';

export const authorizationModes: readonly AuthorizationMode[] = [
  'AlwaysAllow',
  'AlwaysDeny',
  'ABAC',
  'Webhook',
  'RBAC',
  'Node',
];

export interface ConfiguredAuthorizer {
  readonly type: AuthorizationMode;
  readonly name: string;
  /** Only for the type Webhook. */
  readonly webhook?: WebhookSettings;
}

export interface WebhookSettings {
  readonly kubeConfigFile: string;
  readonly timeoutMs: number;
  /** How long decisions are cached; 0 disables caching. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly subjectAccessReviewVersion: 'v1' | 'v1beta1';
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** CEL expressions; the webhook is asked only if all of them hold. */
  readonly matchConditions: readonly string[];
}

/** A mode without settings has its type in lower case as name. */
export const plainAuthorizer = (type: AuthorizationMode): ConfiguredAuthorizer => ({
  type,
  name: type.toLowerCase(),
});
