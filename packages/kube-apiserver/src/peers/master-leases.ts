/** The live API servers of a store: each maintains a key there that expires unless it is renewed. */
import type { KubeObject } from '@coxswain/apimachinery';
import { Endpoints } from '@coxswain/api/core/v1/endpoints.ts';
import { objectCodec, storedValue, type StoredForm } from '@coxswain/apiserver/registry/object-codec.ts';
import { prefixRange, type Entry, type Storage } from '@coxswain/storage/storage.ts';

/** As upstream's servers have them. */
const directory = '/registry/masterleases/';
const lifeSeconds = 15;

const codec = objectCodec(Endpoints);

export class MasterLeases {
  readonly #storage: Storage;
  readonly #form: StoredForm;

  constructor(storage: Storage, form: StoredForm) {
    this.#storage = storage;
    this.#form = form;
  }

  /** The addresses of the live servers, in ascending order. */
  async list(): Promise<readonly string[]> {
    const { entries } = await this.#storage.list(prefixRange(directory));
    return entries.flatMap((entry) => {
      const [subset] = endpointsOf(entry).subsets ?? [];
      const ip = subset?.addresses?.[0]?.ip;
      return ip ? [ip] : [];
    });
  }

  async renew(ip: string): Promise<void> {
    await this.#storage.update(directory + ip, (current) => {
      const before = current && endpointsOf(current);
      const { resourceVersion: _, ...metadata } = before?.metadata ?? {};
      const renewed = {
        ...before,
        // Every renewal must change something.
        metadata: { ...metadata, generation: (before?.metadata?.generation ?? 0) + 1 },
        subsets: [{ addresses: [{ ip }] }],
      };
      const value = storedValue(Endpoints, renewed as unknown as KubeObject, this.#form);
      return { kind: 'put', value, ttlSeconds: lifeSeconds };
    });
  }

  async remove(ip: string): Promise<void> {
    await this.#storage.update(directory + ip, (current) =>
      current === undefined ? { kind: 'keep' } : { kind: 'delete' },
    );
  }
}

const endpointsOf = (entry: Entry): Endpoints => codec.decode(entry) as unknown as Endpoints;
