import { bool } from '@coxswain/cobra';
import type { Entry } from '@coxswain/storage';
import { withoutSecretValues } from '@coxswain/api/core/secret-values.ts';

export const showSecrets = bool({ usage: 'Print the values of Secrets.' });

export type ShownValue = { readonly value: string } | { readonly base64: string };

/**
 * Returns the value as text if its bytes are UTF-8 (mostly JSON), otherwise as base64 (protobuf, encrypted values).
 * Values of Secrets are hidden unless requested.
 */
export function shownValue({ key, value }: Entry, showsSecrets: boolean): ShownValue {
  const isSecret = !showsSecrets && key.startsWith('/registry/secrets/');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(value);
    return { value: isSecret ? hiddenText(text) : text };
  } catch {
    return isSecret ? { value: unreadable } : { base64: Buffer.from(value).toString('base64') };
  }
}

const unreadable = '(a Secret that is not JSON; use --show-secrets to print its bytes)';

const hiddenText = (text: string): string =>
  text.startsWith('{') ? JSON.stringify(withoutSecretValues(JSON.parse(text) as object)) : unreadable;
