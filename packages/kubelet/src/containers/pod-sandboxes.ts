/** The namespaces, network, cgroups and volumes of pods, which are created and removed together. */
import { mkdir } from 'node:fs/promises';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { grpcFailureText, GrpcError, grpcCodeName } from '@coxswain/grpc/status.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { ClaimedDevices } from '../plugins/claims/claimed-devices.ts';
import type { KubeletMetrics } from '../metrics/kubelet-metrics.ts';
import { RuntimeFailure, type Sandbox } from '../runtime.ts';
import type { ApiSources } from '../volumes/api-sources.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { hasOwnUsers, type UserRanges } from './user-ranges.ts';
import { ignoreNotFound, persist, type Persistence } from '../cri/persist.ts';
import { podUidOf, type Relist } from './relist.ts';
import type { RuntimeRequests } from './runtime-requests.ts';
import type { SandboxConfig } from '../cri/sandbox-messages.ts';

export interface PodSandboxesOptions extends Persistence {
  readonly cri: Cri;
  readonly volumes: PodVolumes;
  readonly claims?: Pick<ClaimedDevices, 'prepare' | 'release'> | undefined;
  readonly cgroups: PodCgroups;
  readonly sources: ApiSources;
  readonly requests: RuntimeRequests;
  readonly users: Pick<UserRanges, 'check' | 'release'>;
  readonly relist: Relist;
  readonly protect?: ((pod: Pod, addresses: readonly string[]) => Promise<void>) | undefined;
  readonly metrics?:
    | Pick<KubeletMetrics, 'podStarted' | 'podStartFailed' | 'podWithUsersFailed' | 'containerStarted'>
    | undefined;
}

interface LivePod {
  readonly sandbox: Sandbox;
  readonly config: SandboxConfig;
  /** Whether a container has failed to start in it. */
  hasFailed?: boolean;
}

/** Setting up a sandbox includes its network; upstream allows twice the timeout of other calls. */
const sandboxMsMax = 240_000;

export class PodSandboxes {
  readonly #options: PodSandboxesOptions;
  readonly #pods = new Map<string, LivePod>();

  constructor(options: PodSandboxesOptions) {
    this.#options = options;
  }

  of(pod: Pod): LivePod | undefined {
    return this.#pods.get(pod.metadata?.uid ?? '');
  }

  /** @throws RuntimeFailure */
  async run(pod: Pod): Promise<Sandbox> {
    const { cgroups, volumes, claims, sources, protect } = this.#options;
    await claims?.prepare(pod);
    const [{ mounted }, runtimeHandler] = await Promise.all([
      volumes.begin(pod),
      sources.runtimeHandler(pod.spec?.runtimeClassName),
      cgroups.ensure(pod),
    ]);
    const { id, config } = await this.#make(pod, await this.#clear(pod), runtimeHandler);
    const sandbox = { id, ips: await this.#addressesOf(pod, id) };
    // Recorded before the volumes are mounted, so that if they fail, the next attempt stops it first.
    this.#pods.set(pod.metadata?.uid ?? '', { sandbox, config });
    if (sandbox.ips.length > 0) await protect?.(pod, sandbox.ips);
    await mounted;
    return sandbox;
  }

  /** A container didn't start in the pod's sandbox, which counts once. */
  containerFailed(pod: Pod): void {
    const live = this.of(pod);
    if (live === undefined || live.hasFailed || !hasOwnUsers(pod)) return;
    live.hasFailed = true;
    this.#options.metrics?.podWithUsersFailed();
  }

  /** Resolves when everything that belongs to the sandbox is gone. */
  async stop(sandbox: Sandbox, pod: Pod): Promise<void> {
    const { cri, volumes, claims, cgroups, sources, users } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    await persist(() => cri.stopPodSandbox({ podSandboxId: sandbox.id }), this.#options);
    await persist(() => volumes.unmount(uid), this.#options);
    if (claims !== undefined) await persist(() => claims.release(uid), this.#options);
    await persist(() => cgroups.remove(pod), this.#options);
    await users.release(uid);
    sources.forget(uid);
    this.#pods.delete(uid);
  }

  /** Adopts a sandbox that an earlier kubelet has started. */
  async adopt(pod: Pod, sandbox: Sandbox, attempt: number): Promise<void> {
    const { cgroups, volumes, requests } = this.#options;
    await cgroups.ensure(pod);
    this.#pods.set(pod.metadata?.uid ?? '', { sandbox, config: await requests.sandbox(pod, attempt) });
    await volumes.mount(pod);
  }

  /** Stops earlier sandboxes, whose containers' logs may still be needed; returns the number of the next attempt. */
  async #clear(pod: Pod): Promise<number> {
    const { cri, relist } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    const known = this.#pods.get(uid);
    const before = relist.sandboxes.filter((sandbox) => podUidOf(sandbox) === uid);
    for (const { id } of before) await ignoreNotFound(cri.stopPodSandbox({ podSandboxId: id }));
    if (known !== undefined) {
      await ignoreNotFound(cri.stopPodSandbox({ podSandboxId: known.sandbox.id }));
      return (known.config.metadata?.attempt ?? 0) + 1;
    }
    return Math.max(-1, ...before.map(({ metadata }) => metadata?.attempt ?? 0)) + 1;
  }

  /** Every attempt counts as a start of the pod, as upstream. */
  async #make(pod: Pod, attempt: number, runtimeHandler: string) {
    const { requests, users, metrics } = this.#options;
    const hasUsers = hasOwnUsers(pod);
    metrics?.podStarted(hasUsers);
    try {
      await users.check(pod, runtimeHandler);
      const config = await requests.sandbox(pod, attempt);
      await mkdir(config.logDirectory!, { recursive: true, mode: 0o755 });
      return { config, id: await this.#request(config, runtimeHandler) };
    } catch (error) {
      metrics?.podStartFailed(hasUsers);
      throw error;
    }
  }

  /** @returns the sandbox ID */
  async #request(config: SandboxConfig, runtimeHandler: string): Promise<string> {
    const { cri, metrics } = this.#options;
    try {
      const { podSandboxId } = await cri.runPodSandbox(
        { config, runtimeHandler },
        { timeoutMs: sandboxMsMax },
      );
      metrics?.containerStarted('podsandbox');
      return podSandboxId;
    } catch (error) {
      metrics?.containerStarted('podsandbox', error instanceof GrpcError ? grpcCodeName(error) : 'Unknown');
      throw new RuntimeFailure('CreatePodSandboxError', grpcFailureText(error));
    }
  }

  async #addressesOf(pod: Pod, podSandboxId: string): Promise<readonly string[]> {
    if (pod.spec?.hostNetwork) return [];
    const { status } = await this.#options.cri.podSandboxStatus({ podSandboxId });
    const { ip = '', additionalIps = [] } = status?.network ?? {};
    return [ip, ...additionalIps.map((each) => each.ip)].filter(Boolean);
  }
}
