/**
 * A rule may ask that all containers of a pod start anew when one of them exits: the others are killed, and then
 * everything begins as it first did, init containers and all, in the sandbox that is there.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isUp, type ContainerRecord } from './container-record.ts';
import { matchingRule } from './restart-policy.ts';

export const restartingAllReason = 'RestartingAllContainers';
const message = 'The container is removed because RestartAllContainers in place';
/** As of a container that was killed. */
const killedExitCode = 137;

export const restartsAll = (record: ContainerRecord, exitCode: number): boolean =>
  record.role !== 'ephemeral' && matchingRule(record, exitCode)?.action === 'RestartAllContainers';

/** Whether any container has such a rule. */
export const mayRestartAll = ({ spec }: Pod): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );

/** False while something still runs. */
export function resetForRestart(records: readonly ContainerRecord[]): boolean {
  const concerned = records.filter(({ role }) => role !== 'ephemeral');
  if (concerned.some(isUp)) return false;
  for (const record of concerned) {
    record.anew = true;
    record.retryAtMs = 0;
    record.backoffMs = 0;
    if (record.exit === undefined) continue;
    const { id } = record.exit;
    record.last = {
      exitCode: killedExitCode,
      reason: restartingAllReason,
      message,
      startedMs: 0,
      finishedMs: 0,
      id,
    };
    record.exit = undefined;
    record.phase = 'waiting';
    record.waiting = { reason: restartingAllReason, message };
  }
  return true;
}
