/** Images of a registry, as files: blobs by their digest, and which names lead to which manifest. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ImageFiles } from '../../nodes/busybox-image.ts';

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

export class RegistryDirectory {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(path.join(directory, 'blobs'), { recursive: true });
  }

  /** @param names `registry.k8s.io/pause:3.10`; where the files were, they are not any more */
  add(names: readonly string[], image: ImageFiles): void {
    const config = this.#keep(image.config, 'application/vnd.oci.image.config.v1+json');
    const layer = this.#keep(image.layer, 'application/vnd.oci.image.layer.v1.tar');
    const manifest = `${image.config}.manifest`;
    const content = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
    writeFileSync(manifest, JSON.stringify(content));
    const { digest } = this.#keep(manifest, manifestType);
    const tags = Object.fromEntries(names.map((name) => [afterHost(name), digest]));
    writeFileSync(this.#tagsFile, JSON.stringify({ ...this.#tags(), ...tags }));
  }

  /** The digest that a tag or a digest leads to. */
  resolve(name: string, reference: string): string | undefined {
    return reference.startsWith('sha256:') ? reference : this.#tags()[`${name}:${reference}`];
  }

  blobFile(digest: string): string {
    return path.join(this.#directory, 'blobs', path.basename(digest));
  }

  get #tagsFile(): string {
    return path.join(this.#directory, 'tags.json');
  }

  #tags(): Readonly<Record<string, string>> {
    try {
      return JSON.parse(readFileSync(this.#tagsFile, 'utf8')) as Readonly<Record<string, string>>;
    } catch {
      return {};
    }
  }

  #keep(file: string, mediaType: string): Descriptor {
    const bytes = readFileSync(file);
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    renameSync(file, this.blobFile(digest));
    return { mediaType, digest, size: bytes.length };
  }
}

/** A mirror is asked for names without the registry that they are of. */
const afterHost = (name: string): string => name.slice(name.indexOf('/') + 1);
