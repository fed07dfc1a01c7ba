/**
 * What a machine learns of a cluster before it trusts anybody: the ConfigMap cluster-info, signed with the token that it
 * has, from a server whose authority has the public key that it was told. As kubeadm does it.
 */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { HttpTransport } from '@coxswain/client/node.ts';
import { createClient } from '@coxswain/client';
import type { Live } from '@coxswain/apimachinery';
import { detachedSignature } from '@coxswain/kube-controller-manager/bootstrap/detached-signature.ts';
import { checkPinned } from './authority-pin.ts';
import type { BootstrapToken } from './bootstrap-token.ts';
import { BoundedAnswers } from './bounded-answers.ts';
import { clusterInfoIn, type ClusterInfo } from './cluster-info.ts';
import { clusterInfoName, clusterInfoNamespace } from './server-objects.ts';

export interface DiscoveryOptions {
  /** `https://192.0.2.1:6443` */
  readonly server: string;
  readonly token: BootstrapToken;
  /** `sha256:…`; with none, whoever answers is believed. */
  readonly pins: readonly string[];
}

type ConfigMap = Live<core.ConfigMap>;

/** Whoever answers isn't who they should be: to try again would be no better. */
export class UntrustedClusterError extends Error {
  override readonly name = 'UntrustedClusterError';
}

/**
 * @throws UntrustedClusterError where the signature or the authority is not the right one
 * @throws Error where nobody answers, or what they have isn't signed yet
 */
export async function discoverCluster(
  { server, token, pins }: DiscoveryOptions,
  signal: AbortSignal,
): Promise<ClusterInfo> {
  const signed = await clusterInfo(server, { insecure: true }, signal);
  await checkSignature(signed, token);
  const found = firstCluster(signed.data?.['kubeconfig'] ?? '');
  if (pins.length > 0) trusted(() => checkPinned(found.certificateAuthority, pins));
  // The authority is known now: what comes over a connection that it vouches for must be the same.
  const again = await clusterInfo(server, { certificateAuthority: found.certificateAuthority }, signal);
  if (again.data?.['kubeconfig'] !== signed.data?.['kubeconfig'])
    throw new UntrustedClusterError(
      'the cluster-info ConfigMap read over the verified connection differs from the first one',
    );
  return found;
}

/** Whoever answers is not known yet: a kubeconfig with one authority is far smaller. */
const answerBytesMax = 1024 * 1024;

async function clusterInfo(
  server: string,
  trust: { readonly insecure: true } | { readonly certificateAuthority: string },
  signal: AbortSignal,
): Promise<ConfigMap> {
  const client = createClient({
    transport: new BoundedAnswers(
      new HttpTransport({ server, ...trust, protocol: 'http/1.1' }),
      answerBytesMax,
    ),
    userAgent: 'coxswain-join',
  });
  try {
    const maps = client.resource<ConfigMap>('v1', 'configmaps').namespace(clusterInfoNamespace);
    return await maps.get(clusterInfoName, { signal });
  } finally {
    await client.close();
  }
}

async function checkSignature({ data = {} }: ConfigMap, { id, secret }: BootstrapToken): Promise<void> {
  const content = data['kubeconfig'];
  if (content === undefined) throw new Error('the cluster-info ConfigMap contains no kubeconfig');
  const signature = data[`jws-kubeconfig-${id}`];
  if (signature === undefined)
    throw new Error(
      `could not find a JWS signature in the cluster-info ConfigMap for token ID "${id}": the token may be unknown or expired`,
    );
  if (signature !== (await detachedSignature(content, id, secret)))
    throw new UntrustedClusterError(
      'failed to verify JWS signature of received cluster info object, can not trust this API Server',
    );
}

function firstCluster(text: string): ClusterInfo {
  const info = clusterInfoIn(text);
  if (info === undefined)
    throw new UntrustedClusterError(
      'the cluster-info ConfigMap lacks the server or the certificate authority',
    );
  return info;
}

function trusted(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw new UntrustedClusterError(messageOf(error), { cause: error });
  }
}
