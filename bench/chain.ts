/**
 * What the filters cost: requests per CPU-second of a server with a part of the chain switched on, against one
 * with all of it off. `node bench/chain.ts [--parts fairness,all] [--scenarios get,list,create] [--rounds N]`.
 *
 * Each setting is a server process of its own on a store in memory; they are asked in turns of a fraction of a
 * second, so that whatever else the machine does falls on all of them. CPU time is the server's (all its threads),
 * from /proc. What others do still makes a turn dearer, never cheaper: told is the total, the median of what the
 * turns of one round say, and what the best fifth of the turns says, which a crowded machine disturbs least. Run as root, all of it goes before other programs.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { createServer, type AddressInfo } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({
  options: {
    parts: { type: 'string', default: 'rights,audit,fairness,all' },
    scenarios: { type: 'string', default: 'get,list,create' },
    rounds: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '0.2' },
    /** The user who sends the requests: `alice` is authorized by one binding among many, `admin` for everything. */
    user: { type: 'string', default: 'alice' },
  },
});

const directory = mkdtempSync(path.join(tmpdir(), 'coxswain-chain-'));
const file = (name: string, text: string): string => {
  const at = path.join(directory, name);
  writeFileSync(at, text);
  return at;
};
const tokens = file('tokens.csv', 'admin,admin,1,"system:masters"\nalice,alice,2,"dev"\n');
const policy = file('policy.yaml', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');

const noRights = ['--authorization-mode=AlwaysAllow'];
const noFairness = ['--enable-priority-and-fairness=false'];
const rights = ['--authorization-mode=RBAC'];
const audit = [`--audit-policy-file=${policy}`, `--audit-log-path=${path.join(directory, 'audit.log')}`];

/** The flags of each setting. */
const settings: Readonly<Record<string, readonly string[]>> = {
  off: [...noRights, ...noFairness],
  rights: [...rights, ...noFairness],
  audit: [...noRights, ...audit, ...noFairness],
  fairness: noRights,
  all: [...rights, ...audit],
};

interface Server {
  readonly name: string;
  readonly process: ChildProcess;
  readonly sessions: readonly ClientHttp2Session[];
}

const connections = 2;
const streamsPerConnection = 16;
const configMaps = '/api/v1/namespaces/default/configmaps';

const anyPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

async function startServer(name: string): Promise<Server> {
  const port = await anyPort();
  const main = path.join(import.meta.dirname, '../packages/coxswain/bin/coxswain.mjs');
  const flags = [
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${path.join(directory, name)}`,
    `--token-auth-file=${tokens}`,
    '--disable-admission-plugins=ServiceAccount',
    ...settings[name]!,
  ];
  const process_ = spawn(process.execPath, ['--max-semi-space-size=16', main, 'kube-apiserver', ...flags], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const address = `https://127.0.0.1:${port}`;
  for (;;) {
    const session = connect(address, { rejectUnauthorized: false });
    session.on('error', () => undefined);
    const status = await ask(session, 'GET', '/readyz', 'admin').catch(() => 0);
    session.close();
    if (status === 200) break;
    await new Promise((resolve) => void setTimeout(resolve, 200));
  }
  const sessions = Array.from({ length: connections }, () => connect(address, { rejectUnauthorized: false }));
  return { name, process: process_, sessions };
}

/** Resolves with the status code when the whole response has arrived. */
function ask(
  session: ClientHttp2Session,
  method: string,
  path_: string,
  user: string,
  body?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': method,
      ':path': path_,
      authorization: `Bearer ${user}`,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    let status = 0;
    stream.on('response', (headers) => (status = Number(headers[':status'])));
    stream.on('data', () => undefined);
    stream.on('end', () => resolve(status));
    stream.on('error', reject);
    stream.end(body);
  });
}

const object = (name: string | undefined): string =>
  JSON.stringify({
    metadata: name === undefined ? { generateName: 'new-' } : { name },
    data: { text: 'x'.repeat(500) },
  });

const rolesCount = 500;
const mapsCount = 100;

/** Creates roles and bindings for teams; one in the middle of them is alice's. */
async function fill({ sessions: [session] }: Server): Promise<void> {
  const post = (where: string, body: object | string) =>
    ask(session!, 'POST', where, 'admin', typeof body === 'string' ? body : JSON.stringify(body));
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const rules = [{ apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['get', 'list', 'create'] }];
  for (let at = 0; at < rolesCount; at++) {
    const subjects =
      at === rolesCount / 2
        ? [{ kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' }]
        : [{ kind: 'Group', name: `team-${at % 50}`, apiGroup: 'rbac.authorization.k8s.io' }];
    await post(`${rbac}/roles`, { metadata: { name: `role-${at}` }, rules });
    await post(`${rbac}/rolebindings`, {
      metadata: { name: `binding-${at}` },
      subjects,
      roleRef: { kind: 'Role', name: `role-${at}`, apiGroup: 'rbac.authorization.k8s.io' },
    });
  }
  for (let at = 0; at < mapsCount; at++) await post(configMaps, object(`map-${at}`));
}

type Scenario = (session: ClientHttp2Session) => Promise<number>;

const scenarios: Readonly<Record<string, Scenario>> = {
  get: (session) => ask(session, 'GET', `${configMaps}/map-7`, options.user),
  list: (session) => ask(session, 'GET', `${configMaps}?limit=${mapsCount}`, options.user),
  create: (session) => ask(session, 'POST', configMaps, options.user, object(undefined)),
};

/** The time of all threads of a process. The first field is the nanoseconds that a thread ran on a processor. */
function cpuSeconds({ process: { pid } }: Server): number {
  const tasks = `/proc/${pid}/task`;
  const nanoseconds = readdirSync(tasks).map((task) =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}

interface Used {
  requests: number;
  cpuSeconds: number;
}

async function run(server: Server, scenario: Scenario, milliseconds: number): Promise<Used> {
  const before = cpuSeconds(server);
  const untilMs = performance.now() + milliseconds;
  let requests = 0;
  const work = async (session: ClientHttp2Session) => {
    while (performance.now() < untilMs) {
      const status = await scenario(session);
      if (status >= 300) throw new Error(`${server.name}: ${status}`);
      requests++;
    }
  };
  const workers = server.sessions.flatMap((session) =>
    Array.from({ length: streamsPerConnection }, () => work(session)),
  );
  await Promise.all(workers);
  return { requests, cpuSeconds: cpuSeconds(server) - before };
}

async function compare(servers: readonly Server[], name: string): Promise<void> {
  const milliseconds = Number(options.seconds) * 1000;
  const turns = new Map<Server, Used[]>(servers.map((server) => [server, []]));
  for (const server of servers) await run(server, scenarios[name]!, 5 * milliseconds);
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
      turns.get(server)!.push(await run(server, scenarios[name]!, milliseconds));
    }
  }
  const off = turns.get(servers[0]!)!;
  for (const server of servers) report(name, server.name, turns.get(server)!, off);
}

const perSecond = ({ requests, cpuSeconds: seconds }: Used): number => requests / seconds;

const inAll = (turns: readonly Used[]): number =>
  turns.reduce((sum, { requests }) => sum + requests, 0) /
  turns.reduce((sum, { cpuSeconds: seconds }) => sum + seconds, 0);

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)]!;

const best = (turns: readonly Used[]): number => quantile(turns.map(perSecond), 0.8);

function report(scenario: string, setting: string, turns: readonly Used[], off: readonly Used[]): void {
  const ofRounds = turns.map((turn, at) => perSecond(turn) / perSecond(off[at]!));
  const change = (ratio: number) => `${((ratio - 1) * 100).toFixed(1).padStart(6)} %`;
  console.log(
    `${scenario.padEnd(7)} ${setting.padEnd(9)} ${best(turns).toFixed(0).padStart(7)} per CPU-second at best ` +
      `${change(best(turns) / best(off))}, median of rounds ${change(quantile(ofRounds, 0.5))}, in all ` +
      change(inAll(turns) / inAll(off)),
  );
}

/** A priority above the other programs of the machine; child processes inherit it. */
const foremost = -20;
try {
  setPriority(foremost);
} catch {
  console.log('not allowed to go before other programs: what they do is measured, too');
}

const servers: Server[] = [];
try {
  for (const name of ['off', ...options.parts.split(',')]) {
    const server = await startServer(name);
    servers.push(server);
    await fill(server);
  }
  for (const name of options.scenarios.split(',')) await compare(servers, name);
} finally {
  for (const server of servers) {
    for (const session of server.sessions) session.destroy();
    server.process.kill();
  }
  rmSync(directory, { recursive: true, force: true });
}
