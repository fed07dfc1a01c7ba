/**
 * TLS bootstrapping: with a bootstrap kubeconfig, requests a node's first client certificate and writes a kubeconfig
 * that uses it.
 */
import { X509Certificate, createPrivateKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { writeYaml } from '@coxswain/apimachinery/yaml/write.ts';
import { createClient, resolveKubeconfig, type Kubeconfig, type KubeconfigCluster } from '@coxswain/client';
import { loadKubeconfig, transportOf } from '@coxswain/client/node.ts';
import { CertificateStore } from './certificate-store.ts';
import { clientTemplate, newKey } from './certificate-template.ts';
import { requestCertificate, requestName } from './request-certificate.ts';

export interface BootstrapOptions {
  /** Written if it is missing or no longer valid. */
  readonly kubeconfig: string;
  readonly bootstrapKubeconfig: string;
  readonly certDirectory: string;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const signer = 'kubernetes.io/kube-apiserver-client-kubelet';
const waitMsMax = 3_600_000;

/** Resolves when the kubeconfig is usable. @throws Error if the request is not signed, or files can't be written */
export async function bootstrapCredentials(options: BootstrapOptions): Promise<void> {
  const { kubeconfig, bootstrapKubeconfig, certDirectory, nodeName, clock, signal, log } = options;
  const why = whyNotValid(kubeconfig, clock.now());
  if (why === undefined) return;
  log(`Using bootstrap kubeconfig to generate TLS client cert, key and kubeconfig file: ${why}`);
  const bootstrap = loadBootstrap(bootstrapKubeconfig);
  const store = new CertificateStore(certDirectory, 'kubelet-client');
  const draft = path.join(certDirectory, 'kubelet-client.key.tmp');
  const key = keyOf(store) ?? keyIn(draft) ?? (await newKey());
  mkdirSync(certDirectory, { recursive: true, mode: 0o755 });
  // A restart before the answer reuses the key, and thus the same request.
  writeFileSync(draft, key, { mode: 0o600 });
  const template = clientTemplate(nodeName);
  const client = createClient({
    transport: transportOf(bootstrap, clock),
    userAgent: 'kubelet/coxswain',
  });
  try {
    const name = requestName(key, template, signer);
    const request = { client, clock, signal, signer, template, key, name, waitMsMax } as const;
    store.update({ certificate: await requestCertificate(request), key }, clock.now());
  } finally {
    await client.close();
  }
  rmSync(draft, { force: true });
  writeKubeconfig(kubeconfig, bootstrap.cluster, store.currentFile);
}

/** Returns why the kubeconfig can't be used; undefined if it can. */
function whyNotValid(file: string, nowMs: number): string | undefined {
  if (!existsSync(file)) return `${file} does not exist`;
  try {
    const { user } = resolveKubeconfig(loadKubeconfig({ file, env: {} }), {});
    const text = user['client-certificate-data']
      ? Buffer.from(user['client-certificate-data'], 'base64').toString()
      : readFileSync(user['client-certificate'] ?? '', 'utf8');
    const { validTo } = new X509Certificate(text);
    if (nowMs <= Date.parse(validTo)) return undefined;
    return `part of the existing bootstrap client certificate in ${file} is expired: ${validTo}`;
  } catch (error) {
    return `unable to read existing bootstrap client config from ${file}: ${messageOf(error)}`;
  }
}

function loadBootstrap(file: string) {
  try {
    return resolveKubeconfig(loadKubeconfig({ file, env: {} }), {});
  } catch (error) {
    throw new Error(`unable to load bootstrap kubeconfig: ${messageOf(error)}`, { cause: error });
  }
}

/** The key of an expired certificate can still be used. */
function keyOf(store: CertificateStore): string | undefined {
  try {
    return store.current()?.key;
  } catch {
    return undefined;
  }
}

function keyIn(file: string): string | undefined {
  try {
    const key = readFileSync(file, 'utf8');
    createPrivateKey(key);
    return key;
  } catch {
    return undefined;
  }
}

/** Uses the names in upstream's file; readable only by its owner. */
function writeKubeconfig(file: string, cluster: KubeconfigCluster, pemFile: string): void {
  const config: Kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'default-cluster', cluster }],
    contexts: [
      {
        name: 'default-context',
        context: { cluster: 'default-cluster', namespace: 'default', user: 'default-auth' },
      },
    ],
    'current-context': 'default-context',
    users: [{ name: 'default-auth', user: { 'client-certificate': pemFile, 'client-key': pemFile } }],
  };
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true, mode: 0o755 });
  writeFileSync(file, writeYaml(config), { mode: 0o600 });
}
