/** Builds the requests that create sandboxes and containers, with everything that they depend on. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Container } from '@coxswain/api/core/v1/container.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { PodCgroups } from '../cgroups/pod-cgroups.ts';
import type { Cri } from '../cri/cri-client.ts';
import type { ClaimedDevices } from '../plugins/claims/claimed-devices.ts';
import type { DeviceManager } from '../plugins/devices/device-manager.ts';
import { RuntimeFailure, type Sandbox, type StartRequest } from '../runtime.ts';
import type { ApiSources } from '../volumes/api-sources.ts';
import type { PodVolumes } from '../volumes/pod-volumes.ts';
import { valueInFile } from '../volumes/env-file.ts';
import { blockDevices } from './block-devices.ts';
import { containerConfig } from './container-config.ts';
import { containerMounts } from './container-mounts.ts';
import { podDns, type DnsSettings } from './dns-config.ts';
import type { NodeFacts } from '../pod/downward-api.ts';
import { containerEnvironment } from '../pod/environment.ts';
import { containerNameLabel } from './labels.ts';
import type { MachineLimits } from '../resources/linux-resources.ts';
import { kernelHostname, podHostname } from './pod-hostname.ts';
import { podLogDirectory, type KubeletDirectories } from '../pod-paths.ts';
import type { RuntimeImages } from '../images/runtime-images.ts';
import type { SandboxConfig } from '../cri/sandbox-messages.ts';
import { sandboxConfig } from './sandbox-config.ts';
import { refuseRoot, type SecurityDefaults } from './security-context.ts';
import { serviceVariables } from '../pod/service-variables.ts';
import type { UserRanges } from './user-ranges.ts';

export interface RuntimeRequestsOptions {
  readonly cri: Cri;
  readonly signal: AbortSignal;
  readonly directories: KubeletDirectories;
  readonly images: RuntimeImages;
  readonly volumes: PodVolumes;
  readonly devices?: Pick<DeviceManager, 'prepare'>;
  readonly claims?: Pick<ClaimedDevices, 'prepare' | 'cdiDevicesOf' | 'release'>;
  readonly users: Pick<UserRanges, 'check' | 'of' | 'release'>;
  readonly cgroups: PodCgroups;
  readonly sources: ApiSources;
  readonly machine: MachineLimits;
  readonly security: SecurityDefaults;
  readonly dns: () => DnsSettings;
  readonly hostIps: () => readonly string[];
  readonly allocatable: () => Readonly<Record<string, string>>;
  readonly services: () => readonly Service[];
  readonly warn: (pod: Pod, reason: string, message: string) => void;
}

export class RuntimeRequests {
  readonly #options: RuntimeRequestsOptions;

  constructor(options: RuntimeRequestsOptions) {
    this.#options = options;
  }

  /** @param attempt the number of earlier sandboxes of the pod */
  async sandbox(pod: Pod, attempt: number): Promise<SandboxConfig> {
    const { directories, cgroups, machine, dns, users, warn } = this.#options;
    const settings = dns();
    const { config, warnings } = podDns(pod, settings);
    for (const { reason, message } of warnings) warn(pod, reason, message);
    return sandboxConfig(pod, {
      attempt,
      hostname: kernelHostname(pod, podHostname(pod, settings.clusterDomain)),
      logDirectory: podLogDirectory(directories, pod),
      dns: config,
      cgroupParent: cgroups.parentOf(pod),
      machine,
      users: await users.of(pod),
    });
  }

  /** @throws RuntimeFailure and Error for missing objects that the container refers to */
  async container({ pod, container, sandbox, restarts }: StartRequest) {
    const { volumes, sources, services, directories, dns, machine, security, users, cri } = this.#options;
    const uid = pod.metadata?.uid ?? '';
    // For the first container of a sandbox, volumes were just mounted; later ones get current contents.
    if (restarts > 0 || !volumes.hasAll(pod)) await volumes.mount(pod);
    const ips = pod.spec?.hostNetwork ? this.#options.hostIps() : sandbox.ips;
    const mounted = volumes.of(uid);
    const variables = containerEnvironment(pod, container, {
      configMap: async (namespace, name) => (await sources.configMap(namespace, name)).data ?? {},
      secret: async (namespace, name) => decoded((await sources.secret(namespace, name)).data),
      fileKey: async (volume, file, key) => {
        const place = mounted.get(volume);
        if (place === undefined)
          throw new Error(`cannot find the volume "${volume}" referenced by FileKeyRef`);
        return valueInFile(place.hostPath, file, key);
      },
      serviceVariables: serviceVariables(
        services(),
        pod.metadata?.namespace ?? '',
        pod.spec?.enableServiceLinks ?? true,
      ),
      facts: this.#facts(ips),
    });
    const [environment, image] = await Promise.all([variables, this.#image(container)]);
    refuseRoot(pod, container, image.user);
    const granted = await this.#options.devices?.prepare(pod, container);
    const imageVolumes = await this.#imageVolumes(pod, container);
    const logs = path.join(podLogDirectory(directories, pod), container.name);
    const [mounts, targetId] = await Promise.all([
      containerMounts(pod, container, {
        directories,
        clusterDomain: dns().clusterDomain,
        podIps: ips,
        volumes: mounted,
        environment,
        images: imageVolumes,
      }),
      targetOf(cri, pod, container, sandbox),
      mkdir(logs, { recursive: true, mode: 0o755 }),
    ]);
    const config = containerConfig(pod, container, {
      restarts,
      imageRef: image.id,
      imageUser: image.user,
      environment: new Map([...(granted?.environment ?? []), ...environment]),
      mounts: [...mounts, ...(granted?.mounts ?? [])],
      devices: [...blockDevices(container, mounted), ...(granted?.devices ?? [])],
      cdiDevices: [
        ...(granted?.cdiDevices ?? []),
        ...(this.#options.claims?.cdiDevicesOf(pod, container) ?? []),
      ],
      annotations: granted?.annotations ?? {},
      machine,
      security,
      users: await users.of(pod),
      ...(targetId === undefined ? {} : { targetId }),
    });
    return { config, ips };
  }

  /** @throws RuntimeFailure if the image was removed since it was pulled */
  async #image({ image: name = '' }: Container) {
    const found = await this.#options.images.find(name);
    if (found === undefined) throw new RuntimeFailure('ErrImagePull', `image "${name}" is gone`);
    return found;
  }

  async #imageVolumes(pod: Pod, container: Container): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const { name, image } of pod.spec?.volumes ?? []) {
      if (!image || !container.volumeMounts?.some((mount) => mount.name === name)) continue;
      const { images } = this.#options;
      const known = await images.find(image.reference ?? '');
      if (known === undefined || image.pullPolicy === 'Always')
        await images.pull(image.reference ?? '', pod, this.#options.signal);
      found.set(name, (known ?? (await images.find(image.reference ?? '')))?.id ?? '');
    }
    return found;
  }

  #facts(podIps: readonly string[]): NodeFacts {
    return { podIps, hostIps: this.#options.hostIps(), allocatable: this.#options.allocatable() };
  }
}

const decoded = (data: Readonly<Record<string, string>> = {}): Record<string, Uint8Array> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Uint8Array.fromBase64(text)]));

/** The container whose processes an ephemeral one can see. */
async function targetOf(
  cri: Cri,
  pod: Pod,
  { name }: Container,
  sandbox: Sandbox,
): Promise<string | undefined> {
  const target = pod.spec?.ephemeralContainers?.find((each) => each.name === name)?.targetContainerName;
  if (!target) return undefined;
  const filter = {
    podSandboxId: sandbox.id,
    labelSelector: [{ key: containerNameLabel, value: target }],
    state: { state: 1 },
  };
  const { containers } = await cri.listContainers({ filter });
  const found = containers[0];
  if (found === undefined) throw new Error(`unable to find target container ${target}`);
  return found.id;
}
