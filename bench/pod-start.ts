/**
 * How long a pod takes from its binding to Running, beside the same calls to containerd with nothing around them:
 * `npm run coxswain` is not needed; containerd, runc, the CNI plugins and root are. `PODS=20 node bench/pod-start.ts`
 */
import { setTimeout } from 'node:timers/promises';
import { systemClock, type KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { connectCri } from '@coxswain/kubelet/cri/cri-client.ts';
import { busyboxImage } from '../test/nodes/busybox-image.ts';
import { nodeName, startOneRealNode, type OneRealNode } from '../test/nodes/one-real-node.ts';
import { isRunning, scriptPod } from '../test/nodes/script-pod.ts';

const lookEveryMs = 20;
const podsTotal = Number(process.env['PODS'] ?? 20);

/** The sequential calls that starting a pod waits for. */
const callsOfStart =
  /^kubelet_runtime_operations_duration_seconds_sum\{operation_type="(?:run_podsandbox|podsandbox_status|image_status|create_container|start_container|container_status)"\} (\S+)$/gm;

const node = await startOneRealNode();
try {
  await kubeletPod(node, 'warm');
  await rawPod(node, 'warm-raw');
  const whole: number[] = [];
  const ours: number[] = [];
  const raw: number[] = [];
  // Alternates which goes first, so that both share the effects of other work on the machine.
  for (let index = 0; index < podsTotal; index++) {
    const rawOne = async () => raw.push(await rawPod(node, `raw-${index}`));
    const wholeOne = async () => {
      const { tookMs, runtimeMs } = await kubeletPod(node, `pod-${index}`);
      whole.push(tookMs);
      ours.push(tookMs - runtimeMs);
    };
    for (const one of index % 2 === 0 ? [rawOne, wholeOne] : [wholeOne, rawOne]) await one();
  }
  const extra = whole.map((tookMs, index) => tookMs - raw[index]!);
  console.log(
    JSON.stringify({
      pods: podsTotal,
      rawMs: figures(raw),
      bindToRunningMs: figures(whole),
      differenceOfPairsMs: figures(extra),
      beyondTheRuntimesCallsMs: figures(ours),
    }),
  );
} finally {
  await node.stop();
}

/** The time that the runtime has spent in such calls since the kubelet started, by the kubelet's own metrics. */
async function runtimeMsOf({ kubelet }: OneRealNode): Promise<number> {
  const metrics = await (await kubelet().usage()).ownMetrics();
  return [...metrics.matchAll(callsOfStart)].reduce((sum, [, seconds]) => sum + Number(seconds) * 1000, 0);
}

async function kubeletPod(
  node: OneRealNode,
  name: string,
): Promise<{ readonly tookMs: number; readonly runtimeMs: number }> {
  const { client, remove, kubelet } = node;
  const pods = client.resource<Pod & KubeObject>('v1', 'pods').namespace('default');
  const { metadata } = await pods.list({ limit: 1 });
  const runtimeBeforeMs = await runtimeMsOf(node);
  const beganMs = performance.now();
  await pods.create(scriptPod(name, 'exec sleep 1000', { nodeName }) as Pod & KubeObject);
  const watch = { fieldSelector: `metadata.name=${name}`, resourceVersion: metadata.resourceVersion ?? '' };
  for await (const { object } of pods.watch(watch)) if (isRunning(object)) break;
  const tookMs = performance.now() - beganMs;
  const runtimeMs = (await runtimeMsOf(node)) - runtimeBeforeMs;
  await remove(name);
  // The kubelet removes sandboxes asynchronously, which must not slow down the next pod.
  while ((await kubelet().cri.listPodSandbox({})).items.length > 0) await setTimeout(lookEveryMs);
  return { tookMs, runtimeMs };
}

async function rawPod({ containerd }: OneRealNode, name: string): Promise<number> {
  const cri = connectCri({ endpoint: containerd.endpoint, clock: systemClock });
  const sandboxConfig = {
    metadata: { name, uid: name, namespace: 'raw', attempt: 0 },
    logDirectory: containerd.directory,
    linux: { securityContext: { namespaceOptions: { network: 0, pid: 1, ipc: 0 } } },
  };
  const config = {
    metadata: { name: 'c', attempt: 0 },
    image: { image: busyboxImage },
    command: ['sh', '-c', 'exec sleep 1000'],
    logPath: `${name}.log`,
  };
  const beganMs = performance.now();
  const { podSandboxId } = await cri.runPodSandbox({ config: sandboxConfig });
  await cri.podSandboxStatus({ podSandboxId });
  await cri.imageStatus({ image: { image: busyboxImage } });
  const { containerId } = await cri.createContainer({ podSandboxId, config, sandboxConfig });
  await cri.startContainer({ containerId });
  await cri.containerStatus({ containerId });
  const tookMs = performance.now() - beganMs;
  await cri.stopPodSandbox({ podSandboxId });
  await cri.removePodSandbox({ podSandboxId });
  cri.close();
  return tookMs;
}

function figures(values: readonly number[]): { readonly median: number; readonly p90: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
  return { median: at(0.5), p90: at(0.9) };
}
