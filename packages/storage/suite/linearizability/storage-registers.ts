/** Registers as keys of a store, read from it or from a cache in front of it. */
import { Cacher } from '../../src/cacher/cacher.ts';
import { thingCodec, type Thing } from '../../src/cacher/thing.fixture.ts';
import type { Engine } from '../../src/engine/engine.ts';
import type { Storage } from '../../src/storage.ts';
import type { Registers } from './registers.ts';

const keyOf = (directory: string, key: number): string => `${directory}${key}`;
const encode = (value: string): Uint8Array => new TextEncoder().encode(JSON.stringify({ name: value }));
const decode = (value: Uint8Array): string =>
  (JSON.parse(new TextDecoder().decode(value)) as { name: string }).name;

/** `directory` ends with a slash and belongs to these registers only. */
export function storageRegisters(storage: Storage, directory: string): Registers {
  const range = { start: directory, end: `${directory.slice(0, -1)}0` };
  return {
    async read(key) {
      const entry = await storage.get(keyOf(directory, key));
      return entry && decode(entry.value);
    },
    async readAll() {
      const { entries } = await storage.list(range);
      return new Map(
        entries.map((entry) => [Number(entry.key.slice(directory.length)), decode(entry.value)]),
      );
    },
    async write(key, value) {
      await storage.update(keyOf(directory, key), () => ({ kind: 'put', value: encode(value) }));
    },
    async swap(key, value) {
      let before: string | undefined;
      await storage.update(keyOf(directory, key), async (current) => {
        before = current && decode(current.value);
        // Others may have written meanwhile, so it is retried.
        await new Promise<void>((resolve) => void setImmediate(resolve));
        return { kind: 'put', value: encode(value) };
      });
      return before;
    },
    async remove(key) {
      return (await storage.update(keyOf(directory, key), () => ({ kind: 'delete' }))) !== undefined;
    },
  };
}

/** With comparisons of values in transactions. */
export const engineRegisters = (
  storage: Storage & { readonly engine: Engine },
  directory: string,
): Registers => ({
  ...storageRegisters(storage, directory),
  async compareAndSwap(key, expected, value) {
    const range = { key: keyOf(directory, key) };
    const target = { field: 'value', value: encode(expected) } as const;
    const { succeeded } = await storage.engine.transact({
      compares: [{ range, relation: 'equal', target }],
      success: [{ kind: 'put', key: range.key, value: encode(value) }],
    });
    return succeeded;
  },
});

/** Written to the store, read from a cache: each read must be as new as the store was when it began. */
export function cachedRegisters(storage: Storage, directory: string): Registers & { stop(): Promise<void> } {
  const cacher = new Cacher<Thing>({ storage, prefix: directory, codec: thingCodec() });
  return {
    ...storageRegisters(storage, directory),
    async read(key) {
      return (await cacher.get(keyOf(directory, key)))?.object.name;
    },
    async readAll() {
      const { objects } = await cacher.list();
      return new Map(objects.map((one) => [Number(one.key.slice(directory.length)), one.object.name!]));
    },
    stop: async () => cacher.close(),
  };
}
