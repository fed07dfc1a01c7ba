import type { Value } from '../values/value.ts';

/**
 * @param id of the expression
 * @param value its result; an error is a `CelError`
 * @param cost of the evaluation so far
 */
export type Observe = (id: number, value: Value, cost: number) => void;
