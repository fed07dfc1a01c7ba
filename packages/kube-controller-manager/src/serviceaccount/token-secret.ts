/** Secrets that hold the token of a service account, and what names the account. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface Secret extends KubeObject {
  readonly type?: string;
  /** In base64. */
  readonly data?: Readonly<Record<string, string>>;
}

export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly { readonly name?: string }[] | null;
}

export const tokenType = 'kubernetes.io/service-account-token';
export const accountNameKey = 'kubernetes.io/service-account.name';
export const accountUidKey = 'kubernetes.io/service-account.uid';

export const isTokenSecret = ({ type }: Secret): boolean => type === tokenType;

export const accountNameOf = ({ metadata }: Secret): string => metadata.annotations?.[accountNameKey] ?? '';

/** Empty: any account of that name. */
export const accountUidOf = ({ metadata }: Secret): string => metadata.annotations?.[accountUidKey] ?? '';

export function isTokenOf(secret: Secret, account: KubeObject): boolean {
  const { name, namespace, uid } = account.metadata;
  return (
    isTokenSecret(secret) &&
    secret.metadata.namespace === namespace &&
    accountNameOf(secret) === name &&
    (accountUidOf(secret) === '' || accountUidOf(secret) === uid)
  );
}

export const refersTo = ({ secrets }: ServiceAccount, name: string | undefined): boolean =>
  secrets?.some((secret) => secret.name === name) === true;
