/** Plays one case in this process, be that Node's or a page's, and returns what each command printed. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock, systemRandom } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { Transport } from '@coxswain/client/transport.ts';
import { runKubectl, type KubectlIo } from '@coxswain/kubectl';
import { diff } from '../../../packages/coxswain/src/browser/diff.ts';
import { testUsers } from '../../../packages/kube-apiserver/test/oracle/play.ts';
import { CaseApi } from './api.ts';
import type { CommandStep, FileContent, HttpStep, KubectlCase, Printed, SetupObject } from './case.ts';
import { comparable, type Known, type RawPrinted } from './comparable.ts';

export interface PlayedCase {
  readonly answers: readonly Printed[];
  /** What ended the case before its end. */
  readonly problem?: string;
  /** It asked for a server that it has not. */
  readonly needsSocket?: true;
}

const commandMsMax = 30_000;
const printedMsMax = 10_000;
const pauseMs = 20;

export const serverAddress = 'https://127.0.0.1:6443';
const closedAddress = 'https://127.0.0.1:1';

const tokens = Object.entries(testUsers).map(([name, { token }]) => [name, token] as const);

export async function playKubectlCase(one: KubectlCase, transport: Transport): Promise<PlayedCase> {
  const player = new Player(one, transport);
  try {
    await player.prepare();
    for (const step of one.steps) await player.step(step);
    return { answers: player.answers, ...(player.needsSocket && { needsSocket: true }) };
  } catch (failure) {
    return { answers: player.answers, problem: messageOf(failure) };
  } finally {
    await player.cleanUp();
  }
}

class Player {
  readonly answers: Printed[] = [];
  needsSocket = false;
  readonly #case: KubectlCase;
  readonly #transport: Transport;
  readonly #api: CaseApi;
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'kubectl-case-'));
  readonly #names: Readonly<Record<string, string>>;
  readonly #known: Known;

  constructor(one: KubectlCase, transport: Transport) {
    const isServed = one.server !== 'none';
    const address = isServed ? serverAddress : closedAddress;
    this.#case = one;
    this.#transport = isServed ? transport : this.#nobodyThere();
    this.#api = new CaseApi(transport, testUsers.admin.token);
    const [ns, id] = [`kns-${randomText()}`, randomText()];
    this.#names = {
      ns,
      id,
      DIR: this.#directory,
      SERVER: address,
      TOKEN: testUsers.admin.token,
      KUBECTL: 'kubectl',
    };
    const shown = isServed ? 'https://SERVER' : address;
    const host = (url: string) => url.replace('https://', '');
    this.#known = {
      literals: [
        [ns, 'kns-NNNNNN'],
        [id, 'IDIDID'],
        [this.#directory, '$DIR'],
        [address, shown],
        [host(address), host(shown)],
        ...tokens.map(([name, token]) => [token, `<token of ${name}>`] as const),
      ],
      patterns: one.subst ?? [],
    };
  }

  async prepare(): Promise<void> {
    const { ns = '', SERVER = '' } = this.#names;
    for (const directory of ['home', 'bin', 'tmp', 'work']) mkdirSync(path.join(this.#directory, directory));
    if (this.#hasNamespace) await this.#api.step({ http: 'POST /api/v1/namespaces', body: namespaceNamed(ns) });
    const uids = new Map<string, string>();
    for (const one of this.#case.setup ?? []) {
      const object = withUids(this.#filled(one), uids);
      if (isRequest(object)) await this.#api.step(object);
      else uids.set(`${object.kind}/${object.metadata.name}`, await this.#api.create(object, ns));
    }
    writeFileSync(path.join(this.#directory, 'config'), kubeconfig(SERVER, ns));
    for (const [name, content] of Object.entries(this.#case.files ?? {})) this.#write(name, content);
  }

  async step(step: CommandStep | HttpStep): Promise<void> {
    if (step.waitMs !== undefined) await sleep(step.waitMs);
    if (isRequest(step)) return this.#api.step(this.#filled(step));
    const until = Date.now() + (step.retry?.timeoutMs ?? 0);
    for (;;) {
      const printed = await this.#run(step);
      const isWanted = step.retry === undefined || new RegExp(step.retry.until).test(printed.stdout);
      if (!isWanted && Date.now() < until) continue;
      this.answers.push(comparable(printed, step, this.#known));
      return;
    }
  }

  async cleanUp(): Promise<void> {
    rmSync(this.#directory, { recursive: true, force: true });
    if (this.#hasNamespace) await this.#api.request('DELETE', `/api/v1/namespaces/${this.#names['ns']}`);
    for (const object of this.#case.setup ?? [])
      if (!isRequest(object)) await this.#api.removeClusterWide(this.#filled(object)).catch(() => {});
  }

  /** Which address answers nothing, and how, only a socket can tell. */
  #nobodyThere(): Transport {
    const send = () => {
      this.needsSocket = true;
      return Promise.reject(new Error('there is no server'));
    };
    return { structured: false, address: closedAddress, send, close: () => Promise.resolve() };
  }

  get #hasNamespace(): boolean {
    return this.#case.server !== 'none' && this.#case.cluster !== true;
  }

  #filled<T>(value: T): T {
    return filled(value, this.#names) as T;
  }

  #write(name: string, content: FileContent): void {
    const isBeside = /^(home|bin|tmp|config)(\/|$)/.test(name);
    const file = path.join(this.#directory, isBeside ? name : path.join('work', name));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'object' ? this.#bytesOf(content) : this.#filled(content));
  }

  #bytesOf(content: object): string | Uint8Array {
    if ('base64' in content) return Buffer.from(content.base64 as string, 'base64');
    return this.#filled('script' in content ? (content.script as string) : JSON.stringify(content, null, 2));
  }

  /** To its end, to what is waited for, or until it takes too long. */
  async #run(step: CommandStep): Promise<RawPrinted> {
    const command = new RunningCommand(this.#filled([...step.cmd]), this.#io(step), step.timeoutMs ?? commandMsMax);
    if (step.during !== undefined || step.until !== undefined) {
      await command.hasPrinted(step.ready, 'either');
      for (const inner of step.during ?? []) await this.step(inner);
      await command.hasPrinted(step.until, 'stdout');
      if (step.letRun !== true) command.stop('stopped');
    }
    return command.ended;
  }

  #io({ env = {}, stdin = '' }: CommandStep): Omit<KubectlIo, 'out' | 'err' | 'signal'> {
    const inDirectory = (name: string) => path.join(this.#directory, name);
    const variables = {
      PATH: `${inDirectory('bin')}:/usr/local/bin:/usr/bin:/bin`,
      HOME: inDirectory('home'),
      TMPDIR: inDirectory('tmp'),
      KUBECONFIG: inDirectory('config'),
      KUBECACHEDIR: inDirectory('home/.kube/cache'),
      TERM: 'dumb',
      LC_ALL: 'C',
      TZ: 'UTC',
      ...this.#filled(env),
    };
    const text = this.#filled(stdin);
    return {
      stdin: async () => text,
      openStdin: () => ({ chunks: onlyChunk(text), close: () => {} }),
      env: Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== null)) as KubectlIo['env'],
      workingDirectory: inDirectory('work'),
      clock: systemClock,
      random: systemRandom,
      transport: this.#transport,
      spawn: async (program, args, { out } = {}) => {
        if (program !== 'diff') throw Object.assign(new Error(`spawn ${program} ENOENT`), { code: 'ENOENT' });
        return diff(args, (printed) => out?.write(printed));
      },
    };
  }
}

/** A command as it runs, and what it has printed so far. */
class RunningCommand {
  readonly ended: Promise<RawPrinted>;
  readonly #stopping = new AbortController();
  readonly #printed = { stdout: '', stderr: '' };
  #hasEnded = false;
  #stoppedBy: string | undefined;

  constructor(args: readonly string[], io: Omit<KubectlIo, 'out' | 'err' | 'signal'>, msMax: number) {
    const limit = setTimeout(() => this.stop('timeout'), msMax);
    const stopped = new Promise<string>((resolve) => {
      this.#stopping.signal.addEventListener('abort', () => resolve(this.#stoppedBy!), { once: true });
    });
    const out = this.#writer('stdout');
    const err = this.#writer('stderr');
    const over = runKubectl(args, { ...io, out, err, signal: this.#stopping.signal });
    this.ended = Promise.race([over, stopped]).then((exit) => {
      clearTimeout(limit);
      this.#hasEnded = true;
      return { exit, ...this.#printed };
    });
  }

  stop(reason: string): void {
    if (this.#hasEnded) return;
    this.#stoppedBy = reason;
    this.#stopping.abort(new Error(reason));
  }

  /** Or has ended, or takes too long. */
  async hasPrinted(pattern: string | undefined, where: 'stdout' | 'either'): Promise<void> {
    const wanted = pattern === undefined ? undefined : new RegExp(pattern, 'm');
    for (let waitedMs = 0; waitedMs < printedMsMax; waitedMs += pauseMs) {
      const { stdout, stderr } = this.#printed;
      if (this.#hasEnded || wanted === undefined || wanted.test(where === 'stdout' ? stdout : stdout + stderr)) return;
      await sleep(pauseMs);
    }
  }

  #writer(stream: 'stdout' | 'stderr'): KubectlIo['out'] {
    const decoder = new TextDecoder();
    return {
      write: (text) => {
        if (this.#hasEnded) return;
        this.#printed[stream] += typeof text === 'string' ? text : decoder.decode(text, { stream: true });
      },
    };
  }
}

const isRequest = (step: object): step is HttpStep => 'http' in step;

const namespaceNamed = (name: string): object => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

async function* onlyChunk(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield new TextEncoder().encode(text);
}

/** `$ns`, `$id` and the like, in texts, keys and values. */
function filled(value: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$(ns|id|DIR|SERVER|KUBECTL|TOKEN)\b/g, (_, name: string) => names[name]!);
  if (Array.isArray(value)) return value.map((item) => filled(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [filled(key, names), filled(inner, names)]),
  );
}

const withUids = <T extends SetupObject | HttpStep>(object: T, uids: ReadonlyMap<string, string>): T =>
  JSON.parse(
    JSON.stringify(object).replaceAll(/"\$uid:([^"]+)"/g, (found, key: string) =>
      uids.has(key) ? JSON.stringify(uids.get(key)) : found,
    ),
  ) as T;

const randomText = (): string =>
  Array.from({ length: 6 }, () => 'bcdfghjkmnpqrstvwxz'[Math.floor(Math.random() * 19)]).join('');

function kubeconfig(server: string, namespace: string): string {
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    preferences: {},
    clusters: [{ name: 'oracle', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: tokens.map(([name, token]) => ({ name, user: { token } })),
    contexts: tokens.map(([user]) => ({ name: user, context: { cluster: 'oracle', user, namespace } })),
  };
  return JSON.stringify(config, null, 2);
}
