import type { KubeObject } from '@coxswain/apimachinery';

/** An object of which one knows that it has fields, and nothing else. */
export interface AnyObject extends KubeObject {
  [field: string]: unknown;
}

/** Types an object whose kind the strategy knows; nothing is checked. */
export const as = <T>(object: unknown): T => object as T;
