/** The certificate by which a node shows itself: asked for with a token first, and then with the one before it. */
import { X509Certificate, createPrivateKey, webcrypto } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { loadX509 } from '@coxswain/kube-controller-manager/certificates/load-x509.ts';

export interface CredentialRequest {
  /** Of whoever may ask: a bootstrap token, or the node itself. */
  readonly client: KubeClient;
  readonly nodeName: string;
  /** Where certificate and key are kept, one after the other. */
  readonly file: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

interface SigningRequest extends KubeObject {
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
  };
}

/** How often an answer is looked for, and for how long. */
const lookEveryMs = 100;
const waitMsMax = 5 * 60_000;
/** A certificate is replaced when this part of its life is over. */
const renewedAfter = 0.8;

/**
 * Asks for a certificate with a new key and writes both, whole or not at all.
 * @throws Error where it is denied, or nobody decides
 */
export async function requestCredentials(request: CredentialRequest): Promise<void> {
  const { client, nodeName, file } = request;
  const { key, pem } = await signingRequest(nodeName);
  const requests = client.resource<SigningRequest>('certificates.k8s.io/v1', 'certificatesigningrequests');
  const { metadata } = await requests.create({
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { generateName: 'node-csr-' },
    spec: {
      request: Buffer.from(pem).toString('base64'),
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['digital signature', 'client auth'],
    },
  } as SigningRequest);
  const name = metadata.name ?? '';
  const certificate = await issued(() => requests.get(name), name, request);
  await writeFile(`${file}.new`, certificate + key, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function issued(
  look: () => Promise<SigningRequest>,
  name: string,
  { clock, signal }: CredentialRequest,
): Promise<string> {
  const endMs = clock.monotonic() + waitMsMax;
  while (clock.monotonic() < endMs) {
    const { certificate, conditions = [] } = (await look()).status ?? {};
    if (certificate) return Buffer.from(certificate, 'base64').toString();
    const refusal = conditions.find(({ type }) => type === 'Denied' || type === 'Failed');
    if (refusal !== undefined)
      throw new Error(`certificate signing request ${name} is ${refusal.type}: ${refusal.message ?? ''}`);
    await clock.sleep(lookEveryMs, signal);
  }
  throw new Error(`certificate signing request ${name} was neither approved nor denied in time`);
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

async function signingRequest(nodeName: string): Promise<{ readonly key: string; readonly pem: string }> {
  const x509 = await loadX509();
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: [{ O: ['system:nodes'] }, { CN: [`system:node:${nodeName}`] }],
    keys,
    signingAlgorithm: algorithm,
  });
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  return {
    key: key.export({ type: 'sec1', format: 'pem' }).toString(),
    pem: `${request.toString('pem')}\n`,
  };
}

/** Until it is time for the next one; undefined where there is none that is good. */
export async function renewalDueMs(file: string, clock: Clock): Promise<number | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { validFromDate, validToDate } = new X509Certificate(text);
  const [fromMs, toMs] = [validFromDate.getTime(), validToDate.getTime()];
  if (toMs <= clock.now()) return undefined;
  return Math.max(0, fromMs + (toMs - fromMs) * renewedAfter - clock.now());
}

/** The longest that one timer waits. */
const sleepMsMax = 24 * 3_600_000;
const retryMs = 60_000;

/** Replaces the certificate in time, until the signal aborts. */
export async function keepCredentials(
  request: CredentialRequest,
  onError: (error: unknown) => void,
): Promise<void> {
  const { file, clock, signal } = request;
  while (!signal.aborted) {
    const dueMs = (await renewalDueMs(file, clock)) ?? 0;
    const failed =
      dueMs === 0 &&
      (await requestCredentials(request).then(
        () => false,
        (error: unknown) => (onError(error), true),
      ));
    const waitMs = failed ? retryMs : Math.min(dueMs, sleepMsMax);
    await clock.sleep(Math.max(waitMs, lookEveryMs), signal).catch(() => undefined);
  }
}
