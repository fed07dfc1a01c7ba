/** The etcd settings from the command line. */
export interface EtcdSettings {
  readonly servers: readonly string[];
  readonly tls?: { readonly caFile?: string; readonly certFile?: string; readonly keyFile?: string };
  /** Replaces `/registry`. */
  readonly prefix?: string;
  /** Resources stored in other etcds: `events#http://a:2379;http://b:2379`, `apps/deployments#…` */
  readonly overrides?: readonly string[];
  readonly healthCheckTimeoutMs?: number;
  readonly readyCheckTimeoutMs?: number;
}

export interface EtcdOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

/** @throws Error with upstream's message */
export function parseOverrides(texts: readonly string[]): readonly EtcdOverride[] {
  return texts.map((text) => {
    const [name, servers, ...rest] = text.split('#');
    const [group, resource, ...more] = (name ?? '').split('/');
    if (servers === undefined || resource === undefined || rest.length > 0 || more.length > 0) {
      throw new Error(
        '--etcd-servers-overrides invalid, must be of format: group/resource#servers, where servers are URLs, semicolon separated',
      );
    }
    return { group: group!, resource, servers: servers.split(';') };
  });
}
