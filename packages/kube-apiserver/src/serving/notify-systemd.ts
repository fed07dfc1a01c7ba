/** Tells the service manager that started this process that it is ready (sd_notify). */
import { execFile } from 'node:child_process';

/**
 * Node has no datagram sockets of this family: the manager's own program, which is there wherever a manager is,
 * sends the word on behalf of this process.
 */
export function notifySystemd(socket: string, log: (line: string) => void): void {
  const env = { ...process.env, NOTIFY_SOCKET: socket };
  execFile('systemd-notify', ['--ready', `--pid=${process.pid}`], { env }, (failure) => {
    if (failure !== null) log(`Unable to send systemd daemon successful start message: ${failure.message}`);
  });
}
