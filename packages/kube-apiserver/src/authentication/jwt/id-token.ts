/**
 * Verifies that a token is from an issuer, for one of the audiences, and currently valid. @see OpenID Connect Core 1.0,
 * 3.1.3.7
 */
import { goQuote, type Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { audiencesOf, parseToken, type JsonWebToken } from '../json-web-token.ts';
import { jsonKind } from './json-kind.ts';
import type { RemoteKeys } from './remote-keys.ts';

export interface IdTokenRules {
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly signingAlgorithms: readonly string[];
  readonly clock: Clock;
}

/** How far in the future a token's `nbf` may be; as upstream. */
const notBeforeLeewayMs = 60_000;

/** Resolves with the claims. @throws Error with upstream's message */
export async function verifiedClaims(
  text: string,
  rules: IdTokenRules,
  keys: RemoteKeys,
): Promise<JsonWebToken['claims']> {
  const token = parseToken(text);
  if (token === undefined) {
    throw new Error('oidc: malformed jwt: go-jose/go-jose: compact JWS format must have three parts');
  }
  const { algorithm, claims } = token;
  if (!rules.signingAlgorithms.includes(algorithm)) {
    throw new Error(
      `oidc: id token signed with unsupported algorithm, expected ${list(rules.signingAlgorithms)} got ${goQuote(algorithm)}`,
    );
  }
  await keys.verify(token).catch((failure: unknown) => {
    throw new Error(`failed to verify signature: ${messageOf(failure)}`, { cause: failure });
  });
  checkTypes(claims);
  checkClaims(claims, rules);
  return claims;
}

/** Checks the types of the standard claims and of the distributed ones. */
function checkTypes(claims: JsonWebToken['claims']): void {
  for (const name of ['sub', 'nonce', 'at_hash']) {
    const value = claims[name] ?? '';
    if (typeof value !== 'string') throw unfit(value, name, 'string');
  }
  const names = claims['_claim_names'] ?? {};
  const sources = claims['_claim_sources'] ?? {};
  if (!isObject(names)) throw unfit(names, '_claim_names', 'map[string]string');
  if (!isObject(sources)) throw unfit(sources, '_claim_sources', 'map[string]oidc.claimSource');
  for (const source of Object.values(names)) {
    if (typeof source !== 'string') throw unfit(source, '_claim_names', 'string');
    if (source === '') throw new Error('oidc: failed to obtain source from claim name');
    if (!Object.hasOwn(sources, source)) throw new Error('oidc: source does not exist');
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const unfit = (value: unknown, field: string, goType: string): Error =>
  new Error(
    `oidc: failed to unmarshal claims: json: cannot unmarshal ${jsonKind(value)} into Go struct field idToken.${field} of type ${goType}`,
  );

const list = (items: readonly string[]): string => `[${items.map((item) => goQuote(item)).join(' ')}]`;

function checkClaims(claims: JsonWebToken['claims'], { issuer, audiences, clock }: IdTokenRules): void {
  const named = typeof claims['iss'] === 'string' ? claims['iss'] : '';
  if (named !== issuer && !isGoogle(issuer, named)) {
    throw new Error(
      `oidc: id token issued by a different provider, expected ${goQuote(issuer)} got ${goQuote(named)}`,
    );
  }
  const meantFor = audiencesOf(claims);
  if (!audiences.some((audience) => meantFor.includes(audience))) {
    throw new Error(
      audiences.length === 1
        ? `oidc: expected audience ${goQuote(audiences[0]!)} got ${list(meantFor)}`
        : `oidc: expected audience in ${list([...audiences].sort())} got ${list(meantFor)}`,
    );
  }
  checkTimes(claims, clock.now());
}

/** Google has named itself without the scheme. */
const isGoogle = (issuer: string, named: string): boolean =>
  issuer === 'https://accounts.google.com' && named === 'accounts.google.com';

function checkTimes({ exp, nbf }: JsonWebToken['claims'], nowMs: number): void {
  const expiryMs = typeof exp === 'number' ? Math.floor(exp) * 1000 : firstYearMs;
  if (expiryMs < nowMs) throw new Error(`oidc: token is expired (Token Expiry: ${goTime(expiryMs)})`);
  if (typeof nbf === 'number' && nowMs + notBeforeLeewayMs < nbf * 1000) {
    throw new Error(
      `oidc: current time ${goTime(nowMs)} before the nbf (not before) time: ${goTime(Math.floor(nbf) * 1000)}`,
    );
  }
}

/** Go's zero time. */
const firstYearMs = Date.UTC(2001, 0, 1) - 2000 * 365.2425 * 24 * 60 * 60 * 1000;

/** As Go prints a time, in UTC: `2026-11-21 00:00:00 +0000 UTC`. */
const goTime = (ms: number): string =>
  `${new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.\d*?)0*Z$/, (_, fraction: string) => (fraction === '.' ? '' : fraction))} +0000 UTC`;
