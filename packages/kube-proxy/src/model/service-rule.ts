/** What the proxy does for one port of one service, whatever the rules are written in. */
export interface ServiceRule {
  /** `namespace/name`, or `namespace/name:port` for named ports. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly family: IpFamily;
  readonly clusterIp: string;
  readonly port: number;
  readonly externalIps: readonly string[];
  readonly loadBalancerIps: readonly string[];
  /** Clients that may use the load balancer's addresses; all when empty. */
  readonly sourceRanges: readonly string[];
  /** 0 without one. */
  readonly nodePort: number;
  /** How long a client stays with its endpoint; 0 when it need not. */
  readonly affinitySeconds: number;
  /** For clients inside of the cluster. */
  readonly internal: Destinations;
  /** For clients that come through node ports, external and load balancer addresses. */
  readonly external: Destinations & { readonly keepsClientIp: boolean };
}

/** Where packets go. With no endpoint they are refused, or dropped when others elsewhere could take them. */
export interface Destinations {
  readonly endpoints: readonly EndpointAddress[];
  readonly whenNone: 'reject' | 'drop';
}

export interface EndpointAddress {
  readonly ip: string;
  readonly port: number;
  /** On this node. */
  readonly isLocal: boolean;
}

export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type IpFamily = 'IPv4' | 'IPv6';

/** A port on which the node answers load balancers' health checks for a service. */
export interface HealthCheckPort {
  readonly service: string;
  readonly port: number;
  /** 0 makes the check fail. */
  readonly localEndpoints: number;
}

export interface ProxyRules {
  readonly services: readonly ServiceRule[];
  readonly healthChecks: readonly HealthCheckPort[];
}

export const familyOf = (ip: string): IpFamily => (ip.includes(':') ? 'IPv6' : 'IPv4');
