/** The container runtime as used for pods, with everything that its requests depend on. */
import path from 'node:path';
import type { Clock, KubeObject, Random } from '@coxswain/apimachinery';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { TokenBucket, type Informer } from '@coxswain/client';
import { idsPerPodDefault, type KubeletSettings } from '../config/kubelet-configuration.ts';
import { clusterDnsSettings } from '../containers/cluster-dns-settings.ts';
import { CriRuntime } from '../containers/cri-runtime.ts';
import { UserRanges } from '../containers/user-ranges.ts';
import type { ImageAccess } from '../images/image-access.ts';
import { pullSecretsOf } from '../images/pull-secrets.ts';
import { RuntimeImages } from '../images/runtime-images.ts';
import { thermalPaths } from '../node/machine.ts';
import type { NodeState } from '../node/node-state.ts';
import type { RealKubeletOptions } from '../config/real-kubelet-options.ts';
import type { NodeEnvironment } from './node-environment.ts';
import type { NodeEvents } from './node-events.ts';
import type { PodStorage } from './pod-storage.ts';

export interface RuntimeParts extends NodeEvents, PodStorage {
  readonly environment: NodeEnvironment;
  readonly clock: Clock;
  readonly random: Random;
  readonly imageAccess: ImageAccess;
  readonly services: Informer<Service & KubeObject>;
  readonly state: NodeState;
  readonly onError: (error: unknown) => void;
}

export function podRuntime(options: RealKubeletOptions, parts: RuntimeParts): CriRuntime {
  const { settings, signal, nodeIps, protect } = options;
  const { environment, clock, random, volumes, plugins, sources, services, state, event, onError } = parts;
  const { cri, directories, cgroups, limits, metrics, allocatable } = environment;
  return new CriRuntime({
    cri,
    name: environment.runtime.name,
    version: environment.runtime.version,
    clock,
    signal,
    directories,
    volumes,
    devices: plugins.devices,
    claims: plugins.claims,
    cgroups,
    sources,
    machine: limits,
    users: new UserRanges({
      cri,
      directories,
      podsMax: settings.maxPods,
      idsPerPod: settings.userNamespaces.idsPerPod ?? idsPerPodDefault,
      random,
    }),
    protect,
    metrics,
    images: new RuntimeImages({
      cri,
      clock,
      access: parts.imageAccess,
      pullSecrets: (pod) => pullSecretsOf(pod, sources, event),
      ...pullLimits(settings, clock),
    }),
    security: {
      seccompDefault: settings.seccompDefault,
      seccompRoot: path.join(directories.root, 'seccomp'),
      processorPaths: thermalPaths(),
    },
    dns: () => clusterDnsSettings(settings),
    hostIps: () => nodeIps,
    allocatable: () => allocatable,
    services: () => services.lister.list(),
    warn: (pod, reason, message) => event(pod, { type: 'Warning', reason, message }),
    health: (error) => state.runtimeAnswered(error),
    onError,
  });
}

const pullLimits = (
  { serializeImagePulls, maxParallelImagePulls, registryPullQPS, registryBurst }: KubeletSettings,
  clock: Clock,
) => ({
  pullsAtOnceMax: serializeImagePulls ? 1 : maxParallelImagePulls,
  pace: registryPullQPS > 0 ? new TokenBucket(clock, registryPullQPS, registryBurst) : undefined,
});
