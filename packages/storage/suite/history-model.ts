import fc from 'fast-check';
import { expect } from 'vitest';
import type { Compare, Engine, Operation } from '../src/engine/engine.ts';
import type { Entry, Event, EventBatch, KeyRange } from '../src/storage.ts';

const keys = ['a', 'a/1', 'a/2', 'b', 'b/1', 'c'] as const;
type Key = (typeof keys)[number];
const keyArbitrary = fc.constantFrom(...keys);
/** 0: none. Unknown leases, and keeping the lease of a missing key, are refused. */
const leaseArbitrary = fc.constantFrom(0, 0, 0, 0, 1, 2, 'keep' as const);
const operationArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    key: keyArbitrary,
    value: fc.nat(99),
    lease: leaseArbitrary,
  }),
  fc.record({ kind: fc.constant('delete' as const), key: keyArbitrary }),
  fc.record({ kind: fc.constant('delete-range' as const), from: keyArbitrary, to: keyArbitrary }),
);

const compareArbitrary = fc.record({
  from: keyArbitrary,
  /** Absent: the single key. */
  to: fc.option(keyArbitrary, { nil: undefined }),
  relation: fc.constantFrom('equal' as const, 'not-equal' as const, 'greater' as const, 'less' as const),
  field: fc.constantFrom(
    'version' as const,
    'createRevision' as const,
    'modRevision' as const,
    'lease' as const,
    'value' as const,
  ),
  number: fc.integer({ min: 0, max: 12 }),
});

/**
 * A step that is executed on an engine and its model and compared. `back` and `by` are relative to the current
 * revision.
 */
export const stepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      act: fc.constant('write' as const),
      operations: fc.array(operationArbitrary, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('burst' as const),
      operations: fc.array(operationArbitrary, { minLength: 2, maxLength: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('range' as const),
      from: keyArbitrary,
      to: keyArbitrary,
      back: fc.integer({ min: -1, max: 12 }),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('get' as const),
      key: keyArbitrary,
      back: fc.integer({ min: -1, max: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('history' as const),
      from: keyArbitrary,
      to: keyArbitrary,
      back: fc.nat(12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('transact' as const),
      compares: fc.array(compareArbitrary, { minLength: 1, maxLength: 2 }),
      success: fc.array(operationArbitrary, { maxLength: 2 }),
      failure: fc.array(operationArbitrary, { maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('grant' as const, 'revoke' as const),
      lease: fc.constantFrom(1, 2),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('compact' as const), back: fc.integer({ min: -1, max: 6 }) }),
  },
);

type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;
type ModelOperation = typeof operationArbitrary extends fc.Arbitrary<infer O> ? O : never;
type ModelCompare = typeof compareArbitrary extends fc.Arbitrary<infer C> ? C : never;

interface ModelEntry {
  readonly value: string;
  readonly create: number;
  readonly mod: number;
  readonly version: number;
  /** 0: none. */
  readonly lease: number;
}
type State = ReadonlyMap<string, ModelEntry>;

/** The whole state after each revision, kept in the simplest way. */
export class HistoryModel {
  readonly states: State[] = [new Map(), new Map()];
  readonly events: { readonly revision: number; readonly text: string; readonly key: string }[] = [];
  readonly leases = new Set<number>();
  compacted = 0;

  get revision(): number {
    return this.states.length - 1;
  }

  /** Returns whether it was executed: an operation with an unknown lease or key refuses the whole transaction. */
  write(operations: readonly ModelOperation[]): boolean {
    const revision = this.revision + 1;
    const state = new Map(this.states.at(-1)!);
    const before = this.events.length;
    for (const operation of operations) {
      if (operation.kind !== 'put') {
        for (const key of keysMatching(state, operation)) this.#delete(state, key, revision);
      } else if (!this.#put(state, operation, revision)) {
        this.events.length = before;
        return false;
      }
    }
    if (this.events.length > before) this.states.push(state);
    return true;
  }

  revoke(lease: number): void {
    const held = this.keysOf(lease);
    this.write(held.map((key) => ({ kind: 'delete', key }) as const));
    this.leases.delete(lease);
  }

  keysOf(lease: number): Key[] {
    return ([...this.states.at(-1)!] as [Key, ModelEntry][])
      .filter(([, entry]) => entry.lease === lease)
      .map(([key]) => key)
      .sort();
  }

  /** A missing entry counts as zeros, except for values: it is less than any value, and equals none. */
  holds({ from, to, relation, field, number }: ModelCompare): boolean {
    const entries = [...this.states.at(-1)!]
      .filter(([key]) => (to === undefined ? key === from : key >= from && key < to))
      .map(([, entry]) => entry);
    const isRight = (entry: ModelEntry | undefined): boolean =>
      relates(relation, compareTo(entry, field, number));
    return entries.length === 0 ? field !== 'value' && isRight(undefined) : entries.every(isRight);
  }

  range({ start, end }: KeyRange, revision: number): string[] {
    return [...this.states[revision]!]
      .filter(([key]) => key >= start && key < end)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => show(key, entry));
  }

  #put(
    state: Map<string, ModelEntry>,
    { key, value, lease }: Extract<ModelOperation, { kind: 'put' }>,
    mod: number,
  ): boolean {
    const previous = state.get(key);
    if (lease === 'keep' && previous === undefined) return false;
    const wanted = lease === 'keep' ? previous!.lease : lease;
    if (wanted !== 0 && !this.leases.has(wanted)) return false;
    const entry = {
      value: String(value),
      mod,
      create: previous?.create ?? mod,
      version: (previous?.version ?? 0) + 1,
      lease: wanted,
    };
    state.set(key, entry);
    this.#event(mod, key, `put ${show(key, entry)} was ${previous && show(key, previous)}`);
    return true;
  }

  #delete(state: Map<string, ModelEntry>, key: string, mod: number): void {
    const previous = state.get(key)!;
    state.delete(key);
    this.#event(mod, key, `delete ${show(key, { ...previous, mod })} was ${show(key, previous)}`);
  }

  #event(revision: number, key: string, text: string): void {
    this.events.push({ revision, key, text });
  }
}

/** Executes the step on both and compares the results. */
export async function takeStep(step: Step, engine: Engine, model: HistoryModel): Promise<void> {
  switch (step.act) {
    case 'write': {
      const { operations } = step;
      await carryOut(engine.transact({ success: operations.map(operationOf) }), model.write(operations));
      break;
    }
    case 'burst': {
      const answers = step.operations.map((operation) =>
        engine.transact({ success: [operationOf(operation)] }),
      );
      const isTaken = step.operations.map((operation) => model.write([operation]));
      await Promise.all(answers.map((answer, index) => carryOut(answer, isTaken[index]!)));
      break;
    }
    case 'transact':
      await transact(step, engine, model);
      break;
    case 'grant':
      await carryOut(engine.leases.grant(BigInt(step.lease), 1_000), !model.leases.has(step.lease));
      model.leases.add(step.lease);
      break;
    case 'revoke':
      expect(engine.leases.keys(BigInt(step.lease))).toEqual(model.keysOf(step.lease));
      await carryOut(engine.leases.revoke(BigInt(step.lease)), model.leases.has(step.lease));
      model.revoke(step.lease);
      break;
    case 'range':
      compareRange(step, engine, model);
      break;
    case 'get': {
      const range = { start: step.key, end: `${step.key}\0` };
      compareRead(model.revision - step.back, model, (revision) => {
        const entry = engine.get(step.key, revision);
        expect(entry === undefined ? [] : [showEntry(entry)]).toEqual(model.range(range, revision));
      });
      break;
    }
    case 'history':
      compareHistory(step, engine, model);
      break;
    case 'compact':
      await compact(model.revision - step.back, engine, model);
      break;
  }
  expect(engine.revision).toBe(model.revision);
}

async function carryOut(answer: Promise<unknown>, isTaken: boolean): Promise<void> {
  if (isTaken) await answer;
  else await expect(answer).rejects.toMatchObject({ name: 'StorageError' });
}

async function transact(
  { compares, success, failure }: Extract<Step, { act: 'transact' }>,
  engine: Engine,
  model: HistoryModel,
): Promise<void> {
  const answer = engine.transact({
    compares: compares.map(compareOf),
    success: success.map(operationOf),
    failure: failure.map(operationOf),
  });
  const holds = compares.every((compare) => model.holds(compare));
  const isTaken = model.write(holds ? success : failure);
  await carryOut(answer, isTaken);
  if (isTaken) expect((await answer).succeeded).toBe(holds);
}

const compareOf = ({ from, to, relation, field, number }: ModelCompare): Compare => ({
  range: to === undefined ? { key: from } : { start: from, end: to },
  relation,
  target:
    field === 'value'
      ? { field, value: new TextEncoder().encode(String(number)) }
      : field === 'lease'
        ? { field, value: BigInt(number) }
        : { field, value: number },
});

/** Negative, zero or positive. Values are compared as text. */
function compareTo(entry: ModelEntry | undefined, field: ModelCompare['field'], number: number): number {
  if (field === 'value') return entry!.value === String(number) ? 0 : entry!.value < String(number) ? -1 : 1;
  if (field === 'version') return (entry?.version ?? 0) - number;
  if (field === 'lease') return (entry?.lease ?? 0) - number;
  return (field === 'createRevision' ? (entry?.create ?? 0) : (entry?.mod ?? 0)) - number;
}

const relates = (relation: ModelCompare['relation'], order: number): boolean =>
  relation === 'equal'
    ? order === 0
    : relation === 'not-equal'
      ? order !== 0
      : relation === 'greater'
        ? order > 0
        : order < 0;

/** Checks everything that a watcher received over a whole history, compared as in {@link takeStep}. */
export function expectAllSeen(batches: readonly EventBatch[], model: HistoryModel): void {
  const revisions = batches.map(({ revision }) => revision);
  expect(revisions).toEqual([...new Set(model.events.map(({ revision }) => revision))]);
  expect(batches.flatMap(({ events }) => events.map(showEvent))).toEqual(
    model.events.map(({ text }) => text),
  );
}

function compareRange(step: Extract<Step, { act: 'range' }>, engine: Engine, model: HistoryModel): void {
  const range = { start: step.from, end: step.to };
  compareRead(model.revision - step.back, model, (revision) => {
    const { entries, count } = engine.range(range, { revision, limit: step.limit });
    const expected = model.range(range, revision);
    expect(entries.map(showEntry)).toEqual(expected.slice(0, step.limit));
    expect(count).toBe(expected.length);
    const counted = engine.range(range, { revision, countOnly: true });
    expect([counted.count, counted.entries]).toEqual([expected.length, []]);
  });
}

function compareRead(revision: number, model: HistoryModel, read: (revision: number) => void): void {
  if (revision < 1) return;
  if (revision > model.revision) return expect(() => read(revision)).toThrow(/future/);
  if (revision < model.compacted) return expect(() => read(revision)).toThrow(/compacted/);
  read(revision);
}

function compareHistory(step: Extract<Step, { act: 'history' }>, engine: Engine, model: HistoryModel): void {
  const after = Math.max(0, model.revision - step.back);
  const range = { start: step.from, end: step.to };
  const read = () => engine.history(range, after).flatMap(({ events }) => events);
  if (after + 1 < model.compacted) return expect(read).toThrow(/compacted/);
  const shown = read().map(showEvent);
  const expected = model.events.filter(
    ({ revision, key }) => revision > after && key >= range.start && key < range.end,
  );
  expect(shown).toEqual(expected.map(({ text }) => text));
}

async function compact(revision: number, engine: Engine, model: HistoryModel): Promise<void> {
  if (revision < 1) return;
  const refused = revision > model.revision || revision <= model.compacted;
  if (refused) return await expect(engine.compact(revision)).rejects.toThrow();
  await engine.compact(revision);
  model.compacted = revision;
}

const operationOf = (operation: ModelOperation): Operation =>
  operation.kind === 'put'
    ? {
        kind: 'put',
        key: operation.key,
        value: new TextEncoder().encode(String(operation.value)),
        ...(operation.lease !== 0 && {
          leaseId: operation.lease === 'keep' ? ('keep' as const) : BigInt(operation.lease),
        }),
      }
    : operation.kind === 'delete'
      ? { kind: 'delete', range: { key: operation.key } }
      : { kind: 'delete', range: { start: operation.from, end: operation.to } };

function keysMatching(state: State, operation: Exclude<ModelOperation, { kind: 'put' }>): string[] {
  const within = (key: string): boolean =>
    operation.kind === 'delete' ? key === operation.key : key >= operation.from && key < operation.to;
  return [...state.keys()].filter(within).sort();
}

const show = (key: string, { value, create, mod, version, lease }: ModelEntry): string =>
  `${key}=${value} c${create} m${mod} v${version} l${lease}`;

const showEntry = ({ key, value, createRevision, modRevision, version, leaseId }: Entry): string =>
  show(key, {
    value: new TextDecoder().decode(value),
    create: createRevision,
    mod: modRevision,
    version,
    lease: Number(leaseId ?? 0n),
  });

const showEvent = ({ type, entry, previous }: Event): string =>
  `${type} ${showEntry(entry)} was ${previous && showEntry(previous)}`;
