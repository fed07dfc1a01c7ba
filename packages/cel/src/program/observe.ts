import type { Value } from '../values/value.ts';

/**
 * @param id of the expression
 * @param value what it came to; an error is a `CelError`
 * @param cost of the evaluation so far
 */
export type Observe = (id: number, value: Value, cost: number) => void;
