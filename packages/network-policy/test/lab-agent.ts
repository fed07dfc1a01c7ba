/**
 * Simulates the programs of one pod: answers on TCP and UDP ports, and probes others on request. The ports are
 * arguments; probes arrive as messages from the parent process.
 */
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

export interface Probe {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
  /** No answer within this time counts as unreachable. */
  readonly timeoutMs: number;
}

export interface ProbeRequest {
  readonly id: number;
  readonly probes: readonly Probe[];
}

export interface ProbeAnswer {
  readonly id: number;
  /** Whether there was an answer, in the order of the probes. */
  readonly reached: readonly boolean[];
}

const resendMs = 100;

/** Never repeated, since a reused port may belong to a flow that the kernel still remembers. */
let sourcePort = 20_000;

const overTcp = ({ host, port, timeoutMs }: Probe): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (reached: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(reached);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
  });

const overUdp = ({ host, port, timeoutMs }: Probe): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (reached: boolean): void => {
      clearTimeout(timer);
      clearInterval(again);
      socket.close();
      resolve(reached);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    const send = () => socket.send('?', port, host, () => {});
    const again = setInterval(send, resendMs);
    socket.once('message', () => end(true));
    socket.once('error', () => end(false));
    socket.bind(sourcePort++, send);
  });

async function answer({ id, probes }: ProbeRequest): Promise<void> {
  const reached = await Promise.all(
    probes.map((probe) => (probe.protocol === 'TCP' ? overTcp(probe) : overUdp(probe))),
  );
  process.send?.({ id, reached } satisfies ProbeAnswer);
}

const servers = process.argv.slice(2).flatMap((text) => {
  const port = Number(text);
  const tcp = new Promise<void>((resolve) => {
    createServer((socket) => void socket.on('error', () => {}).end('!')).listen(port, () => resolve());
  });
  const udp = new Promise<void>((resolve) => {
    const socket = createSocket('udp6');
    socket.on('message', (_text, { port: from, address }) => socket.send('!', from, address, () => {}));
    socket.bind(port, () => resolve());
  });
  return [tcp, udp];
});

process.on('message', (request: ProbeRequest) => void answer(request));
process.once('disconnect', () => process.exit());
await Promise.all(servers);
process.send?.({ id: 0, reached: [] } satisfies ProbeAnswer);
