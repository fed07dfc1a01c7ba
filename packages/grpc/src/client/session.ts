/** An HTTP/2 connection to one endpoint. */
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
  /** Opens connections to hosts in a custom way. */
  readonly dial?: EndpointDial | undefined;
  readonly clock: Clock;
}

const connectMsMax = 5_000;
/** As kube-apiserver's client of etcd. */
const keepAliveEveryMs = 30_000;
const keepAliveMsMax = 10_000;
/** The time-out of a ping that is sent because a call is waiting and other endpoints are available. */
const signOfLifeMsMax = 3_000;
/** Large enough that watch streams do not block reads. */
const windowBytes = 16 * 1024 * 1024;

/** @param onEnd called when no new call may begin on it; @throws the error of the connection */
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
    // Not ready when connected, since a proxy may accept the connection and close it again.
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

/** Closes a connection whose peer has disappeared silently. */
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

/** Closes the connection and fails all its calls unless the peer answers soon. */
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
  // Called with an error if the session ends before.
  session.ping((failure) => {
    timer.cancel();
    if (failure === null && !session.destroyed) onLife();
  });
}
