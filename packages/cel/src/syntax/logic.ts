import type { Expression } from './expression.ts';

/** A chain of `&&` or `||` as a balanced tree, so that long chains aren't deep. */
export function balance(name: string, terms: readonly Expression[], ids: readonly number[]): Expression {
  const build = (low: number, high: number): Expression => {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? terms[middle]! : build(low, middle - 1);
    const right = middle === high ? terms[middle + 1]! : build(middle + 1, high);
    return { kind: 'call', id: ids[middle]!, function: name, target: undefined, arguments: [left, right] };
  };
  return build(0, ids.length - 1);
}
