/** Amounts of resources by name: `{cpu: '500m', memory: '1Gi'}`. */

import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  milliScale,
  parseQuantity,
  roundUpQuantity,
} from '@coxswain/apimachinery';

export type ResourceList = Record<string, string>;

/** Rounds amounts below a thousandth up, as upstream does when decoding. Modifies the list. */
export function roundUpToMilli(list: ResourceList | undefined): void {
  if (list == null) return;
  for (const name in list) {
    const text = list[name]!;
    if (mayBeFiner.test(text)) list[name] = formatQuantity(roundUpQuantity(parseQuantity(text), milliScale));
  }
}

/** Only a fraction, `n`, `u` or a negative exponent can be finer than a thousandth. */
const mayBeFiner = /[.nu]|[eE]-/;

/** Adds the entries of `source` that `target` lacks. Modifies and returns `target`. */
export function fillResourceList(target: ResourceList, source: ResourceList | undefined): ResourceList {
  for (const name in source) target[name] ??= source[name]!;
  return target;
}

/** Modifies `sum`. */
export function addResourceList(sum: ResourceList, more: ResourceList | undefined): void {
  for (const name in more) {
    const current = sum[name];
    sum[name] =
      current === undefined
        ? more[name]!
        : formatQuantity(addQuantities(parseQuantity(current), parseQuantity(more[name]!)));
  }
}

/** Modifies `highest`: each entry becomes the maximum of both. */
export function maxResourceList(highest: ResourceList, other: ResourceList | undefined): void {
  for (const name in other) {
    const current = highest[name];
    if (current === undefined || compareQuantities(parseQuantity(other[name]!), parseQuantity(current)) > 0) {
      highest[name] = other[name]!;
    }
  }
}

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');

/** Native resources: without a domain, or of kubernetes.io itself. */
export const isNativeResource = (name: string): boolean =>
  !name.includes('/') || name.includes('kubernetes.io/');

export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Resources allowed at the pod level, not only in containers. */
export const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || isHugePages(name);
