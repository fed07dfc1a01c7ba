/**
 * Appends `items` to `target`, however many there are: as arguments of a single `push`, some hundred thousand would
 * overflow the stack.
 */
export function appendAll<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}
