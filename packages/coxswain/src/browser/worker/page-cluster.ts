/** A cluster in a worker, controlled by a page whose own thread stays free for the user. */

import { joinedBytes } from '@coxswain/apimachinery/joined-bytes.ts';
import { systemClock, type Clock } from '@coxswain/apimachinery';
import { whenFulfilled } from '@coxswain/apimachinery/when-fulfilled.ts';
import { createClient, type Transport, type TransportRequest } from '@coxswain/client';
import { userOf } from '../../testing/users.ts';
import type {
  AsUser,
  ClusterView,
  ClusterWorker,
  CreateClusterOptions,
  WorkerCluster,
  WorkerImageDefinition,
} from '../../../types/browser.d.ts';
import { Calls } from './calls.ts';
import { runInWorker } from './worker-kubectl.ts';
import { pageDefinition } from './page-container.ts';
import type { AskedCluster, ViewMethod, WorkerEntry } from './served-clusters.ts';

/**
 * Starts a worker and a cluster in it. @throws Error if the worker cannot start, and for the same reasons as
 * `createCluster`
 */
export async function createClusterInWorker(
  options: CreateClusterOptions = {},
  worker: ClusterWorker = startWorker(),
): Promise<WorkerCluster> {
  const calls = new Calls(worker, { refersTo: false });
  let clusters = 0;
  const end = () => {
    if (--clusters > 0) return;
    worker.terminate();
    calls.close(new Error('the cluster has been stopped'));
  };
  const whole = (served: AskedCluster): Promise<WorkerCluster> => {
    clusters++;
    return pageCluster(served, { whole, end });
  };
  worker.addEventListener('error', ({ message = '' }) => {
    // Later errors of the worker are reported like the page's own errors.
    if (clusters === 0)
      calls.close(new Error(`the worker of the cluster cannot start${message && `: ${message}`}`));
  });
  try {
    return await whole(await (calls.entry as WorkerEntry).createCluster(options));
  } catch (failure) {
    worker.terminate();
    throw failure;
  }
}

declare const Worker: new (url: unknown, options: { readonly type: 'module' }) => ClusterWorker;

/** For pages whose content security policy requires trusted script URLs. */
interface ScriptPolicy {
  createScriptURL(url: string): unknown;
}

declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
};

let policy: ScriptPolicy | undefined;

/** `worker.js` lies next to the module that the page has loaded. */
function startWorker(): ClusterWorker {
  if (!('Worker' in globalThis)) throw new Error('there are no workers here: use createCluster()');
  const { href } = new URL('./worker.js', import.meta.url);
  if ('trustedTypes' in globalThis)
    policy ??= trustedTypes.createPolicy('coxswain', { createScriptURL: (url) => url });
  return new Worker(policy?.createScriptURL(href) ?? href, { type: 'module' });
}

interface PageOptions {
  readonly whole: (served: AskedCluster) => Promise<WorkerCluster>;
  readonly end: () => void;
}

async function pageCluster(served: AskedCluster, { whole, end }: PageOptions): Promise<WorkerCluster> {
  const { cluster } = served;
  const { seed, namespace, user } = await served.facts();
  const view = (asked: AsUser | undefined, user: ClusterView['user']) => viewOf(served, asked, user);
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= cluster.stop().finally(end));
  return {
    ...view(undefined, user),
    seed,
    namespace,
    clock: cluster.clock,
    faults: cluster.faults,
    requests: cluster.requests,
    history: cluster.history,
    components: cluster.components,
    nodes: cluster.nodes,
    images: {
      get names() {
        return cluster.images.names;
      },
      define: (name: string, definition: WorkerImageDefinition) =>
        served.define(name, pageDefinition(definition)),
      remove: (name: string) => cluster.images.remove(name),
    },
    webhooks: cluster.webhooks,
    fetch: (input, init) => cluster.fetch(new Request(input, init)),
    as: (asked) => view(asked, userOf(asked)),
    idle: (options) => cluster.idle(options),
    eventually: (attempt, options) => cluster.eventually(attempt, options) as Promise<never>,
    snapshot: () => cluster.snapshot(),
    reset: (snapshot) => cluster.reset(snapshot),
    export: (snapshot) => cluster.export(snapshot),
    fork: async (snapshot) => whole(await served.fork(snapshot)),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function viewOf(served: AskedCluster, asked: AsUser | undefined, user: ClusterView['user']): ClusterView {
  const transport: Transport = {
    structured: false,
    address: 'worker:',
    close: () => Promise.resolve(),
    async send({ method, path, headers, body, signal }: TransportRequest) {
      const request = { method, path, headers, ...(body && { body }), ...(signal && { signal }) };
      const answer = await served.send(asked, request);
      return {
        ...answer,
        stream: () => answer.body,
        bytes: async () => joinedBytes(await Array.fromAsync(answer.body)),
      };
    },
  };
  runInWorker(transport, {
    kubectl: (line, options) => served.kubectl(asked, line, options),
    files: () => served.files(),
  });
  const ask =
    <T>(method: ViewMethod) =>
    (...args: readonly unknown[]) =>
      served.ask(asked, method, args) as Promise<T>;
  return {
    user,
    transport,
    client: createClient({ transport, clock: clockOf(served) }),
    apply: ask('apply'),
    remove: ask('remove'),
    logs: ask('logs'),
    kubeconfig: ask('kubeconfig'),
    ui: ask('ui'),
  } as ClusterView;
}

/** The page's client measures its waits in the cluster's time. */
const clockOf = ({ cluster: { clock } }: AskedCluster): Clock => ({
  ...systemClock,
  after(delayMs, callback) {
    const timer = clock.after(delayMs, callback);
    return { cancel: () => whenFulfilled(timer, ({ cancel }) => void cancel()) };
  },
  sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
});
