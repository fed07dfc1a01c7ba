/** The value at a simple JSONPath, as columns, selectable fields and scales of custom resources name one. */

/** `.spec.parts[0].name`, `.metadata.annotations['a/b']`, `.spec.parts[*].name`: the first that is there. */
export function valueAt(object: unknown, path: string): unknown {
  return at(object, stepsOf(path));
}

/** @throws Error for anything but members, indexes and `[*]` */
export function stepsOf(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  const pattern = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|\[(\*)\]/y;
  while (pattern.lastIndex < path.length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(path);
    if (match === null) throw new Error(`unsupported path ${JSON.stringify(path.slice(from))}`);
    const [, member, single, double, index, all] = match;
    if (index !== undefined) steps.push(Number(index));
    else if (all !== undefined) steps.push(everyElement);
    else steps.push((member ?? single ?? double ?? '').replaceAll(/\\(.)/g, '$1'));
  }
  return steps;
}

const everyElement = -1;

function at(value: unknown, [step, ...rest]: readonly (string | number)[]): unknown {
  if (step === undefined) return value;
  if (step === everyElement) {
    const elements = Array.isArray(value) ? value : [];
    return elements.map((element) => at(element, rest)).find((found) => found !== undefined);
  }
  if (typeof step === 'number') return Array.isArray(value) ? at(value[step], rest) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, step) ? at((value as Record<string, unknown>)[step], rest) : undefined;
}
