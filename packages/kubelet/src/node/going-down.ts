/** Whether the kubelet alone is to stop, or the machine with it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const answerMsMax = 2_000;

/**
 * Under systemd, what it says of itself: a kubelet that is only restarted leaves its pods alone. Elsewhere whoever ends
 * the kubelet with SIGTERM, as machines do with all processes, ends the pods; SIGINT never does.
 *
 * @param reason of the signal that aborted: `stopped by SIGTERM`
 */
export async function isMachineGoingDown(
  reason: unknown,
  hasSystemd = existsSync('/run/systemd/system'),
  systemState: () => Promise<string> = askSystemd,
): Promise<boolean> {
  if (hasSystemd) return (await systemState()).trim() === 'stopping';
  return reason instanceof Error && reason.message.includes('SIGTERM');
}

/** It ends with an error whenever the state isn't `running`, and says it all the same. */
async function askSystemd(): Promise<string> {
  const asked = run('systemctl', ['is-system-running'], { timeout: answerMsMax });
  return asked.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? '',
  );
}
