/** An API server of the original, without controllers and kubelets, and schedulers at work on it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isStatusError, type KubeObject } from '@coxswain/apimachinery';
import { createClient, resolveKubeconfig, type KubeClient, type Kubeconfig } from '@coxswain/client';
import { transportOf } from '@coxswain/client/node.ts';
import { startScheduler, type KubeSchedulerConfiguration } from '@coxswain/kube-scheduler';
import { endProgram, freePorts, until } from '../../metrics/programs.ts';

export type Side = 'theirs' | 'ours';

export const sides: readonly Side[] = ['theirs', 'ours'];

const token = 'differ-admin-token';

export class World {
  readonly client: KubeClient;
  readonly #directory: string;
  readonly #bin: string;
  readonly #kubeconfig: Kubeconfig;
  readonly #children: ChildProcess[];

  private constructor(bin: string, directory: string, kubeconfig: Kubeconfig, children: ChildProcess[]) {
    this.#bin = bin;
    this.#directory = directory;
    this.#kubeconfig = kubeconfig;
    this.#children = children;
    this.client = this.#connect();
  }

  /**
   * Admission that only controllers can satisfy is off: priorities are numbers, nodes are ready at once.
   * @param bin has etcd, kube-apiserver and kube-scheduler of the original
   */
  static async start(bin: string): Promise<World> {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'coxswain-schedulers-'));
    const [api = 0, etcd = 0, peer = 0] = await freePorts(3);
    const run = (name: string, flags: readonly string[]) =>
      spawn(path.join(bin, name), flags, { stdio: process.env['VERBOSE'] ? 'inherit' : 'ignore' });
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    await writeFile(path.join(directory, 'sa.key'), key);
    await writeFile(path.join(directory, 'tokens.csv'), `${token},admin,admin,system:masters\n`);
    const etcdUrl = `http://127.0.0.1:${etcd}`;
    const children = [
      run('etcd', [
        `--data-dir=${directory}/etcd`,
        `--listen-client-urls=${etcdUrl}`,
        `--advertise-client-urls=${etcdUrl}`,
        `--listen-peer-urls=http://127.0.0.1:${peer}`,
        '--unsafe-no-fsync=true',
      ]),
      run('kube-apiserver', [
        `--etcd-servers=${etcdUrl}`,
        `--secure-port=${api}`,
        '--bind-address=127.0.0.1',
        '--advertise-address=127.0.0.1',
        `--cert-dir=${directory}/api`,
        `--token-auth-file=${directory}/tokens.csv`,
        '--authorization-mode=RBAC',
        '--service-account-issuer=https://kubernetes.default.svc',
        `--service-account-key-file=${directory}/sa.key`,
        `--service-account-signing-key-file=${directory}/sa.key`,
        '--service-cluster-ip-range=10.0.0.0/24',
        '--disable-admission-plugins=ServiceAccount,Priority,TaintNodesByCondition',
      ]),
    ];
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'c', cluster: { server: `https://127.0.0.1:${api}`, 'insecure-skip-tls-verify': true } },
      ],
      users: [{ name: 'u', user: { token } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path.join(directory, 'kubeconfig'), JSON.stringify(kubeconfig));
    const world = new World(bin, directory, kubeconfig, children);
    await until(async () => {
      await world.client.resource<KubeObject>('v1', 'namespaces').get('default');
      return true;
    }, children);
    return world;
  }

  /** Starts the scheduler of a side with one profile, `theirs` or `ours`. Answers with what stops it. */
  schedule(side: Side, configuration: KubeSchedulerConfiguration = {}): Promise<() => Promise<void>> {
    const [profile = {}] = configuration.profiles ?? [];
    const config = { ...configuration, profiles: [{ ...profile, schedulerName: side }] };
    return side === 'ours' ? this.#scheduleOurs(config) : this.#scheduleTheirs(config);
  }

  async #scheduleOurs(config: KubeSchedulerConfiguration): Promise<() => Promise<void>> {
    const stopping = new AbortController();
    const client = this.#connect();
    const onError = (error: unknown) => process.env['VERBOSE'] && console.error(error);
    const { synced, stopped } = startScheduler({ client, signal: stopping.signal, config, onError });
    await synced;
    return async () => {
      stopping.abort();
      await stopped;
      await client.close();
    };
  }

  async #scheduleTheirs(config: KubeSchedulerConfiguration): Promise<() => Promise<void>> {
    const file = path.join(this.#directory, 'scheduler.json');
    const [port = 0] = await freePorts(1);
    const document = {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      ...config,
      leaderElection: { leaderElect: false },
      clientConnection: { kubeconfig: path.join(this.#directory, 'kubeconfig'), qps: 1000, burst: 1000 },
    };
    await writeFile(file, JSON.stringify(document));
    const flags = [`--config=${file}`, '--bind-address=127.0.0.1', `--secure-port=${port}`];
    const child = spawn(
      path.join(this.#bin, 'kube-scheduler'),
      [...flags, `--cert-dir=${this.#directory}/s`],
      {
        stdio: process.env['VERBOSE'] ? 'inherit' : 'ignore',
      },
    );
    const page = transportOf({
      cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true },
      user: {},
    });
    const isReady = async () =>
      (await page.send({ method: 'GET', path: '/readyz', headers: {} })).status === 200;
    await until(isReady, [...this.#children, child]);
    await page.close();
    return async () => void (await endProgram(child));
  }

  async create(object: KubeObject): Promise<KubeObject> {
    const { status, ...rest } = object as KubeObject & { readonly status?: unknown };
    const collection = this.collection(object);
    const created = await collection.create(rest as KubeObject);
    if (status === undefined) return created;
    return collection.updateStatus({ ...created, status } as unknown as KubeObject);
  }

  /** Where objects like this one live. */
  collection({ apiVersion = 'v1', kind = '', metadata }: KubeObject) {
    const resource = kind.endsWith('s') ? `${kind.toLowerCase()}es` : `${kind.toLowerCase()}s`;
    const all = this.client.resource<KubeObject>(apiVersion, resource);
    return metadata.namespace === undefined ? all : all.namespace(metadata.namespace);
  }

  /** At once, whether it is there or not. */
  async remove(object: KubeObject): Promise<void> {
    try {
      await this.collection(object).delete(object.metadata.name!, { gracePeriodSeconds: 0 });
    } catch (failure) {
      if (!isStatusError(failure, 'NotFound')) throw failure;
    }
  }

  async stop(): Promise<void> {
    await this.client.close();
    for (const child of this.#children.toReversed()) await endProgram(child);
    await rm(this.#directory, { recursive: true, force: true });
  }

  #connect(): KubeClient {
    return createClient({ transport: transportOf(resolveKubeconfig(this.#kubeconfig)) });
  }
}

/** The pod as one for that scheduler. */
export function withScheduler(pod: KubeObject, schedulerName: string): KubeObject {
  return { ...pod, spec: { ...(pod as { readonly spec?: object }).spec, schedulerName } } as KubeObject;
}
