/** Notifies the service manager that started this process of its readiness (sd_notify). */
import { execFile } from 'node:child_process';

/**
 * Node has no Unix datagram sockets: the manager's own program, which exists wherever the manager does, sends the
 * notification on behalf of this process.
 */
export function notifySystemd(socket: string, log: (line: string) => void): void {
  const env = { ...process.env, NOTIFY_SOCKET: socket };
  execFile('systemd-notify', ['--ready', `--pid=${process.pid}`], { env }, (failure) => {
    if (failure !== null) log(`Unable to send systemd daemon successful start message: ${failure.message}`);
  });
}
