/** Service account token Secrets, and the annotations that identify the account. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';

export type Secret = Live<core.Secret>;

export type ServiceAccount = Live<core.ServiceAccount>;

export const tokenType = 'kubernetes.io/service-account-token';
export const accountNameKey = 'kubernetes.io/service-account.name';
export const accountUidKey = 'kubernetes.io/service-account.uid';

export const isTokenSecret = ({ type }: Secret): boolean => type === tokenType;

export const accountNameOf = ({ metadata }: Secret): string => metadata.annotations?.[accountNameKey] ?? '';

/** If empty, any account of that name. */
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
