import type { Pod } from '@coxswain/api/core/v1/pod.ts';

/** A host port that a pod requests. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

const anyIp = '0.0.0.0';

/** For containers and sidecars; regular init containers release theirs. */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  const sidecars =
    pod.spec?.initContainers?.filter((container) => container.restartPolicy === 'Always') ?? [];
  const found: HostPort[] = [];
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars]) {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort) found.push({ ip: hostIP || anyIp, protocol: protocol ?? 'TCP', port: hostPort });
    }
  }
  return found.length === 0 ? noPorts : found;
}

const noPorts: readonly HostPort[] = [];

/** The host ports in use on a node. The wildcard address conflicts with every address. */
export class UsedPorts {
  /** `TCP/80` → address → number of pods. */
  readonly #uses = new Map<string, Map<string, number>>();

  change(ports: readonly HostPort[], by: 1 | -1): void {
    for (const { ip, protocol, port } of ports) {
      const name = `${protocol}/${port}`;
      const addresses = this.#uses.get(name) ?? new Map<string, number>();
      const uses = (addresses.get(ip) ?? 0) + by;
      if (uses > 0) addresses.set(ip, uses);
      else addresses.delete(ip);
      if (addresses.size > 0) this.#uses.set(name, addresses);
      else this.#uses.delete(name);
    }
  }

  conflict({ ip, protocol, port }: HostPort): boolean {
    const addresses = this.#uses.get(`${protocol}/${port}`);
    return addresses !== undefined && (ip === anyIp || addresses.has(anyIp) || addresses.has(ip));
  }

  clone(): UsedPorts {
    const copy = new UsedPorts();
    for (const [name, addresses] of this.#uses) copy.#uses.set(name, new Map(addresses));
    return copy;
  }
}
