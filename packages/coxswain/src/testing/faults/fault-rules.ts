/** What shall go wrong in a test cluster: rules that are added and taken away while it runs. */

import { durationMs } from '../virtual-clock.ts';
import type { FaultAction, Fault } from '../../../types/testing.d.ts';

export type { FaultAction, Fault, ActiveFault, Faults } from '../../../types/testing.d.ts';

const actions: ReadonlySet<string> = new Set<FaultAction>([
  'error',
  'latency',
  'conflict',
  'dropWatch',
  'staleRead',
  'lostAnswer',
]);

/** @throws TypeError with one line that tells what is wrong */
export function checkFault({
  action,
  probability = 1,
  code = 500,
  times = 1,
  delay = 0,
  lag = 1,
}: Fault): void {
  if (!actions.has(action))
    throw new TypeError(`a fault's action is one of ${[...actions].join(', ')}, not "${String(action)}"`);
  if (!(probability >= 0 && probability <= 1))
    throw new TypeError(`a fault's probability is from 0 to 1, not ${probability}`);
  if (!Number.isInteger(code) || code < 400 || code > 599)
    throw new TypeError(`a fault's code is from 400 to 599, not ${code}`);
  if (!Number.isInteger(times) || times < 1)
    throw new TypeError(`a fault's times is 1 or more, not ${times}`);
  if (!Number.isInteger(lag) || lag < 1) throw new TypeError(`a fault's lag is 1 or more, not ${lag}`);
  if (!(durationMs(delay) >= 0)) throw new TypeError(`a fault's delay is not negative: ${delay}`);
}
