/** Files and variables in the containers of one simulated node. */
import type { Clock, Random } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { ContentSources } from '@coxswain/kubelet/volumes/volume-content.ts';
import { imageDirectories } from '../cluster-network/document-root.ts';
import type { SimulatedNetwork } from '../network/pod-network.ts';
import { ContainerFiles } from '../process/container-files.ts';
import { containerWorld, type ContainerWorld } from '../process/container-world.ts';
import type { SimulatedContainer } from './simulated-container.ts';

export interface ContainerWorldsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly network: SimulatedNetwork;
  /** For a pod with these addresses. */
  readonly sources: (podIps: readonly string[]) => ContentSources;
}

export class ContainerWorlds {
  readonly #options: ContainerWorldsOptions;
  /** The contents of volumes, by sandbox and name, and of the node's own disk. */
  readonly #podFiles = new Map<string, Map<string, ContainerFiles>>();
  readonly #nodeFiles = new ContainerFiles();

  constructor(options: ContainerWorldsOptions) {
    this.#options = options;
  }

  /** Created on first use. */
  of(container: SimulatedContainer, pod: Pod): Promise<ContainerWorld> {
    const { clock, random, network, sources } = this.#options;
    const { spec, sandbox } = container;
    return (container.world ??= containerWorld(pod, spec, {
      addresses: sandbox.ips,
      sources: sources(sandbox.ips),
      network,
      shared: { ofPod: (volume) => this.#filesOf(sandbox.id, volume), ofNode: this.#nodeFiles },
      random,
      nowMs: clock.now(),
      imageDirectories: imageDirectories(spec.image ?? ''),
      ...(container.program && {
        imageFiles: container.program.parts.definition.files,
        commands: container.program.commands,
      }),
    }));
  }

  forget(sandboxId: string): void {
    this.#podFiles.delete(sandboxId);
  }

  #filesOf(sandboxId: string, volume: string): ContainerFiles {
    const ofPod = this.#podFiles.get(sandboxId) ?? new Map<string, ContainerFiles>();
    const files = ofPod.get(volume) ?? new ContainerFiles();
    this.#podFiles.set(sandboxId, ofPod.set(volume, files));
    return files;
  }
}
