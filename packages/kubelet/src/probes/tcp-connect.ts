import { connect } from 'node:net';
import { connectFailure } from './http-request.ts';

/** Resolves once a connection was established. @throws Error with the message of Go's dialer */
export function tcpConnect(host: string, port: number, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const timer = AbortSignal.timeout(timeoutMs);
    const late = (): void => void socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' }));
    timer.addEventListener('abort', late, { once: true });
    socket.once('connect', () => {
      socket.resetAndDestroy();
      resolve();
    });
    socket.once('error', (error) => reject(new Error(connectFailure(error, host, port), { cause: error })));
    socket.once('close', () => timer.removeEventListener('abort', late));
  });
}
