/** Reads kubeconfig files and the files they refer to, and the in-cluster configuration. */

import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { systemMessage } from '@coxswain/apimachinery/system-message.ts';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { aggregateText } from '@coxswain/apimachinery';
import { decodeKubeconfig } from './decode.ts';
import { mergeKubeconfigs, type Kubeconfig } from './kubeconfig.ts';

/** Selects the files to load. */
export interface LoadOptions {
  /** `--kubeconfig`: use only this file, which must exist. Empty if the flag is not set. */
  readonly file?: string;
  /** The file's name in errors. */
  readonly shownAs?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The directory with a pod's service account token. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The merged configuration: `--kubeconfig`, the files in $KUBECONFIG, or ~/.kube/config. Missing files count as empty,
 * except the one given by `--kubeconfig`. Relative paths in a file are relative to the file.
 * @param options the files; defaults to those of kubectl
 * @throws Error if files cannot be read or are not configurations
 * @example
 * const client = connect(loadKubeconfig(), { overrides: { context: 'staging' } });
 */
export function loadKubeconfig({ file, shownAs, env = process.env }: LoadOptions = {}): Kubeconfig {
  if (file) {
    if (!existsSync(file)) throw new Error(`stat ${shownAs ?? file}: no such file or directory`);
    return mergeKubeconfigs([readKubeconfig(file, shownAs)]);
  }
  const configs: Kubeconfig[] = [];
  const failures: string[] = [];
  for (const found of kubeconfigFiles(env).filter(existsSync)) {
    try {
      configs.push(readKubeconfig(found));
    } catch (failure) {
      failures.push(messageOf(failure));
    }
  }
  if (failures.length > 0) throw new Error(aggregateText(failures));
  return mergeKubeconfigs(configs);
}

/**
 * The files to read, in order. If none exists, new entries are written to the last one.
 * @example
 * console.log(kubeconfigFiles()); // [ '/home/alice/.kube/config' ]
 */
export function kubeconfigFiles(env: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return listed.length > 0 ? [...new Set(listed)] : [join(env['HOME'] ?? homedir(), '.kube', 'config')];
}

/**
 * Reads one file. Paths in the result are absolute.
 * @throws Error if it cannot be read or is not a kubeconfig
 * @example
 * const client = connect(readKubeconfig('test.kubeconfig'));
 */
export const readKubeconfig = (file: string, shownAs: string = file): Kubeconfig =>
  withAbsolutePaths(readKubeconfigAsItIs(file, shownAs), dirname(resolve(file)));

/**
 * @throws Error if it can't be read or is not a configuration
 * @internal
 */
export function readKubeconfigAsItIs(file: string, shownAs: string = file): Kubeconfig {
  try {
    return decodeKubeconfig(readFile(file));
  } catch (error) {
    throw new Error(`error loading config file "${shownAs}": ${messageOf(error)}`, { cause: error });
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Error(code === 'EISDIR' ? `read ${file}: is a directory` : openFailureText(file, failure), {
      cause: failure,
    });
  }
}

const openFailureText = (file: string, failure: unknown): string => `open ${file}: ${systemMessage(failure)}`;

/**
 * Returns Go's message for why a file can't be opened; undefined if it can.
 * @internal
 */
export function openFailure(file: string): string | undefined {
  try {
    closeSync(openSync(file, 'r'));
    return undefined;
  } catch (failure) {
    return openFailureText(file, failure);
  }
}

/**
 * The configuration for a pod's service account; undefined outside a pod.
 * @example
 * const client = connect(inClusterKubeconfig() ?? loadKubeconfig());
 */
export function inClusterKubeconfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
  directory: string = serviceAccountDirectory,
): Kubeconfig | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env;
  const tokenFile = join(directory, 'token');
  if (!host || !port || !existsSync(tokenFile)) return undefined;
  const namespaceFile = join(directory, 'namespace');
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : 'default';
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const name = 'in-cluster';
  return {
    'current-context': name,
    clusters: [{ name, cluster: { server, 'certificate-authority': join(directory, 'ca.crt') } }],
    users: [{ name, user: { tokenFile } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
  };
}

const clusterPaths = ['certificate-authority'] as const;
const userPaths = ['client-certificate', 'client-key', 'tokenFile'] as const;

function withAbsolutePaths(config: Kubeconfig, directory: string): Kubeconfig {
  return {
    ...config,
    clusters: (config.clusters ?? []).map((entry) => ({
      ...entry,
      cluster: absolute(entry.cluster ?? {}, clusterPaths, directory),
    })),
    users: (config.users ?? []).map((entry) => ({
      ...entry,
      user: absoluteUser(absolute(entry.user ?? {}, userPaths, directory), directory),
    })),
  };
}

function absolute<T extends object>(entry: T, members: readonly (keyof T)[], directory: string): T {
  const changed = { ...entry };
  for (const member of members) {
    const path = changed[member];
    if (typeof path === 'string' && path !== '') changed[member] = resolve(directory, path) as T[keyof T];
  }
  return changed;
}

/** The path of a credential plugin that contains a slash is relative to the file; others are looked up on PATH. */
function absoluteUser<T extends { exec?: { command?: string } | null }>(user: T, directory: string): T {
  const command = user.exec?.command;
  if (!command?.includes('/')) return user;
  return { ...user, exec: { ...user.exec, command: resolve(directory, command) } };
}
