/** What the kubelet says of its node, asked anew each time. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import { criFailureText, type Cri } from '../cri/cri-client.ts';
import { declaredFeatures } from './declared-features.ts';
import type { Machine } from './machine.ts';
import { conditionsOf, realNode } from './real-node.ts';
import { runtimeTroubles } from './runtime-readiness.ts';

export interface NodeDescriptionOptions {
  readonly cri: Cri;
  readonly clock: Clock;
  readonly settings: KubeletSettings;
  readonly machine: Machine;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** `containerd://1.6.20` */
  readonly runtimeVersion: string;
  /** Names as attachable volumes have them; none of them may be detached. */
  readonly volumesInUse?: () => readonly string[];
  /** What device plugins add to the node's own. */
  readonly devices?: () => {
    readonly capacity: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
  };
}

export interface Pressures {
  readonly memory: boolean;
  readonly disk: boolean;
  readonly pid: boolean;
}

/** The runtime may be silent so long before the node counts as not ready. */
const silenceMsMax = 30_000;
/** Of an image with very many names, so many are told. */
const namesMax = 5;

export class NodeDescription {
  readonly #options: NodeDescriptionOptions;
  #silentSinceMs: number | undefined;
  #pressures: Pressures = { memory: false, disk: false, pid: false };
  #stopping: string | undefined;
  #port: number;

  constructor(options: NodeDescriptionOptions) {
    this.#options = options;
    this.#port = options.settings.port;
  }

  /** Where the kubelet listens, when any free port was asked for. */
  set port(port: number) {
    this.#port = port;
  }

  /** Told after each reading of the runtime. */
  runtimeAnswered(error: unknown): void {
    if (error === undefined) this.#silentSinceMs = undefined;
    else this.#silentSinceMs ??= this.#options.clock.monotonic();
  }

  set pressures(pressures: Pressures) {
    this.#pressures = pressures;
  }

  /** The machine is about to go down. */
  set stopping(reason: string | undefined) {
    this.#stopping = reason;
  }

  async node(): Promise<Node & KubeObject> {
    const { settings, machine, capacity, allocatable, nodeName, nodeIps, labels, runtimeVersion, clock } =
      this.#options;
    const status = await this.#runtimeStatus();
    const { volumesInUse, devices } = this.#options;
    const added = devices?.() ?? { capacity: {}, allocatable: {} };
    return realNode({
      name: nodeName,
      addresses: nodeIps,
      labels,
      taints: settings.registerWithTaints,
      unschedulable: false,
      podCidr: settings.podCIDR,
      providerId: settings.providerID,
      machine,
      capacity: { ...capacity, ...added.capacity },
      allocatable: { ...allocatable, ...added.allocatable },
      port: this.#port,
      runtimeVersion,
      conditions: conditionsOf({
        memoryPressure: this.#pressures.memory,
        diskPressure: this.#pressures.disk,
        pidPressure: this.#pressures.pid,
        notReady: [
          ...this.#silence(),
          ...status.notReady,
          ...(this.#stopping === undefined ? [] : [this.#stopping]),
        ],
      }),
      images: await this.#images(),
      runtimeHandlers: status.handlers,
      features: status.features,
      volumesInUse: [...(volumesInUse?.() ?? [])].sort(),
      declaredFeatures: declaredFeatures.filter((name) => settings.featureGates[name] !== false),
      nowMs: clock.now(),
    });
  }

  #silence(): readonly string[] {
    if (this.#silentSinceMs === undefined) return [];
    const silentMs = this.#options.clock.monotonic() - this.#silentSinceMs;
    return silentMs < silenceMsMax ? [] : ['container runtime is down'];
  }

  async #runtimeStatus() {
    try {
      const { status, runtimeHandlers, features } = await this.#options.cri.status({});
      const handlers = runtimeHandlers.map((handler) => ({
        name: handler.name,
        recursiveReadOnlyMounts: handler.features?.recursiveReadOnlyMounts ?? false,
        userNamespaces: handler.features?.userNamespaces ?? false,
      }));
      return {
        notReady: runtimeTroubles(status?.conditions ?? []),
        handlers,
        features: features && { supplementalGroupsPolicy: features.supplementalGroupsPolicy },
      };
    } catch (error) {
      return {
        notReady: [`container runtime status check may not have completed yet: ${criFailureText(error)}`],
        handlers: [],
        features: undefined,
      };
    }
  }

  /** The largest first, as the scheduler counts them. */
  async #images() {
    const { cri, settings } = this.#options;
    const { images } = await cri.listImages({}).catch(() => ({ images: [] }));
    const listed = images
      .map(({ repoDigests, repoTags, size }) => ({
        names: [...repoDigests, ...repoTags].slice(0, namesMax),
        sizeBytes: size,
      }))
      .sort((a, b) => b.sizeBytes - a.sizeBytes);
    return settings.nodeStatusMaxImages < 0 ? listed : listed.slice(0, settings.nodeStatusMaxImages);
  }
}
