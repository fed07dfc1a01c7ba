/**
 * A restart rule may require that all containers of a pod restart when one of them exits: the others are killed, then
 * everything starts again as at first, including init containers, in the existing sandbox.
 */
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isUp, type ContainerRecord } from './container-record.ts';
import { matchingRule } from './restart-policy.ts';

export const restartingAllReason = 'RestartingAllContainers';
const message = 'The container is removed because RestartAllContainers in place';
/** The exit code of a killed container. */
const killedExitCode = 137;

export const restartsAll = (record: ContainerRecord, exitCode: number): boolean =>
  record.role !== 'ephemeral' && matchingRule(record, exitCode)?.action === 'RestartAllContainers';

/** Whether any container has such a rule. */
export const mayRestartAll = ({ spec }: Pod): boolean =>
  [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );

/** Returns false while a container is still running. */
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
