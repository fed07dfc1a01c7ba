/** Secrets that let nodes join: what they say, and for how long. */
import type { Secret } from '../serviceaccount/token-secret.ts';

export const tokenNamespace = 'kube-system';

export const isBootstrapToken = ({ type, metadata }: Secret): boolean =>
  type === 'bootstrap.kubernetes.io/token' && metadata.namespace === tokenNamespace;

export interface SigningToken {
  readonly id: string;
  readonly secret: string;
}

/** Undefined where it may not sign, has expired, or doesn't have the name of its id. */
export function signingToken(secret: Secret, nowMs: number): SigningToken | undefined {
  const id = textOf(secret, 'token-id');
  const value = textOf(secret, 'token-secret');
  const [, nameId] = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata.name ?? '') ?? [];
  if (id === '' || id !== nameId || value === '') return undefined;
  if ((remainingMs(secret, nowMs) ?? 1) <= 0) return undefined;
  return textOf(secret, 'usage-bootstrap-signing') === 'true' ? { id, secret: value } : undefined;
}

/** Until it expires; 0 for a time that is past or can't be read, undefined where there is none. */
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
