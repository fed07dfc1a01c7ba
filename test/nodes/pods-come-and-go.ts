/**
 * Pods of a node come, run and go, some at once, through the API:
 * `node pods-come-and-go.ts KUBECONFIG NODE TOTAL AT-ONCE`. Tells how long they took to run and to be gone, as JSON.
 */
import type { KubeObject, WatchEvent } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ResourceClient } from '@coxswain/client';
import { connect, loadKubeconfig } from '@coxswain/client/node.ts';
import { isRunning, scriptPod } from './script-pod.ts';

/** Even on a machine that does much else. */
const stepMsMax = 120_000;
const firstHostPort = 20_000;
const [file = '', nodeName = '', total = '', atOnce = ''] = process.argv.slice(2);
const client = connect(loadKubeconfig({ file }));
const pods: ResourceClient<Pod & KubeObject> = client
  .resource<Pod & KubeObject>('v1', 'pods')
  .namespace('default');
const runningMs: number[] = [];
const goneMs: number[] = [];

for (let at = 0; at < Number(total); at += Number(atOnce)) {
  const count = Math.min(Number(atOnce), Number(total) - at);
  const names = Array.from({ length: count }, (_, index) => `come-and-go-${at + index}`);
  runningMs.push(
    ...(await timesUntil(
      names,
      ({ type, object }) => type !== 'DELETED' && isRunning(object),
      (name) => pods.create(pod(name)),
    )),
  );
  // As whoever watches a node does: what is remembered of containers for that goes with them, too.
  await client.rest.request({ verb: 'GET', path: `/api/v1/nodes/${nodeName}/proxy/stats/summary` });
  goneMs.push(
    ...(await timesUntil(
      names,
      ({ type }) => type === 'DELETED',
      (name) => pods.delete(name, { gracePeriodSeconds: 1 }),
    )),
  );
}
console.log(JSON.stringify({ runningMs: figures(runningMs), goneMs: figures(goneMs) }));

/**
 * How long each took from its request until the API told that it was as wanted, in milliseconds.
 * @throws Error that tells of one that never was
 */
async function timesUntil(
  names: readonly string[],
  isAsWanted: (event: WatchEvent<Pod & KubeObject>) => boolean,
  request: (name: string) => Promise<unknown>,
): Promise<readonly number[]> {
  const { metadata } = await pods.list({ limit: 1 });
  const waiting = new Set(names);
  const beganMs = performance.now();
  const signal = AbortSignal.timeout(stepMsMax);
  const watch = pods.watch({ resourceVersion: metadata.resourceVersion ?? '', signal });
  const requests = Promise.all(names.map(request));
  const tookMs: number[] = [];
  try {
    for await (const event of watch) {
      if (!isAsWanted(event)) continue;
      if (waiting.delete(event.object.metadata.name ?? '')) tookMs.push(performance.now() - beganMs);
      if (waiting.size === 0) break;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await requests;
  const [late] = waiting;
  if (late !== undefined) throw new Error(`not as wanted: ${JSON.stringify(await pods.get(late))}`);
  return tookMs;
}

function figures(values: readonly number[]) {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (share: number): number => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return { median: at(0.5), p90: at(0.9), most: at(1) };
}

function pod(name: string): Pod & KubeObject {
  const made: object = scriptPod(
    name,
    'mkdir -p /memory/part; exec sleep 1000',
    {
      nodeName,
      volumes: [
        { name: 'memory', emptyDir: { medium: 'Memory' } },
        {
          name: 'labels',
          downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
        },
      ],
    },
    {
      ports: [
        {
          name: 'web',
          containerPort: 8080,
          hostPort: firstHostPort + Number(name.replace('come-and-go-', '')),
        },
      ],
      volumeMounts: [
        { name: 'memory', mountPath: '/memory' },
        { name: 'memory', mountPath: '/part', subPath: 'part' },
        { name: 'labels', mountPath: '/labels' },
      ],
      resources: { requests: { cpu: '1m' } },
    },
  );
  return { ...made, metadata: { name, labels: { app: 'come-and-go' } } } as unknown as Pod & KubeObject;
}
