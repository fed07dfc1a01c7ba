/**
 * The impersonation modes (KEP-5284), tried in this order. All but the last check two permissions: to make this very
 * request while impersonating (`impersonate-on:<mode>:<verb>`), and to impersonate that user (`impersonate:<mode>`).
 */
import { checkDnsLabel, checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import type { UserInfo } from '../../user.ts';
import { onlyNameGiven, type WantedUser } from './wanted-user.ts';

export interface ImpersonationMode {
  /** Empty for legacy, unconstrained impersonation. */
  readonly name: string;
  applies(wanted: WantedUser, requestor: UserInfo): boolean;
}

export const impersonationModes: readonly ImpersonationMode[] = [
  {
    name: 'associated-node',
    applies: (wanted, requestor) =>
      onlyNameGiven(wanted) &&
      serviceAccountOf(requestor.name) !== undefined &&
      nodeOf(wanted.name) !== undefined &&
      nodeOf(wanted.name) === nodeOfToken(requestor),
  },
  { name: 'arbitrary-node', applies: (wanted) => onlyNameGiven(wanted) && nodeOf(wanted.name) !== undefined },
  {
    name: 'serviceaccount',
    applies: (wanted) => onlyNameGiven(wanted) && serviceAccountOf(wanted.name) !== undefined,
  },
  {
    name: 'user-info',
    applies: ({ name }) => nodeOf(name) === undefined && serviceAccountOf(name) === undefined,
  },
  { name: '', applies: () => true },
];

const nodeNameKey = 'authentication.kubernetes.io/node-name';

/** The node of the pod for which a service account's token was issued. */
export function nodeOfToken({ extra }: UserInfo): string | undefined {
  const names = extra?.[nodeNameKey];
  return names?.length === 1 ? names[0] : undefined;
}

/** The node that a user name identifies. */
export function nodeOf(userName: string): string | undefined {
  if (!userName.startsWith(nodePrefix)) return undefined;
  const name = userName.slice(nodePrefix.length);
  return checkDnsSubdomain(name).length === 0 ? name : undefined;
}

const nodePrefix = 'system:node:';

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

/** Undefined for names that are not a valid service account. */
export function serviceAccountOf(userName: string): ServiceAccountName | undefined {
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(userName) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  const isName = checkDnsLabel(namespace).length === 0 && checkDnsSubdomain(name).length === 0;
  return isName ? { namespace, name } : undefined;
}
