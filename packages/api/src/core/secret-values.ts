/** Hides the confidential parts of Secrets. The resource identifies Secrets, since items of lists have no kind. */

import { bigintsAsNumbers } from '@coxswain/schema/scalars/raw-number.ts';
import type { KubeObject } from '@coxswain/apimachinery';

export const hiddenValue = '***';

export const holdsSecrets = ({ group, resource }: { readonly group: string; readonly resource: string }) =>
  group === '' && resource === 'secrets';

const valueMaps = ['data', 'stringData'];

/** `kubectl apply` stores the whole object in it. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** @param path such as `data.password`; returns its value as JSON */
export function jsonWithoutSecrets(path: string, value: unknown): string {
  const isHidden = valueMaps.some((name) => path.startsWith(`${name}.`)) || path.endsWith(lastApplied);
  return isHidden
    ? hiddenValue
    : JSON.stringify(value, (key, member: unknown) =>
        key === lastApplied ? hiddenValue : bigintsAsNumbers(key, member),
      );
}

/** A Secret with its values hidden. */
export function withoutSecretValues<T extends Partial<KubeObject>>(secret: T): T {
  const hidden = { ...(secret as Record<string, unknown>) };
  for (const name of valueMaps) if (name in hidden) hidden[name] = hiddenMembers(hidden[name]);
  const { annotations } = secret.metadata ?? {};
  if (annotations != null && lastApplied in annotations) {
    hidden['metadata'] = { ...secret.metadata, annotations: { ...annotations, [lastApplied]: hiddenValue } };
  }
  return hidden as T;
}

const hiddenMembers = (map: unknown): unknown =>
  Object.fromEntries(Object.keys(map ?? {}).map((key) => [key, hiddenValue]));
