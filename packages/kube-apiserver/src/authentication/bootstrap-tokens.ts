/**
 * Bootstrap tokens, by which nodes join: id and secret, kept in a Secret of kube-system
 * (`--enable-bootstrap-token-auth`).
 */
import { timingSafeEqual } from 'node:crypto';
import { absent, type Authentication, type TokenAuthenticator } from '@coxswain/apiserver';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { Secret } from '@coxswain/api/core/v1/secret.ts';
import { resources, type ObjectReader } from '../object-reader.ts';

export interface BootstrapTokenParts {
  readonly clock: Clock;
  readonly objects: ObjectReader;
}

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const secretType = 'bootstrap.kubernetes.io/token';
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Tokens of other kinds and invalid tokens are left to other authenticators. */
export const bootstrapTokens = ({ clock, objects }: BootstrapTokenParts): TokenAuthenticator => ({
  name: 'bootstrap-token',
  authenticateToken(token) {
    const [, id, secret] = form.exec(token) ?? [];
    if (id === undefined || secret === undefined) return absent;
    const read = objects.get<Secret & KubeObject>(resources.secrets, 'kube-system', `bootstrap-token-${id}`);
    const judge = (found: (Secret & KubeObject) | undefined) =>
      found === undefined ? absent : judged(found, id, secret, clock.now());
    return read instanceof Promise ? read.then(judge) : judge(read);
  },
});

function judged(stored: Secret & KubeObject, id: string, secret: string, nowMs: number): Authentication {
  const { metadata, type, data } = stored;
  const value = (key: string) => new TextDecoder().decode(Uint8Array.fromBase64(data?.[key] ?? ''));
  if (metadata.deletionTimestamp !== undefined || type !== secretType) return absent;
  if (!areEqual(value('token-secret'), secret) || value('token-id') !== id) return absent;
  if (hasExpired(value('expiration'), nowMs)) return absent;
  if (value('usage-bootstrap-authentication') !== 'true') return absent;
  const groups = groupsIn(value('auth-extra-groups'));
  return groups === undefined
    ? absent
    : { kind: 'authenticated', user: { name: `system:bootstrap:${id}`, groups } };
}

/** Compares in constant time. */
function areEqual(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** An invalid time counts as past. */
function hasExpired(text: string, nowMs: number): boolean {
  if (text === '') return false;
  const untilMs = rfc3339.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(untilMs) || untilMs <= nowMs;
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function groupsIn(text: string): readonly string[] | undefined {
  const more = text === '' ? [] : text.split(',');
  if (!more.every((group) => groupForm.test(group))) return undefined;
  return [...new Set(['system:bootstrappers', ...more])].sort();
}
