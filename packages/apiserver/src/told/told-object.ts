/** Objects as recordings tell them: as they are at that moment, without what Secrets and tokens hold. */
import { Confidential } from '@coxswain/apimachinery/confidential.ts';
import { JsonText, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import { hiddenValue, holdsSecrets, withoutSecretValues } from '@coxswain/api/core/secret-values.ts';

/** By the kind of a review: where it holds a credential. */
const credentials: Readonly<Record<string, readonly ['spec' | 'status', string]>> = {
  TokenReview: ['spec', 'token'],
  TokenRequest: ['status', 'token'],
};

/**
 * As it is now: the object itself goes on and changes.
 * @param text its text, where it is known and nothing is to be hidden
 */
export function toldObject(resource: GroupResource, object: unknown, text?: JsonText): unknown {
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

/** The bytes that are stored; of Secrets only how many there are. */
export const toldBytes = (resource: GroupResource, bytes: Uint8Array): object => ({
  bytes: bytes.length,
  stored: holdsSecrets(resource) ? new Confidential(() => hiddenValue, bytes) : bytes,
});

/** What a patch says, as bytes or as an object; of Secrets only where it changes something. */
export function toldPatch(resource: GroupResource, patch: unknown): unknown {
  return holdsSecrets(resource) ? new Confidential(() => hiddenPatch(patch), patch) : patch;
}

function hiddenPatch(patch: unknown): unknown {
  const value = patch instanceof Uint8Array ? parsed(patch) : patch;
  if (Array.isArray(value))
    return value.map((step: object) => ('value' in step ? { ...step, value: hiddenValue } : step));
  return typeof value === 'object' && value !== null ? withoutSecretValues(value) : hiddenValue;
}

/** Nothing of what is no JSON, which an apply may be. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
