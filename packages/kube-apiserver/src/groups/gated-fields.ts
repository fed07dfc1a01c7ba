/**
 * Fields behind a feature gate that is off: a write loses them, unless the object used the same feature
 * already. Which fields these are is said by the kind's shape.
 */
import { resolved } from '@coxswain/schema';
import type { Type } from '@coxswain/schema';
import type { FeatureGates } from './services.ts';

type Members = Record<string, unknown>;

/** Modifies `object`. */
export function dropGatedFields(
  type: Type,
  object: object,
  old: object | undefined,
  gates: FeatureGates,
): void {
  const off = new Set([...gatesOf(type)].filter((gate) => !gates.enabled(gate)));
  for (const gate of off) {
    if (old !== undefined && visit(type, old, gate, () => undefined)) continue;
    visit(type, object, gate, (holder, name) => void delete holder[name]);
  }
}

const knownGates = new WeakMap<object, ReadonlySet<string>>();

function gatesOf(type: Type, within: ReadonlySet<object> = new Set()): ReadonlySet<string> {
  const actual = resolved(type);
  const known = knownGates.get(actual);
  if (known !== undefined || within.has(actual)) return known ?? new Set();
  const gates = new Set<string>();
  const deeper = new Set(within).add(actual);
  const add = (inner: Type): void => gatesOf(inner, deeper).forEach((gate) => gates.add(gate));
  if (actual.form === 'list') add(actual.element);
  else if (actual.form === 'map') add(actual.value);
  else if (actual.form === 'struct') {
    for (const field of Object.values(actual.fields)) {
      if (field.gate !== undefined) gates.add(field.gate);
      add(field.type);
    }
  }
  knownGates.set(actual, gates);
  return gates;
}

/** Whether there is a field of the gate; each is shown to `found`. */
function visit(
  type: Type,
  value: unknown,
  gate: string,
  found: (holder: Members, name: string) => void,
): boolean {
  if (typeof value !== 'object' || value === null || !gatesOf(type).has(gate)) return false;
  const actual = resolved(type);
  const any = (inner: Type, values: readonly unknown[]): boolean =>
    values.map((each) => visit(inner, each, gate, found)).some(Boolean);
  if (actual.form === 'list') return any(actual.element, value as unknown[]);
  if (actual.form === 'map') return any(actual.value, Object.values(value));
  if (actual.form !== 'struct') return false;
  let isUsed = false;
  const members = value as Members;
  for (const [name, field] of Object.entries(actual.fields)) {
    if (field.presence === 'embedded') isUsed = visit(field.type, value, gate, found) || isUsed;
    else if (members[name] === undefined || members[name] === null) continue;
    else if (field.gate === gate) {
      isUsed = true;
      found(members, name);
    } else isUsed = visit(field.type, members[name], gate, found) || isUsed;
  }
  return isUsed;
}
