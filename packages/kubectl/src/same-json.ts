import { toJson } from './encoding/json.ts';

/** Compares two values regardless of key order. */
export const sameJson = (a: unknown, b: unknown): boolean => toJson(a) === toJson(b);
