/** Determines whether only the kubelet is stopping, or the whole machine. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);
const answerMsMax = 2_000;

/**
 * Under systemd, its state decides: a mere restart of the kubelet leaves the pods alone. Elsewhere SIGTERM, which a
 * machine sends to all processes when it shuts down, ends the pods; SIGINT never does.
 *
 * @param reason the reason of the aborted signal: `stopped by SIGTERM`
 */
export async function isMachineGoingDown(
  reason: unknown,
  hasSystemd = existsSync('/run/systemd/system'),
  systemState: () => Promise<string> = askSystemd,
): Promise<boolean> {
  if (hasSystemd) return (await systemState()).trim() === 'stopping';
  return reason instanceof Error && reason.message.includes('SIGTERM');
}

/** The command fails whenever the state isn't `running`, but still prints it. */
async function askSystemd(): Promise<string> {
  const asked = run('systemctl', ['is-system-running'], { timeout: answerMsMax });
  return asked.then(
    ({ stdout }) => stdout,
    (error: { readonly stdout?: string }) => error.stdout ?? '',
  );
}
