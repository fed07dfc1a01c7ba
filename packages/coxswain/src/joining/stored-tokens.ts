/** The bootstrap tokens stored in a cluster. */
import type * as core from '@coxswain/api/core/v1/index.ts';
import { isStatusError, type Live } from '@coxswain/apimachinery';
import type { KubeClient } from '@coxswain/client';
import { authorityPin } from './authority-pin.ts';
import {
  formatBootstrapToken,
  tokenNamespace,
  tokenSecret,
  tokenSecretName,
  tokenSecretType,
  type BootstrapToken,
  type TokenSettings,
} from './bootstrap-token.ts';
import { storedClusterInfo } from './cluster-info.ts';

type Secret = Live<core.Secret>;

export interface StoredToken {
  readonly token: BootstrapToken;
  readonly description: string;
  /** RFC 3339; empty for a token that does not expire. */
  readonly expiration: string;
  readonly usages: readonly string[];
  readonly groups: readonly string[];
}

const secretsOf = (client: KubeClient) => client.resource<Secret>('v1', 'secrets').namespace(tokenNamespace);

/** @throws Error if the id is taken, StatusError if the cluster refuses the token */
export async function storeNewToken(
  client: KubeClient,
  token: BootstrapToken,
  settings: TokenSettings,
  nowMs: number,
): Promise<void> {
  try {
    await secretsOf(client).create(tokenSecret(token, settings, nowMs));
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
    throw new Error(`a token with id "${token.id}" already exists`, { cause: error });
  }
}

/** Storing an existing token again renews its lifetime. @throws StatusError if the cluster refuses it */
export async function storeToken(
  client: KubeClient,
  token: BootstrapToken,
  settings: TokenSettings,
  nowMs: number,
): Promise<void> {
  const secret = tokenSecret(token, settings, nowMs);
  try {
    await secretsOf(client).create(secret);
  } catch (error) {
    if (!isStatusError(error, 'AlreadyExists')) throw error;
    await secretsOf(client).delete(tokenSecretName(token.id));
    await secretsOf(client).create(secret);
  }
}

export async function listTokens(client: KubeClient): Promise<readonly StoredToken[]> {
  const { items } = await secretsOf(client).list({ fieldSelector: `type=${tokenSecretType}` });
  return items.map(storedToken);
}

function storedToken({ data = {} }: Secret): StoredToken {
  const text = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
  return {
    token: { id: text('token-id'), secret: text('token-secret') },
    description: text('description'),
    expiration: text('expiration'),
    usages: Object.keys(data)
      .filter((key) => key.startsWith(usagePrefix) && text(key) === 'true')
      .map((key) => key.slice(usagePrefix.length))
      .sort(),
    groups: text('auth-extra-groups').split(',').filter(Boolean),
  };
}

const usagePrefix = 'usage-bootstrap-';

/** Accepts an id or a whole token. @throws StatusError 404 if it does not exist */
export async function deleteToken(client: KubeClient, text: string): Promise<string> {
  const [id = ''] = text.split('.');
  await secretsOf(client).delete(tokenSecretName(id));
  return id;
}

/** Returns the command to type on the joining machine. @throws Error if the cluster does not publish its information */
export async function joinCommand(
  client: KubeClient,
  token: BootstrapToken,
  server?: string,
): Promise<string> {
  const info = await storedClusterInfo(client);
  if (info === undefined)
    throw new Error('machines cannot join this cluster: start it with "coxswain up --server"');
  const pin = authorityPin(info.certificateAuthority);
  return `coxswain join ${formatBootstrapToken(token)} --server=${server ?? info.server} --discovery-token-ca-cert-hash=${pin}`;
}
