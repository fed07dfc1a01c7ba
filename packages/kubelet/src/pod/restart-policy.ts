import type { ContainerRestartRule } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerRecord } from './container-record.ts';

/**
 * Whether a container that has ended is started again: the first of its own rules that fits the exit code, then
 * its own policy, then the pod's. An init container that has succeeded never is, nor is an ephemeral one.
 */
export function restartsAfterExit(pod: Pod, record: ContainerRecord, exitCode: number): boolean {
  const { spec, role } = record;
  if (role === 'ephemeral') return false;
  const rule = matchingRule(record, exitCode);
  // To start all containers anew means at least this one.
  if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  const policy = spec.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always';
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** The first of a container's own rules that fits. */
export const matchingRule = ({ spec }: ContainerRecord, exitCode: number): ContainerRestartRule | undefined =>
  spec.restartPolicyRules?.find((one) => fits(one, exitCode));

function fits({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes) return false;
  const isListed = (exitCodes.values ?? []).includes(exitCode);
  return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed;
}
