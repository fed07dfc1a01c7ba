/** What the proxy does for one port of one service and one address family, whatever the rules are written in. */
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
  /** Clients inside of the cluster reach endpoints on this node only. */
  readonly internalIsLocal: boolean;
  /** Clients from outside reach endpoints on this node only, and keep their address. */
  readonly externalIsLocal: boolean;
  /** Of all nodes, those near enough; empty where no policy asks for them. */
  readonly clusterEndpoints: readonly EndpointAddress[];
  /** Of this node; empty where no policy asks for them. */
  readonly localEndpoints: readonly EndpointAddress[];
  /** Whether any endpoint works anywhere: without, clients are refused; else those that reach none are dropped. */
  readonly hasEndpoints: boolean;
  /** `10.0.0.1:53` of all that serve, near or not: where connections that there are may go on. UDP only. */
  readonly servingEndpoints: readonly string[];
}

export interface EndpointAddress {
  readonly ip: string;
  readonly port: number;
  /** On this node. */
  readonly isLocal: boolean;
}

export type Protocol = 'TCP' | 'UDP' | 'SCTP';
export type IpFamily = 'IPv4' | 'IPv6';
export const ipFamilies: readonly IpFamily[] = ['IPv4', 'IPv6'];

/** A port on which the node answers load balancers' health checks for a service. */
export interface HealthCheckPort {
  /** `namespace/name` */
  readonly service: string;
  readonly port: number;
  /** How many ready endpoints of the service this node has. */
  readonly localEndpoints: number;
}

/** All that is to be done for one service. */
export interface ServicePlan {
  readonly rules: readonly ServiceRule[];
  readonly healthCheck?: HealthCheckPort | undefined;
}

/** Services by `namespace/name`; undefined for those that need nothing any more. */
export type PlanChanges = ReadonlyMap<string, ServicePlan | undefined>;

export const familyOf = (address: string): IpFamily => (address.includes(':') ? 'IPv6' : 'IPv4');

/** Through node ports, external or load balancer addresses. */
export const isReachableFromOutside = ({
  nodePort,
  externalIps,
  loadBalancerIps,
}: Pick<ServiceRule, 'nodePort' | 'externalIps' | 'loadBalancerIps'>): boolean =>
  nodePort > 0 || externalIps.length > 0 || loadBalancerIps.length > 0;

/** `10.0.0.1:80`, `[fd00::1]:80` */
export const addressText = ({ ip, port }: Pick<EndpointAddress, 'ip' | 'port'>): string =>
  ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
