/** Recognizes tokens of service accounts, as long as what they are bound to is still there. */
import type { Authentication, TokenAuthenticator, UserInfo } from '@coxswain/apiserver';
import { absent } from '@coxswain/apiserver';
import { withAuthenticatedGroup } from '@coxswain/apiserver/authentication/union.ts';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import { resources } from '../admission/object-reader.ts';
import type { ObjectReader } from '../admission/object-reader.ts';
import type { TokenVerifier } from './pem-keys.ts';

export interface ServiceAccountTokenOptions {
  readonly issuers: readonly string[];
  readonly verifiers: readonly TokenVerifier[];
  readonly audiences: readonly string[];
  readonly clock: Clock;
  readonly objects: ObjectReader;
}

interface Reference {
  readonly name?: string;
  readonly uid?: string;
}

interface Claims {
  readonly iss?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly 'kubernetes.io'?: {
    readonly namespace?: string;
    readonly serviceaccount?: Reference;
    readonly pod?: Reference;
    readonly secret?: Reference;
    readonly node?: Reference;
  };
}

/** Clocks may differ by this much; as in the original. */
const leewaySeconds = 60;

export const serviceAccountTokens = (options: ServiceAccountTokenOptions): TokenAuthenticator => ({
  name: 'service-account',
  authenticateToken(token) {
    const claims = issuedHere(token, options);
    if (claims === undefined) return absent;
    return authenticated(claims, token, options);
  },
});

/** The claims of a token that names one of our issuers; others are somebody else's. */
function issuedHere(token: string, { issuers }: ServiceAccountTokenOptions): Claims | undefined {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  const claims = decoded<Claims>(parts[1]!);
  return claims?.iss !== undefined && issuers.includes(claims.iss) ? claims : undefined;
}

async function authenticated(
  claims: Claims,
  token: string,
  options: ServiceAccountTokenOptions,
): Promise<Authentication> {
  if (!isSigned(token, options.verifiers)) return refused('invalid bearer token');
  const audiences = [claims.aud ?? []].flat().filter((audience) => options.audiences.includes(audience));
  if (audiences.length === 0) {
    return refused(
      `token audiences ${goList([claims.aud ?? []].flat())} is invalid for the target audiences ${goList(options.audiences)}`,
    );
  }
  const nowSeconds = options.clock.now() / 1000;
  if (claims.exp !== undefined && nowSeconds - leewaySeconds > claims.exp) {
    return refused('service account token has expired');
  }
  if (claims.nbf !== undefined && nowSeconds + leewaySeconds < claims.nbf) {
    return refused('service account token is not valid yet');
  }
  const problem = await boundProblem(claims, options.objects);
  return problem === undefined
    ? { kind: 'authenticated', user: withAuthenticatedGroup(userOf(claims)), audiences }
    : refused(problem);
}

const refused = (reason: string): Authentication => ({ kind: 'refused', reason });

const goList = (items: readonly string[]): string =>
  `[${items.map((item) => JSON.stringify(item)).join(' ')}]`;

function isSigned(token: string, verifiers: readonly TokenVerifier[]): boolean {
  const [head, body, signature] = token.split('.');
  const header = decoded<{ alg?: string; kid?: string }>(head!);
  const signed = new TextEncoder().encode(`${head}.${body}`);
  const bytes = bytesOf(signature!);
  if (header === undefined || bytes === undefined) return false;
  return verifiers.some(
    ({ algorithm, keyId, verify }) =>
      algorithm === header.alg && (header.kid === undefined || header.kid === keyId) && verify(signed, bytes),
  );
}

async function boundProblem(claims: Claims, objects: ObjectReader): Promise<string | undefined> {
  const { namespace = '', serviceaccount = {}, pod, secret, node } = claims['kubernetes.io'] ?? {};
  const { name = '', uid } = serviceaccount;
  const account = await objects.get<KubeObject>(resources.serviceAccounts, namespace, name);
  if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
  if (account.metadata.uid !== uid) {
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  const isGone = async (
    reference: Reference | undefined,
    resource: (typeof resources)[keyof typeof resources],
    scope: string,
  ) => {
    if (reference === undefined) return false;
    const found = await objects.get<KubeObject>(resource, scope, reference.name ?? '');
    return found === undefined || found.metadata.uid !== reference.uid;
  };
  const invalidated =
    (await isGone(pod, resources.pods, namespace)) ||
    (await isGone(secret, resources.secrets, namespace)) ||
    // Beside a pod, the node is only information.
    (pod === undefined && (await isGone(node, resources.nodes, '')));
  return invalidated ? 'service account token has been invalidated' : undefined;
}

function userOf({ jti, 'kubernetes.io': bound = {} }: Claims): UserInfo {
  const { namespace = '', serviceaccount = {}, pod, node } = bound;
  const extra: Record<string, readonly string[]> = {
    ...(jti === undefined ? {} : { 'authentication.kubernetes.io/credential-id': [`JTI=${jti}`] }),
    ...(pod === undefined
      ? {}
      : {
          'authentication.kubernetes.io/pod-name': [pod.name ?? ''],
          'authentication.kubernetes.io/pod-uid': [pod.uid ?? ''],
        }),
    ...(node === undefined
      ? {}
      : {
          'authentication.kubernetes.io/node-name': [node.name ?? ''],
          ...(node.uid === undefined ? {} : { 'authentication.kubernetes.io/node-uid': [node.uid] }),
        }),
  };
  return {
    name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
    ...(serviceaccount.uid === undefined ? {} : { uid: serviceaccount.uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function decoded<T>(part: string): T | undefined {
  const bytes = bytesOf(part);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as T;
  } catch {
    return undefined;
  }
}

function bytesOf(base64Url: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(base64Url, { alphabet: 'base64url' });
  } catch {
    return undefined;
  }
}
