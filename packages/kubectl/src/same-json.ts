import { toJson } from './encoding/json.ts';

/** Whether two values are the same but for the order of keys. */
export const sameJson = (a: unknown, b: unknown): boolean => toJson(a) === toJson(b);
