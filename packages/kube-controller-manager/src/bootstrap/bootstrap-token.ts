/** Bootstrap tokens in Secrets, by which nodes join: their contents and expiry. */
import type { Secret } from '../serviceaccount/token-secret.ts';

export const tokenNamespace = 'kube-system';

export const isBootstrapToken = ({ type, metadata }: Secret): boolean =>
  type === 'bootstrap.kubernetes.io/token' && metadata.namespace === tokenNamespace;

export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** Undefined if it may not be used for signing, has expired, or its name does not match its ID. */
export function signingToken(secret: Secret, nowMs: number): SigningToken | undefined {
  const id = textOf(secret, 'token-id');
  const value = textOf(secret, 'token-secret');
  const [, nameId] = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata.name ?? '') ?? [];
  if (id === '' || id !== nameId || value === '') return undefined;
  if ((remainingMs(secret, nowMs) ?? 1) <= 0) return undefined;
  return textOf(secret, 'usage-bootstrap-signing') === 'true' ? { id, secret: value } : undefined;
}

/** The time until it expires; 0 if that has passed or can't be parsed, undefined without an expiry. */
export function remainingMs(secret: Secret, nowMs: number): number | undefined {
  const expiration = textOf(secret, 'expiration');
  if (expiration === '') return undefined;
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(expiration);
  const endMs = isTime ? Date.parse(expiration) : Number.NaN;
  return Number.isNaN(endMs) ? 0 : Math.max(0, endMs - nowMs);
}

function textOf({ data = {} }: Secret, key: string): string {
  const bytes = Uint8Array.fromBase64(data[key] ?? '');
  return new TextDecoder().decode(bytes);
}
