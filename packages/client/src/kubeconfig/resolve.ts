/** Resolves a context of a kubeconfig and overriding options to one cluster, one user, one namespace. */

import { goQuote } from '@coxswain/apimachinery';
import { checkUsable, type OpenFailure } from './check-usable.ts';
import type {
  Kubeconfig,
  KubeconfigCluster,
  KubeconfigOverrides,
  KubeconfigUser,
  ResolvedKubeconfig,
} from './kubeconfig.ts';

/**
 * The cluster, user and namespace to use.
 * @throws Error if an option names something that doesn't exist
 * @throws InvalidKubeconfig if the configuration is unusable
 * @example
 * const { cluster, user, namespace } = resolveKubeconfig(loadKubeconfig(), { context: 'staging' });
 */
export function resolveKubeconfig(
  config: Kubeconfig,
  overrides: KubeconfigOverrides = {},
  openFailure?: OpenFailure,
): ResolvedKubeconfig {
  const { resolved, missing, check } = choose(config, overrides, openFailure);
  if (missing !== undefined) throw missing;
  check();
  return resolved;
}

/**
 * The namespace; a missing cluster named by an option counts as one without a server, a missing user as anonymous.
 * @throws InvalidKubeconfig
 * @example
 * const pods = client.of(Pod).namespace(namespaceOfKubeconfig(loadKubeconfig()));
 */
export function namespaceOfKubeconfig(
  config: Kubeconfig,
  overrides: KubeconfigOverrides = {},
  openFailure?: OpenFailure,
): string {
  const { resolved, check } = choose(config, overrides, openFailure);
  check();
  return resolved.namespace;
}

function choose(config: Kubeconfig, overrides: KubeconfigOverrides, openFailure: OpenFailure | undefined) {
  const contextName = overrides.context || config['current-context'] || '';
  const found = find(config.contexts, contextName);
  const context = found?.context ?? {};
  const userName = overrides.user || context.user || '';
  const user = find(config.users, userName);
  const clusterName = overrides.cluster || context.cluster || '';
  const cluster = find(config.clusters, clusterName);
  const lostCluster = overrides.cluster !== undefined && overrides.cluster !== '' && cluster === undefined;
  const base = { ...withoutEmpty(overrides.clusterDefaults), ...withoutEmpty(cluster?.cluster) };
  const resolved = {
    context,
    cluster: lostCluster ? {} : overriddenCluster(base, overrides.clusterInfo),
    user: overriddenUser(user?.user ?? {}, overrides.userInfo),
    namespace: overrides.namespace || context.namespace || 'default',
  };
  const lostContext = contextName !== '' && found === undefined ? contextName : undefined;
  const missing =
    overrides.user && user === undefined
      ? notThere('auth info', userName)
      : overrides.context && found === undefined
        ? notThere('context', contextName)
        : lostCluster
          ? notThere('cluster', clusterName)
          : undefined;
  const choice = { ...resolved, clusterName, userName, lostContext, lostCluster };
  return { resolved, missing, check: () => checkUsable(choice, openFailure) };
}

const notThere = (what: string, name: string): Error => new Error(`${what} ${goQuote(name)} does not exist`);

/** Within one file, the last entry with a name counts. */
const find = <T extends { readonly name: string }>(
  entries: readonly T[] | null | undefined,
  name: string,
): T | undefined => entries?.findLast((entry) => entry.name === name);

/** Options for the address or the verification of the server replace the corresponding settings of the file. */
function overriddenCluster(cluster: KubeconfigCluster, over: KubeconfigCluster = {}): KubeconfigCluster {
  const merged = { ...cluster, ...withoutEmpty(over) };
  if (
    over['insecure-skip-tls-verify'] ||
    over['certificate-authority'] ||
    over['certificate-authority-data']
  ) {
    merged['insecure-skip-tls-verify'] = over['insecure-skip-tls-verify'] ?? false;
    merged['certificate-authority'] = over['certificate-authority'] ?? '';
    merged['certificate-authority-data'] = over['certificate-authority-data'] ?? '';
  }
  if (over['tls-server-name'] || over.server) merged['tls-server-name'] = over['tls-server-name'] ?? '';
  return merged;
}

/** A key or certificate from the options is combined with data from the options, not with data from the file. */
function overriddenUser(user: KubeconfigUser, over: KubeconfigUser = {}): KubeconfigUser {
  const merged = { ...user, ...withoutEmpty(over) };
  for (const what of ['client-key', 'client-certificate'] as const) {
    if (!over[what] && !over[`${what}-data`]) continue;
    merged[what] = over[what] ?? '';
    merged[`${what}-data`] = over[`${what}-data`] ?? '';
  }
  return merged;
}

function withoutEmpty<T extends object>(value: T | null | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(
      ([, member]) => member !== undefined && member !== null && member !== '' && member !== false,
    ),
  ) as Partial<T>;
}
