/**
 * The keys of an issuer, fetched when no known key verifies a token: once for all waiting tokens, only after the cached
 * keys expire, and at a limited rate.
 */
import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { isSignedBy, type JsonWebToken } from '../json-web-token.ts';
import type { HttpResponse, HttpsGet } from './jwt-settings.ts';

export interface RemoteKeysOptions {
  readonly url: string;
  readonly get: HttpsGet;
  readonly clock: Clock;
  /** Called after every fetch with the key set's text, or undefined on failure. */
  readonly fetched: (keySet: string | undefined) => void;
}

interface RemoteKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** Keys are treated as expired this much before their time. */
const renewalMs = 30_000;

/** Upstream fetches for every token with an invalid signature; anybody can send such. */
const fetchIntervalMsMin = 1_000;

/** A token without a key ID is tried with each of them, whoever sends it. */
const keysMax = 100;
/** Larger numbers make verifying slow. Go has the same limit for exponents. */
const exponentMax = 2n ** 31n - 1n;
const modulusBitsMax = 8_192;

export class RemoteKeys {
  readonly #options: RemoteKeysOptions;
  #keys: readonly RemoteKey[] = [];
  #expiryMs = 0;
  #lastFetchMs = Number.NEGATIVE_INFINITY;
  /** Of the last fetch. */
  #failure: Error | undefined;
  #underWay: Promise<readonly RemoteKey[]> | undefined;

  constructor(options: RemoteKeysOptions) {
    this.#options = options;
  }

  /** Resolves when the signature is valid. @throws Error with upstream's message */
  async verify(token: JsonWebToken): Promise<void> {
    // Known keys come first, whatever their age: an issuer may be unreachable for a while.
    if (isSignedByOne(token, this.#keys)) return;
    const { clock } = this.#options;
    const isNew = clock.now() + renewalMs <= this.#expiryMs;
    const isSoon = clock.monotonic() - this.#lastFetchMs < fetchIntervalMsMin;
    if (isNew) throw new Error(notVerified);
    if (isSoon && this.#underWay === undefined) throw this.#failure ?? new Error(notVerified);
    let keys: readonly RemoteKey[];
    try {
      keys = await (this.#underWay ??= this.#fetch());
    } catch (failure) {
      this.#failure = new Error(`fetching keys ${messageOf(failure)}`, { cause: failure });
      throw this.#failure;
    }
    if (!isSignedByOne(token, keys)) throw new Error(notVerified);
  }

  async #fetch(): Promise<readonly RemoteKey[]> {
    const { url, get, clock, fetched } = this.#options;
    try {
      const answer = await get(url).catch((failure: unknown) => {
        throw new Error(`oidc: get keys failed ${messageOf(failure)}`);
      });
      const keys = keysIn(answer);
      fetched(answer.body);
      this.#keys = keys;
      this.#expiryMs = clock.now() + freshMs(answer, clock.now());
      this.#failure = undefined;
      return keys;
    } catch (failure) {
      fetched(undefined);
      throw failure;
    } finally {
      this.#lastFetchMs = clock.monotonic();
      this.#underWay = undefined;
    }
  }
}

const notVerified = 'failed to verify id token signature';

const isSignedByOne = (token: JsonWebToken, keys: readonly RemoteKey[]): boolean =>
  keys.some(({ id, key }) => (token.keyId === '' || token.keyId === id) && isSignedBy(token, key));

/** Every token that cannot be verified is logged with it. */
const shown = (body: string): string => body.slice(0, shownMax);
const shownMax = 1_024;

/** @throws Error */
function keysIn({ status, statusLine, body }: HttpResponse): readonly RemoteKey[] {
  if (status !== 200) throw new Error(`oidc: get keys failed: ${statusLine} ${shown(body)}`);
  let keySet: { readonly keys?: unknown } | null;
  try {
    keySet = JSON.parse(body) as typeof keySet;
  } catch (failure) {
    throw new Error(`oidc: failed to decode keys: ${messageOf(failure)} ${shown(body)}`, { cause: failure });
  }
  const stated = Array.isArray(keySet?.keys) ? (keySet.keys as readonly unknown[]) : [];
  return stated.slice(0, keysMax).flatMap((one) => publicKey(one) ?? []);
}

/** Keys of other uses and types are skipped, above all shared secrets. */
function publicKey(stated: unknown): RemoteKey | undefined {
  const { kid, kty, use } = (stated ?? {}) as Readonly<Record<string, unknown>>;
  if ((kty !== 'RSA' && kty !== 'EC') || use === 'enc') return undefined;
  try {
    const key = createPublicKey({ key: stated, format: 'jwk' } as JsonWebKeyInput);
    const { publicExponent = 0n, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
    if (publicExponent > exponentMax || modulusLength > modulusBitsMax) return undefined;
    return { id: typeof kid === 'string' ? kid : '', key };
  } catch {
    return undefined;
  }
}

/** How long the response may be cached (RFC 9111): `Cache-Control: max-age`, otherwise `Expires`. */
function freshMs({ headers }: HttpResponse, nowMs: number): number {
  const control = String(headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(store|cache)\b/.test(control)) return 0;
  const maxAge = /\bmax-age=(\d{1,9})\b/.exec(control)?.[1];
  if (maxAge !== undefined) return Number(maxAge) * 1000;
  const expiresMs = Date.parse(String(headers['expires'] ?? ''));
  return Number.isNaN(expiresMs) ? 0 : Math.max(0, expiresMs - nowMs);
}
