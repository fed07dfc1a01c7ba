/** How long programs wait for what does not answer. */
import { NoResponse } from '../network/pod-network.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The C library asks a name server twice, five seconds each. */
export const resolveMs = 10_000;
/** The kernel sends the first packet of a connection seven times. */
export const connectMs = 131_072;

/** What `act` finds out; where nobody answers, that is known after `waitMs`. @throws NoResponse */
export async function withResponseTimeout<T>(
  { clock, signal }: SimulatedProcess,
  waitMs: number,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (failure) {
    if (failure instanceof NoResponse) await clock.sleep(waitMs, signal);
    throw failure;
  }
}

/** The first address of a name; undefined when nobody knows it, or nobody can be asked. */
export async function resolved(process: SimulatedProcess, name: string): Promise<string | undefined> {
  try {
    const host = await withResponseTimeout(process, resolveMs, () => process.network.lookUp(name));
    return host?.addresses[0];
  } catch (failure) {
    if (failure instanceof NoResponse) return undefined;
    throw failure;
  }
}

/** Of an option: `2.5`. Undefined where it is not given, or no time. */
export function secondsMs(text: string | undefined): number | undefined {
  const seconds = Number(text ?? 0);
  return seconds > 0 ? seconds * 1_000 : undefined;
}
