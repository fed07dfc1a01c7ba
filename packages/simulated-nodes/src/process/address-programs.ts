/** BusyBox's programs that show the pod's addresses and ports, and test whether others can be reached. */
import { NetworkFailure, NoResponse } from '../network/pod-network.ts';
import { withOptions } from './declared-options.ts';
import { resolved, secondsMs } from './response-timeouts.ts';
import { complain, print, type Program, type SimulatedProcess } from './simulated-process.ts';

export const hostname = withOptions({ letters: 'idfsF:', synopsis: '[-sidf]' }, async (process, options) => {
  const { hostname: name, addresses, stdout } = process;
  await print(stdout, `${options.has('i') ? addresses.join(' ') : options.has('d') ? '' : name}\n`);
  return 0;
});

/** Of an address, as the network plugin would give it. */
const hardwareAddress = (address: string): string =>
  ['02', '42', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(':');

const mtu = 1500;

export const ifconfig: Program = async ({ addresses, stdout }) => {
  const flags = 'UP BROADCAST RUNNING MULTICAST';
  const traffic = [
    'RX packets:0 errors:0 dropped:0 overruns:0 frame:0',
    'TX packets:0 errors:0 dropped:0 overruns:0 carrier:0',
    'collisions:0 txqueuelen:1000 ',
    'RX bytes:0 (0.0 B)  TX bytes:0 (0.0 B)',
  ];
  const own = addresses.map((address) =>
    interfaceOf('eth0', [
      `Link encap:Ethernet  HWaddr ${hardwareAddress(address).toUpperCase()}  `,
      `inet addr:${address}  Bcast:0.0.0.0  Mask:255.255.255.0`,
      `${flags}  MTU:${mtu}  Metric:1`,
      ...traffic,
    ]),
  );
  const loopback = interfaceOf('lo', [
    'Link encap:Local Loopback  ',
    'inet addr:127.0.0.1  Mask:255.0.0.0',
    'UP LOOPBACK RUNNING  MTU:65536  Metric:1',
    ...traffic,
  ]);
  await print(stdout, [...own, loopback].join(''));
  return 0;
};

const interfaceOf = (name: string, lines: readonly string[]): string =>
  `${lines.map((line, at) => `${(at === 0 ? name : '').padEnd(10)}${line}\n`).join('')}\n`;

/** `ip addr` and `ip route`. */
export const ip: Program = async (process) => {
  const { addresses, argv, stdout } = process;
  const [object = ''] = argv.slice(1).filter((word) => !word.startsWith('-'));
  const [address] = addresses;
  if (object !== '' && ('address'.startsWith(object) || object === 'link')) {
    const own = addresses.map((one, at) =>
      linkOf(
        at + 2,
        'eth0@if2',
        ['BROADCAST,MULTICAST,UP,LOWER_UP,M-DOWN', 'ether', hardwareAddress(one), 'ff:ff:ff:ff:ff:ff'],
        [`inet ${one}/24 brd ${one.replace(/\d+$/, '255')} scope global eth0`],
      ),
    );
    const zeros = '00:00:00:00:00:00';
    const loopback = linkOf(
      1,
      'lo',
      ['LOOPBACK,UP,LOWER_UP', 'loopback', zeros, zeros],
      ['inet 127.0.0.1/8 scope host lo'],
    );
    await print(stdout, [loopback, ...own].join(''));
    return 0;
  }
  if (object !== '' && 'route'.startsWith(object)) {
    if (address === undefined) return 0;
    const network = address.replace(/\d+$/, '');
    await print(
      stdout,
      `default via ${network}1 dev eth0 \n${network}0/24 dev eth0 scope link  src ${address} \n`,
    );
    return 0;
  }
  await print(process.stderr, 'Usage: ip {address | route | link}\n');
  return 1;
};

function linkOf(
  number: number,
  name: string,
  [flags, kind, hardware, broadcast]: readonly [string, string, string, string],
  lines: readonly string[],
): string {
  const size = kind === 'loopback' ? 65_536 : mtu;
  const shown = lines.map((line) => `    ${line}\n       valid_lft forever preferred_lft forever\n`).join('');
  return `${number}: ${name}: <${flags}> mtu ${size} qdisc noqueue ${kind === 'loopback' ? 'qlen 1000' : ''}\n    link/${kind} ${hardware} brd ${broadcast}\n${shown}`;
}

const packetBytes = 56;
const pingMs = 1_000;
/** How long the last packet is waited for. */
const lastWaitMs = 10_000;

/** An address answers if a pod has it and network policies allow it. */
export const ping = withOptions(
  { letters: '46qnc:s:t:i:W:w:I:p:', synopsis: '[OPTIONS] HOST', operandsMin: 1 },
  async (process, options) => {
    const name = options.operands[0]!;
    const address = await resolved(process, name);
    if (address === undefined) return complain(process, `bad address '${name}'`);
    const { stdout, clock, signal } = process;
    await print(stdout, `PING ${name} (${address}): ${packetBytes} data bytes\n`);
    const count = Number(options.value('c') ?? Infinity);
    const waitMs = secondsMs(options.value('W') ?? options.value('w')) ?? lastWaitMs;
    const intervalMs = secondsMs(options.value('i')) ?? pingMs;
    let [sent, received] = [0, 0];
    while (sent < count && !signal.aborted) {
      const hasAnswered = await answers(process, address);
      if (hasAnswered) {
        received++;
        if (!options.has('q'))
          await print(stdout, `${packetBytes + 8} bytes from ${address}: seq=${sent} ttl=63 time=0.100 ms\n`);
      }
      const isLast = ++sent === count;
      if (!isLast || !hasAnswered)
        await clock.sleep(isLast ? waitMs : intervalMs, signal).catch(() => undefined);
    }
    const loss = Math.floor(((sent - received) * 100) / Math.max(1, sent));
    await print(
      stdout,
      `\n--- ${name} ping statistics ---\n${sent} packets transmitted, ${received} packets received, ${loss}% packet loss\n`,
    );
    if (received > 0) await print(stdout, 'round-trip min/avg/max = 0.100/0.100/0.100 ms\n');
    return received > 0 ? 0 : 1;
  },
);

/** A port on which nothing listens: whoever refuses it is there. */
const noPort = 0;

async function answers({ network }: SimulatedProcess, address: string): Promise<boolean> {
  if (address.startsWith('127.')) return true;
  try {
    await network.connect(address, noPort);
    return true;
  } catch (failure) {
    if (!(failure instanceof NetworkFailure)) throw failure;
    return !(failure instanceof NoResponse) && failure.message === 'Connection refused';
  }
}

const listenRow = (port: number): string =>
  `tcp        0      0 ${`0.0.0.0:${port}`.padEnd(23)} ${'0.0.0.0:*'.padEnd(23)} ${'LISTEN'.padEnd(11)}`;

/** Shows the ports on which the pod listens; other connections are not simulated. */
export const netstat = withOptions(
  { letters: 'ralntuxWep', synopsis: '[-ral] [-tuwx] [-enWp]' },
  async (process, options) => {
    const title = options.has('l')
      ? 'only servers'
      : options.has('a')
        ? 'servers and established'
        : 'w/o servers';
    const ports = options.has('l') || options.has('a') ? process.ports() : [];
    const name = options.has('p') ? '-' : '';
    const head = `Active Internet connections (${title})\nProto Recv-Q Send-Q Local Address           Foreign Address         State       ${options.has('p') ? 'PID/Program name    ' : ''}\n`;
    await print(process.stdout, head + ports.map((port) => `${listenRow(port)} ${name}\n`).join(''));
    return 0;
  },
);

export const ss = withOptions({ letters: 'ltunap46e', synopsis: '[-ltun]' }, async (process) => {
  const row = (local: string, peer: string) => `LISTEN 0      511    ${local.padStart(18)}      ${peer}\n`;
  const rows = process.ports().map((port) => row(`0.0.0.0:${port}`, '0.0.0.0:*'));
  await print(
    process.stdout,
    `State  Recv-Q Send-Q Local Address:Port Peer Address:PortProcess\n${rows.join('')}`,
  );
  return 0;
});

/** `getent hosts NAME` and `getent passwd NAME`. */
export const getent: Program = async (process) => {
  const [database = '', name = ''] = process.argv.slice(1);
  if (database === 'passwd' || database === 'group') {
    const lines = new TextDecoder()
      .decode(process.files.read(`/etc/${database}`))
      .trimEnd()
      .split('\n');
    const found = lines.filter((line) => name === '' || line.split(':').slice(0, 3).includes(name));
    await print(process.stdout, found.map((line) => `${line}\n`).join(''));
    return found.length > 0 ? 0 : 2;
  }
  if (!['hosts', 'ahosts', 'ahostsv4'].includes(database))
    return complain(process, `Unknown database: ${database}`);
  const host = await process.network.lookUp(name).catch(() => undefined);
  if (host === undefined) return 2;
  const lines = host.addresses.map((address) => `${address.padEnd(15)} ${host.name}\n`);
  await print(process.stdout, lines.join(''));
  return 0;
};
