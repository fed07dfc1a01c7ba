/** Determines which resources have no watch cache: their watches reach back exactly as far as the store's history. */
import type { GroupResource } from '@coxswain/apimachinery';

export type IsUncached = (resource: GroupResource) => boolean;

/**
 * @param isCached `--watch-cache`
 * @param sizes `--watch-cache-sizes`: `secrets#0`, `deployments.apps#100`. Only 0 has an effect here.
 * @throws Error for an invalid size
 */
export function uncachedResources(isCached: boolean, sizes: readonly string[]): IsUncached {
  const none = new Set(
    sizes.filter((text) => parsedSize(text).size === 0).map((text) => parsedSize(text).name),
  );
  return ({ group, resource }) => !isCached || none.has(group === '' ? resource : `${resource}.${group}`);
}

function parsedSize(text: string): { readonly name: string; readonly size: number } {
  const [name, size, ...rest] = text.split('#');
  if (name === undefined || size === undefined || rest.length > 0) {
    throw new Error(`invalid value of watch cache size: ${text}`);
  }
  if (!/^[+-]?\d+$/.test(size)) throw new Error(`invalid size of watch cache size: ${text}`);
  if (Number(size) < 0) throw new Error(`watch cache size cannot be negative: ${text}`);
  return { name, size: Number(size) };
}
