/** A connection of HTTP/2 to one endpoint. */
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Clock, Timer } from '@coxswain/apimachinery';
import { endpointSocket, socketPathOf, type EndpointDial } from './endpoint-socket.ts';

export interface ChannelTls {
  readonly ca?: string | Uint8Array;
  readonly cert?: string | Uint8Array;
  readonly key?: string | Uint8Array;
}

export interface SessionOptions {
  readonly tls?: ChannelTls | undefined;
  /** How connections to hosts are opened, where that isn't the network's own way. */
  readonly dial?: EndpointDial | undefined;
  readonly clock: Clock;
}

const connectMsMax = 5_000;
/** As kube-apiserver's client of etcd. */
const keepAliveEveryMs = 30_000;
const keepAliveMsMax = 10_000;
/** Of one that is asked for a sign of life because a call waits, where others could be asked instead. */
const signOfLifeMsMax = 3_000;
/** Streams of watches must not stop those of reads. */
const windowBytes = 16 * 1024 * 1024;

/** @param onEnd hears when no new call may begin on it; @throws what the connection failed with */
export async function openSession(
  endpoint: string,
  { tls, clock, dial }: SessionOptions,
  onEnd: (session: ClientHttp2Session) => void,
): Promise<ClientHttp2Session> {
  const identity = {
    ...(tls?.ca !== undefined && { ca: tls.ca as Buffer, allowPartialTrustChain: true }),
    ...(tls && { cert: tls.cert as Buffer, key: tls.key as Buffer }),
  };
  const createConnection = await endpointSocket(endpoint, dial, identity);
  return new Promise((resolve, reject) => {
    const session = connect(socketPathOf(endpoint) === undefined ? endpoint : 'http://localhost', {
      ...(createConnection && { createConnection }),
      ...identity,
      settings: { initialWindowSize: windowBytes, enablePush: false },
    });
    const timer = clock.after(connectMsMax, () => session.destroy(new Error(`${endpoint} does not answer`)));
    // Not yet when there is a connection: what stands between may take one, and close it again.
    session.once('remoteSettings', () => {
      timer.cancel();
      session.setLocalWindowSize(windowBytes);
      keepAlive(session, clock);
      resolve(session);
    });
    session.on('error', (failure) => {
      timer.cancel();
      reject(failure);
    });
    const forget = (): void => {
      onEnd(session);
      reject(new Error(`${endpoint} closed the connection`));
    };
    session.on('goaway', forget);
    session.on('close', forget);
  });
}

/** A connection whose other end is gone without a word is given up. */
function keepAlive(session: ClientHttp2Session, clock: Clock): void {
  let timer: Timer;
  const schedule = (): void => {
    timer = clock.after(keepAliveEveryMs, () => askForLife(session, clock, keepAliveMsMax, schedule), {
      idle: true,
    });
  };
  session.on('close', () => timer.cancel());
  schedule();
}

const asked = new WeakSet<ClientHttp2Session>();

/** Gives a connection up, and all calls on it, unless the other end answers soon. */
export function mustLive(session: ClientHttp2Session, clock: Clock): void {
  if (asked.has(session)) return;
  asked.add(session);
  askForLife(session, clock, signOfLifeMsMax, () => void asked.delete(session));
}

function askForLife(session: ClientHttp2Session, clock: Clock, msMax: number, onLife: () => void): void {
  if (session.destroyed) return;
  const timer = clock.after(msMax, () => session.destroy(new Error('the server does not answer')), {
    idle: true,
  });
  // Called with a failure where the session ends before.
  session.ping((failure) => {
    timer.cancel();
    if (failure === null && !session.destroyed) onLife();
  });
}
