/** Registers as config maps of a namespace, through the whole API server: its handlers, its cache, its store. */
import type { Transport } from '@coxswain/client';
import type { Registers } from '@coxswain/storage/suite/linearizability/registers.ts';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly data?: { readonly value?: string };
}

/** The value that all registers begin with. */
export const initialValue = '0';

export async function apiServerRegisters(
  transport: Transport,
  namespace: string,
  keys: number,
): Promise<Registers> {
  const call = jsonCalls(transport);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const bodyOf = (key: number, value: string, resourceVersion?: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `key-${key}`, ...(resourceVersion && { resourceVersion }) },
    data: { value },
  });
  await call('POST', '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  for (let key = 0; key < keys; key++) await call('POST', path, bodyOf(key, initialValue));
  const get = async (key: number) => (await call('GET', `${path}/key-${key}`)).body as ConfigMap;
  return {
    read: async (key) => (await get(key)).data?.value,
    async readAll() {
      const { items } = (await call('GET', path)).body as { items: ConfigMap[] };
      const ours = items.filter(({ metadata }) => metadata.name.startsWith('key-'));
      return new Map(ours.map(({ metadata, data }) => [Number(metadata.name.slice(4)), data!.value!]));
    },
    write: async (key, value) => void (await call('PUT', `${path}/key-${key}`, bodyOf(key, value))),
    /** As clients do it: read, write with the resourceVersion read, and again after a conflict. */
    async swap(key, value) {
      for (;;) {
        const { metadata, data } = await get(key);
        const { status } = await call(
          'PUT',
          `${path}/key-${key}`,
          bodyOf(key, value, metadata.resourceVersion),
        );
        if (status === 200) return data?.value;
        if (status !== 409) throw new Error(`PUT was answered with ${status}`);
      }
    },
  };
}

const jsonCalls =
  (transport: Transport) =>
  async (method: string, path: string, object?: unknown): Promise<{ status: number; body: unknown }> => {
    const headers = {
      accept: 'application/json',
      ...(object !== undefined && { 'content-type': 'application/json' }),
    };
    const body = object === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(object)) };
    const answer = await transport.send({ method, path, headers, ...body });
    const parsed = answer.object ?? JSON.parse(new TextDecoder().decode(await answer.bytes()));
    if (answer.status >= 400 && answer.status !== 409)
      throw new Error(`${method} ${path}: ${JSON.stringify(parsed)}`);
    return { status: answer.status, body: parsed };
  };
