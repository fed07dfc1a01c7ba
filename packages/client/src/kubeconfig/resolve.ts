/** What a context of a kubeconfig means, with options over it: one cluster, one user, one namespace. */

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
 * The cluster, the user and the namespace to talk to.
 * @throws Error when an option names what is not there
 * @throws InvalidKubeconfig when what is there can't be used
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
 * The namespace; a cluster that an option names in vain has no server, a user counts as nobody.
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

/** Within one file the last entry of a name counts. */
const find = <T extends { readonly name: string }>(
  entries: readonly T[] | null | undefined,
  name: string,
): T | undefined => entries?.findLast((entry) => entry.name === name);

/** Options that say how the server is trusted, or which it is, unsay what the file says of the same. */
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

/** A key or certificate of the options goes with data of the options, not with data of the file. */
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
