import type { Random } from '@coxswain/apimachinery';
import type { CompletedOperation } from './checker.ts';
import type { RegisterOperation, Registers } from './registers.ts';

export interface Workload {
  readonly clients: number;
  readonly operationsPerClient: number;
  readonly keys: number;
  readonly random: Random;
}

export type History = readonly CompletedOperation<RegisterOperation>[];

/** Runs clients with random concurrent operations, and records the result and times of each. */
export async function recordHistory(registers: Registers, workload: Workload): Promise<History> {
  const { clients, operationsPerClient, random } = workload;
  const history: CompletedOperation<RegisterOperation>[] = [];
  /** The position of the next event; there is a single thread, so all events are ordered. */
  let moment = 0;
  const client = async (name: number): Promise<void> => {
    for (let count = 0; count < operationsPerClient; count++) {
      await pause(random);
      const value = String(name * operationsPerClient + count + 1);
      const calledAt = moment++;
      const operation = await operate(registers, workload, value);
      history.push({ operation, calledAt, returnedAt: moment++ });
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, name) => client(name)));
  return history;
}

/** Occasionally waits for an event-loop turn, so that clients don't run in lockstep. */
const pause = (random: Random): Promise<void> =>
  random.next() < 0.3 ? new Promise((resolve) => void setImmediate(resolve)) : Promise.resolve();

async function operate(
  registers: Registers,
  { keys, random }: Workload,
  value: string,
): Promise<RegisterOperation> {
  const key = Math.floor(random.next() * keys);
  const choice = random.next();
  if (choice < 0.35) return { kind: 'read', key, value: await registers.read(key) };
  if (choice < 0.55) return { kind: 'read-all', values: await registers.readAll() };
  if (choice < 0.65) return { kind: 'swap', key, value, before: await registers.swap(key, value) };
  if (choice < 0.75 && registers.compareAndSwap !== undefined) {
    const expected = (await registers.read(key)) ?? '0';
    const held = await registers.compareAndSwap(key, expected, value);
    return { kind: 'compare-and-swap', key, expected, value, held };
  }
  if (choice < 0.82 && registers.remove !== undefined) {
    return { kind: 'remove', key, found: await registers.remove(key) };
  }
  await registers.write(key, value);
  return { kind: 'write', key, value };
}
