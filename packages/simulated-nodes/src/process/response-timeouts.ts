/** How long programs wait for a response that does not come. */
import { NoResponse } from '../network/pod-network.ts';
import type { SimulatedProcess } from './simulated-process.ts';

/** The C library queries a name server twice, for five seconds each. */
export const resolveMs = 10_000;
/** The kernel sends the first packet of a connection seven times. */
export const connectMs = 131_072;

/** The result of `act`; if there is no response, fails after `waitMs`. @throws NoResponse */
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

/** The first address of a name; undefined if the name is unknown or no name server responds. */
export async function resolved(process: SimulatedProcess, name: string): Promise<string | undefined> {
  try {
    const host = await withResponseTimeout(process, resolveMs, () => process.network.lookUp(name));
    return host?.addresses[0];
  } catch (failure) {
    if (failure instanceof NoResponse) return undefined;
    throw failure;
  }
}

/** The value of an option such as `2.5`. Undefined if it is unset or not a time. */
export function secondsMs(text: string | undefined): number | undefined {
  const seconds = Number(text ?? 0);
  return seconds > 0 ? seconds * 1_000 : undefined;
}
