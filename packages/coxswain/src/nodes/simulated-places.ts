/**
 * Where the API server's own connections to Services and pods of this cluster end. The addresses of simulated pods and,
 * unless there are real nodes, of Services exist only in this process: a connection must not leave it for a machine that
 * happens to have the same address.
 */
import { networkContains, parseCidr, parseIp } from '@coxswain/apimachinery';
import type { Address } from '@coxswain/kube-apiserver/service-address.ts';
import {
  ConnectionReset,
  dialFailure,
  NetworkFailure,
} from '@coxswain/simulated-nodes/network/pod-network.ts';
import type { HttpAnswer, HttpHeader, HttpRequest } from '@coxswain/simulated-nodes/network/http-message.ts';
import { serviceClusterIpRange } from '../components/cluster-addresses.ts';
import type { NodeDirectory } from './node-directory.ts';

export interface SimulatedPlaces {
  /** @throws NetworkFailure if the address is that of a Service without endpoints */
  find(address: Address): Promise<FoundPlace>;
  /** @throws NetworkFailure */
  send(to: Address, isSecure: boolean, request: HttpRequest): Promise<HttpAnswer>;
}

export interface FoundPlace {
  /** The endpoint, if the address is that of a Service. */
  readonly address: Address;
  readonly isSimulated: boolean;
}

const serviceRange = parseCidr(serviceClusterIpRange)!;

/** @param hasKernelRules whether real nodes give Services their addresses in this machine's kernel */
export function simulatedPlaces(nodes: NodeDirectory, hasKernelRules: boolean): SimulatedPlaces {
  const isSimulated = (host: string): boolean => {
    const address = parseIp(host);
    if (address === undefined) return false;
    return nodes.specs.some((node) => {
      const range = parseCidr(node.podCidr);
      return node.address === host || (range !== undefined && networkContains(range, address));
    });
  };
  return {
    async find(asked) {
      const ip = parseIp(asked.host);
      const { network } = nodes;
      if (ip === undefined || network === undefined || hasKernelRules || !networkContains(serviceRange, ip))
        return { address: asked, isSimulated: isSimulated(asked.host) };
      const { address, port } = await network.route(asked.host, Number(asked.port));
      return { address: { host: address, port: String(port) }, isSimulated: isSimulated(address) };
    },
    async send({ host, port }, isSecure, request) {
      const serve = await nodes.network!.connect(host, Number(port), isSecure);
      return serve(request);
    },
  };
}

/** The failure in the words of Go's HTTP client. @throws what is no failure of the network */
export function failureText(failure: unknown, { host, port }: Address): string {
  if (!(failure instanceof NetworkFailure)) throw failure;
  if (failure instanceof ConnectionReset) return 'EOF';
  return dialFailure(failure, `${host}:${port}`) ?? failure.message;
}

export const headerPairs = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): HttpHeader[] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value] as const),
  );
