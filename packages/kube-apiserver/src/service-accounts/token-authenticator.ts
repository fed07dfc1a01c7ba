/** Authenticates service account tokens by their issuer, their signature and their claims. */
import {
  absent,
  refused,
  type AuthenticationNotes,
  type Authentication,
  type TokenAuthenticator,
  type UserInfo,
} from '@coxswain/apiserver';
import { intersection } from '@coxswain/apiserver/authentication/audience-agnostic.ts';
import { aggregateText, goQuote } from '@coxswain/apimachinery';
import {
  audiencesOf,
  isSignedBy,
  parseToken,
  untrustedIssuer,
  type JsonWebToken,
} from '../authentication/json-web-token.ts';
import type { TokenKeys } from './token-keys.ts';
import type { ServiceAccountCounters } from './token-counters.ts';

/** The user of a token's claims, or the reason that they are not valid. */
export type JudgedClaims =
  | (AuthenticationNotes & { readonly user: UserInfo })
  | (AuthenticationNotes & { readonly problem: string });

/** Judges the claims of a token with a valid signature. */
export type JudgeClaims = (token: string, claims: JsonWebToken['claims']) => Promise<JudgedClaims>;

export interface ServiceAccountTokenOptions {
  readonly name: string;
  readonly issuers: readonly string[];
  readonly keys: TokenKeys;
  /** The audiences of tokens that state none. */
  readonly implicitAudiences: readonly string[];
  readonly counters: ServiceAccountCounters;
  readonly judge: JudgeClaims;
}

export const serviceAccountTokens = (options: ServiceAccountTokenOptions): TokenAuthenticator => ({
  name: options.name,
  authenticateToken(text, audiences) {
    const issuer = untrustedIssuer(text);
    if (issuer === undefined || !options.issuers.includes(issuer)) return absent;
    const token = parseToken(text);
    return token === undefined ? absent : authenticated(text, token, audiences, options);
  },
});

async function authenticated(
  text: string,
  token: JsonWebToken,
  asked: readonly string[],
  options: ServiceAccountTokenOptions,
): Promise<Authentication> {
  const problem = await signatureProblem(token, options.keys);
  if (problem !== undefined) return refused(problem);
  const { implicitAudiences: implicit, counters } = options;
  const named = audiencesOf(token.claims);
  const subject = String(token.claims['sub'] ?? '');
  const legacy: Record<string, string> =
    named.length === 0 ? { 'authentication.k8s.io/legacy-token': subject } : {};
  if (named.length === 0) counters.legacy.add();
  const meantFor = named.length === 0 ? implicit : named;
  const wanted = asked.length === 0 ? implicit : asked;
  const audiences = intersection(meantFor, wanted);
  if (audiences.length === 0 && implicit.length > 0) {
    return refused(
      `token audiences ${goList(meantFor)} is invalid for the target audiences ${goList(wanted)}`,
    );
  }
  const judged = await options.judge(text, token.claims);
  const annotations = { ...legacy, ...judged.annotations };
  const notes = {
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...(judged.warnings === undefined ? {} : { warnings: judged.warnings }),
  };
  return 'problem' in judged
    ? { kind: 'refused', reasons: [judged.problem], ...notes }
    : { kind: 'authenticated', user: judged.user, audiences, ...notes };
}

/** A token that names a key is verified with that key; otherwise all are tried. */
async function signatureProblem(token: JsonWebToken, known: TokenKeys): Promise<string | undefined> {
  const keys = await known.find(token.keyId);
  if (keys.length === 0) return 'invalid signature, no keys found';
  if (keys.some(({ key }) => isSignedBy(token, key))) return undefined;
  return aggregateText(keys.map(() => 'go-jose/go-jose: error in cryptographic primitive'));
}

const goList = (items: readonly string[]): string => `[${items.map((item) => goQuote(item)).join(' ')}]`;
