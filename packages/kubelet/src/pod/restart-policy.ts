import type { ContainerRestartRule } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerRecord } from './container-record.ts';

/**
 * Whether an ended container is restarted: the first of its own rules that matches the exit code decides, then its own
 * policy, then the pod's. Succeeded init containers and ephemeral ones are never restarted.
 */
export function restartsAfterExit(pod: Pod, record: ContainerRecord, exitCode: number): boolean {
  const { spec, role } = record;
  if (role === 'ephemeral') return false;
  const rule = matchingRule(record, exitCode);
  // Restarting all containers includes this one.
  if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  const policy = spec.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always';
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Returns the first matching rule of a container. */
export const matchingRule = ({ spec }: ContainerRecord, exitCode: number): ContainerRestartRule | undefined =>
  spec.restartPolicyRules?.find((one) => fits(one, exitCode));

function fits({ exitCodes }: ContainerRestartRule, exitCode: number): boolean {
  if (!exitCodes) return false;
  const isListed = (exitCodes.values ?? []).includes(exitCode);
  return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed;
}
