/**
 * How a machine learns about a cluster before it trusts anyone, as in kubeadm: it reads the ConfigMap cluster-info,
 * signed with the machine's token, from a server whose authority has the expected public key.
 */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { HttpTransport } from '@coxswain/client/node.ts';
import { createClient } from '@coxswain/client';
import type { Live } from '@coxswain/apimachinery';
import { detachedSignature } from '@coxswain/kube-controller-manager/bootstrap/detached-signature.ts';
import { checkPinned } from './authority-pin.ts';
import type { BootstrapToken } from './bootstrap-token.ts';
import { BoundedResponses } from './bounded-responses.ts';
import { clusterInfoIn, type ClusterInfo } from './cluster-info.ts';
import { clusterInfoName, clusterInfoNamespace } from './server-objects.ts';

export interface DiscoveryOptions {
  /** `https://192.0.2.1:6443` */
  readonly server: string;
  readonly token: BootstrapToken;
  /** `sha256:…`; if empty, any server is believed. */
  readonly pins: readonly string[];
}

type ConfigMap = Live<core.ConfigMap>;

/** The server isn't the expected one; retrying would not help. */
export class UntrustedClusterError extends Error {
  override readonly name = 'UntrustedClusterError';
}

/**
 * @throws UntrustedClusterError if the signature or the authority is wrong
 * @throws Error if no server answers, or its information isn't signed yet
 */
export async function discoverCluster(
  { server, token, pins }: DiscoveryOptions,
  signal: AbortSignal,
): Promise<ClusterInfo> {
  const signed = await clusterInfo(server, { insecure: true }, signal);
  await checkSignature(signed, token);
  const found = firstCluster(signed.data?.['kubeconfig'] ?? '');
  if (pins.length > 0) trusted(() => checkPinned(found.certificateAuthority, pins));
  // Now that the authority is known, a connection verified against it must return the same information.
  const again = await clusterInfo(server, { certificateAuthority: found.certificateAuthority }, signal);
  if (again.data?.['kubeconfig'] !== signed.data?.['kubeconfig'])
    throw new UntrustedClusterError(
      'the cluster-info ConfigMap read over the verified connection differs from the first one',
    );
  return found;
}

/** A limit for a server that is not trusted yet; a kubeconfig with one authority is far smaller. */
const answerBytesMax = 1024 * 1024;

async function clusterInfo(
  server: string,
  trust: { readonly insecure: true } | { readonly certificateAuthority: string },
  signal: AbortSignal,
): Promise<ConfigMap> {
  const client = createClient({
    transport: new BoundedResponses(
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
