/** Files and variables in the containers of one simulated node. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import type { ContentSources } from '@coxswain/kubelet/volumes/volume-content.ts';
import { imageDirectories } from '../cluster-network/document-root.ts';
import type { SimulatedNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from '../process/container-files.ts';
import { ProcessTable, type MainProcess } from '../process/process-table.ts';
import { userOf } from '../process/user.ts';
import { isBare, mainCommand } from '../behaviour/images.ts';
import { containerWorld, type ContainerWorld } from '../process/container-world.ts';
import { imagePrograms } from './image-programs.ts';
import type { SimulatedContainer } from './simulated-container.ts';

export interface ContainerWorldsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly network: SimulatedNetwork;
  /** For a pod with these addresses. */
  readonly sources: (podIps: readonly string[]) => ContentSources;
  readonly claimFiles: (namespace: string, name: string) => Promise<ContainerFiles>;
  /** Of all namespaces. */
  readonly services: () => readonly Service[];
  /** The running containers of a pod, in the order of their starts. */
  readonly containersOf: (sandboxId: string) => readonly SimulatedContainer[];
  readonly ports: (container: SimulatedContainer, pod: Pod) => readonly number[];
  /** Ends a container by a signal. */
  readonly end: (container: SimulatedContainer, exitCode: number) => void;
}

export class ContainerWorlds {
  readonly #options: ContainerWorldsOptions;
  /** The contents of volumes, by sandbox and name, and of the node's own disk. */
  readonly #podFiles = new Map<string, Map<string, ContainerFiles>>();
  readonly #nodeFiles: ContainerFiles;
  /** Of pods whose containers share them, by sandbox. */
  readonly #podProcesses = new Map<string, ProcessTable>();

  constructor(options: ContainerWorldsOptions) {
    this.#options = options;
    this.#nodeFiles = new ContainerFiles(options.clock.now());
  }

  /** Created on first use. */
  of(container: SimulatedContainer, pod: Pod): Promise<ContainerWorld> {
    return (container.world ??= this.#create(container, pod));
  }

  async #create(container: SimulatedContainer, pod: Pod): Promise<ContainerWorld> {
    const { clock, random, network, sources, services } = this.#options;
    const { spec, sandbox, startedMs } = container;
    const existed = ({ metadata }: Service) => Date.parse(metadata?.creationTimestamp ?? '') <= startedMs;
    const world = await containerWorld(pod, spec, {
      addresses: sandbox.ips,
      sources: sources(sandbox.ips),
      network,
      shared: {
        ofPod: (volume) => this.#filesOf(sandbox.id, volume),
        ofClaim: this.#options.claimFiles,
        ofNode: this.#nodeFiles,
      },
      random,
      nowMs: clock.now(),
      services: services().filter(existed),
      processes: this.#processesOf(container, pod),
      ports: () => this.#portsOf(sandbox.id, pod),
      isBare: isBare(spec.image ?? ''),
      imageDirectories: imageDirectories(spec.image ?? ''),
      commands: container.program?.commands ?? imagePrograms(spec.image ?? ''),
      imageFiles: container.program?.parts.definition.files,
    });
    container.files = world.files;
    return world;
  }

  forget(sandboxId: string): void {
    this.#podFiles.delete(sandboxId);
    this.#podProcesses.delete(sandboxId);
  }

  #portsOf(sandboxId: string, pod: Pod): readonly number[] {
    const { containersOf, ports } = this.#options;
    const all = containersOf(sandboxId).flatMap((container) => ports(container, pod));
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** One table for the containers of a pod that shares its PID namespace, otherwise one for each. */
  #processesOf(container: SimulatedContainer, pod: Pod): ProcessTable {
    const { containersOf, end } = this.#options;
    const { id } = container.sandbox;
    const mainOf = (one: SimulatedContainer): MainProcess => ({
      key: one,
      argv: mainCommand(one.spec),
      uid: userOf(pod, one.spec).uid,
      end: (exitCode) => end(one, exitCode),
    });
    if (!pod.spec?.shareProcessNamespace) return new ProcessTable(() => [mainOf(container)], false);
    const shared = this.#podProcesses.get(id) ?? new ProcessTable(() => containersOf(id).map(mainOf), true);
    this.#podProcesses.set(id, shared);
    return shared;
  }

  #filesOf(sandboxId: string, volume: string): ContainerFiles {
    const ofPod = this.#podFiles.get(sandboxId) ?? new Map<string, ContainerFiles>();
    const files = ofPod.get(volume) ?? new ContainerFiles(this.#options.clock.now());
    this.#podFiles.set(sandboxId, ofPod.set(volume, files));
    return files;
  }
}
