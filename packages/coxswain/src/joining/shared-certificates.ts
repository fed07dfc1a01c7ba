/**
 * The keys that all servers of a cluster share: encrypted, for two hours, in a Secret of the cluster, as kubeadm keeps
 * them (`--upload-certs`). Any token holder can read the Secret; becoming a server also requires its key.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ignoring, isStatusError, type KubeObject, type Live } from '@coxswain/apimachinery';
import type * as core from '@coxswain/api/core/v1/secret.ts';
import type { KubeClient } from '@coxswain/client';
import { applyAddons, group, role, roleBinding, type Addon } from '../components/addon.ts';
import { joinersGroup, newBootstrapToken, tokenNamespace, tokenSecret } from './bootstrap-token.ts';

/** PEM, by kubeadm's name of the file. */
export type SharedCertificates = Readonly<Record<string, string>>;

/** The files that a server must receive from another one. */
export const sharedNames = [
  'ca.crt',
  'ca.key',
  'front-proxy-ca.crt',
  'front-proxy-ca.key',
  'sa.key',
  'sa.pub',
] as const;
/** Further files for an etcd that requires client certificates. */
export const sharedEtcdNames = {
  caFile: 'external-etcd-ca.crt',
  certFile: 'external-etcd.crt',
  keyFile: 'external-etcd.key',
} as const;

const secretName = 'kubeadm-certs';
const roleName = 'kubeadm:kubeadm-certs';
const lifetimeMs = 2 * 3_600_000;
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const keyForm = /^[0-9a-f]{64}$/i;

/** Never derived from a seed: anyone who guessed the key could sign for the cluster. */
export const newCertificateKey = (): string => randomBytes(keyBytes).toString('hex');

/** @throws Error for text in another format */
export function checkCertificateKey(text: string): void {
  if (!keyForm.test(text))
    throw new Error(
      'the certificate key must be 32 bytes in hexadecimal, as "coxswain up --upload-certs" prints it',
    );
}

/** Replaces any earlier upload, whatever its key. @param key hexadecimal */
export async function uploadCertificates(
  client: KubeClient,
  certificates: SharedCertificates,
  key: string,
  nowMs: number,
): Promise<void> {
  const owner = await makeOwner(client, nowMs);
  const data = Object.fromEntries(
    Object.entries(certificates).map(([name, pem]) => [name, encrypted(pem, key).toString('base64')]),
  );
  await removeUploaded(client);
  await applyAddons(client, [secret(data, owner), ...access]);
}

/**
 * @param key hexadecimal
 * @throws Error if nothing was uploaded, or with another key
 */
export async function downloadCertificates(client: KubeClient, key: string): Promise<SharedCertificates> {
  const { data = {} } = await secrets(client)
    .get(secretName)
    .catch((error: unknown) => {
      if (!isStatusError(error, 'NotFound') && !isStatusError(error, 'Forbidden')) throw error;
      throw new Error(
        `Secret "${secretName}" was not found in the "${tokenNamespace}" Namespace: it expires two hours after it was uploaded; start a server with "coxswain up --server --upload-certs" to upload it again`,
        { cause: error },
      );
    });
  const missing = sharedNames.filter((name) => data[name] === undefined);
  if (missing.length > 0) throw new Error(`Secret "${secretName}" lacks ${missing.join(', ')}`);
  return Object.fromEntries(
    Object.entries(data).map(([name, text]) => [name, decrypted(name, Buffer.from(text, 'base64'), key)]),
  );
}

type Secret = Live<core.Secret>;

const secrets = (client: KubeClient) => client.resource<Secret>('v1', 'secrets').namespace(tokenNamespace);

/** The nonce, the ciphertext, and the AES-GCM tag. */
function encrypted(text: string, key: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function decrypted(name: string, bytes: Buffer, key: string): string {
  try {
    const nonce = bytes.subarray(0, nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'hex'), nonce, {
      authTagLength: tagBytes,
    });
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    const text = decipher.update(bytes.subarray(nonceBytes, bytes.length - tagBytes));
    return Buffer.concat([text, decipher.final()]).toString();
  } catch (cause) {
    throw new Error(
      `${name} of Secret "${secretName}" cannot be decrypted: the certificate key is another one`,
      {
        cause,
      },
    );
  }
}

/** Creates a token without any usage: when it expires it is removed, and the Secret that it owns with it. */
async function makeOwner(client: KubeClient, nowMs: number): Promise<KubeObject> {
  const description = 'Proxy for managing TTL for the kubeadm-certs secret';
  const settings = { ttlMs: lifetimeMs, description, usages: [], groups: [] };
  return secrets(client).create(tokenSecret(newBootstrapToken(), settings, nowMs));
}

async function removeUploaded(client: KubeClient): Promise<void> {
  await ignoring('NotFound', secrets(client).delete(secretName));
}

const secret = (data: Readonly<Record<string, string>>, { metadata: { name, uid } }: KubeObject): Addon => ({
  apiVersion: 'v1',
  resource: 'secrets',
  namespace: tokenNamespace,
  object: {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: secretName,
      namespace: tokenNamespace,
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Secret', name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    data,
  } as KubeObject,
});

const access: readonly Addon[] = [
  role(tokenNamespace, roleName, [
    { apiGroups: [''], resources: ['secrets'], resourceNames: [secretName], verbs: ['get'] },
  ]),
  roleBinding(tokenNamespace, roleName, [group(joinersGroup)]),
];
