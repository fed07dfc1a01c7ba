/**
 * Drops fields of disabled features from a write, unless the stored object already uses the feature: nobody must lose
 * data because a gate was disabled later.
 */

import { shapeOf } from './shape.ts';
import { resolved, type GatedParts, type StructType, type Type } from './type.ts';

/** The gated fields in a struct and below; undefined if there are none. */
interface Plan {
  readonly gates: ReadonlySet<string>;
  readonly fields: readonly GatedField[];
  readonly parts: readonly GatedParts[];
  readonly below: readonly { readonly name: string; readonly isMap: boolean; readonly plan: Plan }[];
}

interface GatedField {
  readonly name: string;
  readonly gate: string;
  readonly dropsEmptyParent: boolean;
}

type Members = Record<string, unknown>;

interface Visitor {
  /** Called with the struct that has the field, and with the enclosing struct. */
  field(field: GatedField, owner: Members, parent: Members | undefined, name: string): void;
  parts(parts: GatedParts, owner: Members): void;
}

/** Drops from `value` the fields whose gate is not enabled and which `old` doesn't use. Modifies `value`. */
export function dropGatedFields(
  type: StructType,
  value: unknown,
  old: unknown,
  enabled: (gate: string) => boolean,
): void {
  const plan = planOf(type);
  if (plan === undefined) return;
  const closed = new Set([...plan.gates].filter((gate) => !enabled(gate)));
  const found = gatesIn(plan, value, closed);
  if (found.size === 0) return;
  const inUse = gatesIn(plan, old, found);
  const dropped = new Set([...found].filter((gate) => !inUse.has(gate)));
  walk(plan, value, dropped, {
    field(field, owner, parent, name) {
      delete owner[field.name];
      if (field.dropsEmptyParent && parent !== undefined && Object.keys(owner).length === 0)
        delete parent[name];
    },
    parts: (parts, owner) => parts.drop(owner),
  });
}

function gatesIn(plan: Plan, value: unknown, wanted: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const find = ({ gate }: { readonly gate: string }) => void found.add(gate);
  walk(plan, value, wanted, { field: find, parts: find });
  return found;
}

function walk(
  plan: Plan,
  value: unknown,
  gates: ReadonlySet<string>,
  visitor: Visitor,
  parent?: Members,
  name = '',
): void {
  if (value === null || typeof value !== 'object' || !isAnyIn(gates, plan.gates)) return;
  if (Array.isArray(value)) {
    for (const element of value) walk(plan, element, gates, visitor);
    return;
  }
  const owner = value as Members;
  for (const field of plan.fields) {
    if (gates.has(field.gate) && owner[field.name] != null) visitor.field(field, owner, parent, name);
  }
  for (const parts of plan.parts) {
    if (gates.has(parts.gate) && parts.isUsed(owner)) visitor.parts(parts, owner);
  }
  for (const inner of plan.below) {
    const held = owner[inner.name];
    walk(inner.plan, inner.isMap ? Object.values(held ?? {}) : held, gates, visitor, owner, inner.name);
  }
}

const plans = new WeakMap<StructType, Plan | undefined>();

/** A recursive struct is visited once, since none has gated fields. */
function planOf(type: StructType): Plan | undefined {
  if (plans.has(type)) return plans.get(type);
  plans.set(type, undefined);
  const fields: GatedField[] = [];
  const below: Plan['below'][number][] = [];
  for (const { name, field } of shapeOf(type).members) {
    const { gate, dropsEmptyParent = false } = field;
    if (gate !== undefined) fields.push({ name, gate, dropsEmptyParent });
    const struct = field.keepsGated ? undefined : structIn(field.type);
    const plan = struct && planOf(struct);
    if (plan !== undefined) below.push({ name, isMap: resolved(field.type).form === 'map', plan });
  }
  const parts = type.gated ?? [];
  const own = [...fields, ...parts].map(({ gate }) => gate);
  const gates = new Set([...own, ...below.flatMap(({ plan }) => [...plan.gates])]);
  const plan = gates.size === 0 ? undefined : { gates, fields, parts, below };
  plans.set(type, plan);
  return plan;
}

/** The struct in a field, or in the field's list or map. */
function structIn(type: Type): StructType | undefined {
  const actual = resolved(type);
  if (actual.form === 'list') return structIn(actual.element);
  if (actual.form === 'map') return structIn(actual.value);
  return actual.form === 'struct' ? actual : undefined;
}

function isAnyIn(gates: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const gate of gates) if (others.has(gate)) return true;
  return false;
}
