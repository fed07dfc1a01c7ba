import { retryOn } from '../framework/cluster-event.ts';
import { plugin } from '../framework/plugin.ts';
import { fits, unresolvable } from '../status.ts';

/** Keeps a pod out of the queue until its last scheduling gate is removed. */
export const schedulingGates = plugin({
  name: 'SchedulingGates',
  retryWhen: [retryOn('Pod', ['gatesRemoved'])],
  preEnqueue({ pod }) {
    const gates = pod.spec?.schedulingGates ?? [];
    if (gates.length === 0) return fits;
    return unresolvable(`waiting for scheduling gates: [${gates.map((gate) => gate.name).join(' ')}]`);
  },
});
