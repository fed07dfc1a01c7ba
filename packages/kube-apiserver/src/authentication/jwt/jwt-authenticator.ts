/** Authenticates tokens of one configured issuer: verifies them with its keys and maps them to users. */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { absent, refused, type Authentication, type TokenAuthenticator } from '@coxswain/apiserver';
import type { Clock } from '@coxswain/apimachinery';
import { untrustedIssuer } from '../json-web-token.ts';
import { claimMapping } from './claim-mapping.ts';
import { distributedClaims } from './distributed-claims.ts';
import { verifiedClaims, type IdTokenRules } from './id-token.ts';
import { IssuerKeys } from './issuer-keys.ts';
import type { HttpsClient } from './jwt-settings.ts';
import type { JwtMetrics } from './jwt-metrics.ts';
import type { StatedJwtAuthenticator } from './stated-configuration.ts';

export interface JwtAuthenticatorParts {
  readonly client: HttpsClient;
  readonly signingAlgorithms: readonly string[];
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly metrics: JwtMetrics;
  /** Aborts when the authenticator is no longer used. */
  readonly signal: AbortSignal;
}

export interface JwtAuthenticator extends TokenAuthenticator {
  /** The reason that it isn't ready yet. */
  readonly problem: () => string | undefined;
}

export function jwtAuthenticator(
  stated: StatedJwtAuthenticator,
  parts: JwtAuthenticatorParts,
): JwtAuthenticator {
  const { issuer, claimMappings } = stated;
  const { clock, log, signal } = parts;
  const get = parts.client(issuer.certificateAuthority, issuer.egressSelectorType);
  const metrics = parts.metrics.ofIssuer(issuer.url);
  const common = { get, clock, signal, log };
  const fetched = metrics.fetchedKeys;
  const keys = new IssuerKeys({
    ...common,
    issuer: issuer.url,
    discoveryUrl: issuer.discoveryURL ?? '',
    fetched,
  });
  const rules: IdTokenRules = {
    issuer: issuer.url,
    audiences: issuer.audiences ?? [],
    signingAlgorithms: parts.signingAlgorithms,
    clock,
  };
  const groupsClaim = claimMappings.groups.claim;
  const expand =
    groupsClaim === ''
      ? undefined
      : distributedClaims({
          claim: groupsClaim,
          get,
          rules,
          keysOf: (other) =>
            new IssuerKeys({ ...common, issuer: other, discoveryUrl: '', fetched: () => undefined }),
        });
  const userOf = claimMapping(stated);

  const authenticated = async (token: string): Promise<Authentication> => {
    const { current } = keys;
    if (current === undefined) return refused('oidc: authenticator not initialized');
    try {
      const verified = await verifiedClaims(token, rules, current).catch(inWords('verify token'));
      const claims =
        expand === undefined
          ? verified
          : await expand(verified).catch(inWords('could not expand distributed claims'));
      return { kind: 'authenticated', user: userOf(claims) };
    } catch (failure) {
      return refused(messageOf(failure));
    }
  };

  return {
    name: 'jwt',
    async authenticateToken(token) {
      if (issuerIn(token) !== issuer.url) return absent;
      const fromMs = clock.monotonic();
      const found = await authenticated(token);
      const result = found.kind === 'authenticated' ? 'success' : 'failure';
      metrics.authenticated(result, clock.monotonic() - fromMs);
      return found;
    },
    problem: () =>
      keys.current === undefined
        ? `oidc: authenticator for issuer ${JSON.stringify(issuer.url)} is not healthy: ${keys.problem}`
        : undefined,
  };
}

const issuerIn = (token: string): string | undefined => {
  const issuer = untrustedIssuer(token);
  return issuer === 'accounts.google.com' ? 'https://accounts.google.com' : issuer;
};

const inWords =
  (what: string) =>
  (failure: unknown): never => {
    throw new Error(`oidc: ${what}: ${messageOf(failure)}`, { cause: failure });
  };
