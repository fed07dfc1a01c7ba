/** The defaults of `--authorization-webhook-*`, which the flags need without the webhook's code. */
export const webhookDefaults = { version: 'v1beta1', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000 };
