/** The serving certificate of the kubelet's port, if signed by the cluster. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { ServingPair } from '@coxswain/apiserver/component/serving-pair.ts';
import type { KubeClient } from '@coxswain/client';
import { CertificateManager } from './certificate-manager.ts';
import { CertificateStore, type CertificatePair } from './certificate-store.ts';
import { servingTemplate } from './certificate-template.ts';

/** Until the request is approved there is no certificate, and connections fail. */
export interface ServingCertificates {
  readonly current: ServingPair | undefined;
  /** Registers a function to call with each new certificate. */
  follow(changed: (pair: ServingPair) => void): void;
  /** Resolves after the signal has aborted and everything has stopped. */
  readonly stopped: Promise<void>;
}

export interface ServingCertificateOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly certDirectory: string;
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly onError: (error: unknown) => void;
}

export function servingCertificates(options: ServingCertificateOptions): ServingCertificates {
  const { certDirectory, nodeName, nodeIps, ...rest } = options;
  const listeners: ((pair: ServingPair) => void)[] = [];
  const manager = new CertificateManager({
    ...rest,
    store: new CertificateStore(certDirectory, 'kubelet-server'),
    signer: 'kubernetes.io/kubelet-serving',
    template: () => servingTemplate(nodeName, [nodeName, ...nodeIps]),
    changed: (pair) => listeners.forEach((report) => report(servingPairOf(pair))),
  });
  return {
    current: manager.current && servingPairOf(manager.current),
    follow: (changed) => void listeners.push(changed),
    stopped: manager.run(),
  };
}

const servingPairOf = ({ certificate, key }: CertificatePair): ServingPair => ({ cert: certificate, key });
