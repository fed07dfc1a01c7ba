/** Bound tokens: valid until they expire or the object that they are bound to is deleted. */
import type { UserInfo, Awaitable } from '@coxswain/apiserver';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import { resources, type ObjectReader } from '../object-reader.ts';
import { secondsOf, type JsonWebToken } from '../authentication/json-web-token.ts';
import type { JudgeClaims, JudgedClaims } from './token-authenticator.ts';
import type { ServiceAccountCounters } from './token-counters.ts';

export interface BoundClaimsParts {
  readonly clock: Clock;
  readonly objects: ObjectReader;
  readonly counters: ServiceAccountCounters;
}

interface Reference {
  readonly name?: string;
  readonly uid?: string;
}

interface Bound {
  readonly namespace?: string;
  readonly serviceaccount?: Reference;
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
  readonly warnafter?: number;
}

/** The tolerated clock skew; as upstream. */
const leewayMs = 60_000;

const invalidated = 'service account token has been invalidated';

export const boundClaims =
  (parts: BoundClaimsParts): JudgeClaims =>
  async (_token, claims) => {
    const problem = timeProblem(claims, parts.clock.now());
    if (problem !== undefined) return { problem };
    const bound = (claims['kubernetes.io'] ?? {}) as Bound;
    const lost = await bindingProblem(bound, parts);
    if (lost !== undefined) return { problem: lost };
    return { user: userOf(bound, claims['jti']), ...stalenessOf(bound, claims, parts) };
  };

function timeProblem({ exp, nbf, iat }: JsonWebToken['claims'], nowMs: number): string | undefined {
  const ms = (claim: unknown) => {
    const seconds = secondsOf(claim);
    return seconds === undefined ? undefined : seconds * 1000;
  };
  const notBeforeMs = ms(nbf);
  const expiryMs = ms(exp);
  const issuedMs = ms(iat);
  if (notBeforeMs !== undefined && nowMs + leewayMs < notBeforeMs) {
    return 'service account token is not valid yet';
  }
  if (expiryMs !== undefined && nowMs - leewayMs > expiryMs) return 'service account token has expired';
  if (issuedMs !== undefined && nowMs + leewayMs < issuedMs) {
    return 'service account token is issued in the future';
  }
  return undefined;
}

async function bindingProblem(
  bound: Bound,
  { objects, clock }: BoundClaimsParts,
): Promise<string | undefined> {
  const { namespace = '', serviceaccount = {}, secret, pod, node } = bound;
  const deletedBeforeMs = clock.now() - leewayMs;
  const { name = '', uid = '' } = serviceaccount;
  const account = await objects.get<KubeObject>(resources.serviceAccounts, namespace, name);
  if (account === undefined) return `serviceaccounts ${JSON.stringify(name)} not found`;
  if (account.metadata.uid !== uid) {
    return `service account UID (${account.metadata.uid}) does not match claim (${uid})`;
  }
  if (isDeleted(account, deletedBeforeMs)) return `service account ${namespace}/${name} has been deleted`;
  const problemOf = async (
    kind: string,
    reference: Reference | undefined,
    read: (name: string) => Awaitable<KubeObject | undefined>,
  ) => {
    if (reference === undefined) return undefined;
    const found = await read(reference.name ?? '');
    if (found === undefined) return invalidated;
    if (found.metadata.uid !== reference.uid) {
      return `${kind} UID (${found.metadata.uid}) does not match service account ${kind.toLowerCase()} ref claim (${reference.uid ?? ''})`;
    }
    return isDeleted(found, deletedBeforeMs) ? invalidated : undefined;
  };
  return (
    (await problemOf('secret', secret, (one) => objects.get(resources.secrets, namespace, one))) ??
    (await problemOf('pod', pod, (one) => objects.get(resources.pods, namespace, one))) ??
    // With a pod, the node is only informational.
    (pod === undefined
      ? await problemOf('node', node, (one) => objects.get(resources.nodes, '', one))
      : undefined)
  );
}

const isDeleted = ({ metadata: { deletionTimestamp } }: KubeObject, beforeMs: number): boolean =>
  deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < beforeMs;

/** Tokens with an extended lifetime are reported once they should have been refreshed. */
function stalenessOf(
  { warnafter }: Bound,
  claims: JsonWebToken['claims'],
  { clock, counters }: BoundClaimsParts,
): Pick<JudgedClaims, 'annotations'> {
  if (typeof warnafter !== 'number' || warnafter === 0) return {};
  const nowSeconds = Math.floor(clock.now() / 1000);
  if (clock.now() <= warnafter * 1000) {
    counters.valid.add();
    return {};
  }
  counters.stale.add();
  const stale = `subject: ${String(claims['sub'] ?? '')}, seconds after warning threshold: ${nowSeconds - warnafter}`;
  return { annotations: { 'authentication.k8s.io/stale-token': stale } };
}

function userOf({ namespace = '', serviceaccount = {}, pod, node }: Bound, jti: unknown): UserInfo {
  const key = (name: string) => `authentication.kubernetes.io/${name}`;
  const extra = Object.entries({
    [key('credential-id')]: typeof jti === 'string' && jti !== '' ? `JTI=${jti}` : undefined,
    [key('pod-name')]: pod && (pod.name ?? ''),
    [key('pod-uid')]: pod && (pod.uid ?? ''),
    [key('node-name')]: node?.name,
    [key('node-uid')]: node?.uid,
  }).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]] as const]));
  const { name = '', uid } = serviceaccount;
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    ...(uid === undefined ? {} : { uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}
