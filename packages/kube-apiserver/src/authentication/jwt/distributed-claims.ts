/**
 * Distributed claims: groups that a token doesn't contain but gives an endpoint for (OpenID Connect Core 1.0, 5.6.2).
 */
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { LruMap } from '@coxswain/client/events/lru-map.ts';
import { untrustedIssuer } from '../json-web-token.ts';
import type { Claims } from './claim-mapping.ts';
import type { HttpsGet } from './jwt-settings.ts';
import type { IssuerKeys } from './issuer-keys.ts';
import { verifiedClaims, type IdTokenRules } from './id-token.ts';

export interface DistributedClaimsOptions {
  /** The claim that may be distributed. */
  readonly claim: string;
  readonly get: HttpsGet;
  readonly rules: IdTokenRules;
  /** Starts fetching the keys of an issuer. */
  readonly keysOf: (issuer: string) => IssuerKeys;
}

/**
 * The maximum number of cached issuers of distributed claims, which are determined by the endpoints that tokens name.
 */
const issuersMax = 32;

export type ExpandClaims = (claims: Claims) => Promise<Claims>;

/** The claims including the distributed one. @throws Error with upstream's message */
export function distributedClaims(options: DistributedClaimsOptions): ExpandClaims {
  const { claim, get, rules, keysOf } = options;
  const known = new LruMap<string, IssuerKeys>(issuersMax);
  const readyKeys = (issuer: string) => {
    let keys = known.get(issuer);
    if (keys === undefined) known.set(issuer, (keys = keysOf(issuer)));
    if (keys.current === undefined) {
      throw new Error(
        `verifying untrusted issuer ${issuer} failed: verifier not initialized for issuer: ${JSON.stringify(issuer)}`,
      );
    }
    return keys.current;
  };
  return async (claims) => {
    const place = placeOf(claims, claim);
    if (place === undefined) return claims;
    const token = await fetched(get, place).catch((failure: unknown) => {
      const message = messageOf(failure);
      throw new Error(`while getting distributed claim ${JSON.stringify(claim)}: ${message}`, {
        cause: failure,
      });
    });
    const issuer = untrustedIssuer(token);
    if (issuer === undefined) {
      throw new Error(
        `getting untrusted issuer from endpoint ${place.endpoint} failed for claim ${JSON.stringify(claim)}: malformed token`,
      );
    }
    const keys = readyKeys(issuer);
    const found = await verifiedClaims(token, { ...rules, issuer }, keys).catch((failure: unknown) => {
      throw new Error(`verify distributed claim token: ${messageOf(failure)}`, { cause: failure });
    });
    if (!Object.hasOwn(found, claim)) {
      throw new Error(
        `jwt returned by distributed claim endpoint ${JSON.stringify(place.endpoint)} did not contain claim: ${claim}`,
      );
    }
    return { ...claims, [claim]: found[claim] };
  };
}

interface Place {
  readonly endpoint: string;
  readonly accessToken: string;
}

function placeOf(claims: Claims, claim: string): Place | undefined {
  const names = claims['_claim_names'];
  if (Object.hasOwn(claims, claim) || names === undefined) return undefined;
  const sources = claims['_claim_sources'];
  if (!isObject(names)) throw new Error('oidc: error parsing distributed claim names: not an object');
  if (sources === undefined) throw new Error('oidc: no claim sources');
  if (!isObject(sources)) throw new Error('oidc: could not parse claim sources: not an object');
  const name = names[claim];
  if (typeof name !== 'string') return undefined;
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (!isObject(source)) {
    throw new Error(`id token _claim_names contained a source ${name} missing in _claims_sources`);
  }
  const { endpoint, access_token: accessToken } = source;
  if (typeof endpoint !== 'string' || endpoint === '') return undefined;
  return { endpoint, accessToken: typeof accessToken === 'string' ? accessToken : '' };
}

const isObject = (value: unknown): value is Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function fetched(get: HttpsGet, { endpoint, accessToken }: Place): Promise<string> {
  const answer = await get(endpoint, accessToken === '' ? {} : { authorization: `Bearer ${accessToken}` });
  if (answer.status < 200 || answer.status > 226) {
    throw new Error(`error while getting distributed claim JWT: ${answer.statusLine}`);
  }
  return answer.body;
}
