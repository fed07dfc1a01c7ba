/** Describes the kubelet's node; computed on each call. */
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Clock, KubeObject } from '@coxswain/apimachinery';
import { grpcFailureText } from '@coxswain/grpc/status.ts';
import type { KubeletSettings } from '../config/kubelet-configuration.ts';
import type { Cri } from '../cri/cri-client.ts';
import { declaredFeatures } from './declared-features.ts';
import type { Machine } from './machine.ts';
import type { NodeState } from './node-state.ts';
import { conditionsOf, realNode } from './real-node.ts';
import { runtimeTroubles } from './runtime-readiness.ts';

export interface NodeDescriptionOptions {
  readonly state: NodeState;
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
  /** In the format of attachable volumes' names; none of them may be detached. */
  readonly volumesInUse?: () => readonly string[];
  /** Resources that device plugins add to the node's own. */
  readonly devices?: () => {
    readonly capacity: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
  };
}

/** The maximum number of names reported per image. */
const namesMax = 5;

export class NodeDescription {
  readonly #options: NodeDescriptionOptions;

  constructor(options: NodeDescriptionOptions) {
    this.#options = options;
  }

  async node(): Promise<Node & KubeObject> {
    const { settings, machine, capacity, allocatable, nodeName, nodeIps, labels, runtimeVersion, clock } =
      this.#options;
    const status = await this.#runtimeStatus();
    const { state, volumesInUse, devices } = this.#options;
    const troubles = state.troubles();
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
      port: state.port,
      runtimeVersion,
      conditions: conditionsOf({
        memoryPressure: state.has('MemoryPressure'),
        diskPressure: state.has('DiskPressure'),
        pidPressure: state.has('PIDPressure'),
        notReady: [...troubles.runtime, ...status.notReady, ...troubles.machine],
      }),
      images: await this.#images(),
      runtimeHandlers: status.handlers,
      features: status.features,
      volumesInUse: [...(volumesInUse?.() ?? [])].sort(),
      declaredFeatures: declaredFeatures.filter((name) => settings.featureGates[name] !== false),
      nowMs: clock.now(),
    });
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
        notReady: [`container runtime status check may not have completed yet: ${grpcFailureText(error)}`],
        handlers: [],
        features: undefined,
      };
    }
  }

  /** The largest first, as the scheduler needs them. */
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
