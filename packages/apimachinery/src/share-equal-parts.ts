/**
 * Replaces parts of `fresh` by equal parts of `model`, so that memory holds them once. `fresh` is changed in place and
 * stays equal to its former value; both are plain JSON data that must not change afterwards. Returns `model` if all of
 * it is equal, including the order of members, otherwise `fresh`.
 */
export function shareEqualParts<T>(fresh: T, model: T): T {
  if (fresh === model) return model;
  if (!isContainer(fresh) || !isContainer(model)) return fresh;
  if (Array.isArray(fresh)) return Array.isArray(model) && sharesAllItems(fresh, model) ? model : fresh;
  return !Array.isArray(model) && sharesAllMembers(fresh, model) ? model : fresh;
}

const isContainer = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);

function sharesAllItems(fresh: unknown[], model: readonly unknown[]): boolean {
  const both = Math.min(fresh.length, model.length);
  let all = fresh.length === model.length;
  for (let index = 0; index < both; index++) {
    fresh[index] = shareEqualParts(fresh[index], model[index]);
    if (fresh[index] !== model[index]) all = false;
  }
  return all;
}

function sharesAllMembers(fresh: Record<string, unknown>, model: Record<string, unknown>): boolean {
  const names = Object.keys(fresh);
  const modelNames = Object.keys(model);
  let all = names.length === modelNames.length;
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    if (name !== modelNames[index]) all = false;
    if (!Object.hasOwn(model, name)) continue;
    const shared = shareEqualParts(fresh[name], model[name]);
    // Strings are replaced even though they compare equal, since there may be two copies. `__proto__` can't be
    // assigned.
    if ((shared !== fresh[name] || typeof shared === 'string') && name !== '__proto__') fresh[name] = shared;
    if (shared !== model[name]) all = false;
  }
  return all;
}
