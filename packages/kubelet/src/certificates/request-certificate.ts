/** Requests a certificate from the cluster and waits for the decision. */
import { createHash, createPublicKey } from 'node:crypto';
import { isStatusError, type Clock, type KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { signingRequest, type CertificateTemplate } from './certificate-template.ts';

export type KubeletSigner = 'kubernetes.io/kube-apiserver-client-kubelet' | 'kubernetes.io/kubelet-serving';

export interface CertificateRequest {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly signer: KubeletSigner;
  readonly template: CertificateTemplate;
  /** PEM */
  readonly key: string;
  /** An existing request with this name is awaited instead of creating another one. */
  readonly name?: string;
  /** How long to wait before giving up. */
  readonly waitMsMax: number;
}

interface SigningRequest extends KubeObject {
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

const usagesOf = (signer: KubeletSigner): readonly string[] => [
  'digital signature',
  signer === 'kubernetes.io/kubelet-serving' ? 'server auth' : 'client auth',
];

const lookEveryMs = 1_000;

/** Resolves with PEM. @throws Error if the request is denied, fails, or is not decided in time */
export async function requestCertificate(wanted: CertificateRequest): Promise<string> {
  const { client, clock, signal, waitMsMax } = wanted;
  const requests = client.resource<SigningRequest>('certificates.k8s.io/v1', 'certificatesigningrequests');
  const { metadata } = await requests.create(await requestObject(wanted)).catch((error: unknown) => {
    if (wanted.name !== undefined && isStatusError(error, 'AlreadyExists')) return requests.get(wanted.name);
    throw error;
  });
  const name = metadata.name ?? '';
  const endMs = clock.monotonic() + waitMsMax;
  for (;;) {
    const { certificate, conditions = [] } = (await requests.get(name)).status ?? {};
    const refused = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refused?.type === 'Denied')
      throw new Error(
        `certificate signing request is denied, reason: ${refused.reason ?? ''}, message: ${refused.message ?? ''}`,
      );
    if (refused !== undefined)
      throw new Error(
        `certificate signing request failed, reason: ${refused.reason ?? ''}, message: ${refused.message ?? ''}`,
      );
    if (certificate) return Buffer.from(certificate, 'base64').toString();
    if (clock.monotonic() >= endMs)
      throw new Error(`timed out waiting for the condition: ${name} is not signed`);
    await clock.sleep(lookEveryMs, signal);
  }
}

async function requestObject({ name, key, template, signer }: CertificateRequest): Promise<SigningRequest> {
  const request = Buffer.from(await signingRequest(key, template)).toString('base64');
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: name === undefined ? { generateName: 'csr-' } : { name },
    spec: { request, signerName: signer, usages: usagesOf(signer) },
  } as unknown as SigningRequest;
}

/** Derived from key and contents, so that a restarted kubelet finds its earlier request. */
export function requestName(key: string, template: CertificateTemplate, signer: KubeletSigner): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const parts = [spki, template.commonName, template.organization, ...usagesOf(signer)];
  const hash = createHash('sha512-256');
  for (const part of parts) hash.update(`${Buffer.from(part).toString('base64url')}|`);
  return `node-csr-${hash.digest('base64url')}`;
}
