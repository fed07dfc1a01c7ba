/** The kubeconfig file: its structure, and how several are merged. */

/** The address of a cluster, and how to verify it. */
export interface KubeconfigCluster {
  server?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'proxy-url'?: string;
  'disable-compression'?: boolean;
  extensions?: readonly { readonly name: string; readonly extension?: unknown }[] | null;
}

/** A credential plugin. */
export interface ExecConfig {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
}

/** The credentials of a user. */
export interface KubeconfigUser {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  as?: string;
  'as-uid'?: string;
  'as-groups'?: string[];
  'as-user-extra'?: Record<string, string[]>;
  exec?: ExecConfig | null;
  'auth-provider'?: unknown;
  extensions?: unknown;
}

/** A named combination of cluster, user and namespace. */
export interface KubeconfigContext {
  cluster?: string;
  user?: string;
  namespace?: string;
  extensions?: unknown;
}

/** A kubeconfig, as `kubectl config view --raw -o json` shows it. */
export interface Kubeconfig {
  apiVersion?: string;
  kind?: string;
  preferences?: { readonly colors?: unknown; readonly extensions?: unknown };
  'current-context'?: string;
  clusters?: { name: string; cluster?: KubeconfigCluster }[] | null;
  users?: { name: string; user?: KubeconfigUser }[] | null;
  contexts?: { name: string; context?: KubeconfigContext }[] | null;
  extensions?: unknown;
}

/** Overrides of the file, as from flags. */
export interface KubeconfigOverrides {
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  /** Used if neither file nor options specify anything. */
  readonly clusterDefaults?: KubeconfigCluster;
  readonly clusterInfo?: KubeconfigCluster;
  readonly userInfo?: KubeconfigUser;
}

/** The result of resolving a kubeconfig, with overrides and defaults applied. */
export interface ResolvedKubeconfig {
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  readonly namespace: string;
}

/**
 * For entries with the same name, and for the current context, the first file takes precedence.
 * @example
 * const config = mergeKubeconfigs([readKubeconfig('team.yaml'), readKubeconfig('own.yaml')]);
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    preferences: configs.find((config) => config.preferences !== undefined)?.preferences ?? {},
    'current-context':
      configs.map((config) => config['current-context'] ?? '').find((name) => name !== '') ?? '',
    clusters: firstByName(configs.map((config) => config.clusters ?? [])),
    users: firstByName(configs.map((config) => config.users ?? [])),
    contexts: firstByName(configs.map((config) => config.contexts ?? [])),
  };
}

type Named = { readonly name: string };

function firstByName<T extends Named>(lists: readonly (readonly T[])[]): T[] {
  const first = new Map<string, T>();
  for (const entry of lists.flat()) if (!first.has(entry.name)) first.set(entry.name, entry);
  return [...first.values()];
}
