/** What the proxy does for one port of one service and one address family, independently of the form of the rules. */
export interface ServiceRule {
  /** `namespace/name`, or `namespace/name:port` for named ports. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly family: IpFamily;
  readonly clusterIp: string;
  readonly port: number;
  readonly externalIps: readonly string[];
  readonly loadBalancerIps: readonly string[];
  /** Client ranges that may use the load balancer's addresses; empty for all clients. */
  readonly sourceRanges: readonly string[];
  /** 0 if there is none. */
  readonly nodePort: number;
  /** Duration of session affinity in seconds; 0 if disabled. */
  readonly affinitySeconds: number;
  /** Clients inside the cluster reach only endpoints on this node. */
  readonly internalIsLocal: boolean;
  /** Clients outside the cluster reach only endpoints on this node, and keep their address. */
  readonly externalIsLocal: boolean;
  /** On all nodes, after topology hints; empty if no policy uses them. */
  readonly clusterEndpoints: readonly EndpointAddress[];
  /** On this node; empty if no policy uses them. */
  readonly localEndpoints: readonly EndpointAddress[];
  /**
   * Whether any endpoint is usable anywhere. If not, clients are rejected; otherwise those that reach no endpoint are
   * dropped.
   */
  readonly hasEndpoints: boolean;
  /**
   * `10.0.0.1:53` of all serving endpoints, whatever their topology: existing connections to them may continue. UDP
   * only.
   */
  readonly servingEndpoints: readonly string[];
}

export interface EndpointAddress {
  readonly ip: string;
  readonly port: number;
  /** Whether the endpoint is on this node. */
  readonly isLocal: boolean;
}

export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type IpFamily = 'IPv4' | 'IPv6';
export const ipFamilies: readonly IpFamily[] = ['IPv4', 'IPv6'];

/** A port on which the node answers health checks of load balancers for a service. */
export interface HealthCheckPort {
  /** `namespace/name` */
  readonly service: string;
  readonly port: number;
  /** The number of ready endpoints of the service on this node. */
  readonly localEndpoints: number;
}

/** The complete plan of one service. */
export interface ServicePlan {
  readonly rules: readonly ServiceRule[];
  readonly healthCheck?: HealthCheckPort | undefined;
}

/** Plans by `namespace/name`; undefined for services that no longer need anything. */
export type PlanChanges = ReadonlyMap<string, ServicePlan | undefined>;

export const familyOf = (address: string): IpFamily => (address.includes(':') ? 'IPv6' : 'IPv4');

/** Through node ports, external addresses or load balancer addresses. */
export const isReachableFromOutside = ({
  nodePort,
  externalIps,
  loadBalancerIps,
}: Pick<ServiceRule, 'nodePort' | 'externalIps' | 'loadBalancerIps'>): boolean =>
  nodePort > 0 || externalIps.length > 0 || loadBalancerIps.length > 0;

/** `10.0.0.1:80`, `[fd00::1]:80` */
export const addressText = ({ ip, port }: Pick<EndpointAddress, 'ip' | 'port'>): string =>
  ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
