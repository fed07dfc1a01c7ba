import fc from 'fast-check';
import { expect } from 'vitest';
import type { Engine, Operation } from '../src/engine/engine.ts';
import type { Entry, KeyRange } from '../src/storage.ts';

const keys = ['a', 'a/1', 'a/2', 'b', 'b/1', 'c'] as const;
const keyArbitrary = fc.constantFrom(...keys);
const operationArbitrary = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), key: keyArbitrary, value: fc.nat(99) }),
  fc.record({ kind: fc.constant('delete' as const), key: keyArbitrary }),
  fc.record({ kind: fc.constant('delete-range' as const), from: keyArbitrary, to: keyArbitrary }),
);

/** One thing that is done to an engine and its model, and compared. `back` and `by` count revisions from now. */
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
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('compact' as const), back: fc.integer({ min: -1, max: 6 }) }),
  },
);

type Step = typeof stepArbitrary extends fc.Arbitrary<infer S> ? S : never;
type ModelOperation = typeof operationArbitrary extends fc.Arbitrary<infer O> ? O : never;

interface ModelEntry {
  readonly value: string;
  readonly create: number;
  readonly mod: number;
  readonly version: number;
}
type State = ReadonlyMap<string, ModelEntry>;

/** The whole state after each revision, and nothing clever. */
export class HistoryModel {
  readonly states: State[] = [new Map(), new Map()];
  readonly events: { readonly revision: number; readonly text: string; readonly key: string }[] = [];
  compacted = 0;

  get revision(): number {
    return this.states.length - 1;
  }

  write(operations: readonly ModelOperation[]): void {
    const revision = this.revision + 1;
    const state = new Map(this.states.at(-1)!);
    const before = this.events.length;
    for (const operation of operations) {
      if (operation.kind === 'put') this.#put(state, operation.key, String(operation.value), revision);
      else for (const key of keysMatching(state, operation)) this.#delete(state, key, revision);
    }
    if (this.events.length > before) this.states.push(state);
  }

  range({ start, end }: KeyRange, revision: number): string[] {
    return [...this.states[revision]!]
      .filter(([key]) => key >= start && key < end)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, entry]) => show(key, entry));
  }

  #put(state: Map<string, ModelEntry>, key: string, value: string, mod: number): void {
    const previous = state.get(key);
    const entry = { value, mod, create: previous?.create ?? mod, version: (previous?.version ?? 0) + 1 };
    state.set(key, entry);
    this.#event(mod, key, `put ${show(key, entry)} was ${previous && show(key, previous)}`);
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

/** Does the step on both sides and compares the answers. */
export async function takeStep(step: Step, engine: Engine, model: HistoryModel): Promise<void> {
  switch (step.act) {
    case 'write':
      await engine.transact({ success: step.operations.map(operationOf) });
      model.write(step.operations);
      break;
    case 'burst':
      await Promise.all(
        step.operations.map((operation) => engine.transact({ success: [operationOf(operation)] })),
      );
      for (const operation of step.operations) model.write([operation]);
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

function compareRange(step: Extract<Step, { act: 'range' }>, engine: Engine, model: HistoryModel): void {
  const range = { start: step.from, end: step.to };
  compareRead(model.revision - step.back, model, (revision) => {
    const { entries, count } = engine.range(range, { revision, limit: step.limit });
    const expected = model.range(range, revision);
    expect(entries.map(showEntry)).toEqual(expected.slice(0, step.limit));
    expect(count).toBe(expected.length);
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
  const shown = read().map(
    ({ type, entry, previous }) => `${type} ${showEntry(entry)} was ${previous && showEntry(previous)}`,
  );
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
    ? { kind: 'put', key: operation.key, value: new TextEncoder().encode(String(operation.value)) }
    : operation.kind === 'delete'
      ? { kind: 'delete', range: { key: operation.key } }
      : { kind: 'delete', range: { start: operation.from, end: operation.to } };

function keysMatching(state: State, operation: Exclude<ModelOperation, { kind: 'put' }>): string[] {
  const within = (key: string): boolean =>
    operation.kind === 'delete' ? key === operation.key : key >= operation.from && key < operation.to;
  return [...state.keys()].filter(within).sort();
}

const show = (key: string, { value, create, mod, version }: ModelEntry): string =>
  `${key}=${value} c${create} m${mod} v${version}`;

const showEntry = ({ key, value, createRevision, modRevision, version }: Entry): string =>
  show(key, { value: new TextDecoder().decode(value), create: createRevision, mod: modRevision, version });
