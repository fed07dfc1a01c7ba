/**
 * Stands for the programs of one pod: answers on ports over TCP and UDP, and tries others when told to.
 * Run with the ports as arguments; probes come as messages of the parent process.
 */
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

export interface Probe {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
  /** IdleTimeout for so long is a no. */
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

/** Never the same twice: a port that is used again may belong to a flow that the kernel still remembers. */
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
