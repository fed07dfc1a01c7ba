/** A server for tests that serves one resource, ConfigMaps, from memory. */
import type { Transport, TransportRequest, TransportResponse } from '@coxswain/client';

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
}

const resource = (kind: string, shortName: string) => ({
  name: `${kind.toLowerCase()}s`,
  singularName: kind.toLowerCase(),
  namespaced: true,
  kind,
  shortNames: [shortName],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
});

export class FakeServer implements Transport {
  readonly structured = false;
  readonly address = 'in-process:';
  /** Every request line received. */
  readonly requests: string[] = [];
  readonly stored = new Map<string, ConfigMap>();
  readonly #resources: readonly object[];

  /** @param kinds that it lists, too, without having any such objects */
  constructor(kinds: readonly string[] = []) {
    this.#resources = [resource('ConfigMap', 'cm'), ...kinds.map((kind) => resource(kind, ''))];
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    this.requests.push(`${request.method} ${request.path}`);
    const [status, body] = this.#answer(request);
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    return {
      status,
      headers: { 'content-type': 'application/json' },
      bytes: async () => bytes,
      async *stream() {
        yield bytes;
      },
    };
  }

  async close(): Promise<void> {}

  #answer({ method, path, body }: TransportRequest): [number, unknown] {
    const { pathname } = new URL(path, 'http://fake');
    if (pathname === '/api') return [200, { kind: 'APIVersions', versions: ['v1'] }];
    if (pathname === '/apis') return [200, { kind: 'APIGroupList', apiVersion: 'v1', groups: [] }];
    if (pathname === '/api/v1')
      return [200, { kind: 'APIResourceList', groupVersion: 'v1', resources: this.#resources }];
    const collection = /^\/api\/v1\/namespaces\/([^/]+)\/configmaps$/.exec(pathname);
    if (collection !== null && method === 'POST') return this.#create(collection[1] as string, decode(body));
    if (collection !== null) {
      return [
        200,
        { kind: 'ConfigMapList', apiVersion: 'v1', metadata: {}, items: [...this.stored.values()] },
      ];
    }
    const name = pathname.slice(pathname.lastIndexOf('/') + 1);
    const found = this.stored.get(name);
    if (found !== undefined) return [200, found];
    const details = { name, kind: 'configmaps' };
    const message = `configmaps "${name}" not found`;
    return [
      404,
      {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        message,
        reason: 'NotFound',
        details,
        code: 404,
      },
    ];
  }

  #create(namespace: string, object: ConfigMap): [number, unknown] {
    const created = { ...object, metadata: { ...object.metadata, namespace } };
    this.stored.set(created.metadata.name, created);
    return [201, created];
  }
}

function decode(body: TransportRequest['body']): ConfigMap {
  if (body instanceof Uint8Array) return JSON.parse(new TextDecoder().decode(body)) as ConfigMap;
  return (body as { readonly object: ConfigMap }).object;
}
