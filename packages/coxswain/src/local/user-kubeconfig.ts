/** Maintains the context of a local cluster in the user's kubeconfig, `~/.kube/config` or the files in $KUBECONFIG. */

import path from 'node:path';
import { readKubeconfig } from '@coxswain/client/kubeconfig/load.ts';
import { KubeconfigStore } from '@coxswain/kubectl/kubeconfig/stored.ts';
import { defaultDataDirectory } from './data-directory.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `coxswain` for the default directory, `coxswain-NAME` for another one called NAME. */
export const contextNameOf = (directory: string, env: Environment): string =>
  path.resolve(directory) === defaultDataDirectory(env)
    ? 'coxswain'
    : `coxswain-${path.basename(path.resolve(directory))}`;

const storeOf = (env: Environment): KubeconfigStore =>
  new KubeconfigStore({ io: { env, workingDirectory: process.cwd() }, globals: { kubeconfig: '' } });

/**
 * Leaves everything else in the file unchanged. The context becomes the current one if there is none.
 * @param own the kubeconfig of the cluster
 * @returns the file, and whether the context is now the current one
 * @throws Error if the cluster never ran, or the file cannot be read or written
 */
export function mergeContext(
  own: string,
  name: string,
  env: Environment,
): { readonly file: string; readonly isCurrent: boolean } {
  const [entry] = readKubeconfig(own).clusters ?? [];
  const [user] = readKubeconfig(own).users ?? [];
  const store = storeOf(env);
  const { config, defaultFile } = store;
  const put = <T>(section: Map<string, { file: string | undefined; value: T }>, value: T): void =>
    void section.set(name, { file: section.get(name)?.file, value });
  put(config.clusters, entry?.cluster ?? {});
  put(config.users, user?.user ?? {});
  put(config.contexts, { ...config.contexts.get(name)?.value, cluster: name, user: name });
  config.currentContext ||= name;
  store.save();
  return { file: defaultFile, isCurrent: config.currentContext === name };
}

/** Returns false if there was no such context. Removing the current context leaves none selected. */
export function removeContext(name: string, env: Environment): boolean {
  const store = storeOf(env);
  const { config } = store;
  const { contexts, clusters, users } = config;
  const removed = [contexts, clusters, users].map((section) => section.delete(name));
  if (config.currentContext === name) config.currentContext = '';
  if (removed.includes(true)) store.save();
  return removed.includes(true);
}
