/**
 * Puts `items` at the end of `target`, however many there are: as arguments of one `push` they would all lie on the
 * stack, which has no room for some hundred thousand.
 */
export function appendAll<T>(target: T[], items: Iterable<T>): void {
  for (const item of items) target.push(item);
}
