/** What `--authorization-webhook-*` are when nothing is said; the flags are known without who decides. */
export const webhookDefaults = { version: 'v1beta1', authorizedTtlMs: 300_000, unauthorizedTtlMs: 30_000 };
