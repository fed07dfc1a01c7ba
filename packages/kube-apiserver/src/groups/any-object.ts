import type { KubeObject } from '@coxswain/apimachinery';

/** An object of which nothing is known but that it has fields. */
export interface AnyObject extends KubeObject {
  [field: string]: unknown;
}

/** Casts an object whose kind the strategy knows, without a check. */
export const as = <T>(object: unknown): T => object as T;
