import type * as core from '@coxswain/api/core/v1/index.ts';
import type { KubeObject, Live } from '@coxswain/apimachinery';
import { hiddenValue } from '@coxswain/api/core/secret-values.ts';

type Secret = Live<core.Secret>;

/** Hides the values of two Secrets, but not that they differ. */
export function maskSecrets<T extends KubeObject | undefined>(
  before: T,
  after: KubeObject,
): { before: T; after: KubeObject } {
  const [old, now] = [(before as Secret | undefined)?.data ?? {}, (after as Secret).data ?? {}];
  const changed = (key: string) => key in old && key in now && old[key] !== now[key];
  const mask = (data: Readonly<Record<string, string>>, which: string) =>
    Object.fromEntries(
      Object.keys(data).map((key) => [key, changed(key) ? `${hiddenValue} (${which})` : hiddenValue]),
    );
  const masked = <O extends KubeObject>(
    object: O,
    data: Readonly<Record<string, string>>,
    which: string,
  ): O => ((object as Secret).data === undefined ? object : { ...object, data: mask(data, which) }) as O;
  return {
    before: (before === undefined ? before : masked(before as KubeObject, old, 'before')) as T,
    after: masked(after, now, 'after'),
  };
}
