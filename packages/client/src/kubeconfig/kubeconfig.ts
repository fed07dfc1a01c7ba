/** The kubeconfig file: its shape, how several become one, and what a context means. */

import { goQuote, aggregateText } from '@coxswain/apimachinery';

export interface KubeconfigCluster {
  server?: string;
  'tls-server-name'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'proxy-url'?: string;
  'disable-compression'?: boolean;
  extensions?: unknown;
}

export interface ExecConfig {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
}

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

export interface KubeconfigContext {
  cluster?: string;
  user?: string;
  namespace?: string;
  extensions?: unknown;
}

export interface Kubeconfig {
  apiVersion?: string;
  kind?: string;
  preferences?: unknown;
  'current-context'?: string;
  clusters?: { name: string; cluster?: KubeconfigCluster }[] | null;
  users?: { name: string; user?: KubeconfigUser }[] | null;
  contexts?: { name: string; context?: KubeconfigContext }[] | null;
  extensions?: unknown;
}

/** What flags say over the file. */
export interface KubeconfigOverrides {
  readonly context?: string;
  readonly cluster?: string;
  readonly user?: string;
  readonly namespace?: string;
  readonly clusterInfo?: KubeconfigCluster;
  readonly userInfo?: KubeconfigUser;
}

export interface ResolvedKubeconfig {
  readonly context: KubeconfigContext;
  readonly cluster: KubeconfigCluster;
  readonly user: KubeconfigUser;
  readonly namespace: string;
}

/** Of entries with the same name, and of the current context, the first file's counts. */
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

/**
 * The cluster, the user and the namespace to talk to.
 * @throws Error in clientcmd's words when they are not there
 */
export function resolveKubeconfig(
  config: Kubeconfig,
  overrides: KubeconfigOverrides = {},
): ResolvedKubeconfig {
  const contextName = overrides.context ?? config['current-context'] ?? '';
  const named = find(config.contexts, contextName);
  if (overrides.context !== undefined && overrides.context !== '' && named === undefined) {
    throw new Error(`context ${goQuote(overrides.context)} does not exist`);
  }
  if (contextName !== '' && named === undefined) {
    throw new Error(`invalid configuration: context was not found for specified context: ${contextName}`);
  }
  const context = named?.context ?? {};
  const clusterName = overrides.cluster ?? context.cluster ?? '';
  const cluster = lookUp(config.clusters, clusterName, overrides.cluster !== undefined, 'cluster')?.cluster;
  const userName = overrides.user ?? context.user ?? '';
  const user = lookUp(config.users, userName, overrides.user !== undefined, 'auth info')?.user;
  const merged = { ...cluster, ...withoutUndefined(overrides.clusterInfo) };
  checkUsable(config, contextName, clusterName, merged);
  return {
    context,
    cluster: merged,
    user: overriddenUser(user ?? {}, overrides.userInfo),
    namespace: overrides.namespace || context.namespace || 'default',
  };
}

export const emptyKubeconfigMessage =
  'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

export const isEmptyKubeconfig = (config: Kubeconfig): boolean =>
  !config.clusters?.length && !config.users?.length && !config.contexts?.length && !config['current-context'];

type Named = { readonly name: string };

function firstByName<T extends Named>(lists: readonly (readonly T[])[]): T[] {
  const first = new Map<string, T>();
  for (const entry of lists.flat()) if (!first.has(entry.name)) first.set(entry.name, entry);
  return [...first.values()];
}

/** Within one file the last entry of a name counts. */
const find = <T extends Named>(entries: readonly T[] | null | undefined, name: string): T | undefined =>
  entries?.findLast((entry) => entry.name === name);

function lookUp<T extends Named>(
  entries: readonly T[] | null | undefined,
  name: string,
  demanded: boolean,
  what: string,
): T | undefined {
  const found = find(entries, name);
  if (demanded && name !== '' && found === undefined)
    throw new Error(`${what} ${goQuote(name)} does not exist`);
  return found;
}

function checkUsable(
  config: Kubeconfig,
  contextName: string,
  clusterName: string,
  cluster: KubeconfigCluster,
): void {
  if (cluster.server) return;
  if (isEmptyKubeconfig(config)) throw new Error(emptyKubeconfigMessage);
  const problems: string[] = [];
  if (contextName !== '' && clusterName === '')
    problems.push(`cluster was not specified for context ${goQuote(contextName)}`);
  else if (clusterName !== '' && find(config.clusters, clusterName) === undefined) {
    problems.push(`cluster ${goQuote(clusterName)} was not found for context ${goQuote(contextName)}`);
  }
  problems.push(
    clusterName === ''
      ? 'default cluster has no server defined'
      : `no server found for cluster ${goQuote(clusterName)}`,
  );
  throw new Error(`invalid configuration: ${aggregateText(problems)}`);
}

/** A token or a password from the command line takes the place of what the file says. */
function overriddenUser(user: KubeconfigUser, over: KubeconfigUser | undefined): KubeconfigUser {
  if (over === undefined) return user;
  const given = withoutUndefined(over);
  const {
    token: _token,
    tokenFile: _file,
    username: _name,
    password: _password,
    exec: _exec,
    ...rest
  } = user;
  const replaces = given.token !== undefined || given.username !== undefined || given.exec !== undefined;
  return { ...(replaces ? rest : user), ...given };
}

function withoutUndefined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, member]) => member !== undefined && member !== ''),
  ) as Partial<T>;
}
