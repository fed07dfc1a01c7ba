/** The contents of persistent volumes, which outlive pods and are the same on every node. */
import { ContainerFiles } from '../process/container-files.ts';

export class VolumeFiles {
  readonly #files = new Map<string, ContainerFiles>();

  /** @param name the name of the PersistentVolume; empty when it is first used */
  of(name: string, nowMs: number): ContainerFiles {
    const files = this.#files.get(name) ?? new ContainerFiles(nowMs);
    this.#files.set(name, files);
    return files;
  }

  /** The volume was deleted. */
  forget(name: string): void {
    this.#files.delete(name);
  }
}
