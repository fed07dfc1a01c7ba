/** List, map and struct literals. */

import type { TypeProvider } from '../check/scope.ts';
import type { FieldEntry } from '../syntax/expression.ts';
import { CelError } from '../values/error.ts';
import { ArrayList } from '../values/list.ts';
import { EntryMap, canonicalKey } from '../values/map.ts';
import { Optional, type Value } from '../values/value.ts';
import { valueText } from '../values/text.ts';
import { ProgramError } from './program-error.ts';
import type { Evaluate, Run } from './run.ts';

const listCost = 10;
const mapCost = 30;
const structCost = 40;

export function planList(elements: readonly Evaluate[], optionals: ReadonlySet<number>): Evaluate {
  const build = (run: Run): Value => {
    const items: Value[] = [];
    for (let index = 0; index < elements.length; index++) {
      const value = elements[index]!(run);
      if (value instanceof CelError) return value;
      if (!optionals.has(index)) {
        items.push(value);
        continue;
      }
      if (!(value instanceof Optional)) {
        const text = valueText(value);
        return new CelError(`cannot initialize optional list element from non-optional value ${text}`);
      }
      if (value.value !== undefined) items.push(value.value);
    }
    return new ArrayList(items);
  };
  return costing(build, listCost);
}

export function planMap(
  keys: readonly Evaluate[],
  values: readonly Evaluate[],
  optionals: readonly boolean[],
): Evaluate {
  const build = (run: Run): Value => {
    const entries: ConstructorParameters<typeof EntryMap>[0] = new Map();
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!(run);
      if (key instanceof CelError) return key;
      const value = values[index]!(run);
      if (value instanceof CelError) return value;
      const canonical = canonicalKey(key);
      if (canonical === undefined) return new CelError(`unsupported key type: ${valueText(key)}`);
      if (!optionals[index]) {
        entries.set(canonical, [key, value]);
        continue;
      }
      if (!(value instanceof Optional)) return notOptional(valueText(key), value);
      if (value.value === undefined) entries.delete(canonical);
      else entries.set(canonical, [key, value.value]);
    }
    return new EntryMap(entries);
  };
  return costing(build, mapCost);
}

const notOptional = (name: string, value: Value): CelError =>
  new CelError(`cannot initialize optional entry '${name}' from non-optional value ${valueText(value)}`);

export function planStruct(
  typeName: string,
  fields: readonly FieldEntry[],
  values: readonly Evaluate[],
  provider: TypeProvider,
): Evaluate {
  const construct = provider.construct;
  if (!construct) throw new ProgramError(`unknown type: ${typeName}`);
  const build = (run: Run): Value => {
    const found = new Map<string, Value>();
    for (const [index, field] of fields.entries()) {
      const value = values[index]!(run);
      if (value instanceof CelError) return value;
      if (!field.isOptional) {
        found.set(field.name, value);
        continue;
      }
      if (!(value instanceof Optional)) return notOptional(field.name, value);
      if (value.value === undefined) found.delete(field.name);
      else found.set(field.name, value.value);
    }
    return construct(typeName, found);
  };
  return costing(build, structCost);
}

const costing =
  (build: Evaluate, cost: number): Evaluate =>
  (run) => {
    const value = build(run);
    run.spend(cost);
    return value;
  };
