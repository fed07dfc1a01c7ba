/**
 * Streams into containers as users open them: kubectl of several ages (SPDY up to 1.30, WebSockets after), ours
 * over both, and the JavaScript client.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Attach, Cp, Exec, KubeConfig, PortForward, type V1Status } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startUp, type RunningCluster } from './running-cluster.ts';
import { giveInput } from '../give-input.ts';

const startMs = 60_000;
const commandMsMax = 30_000;
const entry = path.join(import.meta.dirname, '../../packages/coxswain/bin/coxswain.mjs');

interface Kubectl {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Of the cluster that it is used with. */
  readonly threads: number;
}

const spdyOnly = { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: 'false', KUBECTL_PORT_FORWARD_WEBSOCKETS: 'false' };

const ours = [process.execPath, entry, 'kubectl'];
/** The numbers of threads that accept connections. */
const [alone, several] = [1, 2];

/** `KUBECTLS=1.20=/path/kubectl,…` names the original's. */
const kubectls: readonly Kubectl[] = [
  { name: 'ours', command: ours, threads: alone },
  { name: 'ours over SPDY', command: ours, env: spdyOnly, threads: alone },
  ...(process.env['KUBECTLS'] ?? '')
    .split(',')
    .filter((named) => named !== '')
    .map((named) => ({
      name: `kubectl ${named.split('=')[0]}, with several threads`,
      command: [named.slice(named.indexOf('=') + 1)],
      threads: several,
    })),
];

const manifest = `
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data: {greeting: hello}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec:
  containers:
  - name: web
    image: nginx
    stdin: true
    command: [cat]
    ports: [{name: http, containerPort: 80}]
    volumeMounts: [{name: conf, mountPath: /conf}]
  volumes: [{name: conf, configMap: {name: conf}}]
`;

const clusters = new Map<number, RunningCluster>();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-streams-'));
  for (const threads of [alone, several]) {
    clusters.set(threads, await startUp(['--in-memory', `--threads=${threads}`]));
    const kubectl = { name: '', command: ours, threads };
    expect(await run(kubectl, 'apply -f -', manifest)).toMatchObject({ code: 0 });
    const ready = await run(kubectl, 'wait --for=condition=Ready pod/web --timeout=30s');
    expect(ready).toMatchObject({ code: 0 });
  }
}, startMs);

afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  for (const cluster of clusters.values()) expect(await cluster.stop()).toBe(0);
}, startMs);

function start({ command, env, threads }: Kubectl, args: readonly string[]) {
  const [program = '', ...first] = command;
  return spawn(program, [...first, ...args], {
    env: { ...process.env, ...env, HOME: directory, KUBECONFIG: clusters.get(threads)!.kubeconfig },
    cwd: directory,
    timeout: commandMsMax,
  });
}

async function run(kubectl: Kubectl, args: string | readonly string[], stdin = '') {
  const child = start(kubectl, typeof args === 'string' ? args.split(' ') : args);
  const [out, err] = [textOf(child.stdout), textOf(child.stderr)];
  giveInput(child, stdin);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, out: await out, err: await err };
}

async function textOf(stream: Readable): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

describe.each(kubectls)('$name', (kubectl) => {
  test('runs a command: both outputs, its input, its exit code', async () => {
    const script = 'echo out; echo err >&2; wc -w; exit 3';
    expect(await run(kubectl, ['exec', '-i', 'web', '--', 'sh', '-c', script], 'three little words')).toEqual(
      {
        code: 3,
        out: 'out\n3\n',
        err: expect.stringMatching(/^err\n(?:.*\n)?command terminated with exit code 3\n$/),
      },
    );
    expect(await run(kubectl, 'exec web -- cat /conf/greeting')).toMatchObject({ code: 0, out: 'hello' });
  });

  test('says what cannot be run, and where', async () => {
    const missing = await run(kubectl, 'exec web -- nosuch');
    expect(missing.code).toBe(1);
    expect(missing.err).toContain('exec: "nosuch": executable file not found in $PATH: unknown');
    expect((await run(kubectl, 'exec nobody -- ls')).err).toContain('pods "nobody" not found');
    expect((await run(kubectl, 'exec web -c other -- ls')).err).toContain('container');
  });

  test('copies directories there and back', async () => {
    const name = kubectl.name.replaceAll(/\W/g, '-');
    const source = path.join(directory, name);
    await mkdir(path.join(source, 'inner'), { recursive: true });
    const bytes = Buffer.alloc(300_000, 'coxswain');
    await writeFile(path.join(source, 'inner', 'large'), bytes);
    await writeFile(path.join(source, 'small'), 'x');

    expect(await run(kubectl, `cp ${source} web:/tmp/${name}`)).toMatchObject({ code: 0 });
    expect(await run(kubectl, `cp web:/tmp/${name} ${source}-back`)).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(`${source}-back`, 'inner', 'large')).equals(bytes)).toBe(true);
    expect(readFileSync(path.join(`${source}-back`, 'small'), 'utf8')).toBe('x');
  });

  test('leads a port to the container, for several requests at once', async () => {
    const child = start(kubectl, ['port-forward', 'pod/web', ':80']);
    try {
      const port = await forwardedPort(child.stdout);
      const pages = await Promise.all(
        ['/a', '/b', '/c'].map(async (place) => (await fetch(`http://127.0.0.1:${port}${place}`)).text()),
      );
      expect(pages).toEqual(['/a', '/b', '/c'].map((place) => expect.stringContaining(`GET ${place}<`)));
    } finally {
      child.kill('SIGINT');
    }
  });

  test('runs a pod that it talks to, and tidies up', async () => {
    const name = `talk-${kubectls.indexOf(kubectl)}`;
    const args = `run ${name} --rm -i --image=busybox --restart=Never --command -- cat`;
    const child = start(kubectl, args.split(' '));
    let seen = '';
    const heard = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes('are you there')) resolve();
      });
    });
    child.stdin.write('are you there\n');
    await heard;
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
    expect(seen).toContain(`pod "${name}" deleted`);
  });

  test('follows a log until the container ends', async () => {
    const name = `log-${kubectls.indexOf(kubectl)}`;
    const made = `run ${name} --image=busybox --restart=Never -- sh -c`.split(' ');
    await run(kubectl, [...made, 'echo one; sleep 2; echo two']);
    await run(kubectl, `wait --for=jsonpath={.status.podIP} --timeout=20s pod/${name}`);
    const followed = await run(kubectl, `logs -f ${name}`);
    expect(followed).toMatchObject({ code: 0, out: expect.stringContaining('one\n') as string });
  });
});

async function forwardedPort(stream: Readable): Promise<number> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    const port = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port !== undefined) {
      // A full pipe would stop it.
      stream.resume();
      return Number(port);
    }
  }
  throw new Error(`no port in ${text}`);
}

describe('the JavaScript client', () => {
  const kubectl = { name: '', command: ours, threads: alone };
  const config = () => {
    const read = new KubeConfig();
    read.loadFromFile(clusters.get(alone)!.kubeconfig);
    return read;
  };

  test('runs a command and learns its exit code', async () => {
    const out = new PassThrough();
    const text = textOf(out);
    const status = await new Promise<V1Status>((resolve, reject) => {
      const command = ['sh', '-c', 'cat; exit 7'];
      new Exec(config())
        .exec('default', 'web', 'web', command, out, null, Readable.from(['hi']), false, resolve)
        .catch(reject);
    });
    out.end();

    expect(await text).toBe('hi');
    expect(status).toMatchObject({ status: 'Failure', reason: 'NonZeroExitCode' });
    expect(status.details?.causes?.[0]).toMatchObject({ reason: 'ExitCode', message: '7' });
  });

  test('attaches to a container', async () => {
    const out = new PassThrough();
    const answered = new Promise<string>((resolve) => out.once('data', (chunk) => resolve(String(chunk))));
    const input = new PassThrough();
    const name = 'attached';
    await run(
      kubectl,
      `run ${name} --image=busybox --stdin --leave-stdin-open --attach=false --command -- cat`,
    );
    await run(kubectl, `wait --for=condition=Ready pod/${name} --timeout=20s`);
    const socket = await new Attach(config()).attach('default', name, name, out, null, input, false);
    input.write('echo\n');

    expect(await answered).toBe('echo\n');
    socket.close();
  });

  test('leads a port to the container', async () => {
    const forward = new PortForward(config());
    const server = net.createServer((socket) => {
      forward.portForward('default', 'web', [80], socket, null, socket).catch(() => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}/x`, { headers: { connection: 'close' } });

    expect(await answer.text()).toContain('GET /x<');
    server.close();
  });

  test('copies files', async () => {
    const source = path.join(directory, 'client-node');
    await mkdir(source);
    await writeFile(path.join(source, 'file'), 'content');
    // Its promise resolves before the copy is done.
    await new Cp(config()).cpToPod('default', 'web', 'web', source, '/tmp');

    await expect
      .poll(async () => (await run(kubectl, 'exec web -- cat /tmp/file')).out, { timeout: commandMsMax })
      .toBe('content');
  });
});
