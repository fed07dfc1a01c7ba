import { ManualClock, seededRandom } from '@coxswain/apimachinery';
import { expect, test } from 'vitest';
import { prefixRange, StorageError } from '../storage.ts';
import { MemoryStorage } from './memory/memory-storage.ts';
import { rangeInSteps } from './range-in-steps.ts';

const everything = prefixRange('/');
const keyOf = (number: number): string => `/${String(number).padStart(5, '0')}`;

function openEngine() {
  return new MemoryStorage({ clock: new ManualClock(), historyMsMax: 0 }).engine;
}

async function write(
  engine: ReturnType<typeof openEngine>,
  key: string,
  value: string | undefined,
): Promise<void> {
  const range = { key };
  await engine.transact({
    success: [
      value === undefined ? { kind: 'delete', range } : { kind: 'put', key, value: Buffer.from(value) },
    ],
  });
}

test.each([1, 2, 3, 4, 5, 6])(
  'a range that is read in steps is the one of its revision, whatever is written meanwhile (seed %i)',
  async (seed) => {
    const random = seededRandom(seed);
    const engine = openEngine();
    const writeSomewhere = (): Promise<void> => {
      const value = random.next() < 0.3 ? undefined : String(random.next());
      return write(engine, keyOf(Math.floor(random.next() * 2_000)), value);
    };
    for (let writes = 0; writes < 2_000; writes++) await writeSomewhere();
    const { revision } = engine;
    for (const options of [
      {},
      { limit: 700 },
      { revision: revision - 900 },
      { revision: revision - 5, limit: 300 },
    ]) {
      const expected = engine.range(everything, { revision: engine.revision, ...options });
      const steps = rangeInSteps(engine, everything, options);
      let next = steps.next();
      for (; next.done !== true; next = steps.next())
        for (let writes = 0; writes < 20; writes++) await writeSomewhere();
      expect(next.value).toEqual(expected);
    }
  },
);

test('no step reads more than a page', async () => {
  const engine = openEngine();
  for (let number = 0; number < 2_000; number++) await write(engine, keyOf(number), 'value');

  const steps = rangeInSteps(engine, everything);
  let count = 1;
  while (steps.next().done !== true) count++;

  expect(count).toBeGreaterThanOrEqual(2_000 / 256);
});

test('what is compacted between the steps cannot be read any more', async () => {
  const engine = openEngine();
  for (let number = 0; number < 600; number++) await write(engine, keyOf(number), 'value');
  const steps = rangeInSteps(engine, everything);
  steps.next();
  for (let number = 0; number < 10; number++) await write(engine, keyOf(number), 'other');
  await engine.compact(engine.revision);

  expect(() => steps.next()).toThrow(StorageError);
});
