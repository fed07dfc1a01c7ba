import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContainerRecord } from './container-record.ts';

/**
 * Whether a container that has ended is started again: its own rules for exit codes first, then its own
 * policy, then the pod's. An init container that has succeeded never is, nor is an ephemeral one.
 */
export function restartsAfterExit(pod: Pod, { spec, role }: ContainerRecord, exitCode: number): boolean {
  if (role === 'ephemeral') return false;
  for (const { action, exitCodes } of spec.restartPolicyRules ?? []) {
    const listed = (exitCodes?.values ?? []).includes(exitCode);
    if (action === 'Restart' && exitCodes && listed === (exitCodes.operator === 'In')) return true;
  }
  const policy = spec.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always';
  if (role === 'init') return exitCode !== 0 && policy !== 'Never';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}
