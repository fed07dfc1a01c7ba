/** Starts the parts of a kubelet in order, and runs them until the signal aborts. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { followPods } from './follow-pods.ts';
import type { Housekeeping } from './housekeeping.ts';
import type { Kubelet } from './kubelet.ts';
import type { CriRuntime } from './containers/cri-runtime.ts';
import type { RealKubeletOptions } from './config/real-kubelet-options.ts';
import type { StaticPods } from './static-pods/static-pods.ts';
import type { StatusWriter } from './status/status-writer.ts';
import type { CommonParts } from './real/common-parts.ts';
import type { NodeInApi } from './real/node-in-api.ts';
import { keepVolumesFresh, type PodStorage } from './real/pod-storage.ts';

export interface NodeParts extends CommonParts, PodStorage {
  readonly node: NodeInApi;
  readonly runtime: CriRuntime;
  readonly staticPods: StaticPods;
  readonly housekeeping: Housekeeping;
  readonly kubelet: Kubelet;
  readonly writer: StatusWriter;
  /** Closes this node's port, if it has one. */
  readonly closePort: () => Promise<void>;
}

/** Resolves when the node is registered and its pods are managed; the result resolves when everything has stopped. */
export async function runNode(
  options: RealKubeletOptions,
  parts: NodeParts,
): Promise<{ readonly stopped: Promise<void> }> {
  const { settings, signal } = options;
  const { environment, pods, services, node, plugins, volumes, runtime, staticPods, housekeeping, kubelet } =
    parts;
  const { clock, nodeEvent, onError } = parts;
  nodeEvent('Normal', 'Starting', 'Starting kubelet.');
  if (settings.registerNode) await node.agent.register();
  await plugins.start();
  const running = node.agent.run();
  const serving = Promise.all([services.run(signal), node.follow()]);
  await services.synced;
  await staticPods.start(kubelet);
  const following = await followPods({ ...options, ...parts, metrics: environment.metrics });
  await runtime.removeUnknown((uid) => pods.byUid(uid) !== undefined);
  void plugins.releaseUnused().catch(onError);
  const keeping = housekeeping.run();
  detach(keepVolumesFresh(volumes, settings.syncFrequency, clock, signal), onError);
  const stop = (): void => {
    kubelet.stop();
    parts.writer.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  const stopped = Promise.allSettled([running, serving, following.running, keeping]).then(parts.closePort);
  return { stopped };
}
