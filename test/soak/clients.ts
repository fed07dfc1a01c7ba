/**
 * Clients as a cluster has them: one that keeps an HTTP/2 connection and writes, one that keeps HTTP/1.1
 * connections, one that connects anew for each request, and watchers that watch again whenever a watch ends.
 */
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { Agent, request as httpsRequest } from 'node:https';
import { Outcomes } from './outcomes.ts';

export interface ClientIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface ClientSettings {
  readonly port: number;
  /** The certificate to show; asked for with each new connection. */
  readonly identity: () => ClientIdentity;
  readonly outcomes: Outcomes;
  readonly signal: AbortSignal;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const pauseMs = 5;

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

const tlsOf = ({ identity }: ClientSettings) => ({ ...identity(), rejectUnauthorized: false });

/** Runs all of them until `signal` aborts; resolves when the last request has its outcome. */
export async function runClients(settings: ClientSettings): Promise<void> {
  await Promise.all([
    ...['a', 'b'].map((name) => writer(settings, name)),
    ...[1, 2, 3].map(() => watcher(settings)),
    reader(settings, new Agent({ keepAlive: true, maxSockets: 2 }), 'keep-alive'),
    reader(settings, new Agent({ keepAlive: false }), 'connecting'),
  ]);
}

/** An HTTP/2 connection that is replaced when it was told to go, has gone, or shows a certificate of the past. */
class Connection {
  readonly #settings: ClientSettings;
  #session: ClientHttp2Session | undefined;
  #shown: ClientIdentity | undefined;

  constructor(settings: ClientSettings) {
    this.#settings = settings;
  }

  current(): ClientHttp2Session {
    const { port, identity } = this.#settings;
    if (this.#shown !== identity()) this.#session?.close();
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#shown = identity();
      const session = connect(`https://127.0.0.1:${port}`, tlsOf(this.#settings));
      session.on('error', () => undefined);
      // What is under way goes on; what comes next takes another connection.
      session.on('goaway', () => session.close());
      this.#session = session;
    }
    return this.#session;
  }

  close(): void {
    this.#session?.destroy();
  }
}

async function writer(settings: ClientSettings, name: string): Promise<void> {
  const connection = new Connection(settings);
  for (let turn = 0; !settings.signal.aborted; turn++) {
    const object = JSON.stringify({
      metadata: { name: `soak-${name}-${turn}` },
      data: { turn: String(turn) },
    });
    const path = `${configMaps}/soak-${name}-${turn}`;
    const created = await exchange(settings, connection, 'POST', configMaps, object);
    if (created) {
      await exchange(settings, connection, 'GET', path);
      await exchange(settings, connection, 'DELETE', path);
    }
    await pause();
  }
  connection.close();
}

/** Whether it was answered; what was told to come again is asked again, since the object must go. */
async function exchange(
  settings: ClientSettings,
  connection: Connection,
  method: string,
  path: string,
  body?: string,
): Promise<boolean> {
  const { outcomes } = settings;
  const what = `${method} ${path}`;
  const session = connection.current();
  let stream: ClientHttp2Stream;
  try {
    stream = session.request({ ':method': method, ':path': path, 'content-type': 'application/json' });
  } catch (failure) {
    // Between the server's word and this request: nothing was sent.
    outcomes.noteFailure(what, failure as Error, true);
    return false;
  }
  return new Promise((resolve) => {
    let status = 0;
    let isComplete = false;
    let retryAfter: string | undefined;
    stream.on('response', (head) => {
      status = Number(head[':status']);
      retryAfter = head['retry-after'];
    });
    stream.on('end', () => (isComplete = true));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      if (status !== 0 && isComplete) outcomes.note(what, status, retryAfter);
      else outcomes.noteFailure(what, causeOf(stream, session), isUnseen(stream, session));
      resolve(status >= 200 && status < 300);
    });
    stream.resume();
    stream.end(body);
  });
}

const refusedStream = 7;

/** The server says that it has not looked at it, or the connection never came to be. */
const isUnseen = (stream: ClientHttp2Stream, session: ClientHttp2Session): boolean =>
  stream.rstCode === refusedStream || stream.id === undefined || session.connecting;

function causeOf(stream: ClientHttp2Stream, session: ClientHttp2Session): Error & { code?: string } {
  const cause =
    stream.errored ?? new Error(`stream ended, rst ${stream.rstCode}, session ${session.destroyed}`);
  return cause as Error & { code?: string };
}

function reader(settings: ClientSettings, agent: Agent, name: string): Promise<void> {
  const { port, outcomes, signal } = settings;
  const ask = () =>
    new Promise<void>((resolve) => {
      const what = `${name} GET`;
      const options = { ...tlsOf(settings), agent, host: '127.0.0.1', port, path: `${configMaps}?limit=5` };
      const request = httpsRequest(options, (response) => {
        response.resume();
        response.on('error', (failure) => outcomes.noteFailure(what, failure, false));
        response.on('close', () => {
          if (response.complete) {
            outcomes.note(what, response.statusCode ?? 0, response.headers['retry-after']);
          }
          resolve();
        });
      });
      let isConnected = false;
      request.on('socket', (socket) => {
        if (request.reusedSocket) isConnected = true;
        else socket.once('secureConnect', () => (isConnected = true));
      });
      request.on('error', (failure: Error & { code?: string }) => {
        if (!isConnected) outcomes.noteNoConnection(what, failure);
        // A kept connection may be closed while it is idle: HTTP lets clients ask again.
        else outcomes.noteFailure(what, failure, request.reusedSocket && failure.code === 'ECONNRESET');
        resolve();
      });
      request.end();
    });
  const run = async () => {
    while (!signal.aborted) {
      await ask();
      await pause();
    }
    agent.destroy();
  };
  return run();
}

/** A watch that ends is watched again; one that breaks off in the middle is a failure. */
async function watcher(settings: ClientSettings): Promise<void> {
  const { outcomes, signal } = settings;
  const connection = new Connection(settings);
  while (!signal.aborted) {
    const session = connection.current();
    await new Promise<void>((resolve) => {
      let stream: ClientHttp2Stream;
      try {
        stream = session.request({ ':path': `${configMaps}?watch=true` });
      } catch (failure) {
        outcomes.noteFailure('watch', failure as Error, true);
        resolve();
        return;
      }
      const abort = () => stream.close();
      signal.addEventListener('abort', abort, { once: true });
      let status = 0;
      let isComplete = false;
      let retryAfter: string | undefined;
      stream.on('response', (head) => {
        status = Number(head[':status']);
        retryAfter = head['retry-after'];
      });
      stream.on('end', () => (isComplete = true));
      stream.on('error', () => undefined);
      stream.resume();
      stream.on('close', () => {
        signal.removeEventListener('abort', abort);
        if (isComplete) outcomes.note('watch', status, retryAfter);
        else if (!signal.aborted)
          outcomes.noteFailure('watch', causeOf(stream, session), isUnseen(stream, session));
        resolve();
      });
    });
    await pause();
  }
  connection.close();
}
