/** Who decides what is allowed, one after the other, as flags or a file say. */

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
  /** Where the type is Webhook. */
  readonly webhook?: WebhookSettings;
}

export interface WebhookSettings {
  readonly kubeConfigFile: string;
  readonly timeoutMs: number;
  /** How long answers are kept; 0: not at all. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly subjectAccessReviewVersion: 'v1' | 'v1beta1';
  readonly failurePolicy: 'NoOpinion' | 'Deny';
  /** Expressions; only what all of them hold for is asked. */
  readonly matchConditions: readonly string[];
}

/** A mode without settings is called as its type, in lower case. */
export const plainAuthorizer = (type: AuthorizationMode): ConfiguredAuthorizer => ({
  type,
  name: type.toLowerCase(),
});
