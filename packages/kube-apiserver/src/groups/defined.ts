/** Removes members without a value. */
export function defined<T extends object>(object: T): T {
  const kept = {} as T;
  for (const name in object)
    if (object[name] !== undefined && object[name] !== null) kept[name] = object[name];
  return kept;
}
