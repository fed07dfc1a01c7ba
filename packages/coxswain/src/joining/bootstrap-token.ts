/** Bootstrap tokens in kubeadm's format: `abcdef.0123456789abcdef`. */
import type { KubeObject } from '@coxswain/apimachinery';

export interface BootstrapToken {
  /** Public; identifies the token. */
  readonly id: string;
  readonly secret: string;
}

export interface TokenSettings {
  /** In milliseconds; 0 for a token that does not expire. */
  readonly ttlMs: number;
  readonly description?: string;
  readonly usages?: readonly string[];
  readonly groups?: readonly string[];
}

export const tokenNamespace = 'kube-system';
export const tokenSecretType = 'bootstrap.kubernetes.io/token';
/** The group of machines that join with a token; their permissions are bound to it. */
export const joinersGroup = 'system:bootstrappers:kubeadm:default-node-token';
export const tokenUsages: readonly string[] = ['signing', 'authentication'];
export const tokenTtlMsDefault = 24 * 3_600_000;

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** @throws Error for text in another format */
export function parseBootstrapToken(text: string): BootstrapToken {
  const [, id, secret] = form.exec(text) ?? [];
  if (id === undefined || secret === undefined)
    throw new Error(`the bootstrap token ${JSON.stringify(text)} was not of the form "${form.source}"`);
  return { id, secret };
}

export const formatBootstrapToken = ({ id, secret }: BootstrapToken): string => `${id}.${secret}`;

/** The security of joining depends on an unguessable secret, so a seeded random source must not be used here. */
export const newBootstrapToken = (): BootstrapToken => ({ id: randomLetters(6), secret: randomLetters(16) });

function randomLetters(length: number): string {
  let text = '';
  // Bytes at the end of the range are discarded so that all letters are equally likely.
  const usable = 256 - (256 % letters.length);
  while (text.length < length)
    for (const byte of crypto.getRandomValues(new Uint8Array(length)))
      if (byte < usable && text.length < length) text += letters[byte % letters.length];
  return text;
}

export const tokenSecretName = (id: string): string => `bootstrap-token-${id}`;

/** @throws Error for usages and groups that a token can't have */
export function tokenSecret(token: BootstrapToken, settings: TokenSettings, nowMs: number): KubeObject {
  const { ttlMs, description = '', usages = tokenUsages, groups = [joinersGroup] } = settings;
  const strange = usages.find((usage) => !tokenUsages.includes(usage));
  if (strange !== undefined)
    throw new Error(`invalid usage "${strange}": must be one of ${tokenUsages.join(', ')}`);
  const wrong = groups.find((group) => !groupForm.test(group));
  if (wrong !== undefined)
    throw new Error(`bootstrap group "${wrong}" is invalid (must match ${groupForm.source})`);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: tokenSecretName(token.id), namespace: tokenNamespace },
    type: tokenSecretType,
    stringData: {
      'token-id': token.id,
      'token-secret': token.secret,
      ...(description === '' ? {} : { description }),
      ...(ttlMs === 0 ? {} : { expiration: secondsOnly(nowMs + ttlMs) }),
      ...Object.fromEntries(usages.map((usage) => [`usage-bootstrap-${usage}`, 'true'])),
      ...(groups.length === 0 ? {} : { 'auth-extra-groups': groups.join(',') }),
    },
  } as KubeObject;
}

const secondsOnly = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
