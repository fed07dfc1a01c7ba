/** Rotates the kubelet's client certificate; its client reads the new one from the file. */
import path from 'node:path';
import type { Clock, Random } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { resolveKubeconfig, type KubeClient } from '@coxswain/client';
import { loadKubeconfig } from '@coxswain/client/node.ts';
import { CertificateManager } from './certificate-manager.ts';
import { CertificateStore } from './certificate-store.ts';
import { clientTemplate } from './certificate-template.ts';

export interface ClientRotationOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** The kubeconfig from which the client was created. */
  readonly kubeconfig: string;
  readonly certDirectory: string;
  readonly nodeName: string;
  readonly log: (line: string) => void;
}

/** Runs until the signal aborts. Credentials outside the certificate directory are not managed by the kubelet. */
export async function rotateClientCertificate(options: ClientRotationOptions): Promise<void> {
  const { kubeconfig, certDirectory, nodeName, log, ...rest } = options;
  const store = new CertificateStore(certDirectory, 'kubelet-client');
  const { user } = resolveKubeconfig(loadKubeconfig({ file: kubeconfig, env: {} }), {});
  if (path.resolve(user['client-certificate'] ?? '') !== store.currentFile) {
    log(`rotateCertificates: ${kubeconfig} does not refer to ${store.currentFile}, which stays as it is`);
    return;
  }
  const manager = new CertificateManager({
    ...rest,
    store,
    signer: 'kubernetes.io/kube-apiserver-client-kubelet',
    template: () => clientTemplate(nodeName),
    changed: ({ leaf }) =>
      log(`the client certificate is replaced; the new one is good until ${leaf.validTo}`),
    onError: (error) => log(messageOf(error)),
  });
  await manager.run();
}
