/** Objects for recordings: a snapshot without the content of Secrets and tokens. */
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { JsonText, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets, withoutSecretValues } from '@coxswain/api/core/secret-values.ts';

/** The member that holds a credential, by the kind of a review. */
const credentials: Readonly<Record<string, readonly ['spec' | 'status', string]>> = {
  TokenReview: ['spec', 'token'],
  TokenRequest: ['status', 'token'],
};

/**
 * A snapshot, since the object itself will change.
 * @param text its JSON, if known and nothing has to be hidden
 */
export function recordedObject(resource: GroupResource, object: unknown, text?: JsonText): unknown {
  if (typeof object !== 'object' || object === null) return object;
  const whole = object as KubeObject & Partial<Record<'spec' | 'status', object>>;
  if (holdsSecrets(resource) || whole.kind === 'Secret') {
    const hidden = new JsonText(withoutSecretValues(whole));
    return new Confidential(() => hidden.toJSON(), text ?? new JsonText(whole));
  }
  const [part, member] = credentials[whole.kind ?? ''] ?? [];
  const holder = part && whole[part];
  if (part === undefined || member === undefined || holder === undefined || !(member in holder))
    return text ?? new JsonText(whole);
  return new JsonText({ ...whole, [part]: { ...holder, [member]: hiddenValue } });
}

/** The stored bytes; for Secrets only their number. */
export const recordedBytes = (resource: GroupResource, bytes: Uint8Array): object => ({
  bytes: bytes.length,
  stored: holdsSecrets(resource) ? new Confidential(() => hiddenValue, bytes) : bytes,
});

/** A patch as bytes or as an object; for Secrets only the paths that it changes. */
export function recordedPatch(resource: GroupResource, patch: unknown): unknown {
  return holdsSecrets(resource) ? new Confidential(() => hiddenPatch(patch), patch) : patch;
}

function hiddenPatch(patch: unknown): unknown {
  const value = patch instanceof Uint8Array ? parsed(patch) : patch;
  if (Array.isArray(value))
    return value.map((step: object) => ('value' in step ? { ...step, value: hiddenValue } : step));
  return typeof value === 'object' && value !== null ? withoutSecretValues(value) : hiddenValue;
}

/** Undefined for text that is not JSON, which an apply may send. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
