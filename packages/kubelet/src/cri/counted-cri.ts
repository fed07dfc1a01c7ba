/** A connection to a runtime that counts and times every call. */
import { growingBounds } from '@coxswain/apimachinery/metrics/growing-bounds.ts';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import { runStep, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { hiddenValue } from '@coxswain/api/core/secret-values.ts';
import type { Cri } from './cri-client.ts';
import type { criMethods } from './methods.ts';

/** Upstream's names of the operations. */
const operations: Readonly<Record<keyof typeof criMethods, string>> = {
  version: 'version',
  status: 'status',
  runPodSandbox: 'run_podsandbox',
  stopPodSandbox: 'stop_podsandbox',
  removePodSandbox: 'remove_podsandbox',
  podSandboxStatus: 'podsandbox_status',
  listPodSandbox: 'list_podsandbox',
  updatePodSandboxResources: 'update_podsandbox_resources',
  createContainer: 'create_container',
  startContainer: 'start_container',
  stopContainer: 'stop_container',
  removeContainer: 'remove_container',
  listContainers: 'list_containers',
  containerStatus: 'container_status',
  updateContainerResources: 'update_container',
  reopenContainerLog: 'reopen_container_log',
  execSync: 'exec_sync',
  exec: 'exec',
  attach: 'attach',
  portForward: 'port_forward',
  listContainerStats: 'list_container_stats',
  listPodSandboxStats: 'list_podsandbox_stats',
  listImages: 'list_images',
  imageStatus: 'image_status',
  pullImage: 'pull_image',
  removeImage: 'remove_image',
  imageFsInfo: 'image_fs_info',
  runtimeConfig: 'runtime_config',
  updateRuntimeConfig: 'update_runtime_config',
};

const operationBounds = growingBounds(0.005, 2.5, 14);
const sandboxBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type Call = (request: { readonly runtimeHandler?: string }, options?: object) => Promise<unknown>;

export function countedCri(
  cri: Cri,
  metrics: Metrics,
  clock: Clock,
  observer: StepObserver | undefined,
): Cri {
  const counted = Object.entries(operations).map(([name, operation]) => {
    const labels = { operation_type: operation };
    const call = cri[name as keyof typeof criMethods] as Call;
    const began = () =>
      metrics.counter('kubelet_runtime_operations_total', 'Runtime operations, by type.', labels);
    const timed = () =>
      metrics.histogram(
        'kubelet_runtime_operations_duration_seconds',
        'Duration of runtime operations in seconds, by type.',
        operationBounds,
        labels,
      );
    const failed = () =>
      metrics.counter(
        'kubelet_runtime_operations_errors_total',
        'Failed runtime operations, by type.',
        labels,
      );
    const counting: Call = async (request, options) => {
      const beganMs = clock.monotonic();
      began().add();
      try {
        return await observed(observer, name, request, () => call(request, options));
      } catch (error) {
        failed().add();
        throw error;
      } finally {
        const tookSeconds = (clock.monotonic() - beganMs) / 1000;
        timed().observe(tookSeconds);
        if (operation === 'run_podsandbox')
          metrics
            .histogram(
              'kubelet_run_podsandbox_duration_seconds',
              'Duration of the creation of pod sandboxes in seconds.',
              sandboxBounds,
              {
                runtime_handler: request.runtimeHandler ?? '',
              },
            )
            .observe(tookSeconds);
      }
    };
    return [name, counting];
  });
  return { ...cri, ...Object.fromEntries(counted) } as Cri;
}

/** Records a call with its messages. Read-only calls are frequent and uninteresting. */
function observed<T>(
  observer: StepObserver | undefined,
  name: string,
  request: object,
  call: () => Promise<T>,
): Promise<T> {
  if (observer === undefined || /^(?:list|status|version|imageFsInfo|runtimeConfig)/i.test(name))
    return call();
  const body = async (): Promise<T> => {
    const response = await call();
    observer.note?.({ response });
    return response;
  };
  // Computed only when read.
  const reported = { toJSON: () => recordedRequest(request) };
  return runStep(observer, `cri/${name}`, body, { request: reported });
}

/** Omits values that containers get from Secrets, and registry credentials. */
const recordedRequest = (request: object): unknown =>
  JSON.parse(
    JSON.stringify(request, (key, value: unknown) => {
      if (key === 'auth') return hiddenValue;
      if (key === 'envs' && Array.isArray(value))
        return value.map((one: { readonly key?: unknown }) => ({ key: one.key, value: hiddenValue }));
      return typeof value === 'bigint' ? String(value) : value;
    }),
  );
