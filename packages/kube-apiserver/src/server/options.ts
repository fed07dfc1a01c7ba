/** What an API server is assembled of. What is absent has the original's default; `completed-options.ts` tells it. */
import type { Group } from '../groups/resource.ts';
import type { Clock, Random, StepObserver } from '@coxswain/apimachinery';
import type { Metrics } from '@coxswain/apimachinery/metrics/metrics.ts';
import type { OtherMetrics } from '@coxswain/apiserver/routing/index-routes.ts';
import type { Authorizer, DelegationTarget, Filter } from '@coxswain/apiserver';
import type { ServeRequest } from '@coxswain/apiserver/http/secure-serving.ts';
import type { AuditSetup } from '@coxswain/apiserver/audit/audit-setup.ts';
import type { GuestFilters } from '@coxswain/apiserver/filters/chain.ts';
import type { InFlightLimits } from '@coxswain/apiserver/filters/max-in-flight.ts';
import type { PlainRoutes } from '@coxswain/apiserver/routing/plain-routes.ts';
import type {
  ReformElsewhere,
  ServerServices,
  ServeSomewhere,
} from '@coxswain/apiserver/services/services.ts';
import type { StoreRegistry } from '../groups/store-registry.ts';
import type { EffectiveVersion } from '@coxswain/component-base/effective-version.ts';
import type { DescriptionOf } from '@coxswain/schema/openapi.ts';
import type { Storage } from '@coxswain/storage/storage.ts';
import type { PluginConfigurations } from '../admission/configuration/admission-configuration.ts';
import type { TolerationSeconds } from '../admission/plugins/default-toleration-seconds.ts';
import type { AuthenticationSetup } from '../authentication/setup.ts';
import type { AuthorizationSetup } from '../authorization/authorizer-chain.ts';
import type { Observability } from '../observability.ts';
import type { AuthorizationMode } from '../authorization/configured-authorizer.ts';
import type { KubeletConnection } from '../kubelet-connection.ts';
import type { Forwarder } from '../proxy/forwarder.ts';
import type { RuntimeSettings } from '../runtime-config.ts';
import type { ResourceStores } from '../server-stores.ts';
import type { TokenIssuer } from '../service-accounts/token-issuer.ts';
import type { TokenKeys } from '../service-accounts/token-keys.ts';
import type { IsUncached } from '../uncached-resources.ts';
import type { ServiceResolver } from '../service-address.ts';
import type { WebhookCaller } from '../webhooks/webhook-caller.ts';
import type { WebhookConnector } from '../webhook-connection.ts';
import type { WebhookCredentialsReader } from '../webhooks/webhook-credentials.ts';

/** From one of the threads that accept connections to the one that does what is done once. */
export interface MainThreadLink {
  /** A request waits until all is known here that anybody was told before it came. */
  beforeRequests(serve: ServeRequest): ServeRequest;
  /** Has the main thread serve what only it can. */
  before(target: DelegationTarget): DelegationTarget;
}

/** Threads that serve what would hold up all others in this one. */
export interface LargeRequestThreads {
  serveSomewhere(stores: StoreRegistry, clock: Clock): ServeSomewhere;
  readonly reform: ReformElsewhere;
  stop(): Promise<void>;
}

export interface AssemblyOptions {
  readonly storage: Storage;
  /** Where each resource is stored, and how; all of it in `storage`, as JSON, when absent. */
  readonly where?: ResourceStores;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly newUid?: () => string;
  readonly log?: (line: string) => void;
  /** Modes without settings, in order; `authorization` says more. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  readonly authorization?: AuthorizationSetup | undefined;
  /** Who is let in. When absent: tokens of service accounts, and anonymous users. */
  readonly authentication?: AuthenticationSetup;
  readonly serviceAccounts?: {
    readonly issuers: readonly string[];
    /** Nobody is recognized by a token without them. */
    readonly keys?: TokenKeys;
    readonly tokenIssuer?: TokenIssuer;
    readonly audiences?: readonly string[];
    /** Whether tokens of Secrets must still be in them; so it is when absent. */
    readonly looksUp?: boolean;
    /** Where others find the keys; at this server when absent. */
    readonly jwksUri?: string;
    /** Whoever signs elsewhere tells how that goes. */
    countInto?(metrics: Metrics): void;
    /** Called when the server has stopped. */
    close?(): void;
  };
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** What single plugins are told. */
  readonly pluginConfigurations?: PluginConfigurations | undefined;
  /** How webhooks of the operator are reached: files are read for it. */
  readonly connectWebhook?: WebhookConnector;
  /** Who admission webhooks see, where a file says so. */
  readonly readWebhookCredentials?: WebhookCredentialsReader;
  /** How webhooks of admission and conversion are reached; over the network when absent. */
  readonly webhookCaller?: (resolve: ServiceResolver) => WebhookCaller;
  readonly tolerationSeconds?: TolerationSeconds;
  /** `AllAlpha=true,PodLogsQuerySplitStreams=false` */
  readonly featureGates?: readonly string[];
  /** The version of Kubernetes to behave as; this program's own when absent. */
  readonly version?: EffectiveVersion;
  /** Whether later versions are served of what is served, too. */
  readonly emulationForwardCompatible?: boolean;
  /** Whether what came later is served where `runtimeConfig` names it. */
  readonly runtimeConfigEmulationForwardCompatible?: boolean;
  /** `api/all=true`, `apps/v1=false`, … */
  readonly runtimeConfig?: RuntimeSettings;
  /** Resources without a watch cache; none when absent. */
  readonly isUncached?: IsUncached;
  /** One range, or one of each family; the first is the default family. */
  readonly serviceClusterIpRanges?: readonly string[];
  readonly serviceNodePortRange?: string;
  /** Of this machine; told in the events of the server. */
  readonly hostName?: string;
  readonly allowPrivileged?: boolean;
  readonly eventTtlSeconds?: number;
  readonly advertiseAddress?: string;
  readonly limits?: InFlightLimits;
  /** True when absent; else only `limits` bound what is worked on at once. */
  readonly enablePriorityAndFairness?: boolean;
  readonly requestTimeoutMs?: number;
  readonly minRequestTimeoutMs?: number;
  readonly corsAllowedOrigins?: readonly RegExp[];
  readonly strictTransportSecurity?: readonly string[];
  readonly logEveryRequest?: boolean;
  readonly kubelets?: KubeletConnection;
  /** The way to pods, services and, without `kubelets`, to nodes; over the network when absent. */
  readonly forwarder?: Forwarder;
  readonly kubeletPreferredAddressTypes?: readonly string[];
  /** Whether endpoints of extension servers are asked, not the addresses of their services. */
  readonly asksExtensionEndpoints?: boolean;
  readonly gzip?: ServerServices['gzip'];
  /** What OpenAPI says of types and fields; nothing when absent. */
  readonly descriptionOf?: DescriptionOf;
  /** PEM of `--client-ca-file` and of the request-header authority, published for extension servers. */
  readonly publishedAuthentication?: Readonly<Record<string, string>>;
  readonly observer?: StepObserver | undefined;
  /** When all else in this process has started: only then are long turns told. With the server itself when absent. */
  readonly processStarted?: Promise<unknown> | undefined;
  /** How long what is not complete yet counts as alive. */
  readonly livezGraceMs?: number;
  readonly shutdownDelayMs?: number;
  /** Whether new requests are told to come back while what is under way is awaited. */
  readonly sendsRetryAfter?: boolean;
  /** In how long watches are ended when the server stops; 0: they are not awaited. */
  readonly watchTerminationMs?: number;
  /** Tells systemd that the server is ready; absent where nobody wants to know. */
  readonly notifyReady?: (() => void) | undefined;
  /** Of one request over HTTP/2, to be told to open a new connection; 0 to 0.02. */
  readonly goawayChance?: number;
  /** Adds paths beside those of Kubernetes, of whoever embeds the server. */
  readonly extraPaths?: ((plain: PlainRoutes) => void) | undefined;
  /** The last filter before requests are dispatched, of whoever embeds the server. */
  readonly extraFilter?: ((authorizer: Authorizer) => Filter) | undefined;
  /** Groups beside those of Kubernetes, of whoever embeds the server. */
  readonly extraGroups?: readonly Group[];
  /** Filters of a test; none when absent. */
  readonly guests?: GuestFilters | undefined;
  /** What clients are told in discovery; the advertised address when absent. */
  readonly externalHostname?: string;
  /** Whether the endpoints of the service `kubernetes` are kept. */
  readonly reconcilesEndpoints?: boolean;
  /** How many servers share a store without telling each other that they live; leases tell when absent. */
  readonly serversCount?: number | undefined;
  /** The node port of that service; 0: none. */
  readonly kubernetesServiceNodePort?: number;
  /** Into which somebody counted already. */
  readonly metrics?: Metrics | undefined;
  /** What the server tells of itself besides its log. */
  readonly observability?: Observability | undefined;
  /** Nothing is audited when absent. */
  readonly audit?: AuditSetup | undefined;
  /** Where this server is that of one thread among several: the one that does what is done once. */
  readonly mainThread?: MainThreadLink | undefined;
  /** What other threads of this server have counted, as text; nothing when absent. */
  readonly otherMetrics?: OtherMetrics | undefined;
  /** Threads for large requests; none when absent. */
  readonly workers?: LargeRequestThreads | undefined;
}
