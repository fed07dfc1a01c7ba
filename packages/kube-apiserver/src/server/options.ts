/** The options for assembling an API server. Defaults are upstream's and are in `completed-options.ts`. */
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
import type { TransientValues } from '../transient-values.ts';
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

/** The link from a serving thread to the main thread, which runs what must run once. */
export interface MainThreadLink {
  /** Delays a request until this thread knows everything that any client was told before it arrived. */
  beforeRequests(serve: ServeRequest): ServeRequest;
  /** Has the main thread serve what only it can. */
  before(target: DelegationTarget): DelegationTarget;
}

/** Threads that serve requests which would block this one. */
export interface LargeRequestThreads {
  /** @param webhooks calls the webhooks that only this thread reaches */
  serveSomewhere(stores: StoreRegistry, clock: Clock, webhooks: WebhookCaller): ServeSomewhere;
  readonly reform: ReformElsewhere;
  /** Refuses requests that no thread has begun to serve, for the rest of the time. */
  refuseWaiting(): void;
  stop(): Promise<void>;
}

export interface AssemblyOptions {
  readonly storage: Storage;
  /** Where and how each resource is stored; everything in `storage`, as JSON, if unset. */
  readonly where?: ResourceStores;
  readonly clock?: Clock;
  /** For what is stored: generated names, addresses, ports. */
  readonly random?: Random;
  /** For what is stored. */
  readonly newUid?: () => string;
  /** For what is not stored. */
  readonly transient?: TransientValues;
  readonly log?: (line: string) => void;
  /** Modes without settings, in order; `authorization` has further settings. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  readonly authorization?: AuthorizationSetup | undefined;
  /** Service account tokens and anonymous users if unset. */
  readonly authentication?: AuthenticationSetup;
  readonly serviceAccounts?: {
    readonly issuers: readonly string[];
    /** The keys of service account tokens; without them no such token is accepted. */
    readonly keys?: TokenKeys;
    readonly tokenIssuer?: TokenIssuer;
    readonly audiences?: readonly string[];
    /** Whether tokens of Secrets must still be in them; true if unset. */
    readonly looksUp?: boolean;
    /** The URL of the keys for others; at this server if unset. */
    readonly jwksUri?: string;
    /** Records metrics of an external signer. */
    countInto?(metrics: Metrics): void;
    /** Called when the server has stopped. */
    close?(): void;
  };
  readonly enableAdmissionPlugins?: readonly string[];
  readonly disableAdmissionPlugins?: readonly string[];
  /** The configuration of individual plugins. */
  readonly pluginConfigurations?: PluginConfigurations | undefined;
  /** Connects to the operator's webhooks, whose configuration is in files. */
  readonly connectWebhook?: WebhookConnector;
  /** Reads the credentials for admission webhooks from a file. */
  readonly readWebhookCredentials?: WebhookCredentialsReader;
  /** Calls admission and conversion webhooks; over the network if unset. */
  readonly webhookCaller?: (resolve: ServiceResolver) => WebhookCaller;
  readonly tolerationSeconds?: TolerationSeconds;
  /** `AllAlpha=true,PodLogsQuerySplitStreams=false` */
  readonly featureGates?: readonly string[];
  /** The version of Kubernetes to emulate; this program's own if unset. */
  readonly version?: EffectiveVersion;
  /** Whether later versions of served kinds are served, too. */
  readonly emulationForwardCompatible?: boolean;
  /** Whether later kinds are served if `runtimeConfig` names them. */
  readonly runtimeConfigEmulationForwardCompatible?: boolean;
  /** `api/all=true`, `apps/v1=false`, … */
  readonly runtimeConfig?: RuntimeSettings;
  /** Resources without a watch cache; none if unset. */
  readonly isUncached?: IsUncached;
  /** One range, or one of each family; the first one's family is the default. */
  readonly serviceClusterIpRanges?: readonly string[];
  readonly serviceNodePortRange?: string;
  /** This machine's name, for the server's events. */
  readonly hostName?: string;
  readonly allowPrivileged?: boolean;
  readonly eventTtlSeconds?: number;
  readonly advertiseAddress?: string;
  readonly limits?: InFlightLimits;
  /** True if unset; otherwise only `limits` bounds the number of concurrent requests. */
  readonly enablePriorityAndFairness?: boolean;
  readonly requestTimeoutMs?: number;
  readonly minRequestTimeoutMs?: number;
  readonly corsAllowedOrigins?: readonly RegExp[];
  readonly strictTransportSecurity?: readonly string[];
  readonly logEveryRequest?: boolean;
  readonly kubelets?: KubeletConnection;
  /** Forwards to pods, services and, without `kubelets`, to nodes; over the network if unset. */
  readonly forwarder?: Forwarder;
  readonly kubeletPreferredAddressTypes?: readonly string[];
  /** Whether extension servers are called at their endpoints instead of their services' addresses. */
  readonly asksExtensionEndpoints?: boolean;
  /** APIServices that this server serves itself, even if they name a Service; those without a Service if unset. */
  readonly servedHere?: ReadonlySet<string>;
  readonly gzip?: ServerServices['gzip'];
  /** The descriptions of types and fields in OpenAPI; none if unset. */
  readonly descriptionOf?: DescriptionOf;
  /** PEM of `--client-ca-file` and of the request-header authority, published for extension servers. */
  readonly publishedAuthentication?: Readonly<Record<string, string>>;
  readonly observer?: StepObserver | undefined;
  /**
   * Resolves when everything else in this process has started, after which long turns are reported; when the server has
   * started if absent.
   */
  readonly processStarted?: Promise<unknown> | undefined;
  /** How long an incomplete server counts as alive. */
  readonly livezGraceMs?: number;
  readonly shutdownDelayMs?: number;
  /** Whether new requests get Retry-After while those in progress complete. */
  readonly sendsRetryAfter?: boolean;
  /** How long watches take to be ended when the server stops; 0: they are not awaited. */
  readonly watchTerminationMs?: number;
  /** Notifies systemd that the server is ready. */
  readonly notifyReady?: (() => void) | undefined;
  /** The probability that an HTTP/2 request closes its connection; 0 to 0.02. */
  readonly goawayChance?: number;
  /** Adds an embedding program's own non-resource paths. */
  readonly extraPaths?: ((plain: PlainRoutes) => void) | undefined;
  /** An embedding program's filter, the last one before requests are dispatched. */
  readonly extraFilter?: ((authorizer: Authorizer) => Filter) | undefined;
  /** Further groups of an embedding program. */
  readonly extraGroups?: readonly Group[];
  /** Filters of a test; none if unset. */
  readonly guests?: GuestFilters | undefined;
  /** The host name in discovery; the advertised address if unset. */
  readonly externalHostname?: string;
  /** Whether the endpoints of the service `kubernetes` are maintained. */
  readonly reconcilesEndpoints?: boolean;
  /** The number of servers that share a store without leases; leases are used if unset. */
  readonly serversCount?: number | undefined;
  /** The node port of that service; 0 for none. */
  readonly kubernetesServiceNodePort?: number;
  /** Existing metrics to add to. */
  readonly metrics?: Metrics | undefined;
  /** Observability besides the log. */
  readonly observability?: Observability | undefined;
  /** Auditing is disabled if unset. */
  readonly audit?: AuditSetup | undefined;
  /** Set in a serving thread: the main thread, which runs what must run once. */
  readonly mainThread?: MainThreadLink | undefined;
  /** Metrics of this server's other threads, as text. */
  readonly otherMetrics?: OtherMetrics | undefined;
  /** Threads for large requests; none if unset. */
  readonly workers?: LargeRequestThreads | undefined;
}
