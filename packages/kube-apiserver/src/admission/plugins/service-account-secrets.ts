/** Checks that a pod uses only the secrets of its service account, if the account enforces that. */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ServiceAccount } from '@coxswain/api/core/v1/service-account.ts';

interface SecretUser {
  readonly name: string;
  readonly env?: readonly {
    readonly name: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly name?: string } };
  }[];
  readonly envFrom?: readonly { readonly secretRef?: { readonly name?: string } }[];
}

/** @returns the problem in upstream's words */
export function secretProblem(
  { spec }: Pod,
  account: ServiceAccount,
  ephemeralOnly: boolean,
): string | undefined {
  const allowed = new Set((account.secrets ?? []).map(({ name }) => name));
  const refusal = (secret: string) =>
    `"${secret}" is not allowed because service account ${account.metadata.name} does not reference that secret`;
  if (ephemeralOnly) {
    return containersProblem(spec.ephemeralContainers ?? [], 'ephemeral container', allowed, refusal);
  }
  for (const { secret } of spec.volumes ?? []) {
    const name = secret?.secretName;
    if (secret && !allowed.has(name)) return `volume with secret.secretName=${refusal(name ?? '')}`;
  }
  return (
    containersProblem(spec.initContainers ?? [], 'init container', allowed, refusal) ??
    containersProblem(spec.containers ?? [], 'container', allowed, refusal) ??
    pullSecretProblem(spec, account)
  );
}

function containersProblem(
  containers: readonly SecretUser[],
  what: string,
  allowed: ReadonlySet<string | undefined>,
  refusal: (secret: string) => string,
): string | undefined {
  for (const { name, env = [], envFrom = [] } of containers) {
    for (const { name: variable, valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef;
      if (secret && !allowed.has(secret.name)) {
        return `${what} ${name} with envVar ${variable} referencing secret.secretName=${refusal(secret.name ?? '')}`;
      }
    }
    for (const { secretRef } of envFrom) {
      if (secretRef && !allowed.has(secretRef.name)) {
        return `${what} ${name} with envFrom referencing secret.secretName=${refusal(secretRef.name ?? '')}`;
      }
    }
  }
  return undefined;
}

function pullSecretProblem(spec: Pod['spec'], account: ServiceAccount): string | undefined {
  const allowed = new Set((account.imagePullSecrets ?? []).map(({ name }) => name));
  for (const [i, { name }] of (spec.imagePullSecrets ?? []).entries()) {
    if (allowed.has(name)) continue;
    return `imagePullSecrets[${i}].name="${name}" is not allowed because service account ${account.metadata.name} does not reference that imagePullSecret`;
  }
  return undefined;
}

/** Mirror pods cannot use objects that only the API server could provide. */
export function mirrorPodProblem({ spec }: Pod): string | undefined {
  if (spec.serviceAccountName) return 'a mirror pod may not reference service accounts';
  if (usesSecrets(spec)) return 'a mirror pod may not reference secrets';
  const projectsToken = (spec.volumes ?? []).some(({ projected }) =>
    projected?.sources?.some(({ serviceAccountToken }) => serviceAccountToken),
  );
  return projectsToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}

function usesSecrets(spec: Pod['spec']): boolean {
  const containers: readonly SecretUser[] = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  return (
    (spec.imagePullSecrets?.length ?? 0) > 0 ||
    (spec.volumes ?? []).some(
      ({ secret, projected }) => secret || projected?.sources?.some((source) => source.secret),
    ) ||
    containers.some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom.some(({ secretRef }) => secretRef),
    )
  );
}
