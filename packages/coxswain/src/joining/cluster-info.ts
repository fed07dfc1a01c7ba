/** The public information about a cluster: its address and its certificate authority. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { isStatusError, type Live } from '@coxswain/apimachinery';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { KubeClient } from '@coxswain/client';
import { clusterInfoName, clusterInfoNamespace } from './server-objects.ts';

export interface ClusterInfo {
  /** `https://192.0.2.1:6443` */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
}

interface StoredInfo {
  readonly clusters?: readonly {
    readonly cluster?: { readonly server?: string; readonly 'certificate-authority-data'?: string };
  }[];
}

/** Undefined for a kubeconfig that lacks either of them. */
export function clusterInfoIn(kubeconfig: string): ClusterInfo | undefined {
  const { clusters } = readYaml(kubeconfig) as StoredInfo;
  const { server, 'certificate-authority-data': authority } = clusters?.[0]?.cluster ?? {};
  if (server === undefined || authority === undefined) return undefined;
  return { server, certificateAuthority: Buffer.from(authority, 'base64').toString() };
}

/** Undefined for a cluster that does not publish it. */
export async function storedClusterInfo(client: KubeClient): Promise<ClusterInfo | undefined> {
  const maps = client.resource<Live<core.ConfigMap>>('v1', 'configmaps');
  try {
    const { data } = await maps.namespace(clusterInfoNamespace).get(clusterInfoName);
    return clusterInfoIn(data?.['kubeconfig'] ?? '{}');
  } catch (error) {
    if (isStatusError(error, 'NotFound')) return undefined;
    throw error;
  }
}
