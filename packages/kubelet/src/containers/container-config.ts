/** Builds the request that creates a container. */
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Input } from '@coxswain/protobuf';
import type { ContainerConfig, ContainerDevice, ContainerMount } from '../cri/container-messages.ts';
import { NamespaceMode } from '../cri/sandbox-messages.ts';
import { pairsOf } from '../cri/shared-messages.ts';
import { expandVariables } from '../pod/expand-variables.ts';
import { containerAnnotations, containerLabels } from './labels.ts';
import { containerResources, type MachineLimits } from '../resources/linux-resources.ts';
import { containerLogPath } from '../pod-paths.ts';
import type { ImageUser } from '../images/runtime-images.ts';
import { containerSecurity, type SecurityDefaults } from './security-context.ts';
import { signalNumbers } from './signal-numbers.ts';
import type { UserRange } from './user-ranges.ts';

export interface ContainerFacts {
  readonly restarts: number;
  /** The runtime's name for the image. */
  readonly imageRef: string;
  readonly imageUser: ImageUser;
  readonly environment: ReadonlyMap<string, string>;
  readonly mounts: readonly ContainerMount[];
  readonly devices: readonly ContainerDevice[];
  readonly cdiDevices?: readonly { readonly name: string }[];
  /** Annotations from device plugins, in addition to the kubelet's own. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly machine: MachineLimits;
  readonly security: SecurityDefaults;
  readonly users?: UserRange | undefined;
  /** The container whose processes an ephemeral container can see. */
  readonly targetId?: string;
}

/** @throws Error for a Localhost profile without a name */
export function containerConfig(
  pod: Pod,
  container: Container,
  facts: ContainerFacts,
): Input<typeof ContainerConfig> {
  const { environment, restarts } = facts;
  const expand = (text: string) => expandVariables(text, (name) => environment.get(name));
  const { targetId } = facts;
  const security = containerSecurity(pod, container, facts.imageUser, facts.security, facts.users);
  const namespaces = security.namespaceOptions;
  const joins = targetId !== undefined && namespaces?.pid === NamespaceMode.container;
  const signal = container.lifecycle?.stopSignal;
  return {
    metadata: { name: container.name, attempt: restarts },
    image: { image: facts.imageRef, userSpecifiedImage: container.image ?? '' },
    command: (container.command ?? []).map(expand),
    args: (container.args ?? []).map(expand),
    workingDir: container.workingDir ?? '',
    envs: [...environment].map(([key, value]) => ({ key, value })),
    mounts: facts.users === undefined ? facts.mounts : facts.mounts.map(mappedTo(facts.users)),
    devices: facts.devices,
    labels: pairsOf(containerLabels(pod, container)),
    annotations: pairsOf({ ...facts.annotations, ...containerAnnotations(pod, container, restarts) }),
    cdiDevices: facts.cdiDevices ?? [],
    logPath: containerLogPath(container.name, restarts),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    linux: {
      resources: containerResources(pod, container, facts.machine),
      securityContext: joins
        ? { ...security, namespaceOptions: { ...namespaces, pid: NamespaceMode.target, targetId } }
        : security,
    },
    ...(signal ? { stopSignal: signalNumbers[signal] ?? 0 } : {}),
  };
}

/** Files that belong to root on the node belong to the container's root. */
const mappedTo =
  (users: UserRange) =>
  (mount: ContainerMount): ContainerMount => ({ ...mount, uidMappings: [users], gidMappings: [users] });
