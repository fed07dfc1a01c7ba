/** Options with all defaults filled in, and values derived from them. */
import { newUid as randomUid, systemClock, systemRandom } from '@coxswain/apimachinery';
import { inFlightDefaults } from '@coxswain/apiserver/filters/max-in-flight.ts';
import type { AuthorizationSetup } from '../authorization/authorizer-chain.ts';
import { plainAuthorizer } from '../authorization/configured-authorizer.ts';
import { featureGates, type FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { parsePortRange, type PortRange } from '../groups/core/service/node-port-allocator.ts';
import { networkForwarder } from '#network-forwarder';
import { networkKubelets } from '../proxy/network-kubelets.ts';
import { runtimeConfig, type RuntimeConfig } from '../runtime-config.ts';
import { oneStore } from '../server-stores.ts';
import { noWebhooks } from '../webhook-connection.ts';
import { noWebhookCredentials } from '../webhooks/webhook-credentials.ts';
import type { AssemblyOptions } from './options.ts';

type Defaulted = Required<
  Pick<
    AssemblyOptions,
    | 'where'
    | 'clock'
    | 'random'
    | 'newUid'
    | 'transient'
    | 'log'
    | 'authentication'
    | 'enableAdmissionPlugins'
    | 'disableAdmissionPlugins'
    | 'connectWebhook'
    | 'readWebhookCredentials'
    | 'tolerationSeconds'
    | 'isUncached'
    | 'serviceClusterIpRanges'
    | 'hostName'
    | 'allowPrivileged'
    | 'eventTtlSeconds'
    | 'advertiseAddress'
    | 'limits'
    | 'enablePriorityAndFairness'
    | 'requestTimeoutMs'
    | 'minRequestTimeoutMs'
    | 'corsAllowedOrigins'
    | 'strictTransportSecurity'
    | 'logEveryRequest'
    | 'kubelets'
    | 'forwarder'
    | 'asksExtensionEndpoints'
    | 'servedHere'
    | 'publishedAuthentication'
    | 'livezGraceMs'
    | 'shutdownDelayMs'
    | 'sendsRetryAfter'
    | 'watchTerminationMs'
    | 'goawayChance'
    | 'externalHostname'
    | 'reconcilesEndpoints'
    | 'kubernetesServiceNodePort'
  >
>;

type Resolved =
  | 'authorization'
  | 'authorizationModes'
  | 'featureGates'
  | 'runtimeConfig'
  | 'serviceNodePortRange';

export interface CompletedOptions extends Omit<AssemblyOptions, keyof Defaulted | Resolved>, Defaulted {
  readonly authorization: AuthorizationSetup;
  readonly features: FeatureGates;
  readonly runtime: RuntimeConfig;
  readonly nodePorts: PortRange;
  /** The default audiences of tokens. */
  readonly apiAudiences: readonly string[];
}

const serviceRangeDefault = '10.0.0.0/24';
const nodePortRangeDefault: PortRange = { base: 30_000, size: 2_768 };
const eventTtlSecondsDefault = 60 * 60;
const requestTimeoutMsDefault = 60_000;
const minRequestTimeoutMsDefault = 1_800_000;
const issuerDefault = 'https://kubernetes.default.svc';
const tolerationSecondsDefault = { notReady: 300, unreachable: 300 };

/** @throws Error for invalid or contradictory options */
export function complete(options: AssemblyOptions): CompletedOptions {
  const forwarder = options.forwarder ?? networkForwarder({});
  const features = featureGates(options.featureGates ?? [], options);
  return {
    ...options,
    where: options.where ?? oneStore(options.storage),
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    newUid: options.newUid ?? randomUid,
    transient: options.transient ?? { random: systemRandom, newUid: randomUid },
    log: options.log ?? (() => undefined),
    authorization: options.authorization ?? authorizationOf(options),
    authentication: options.authentication ?? {},
    apiAudiences: audiencesOf(options),
    enableAdmissionPlugins: options.enableAdmissionPlugins ?? [],
    disableAdmissionPlugins: options.disableAdmissionPlugins ?? [],
    connectWebhook: options.connectWebhook ?? noWebhooks,
    readWebhookCredentials: options.readWebhookCredentials ?? noWebhookCredentials,
    tolerationSeconds: options.tolerationSeconds ?? tolerationSecondsDefault,
    features,
    runtime: runtimeConfig(options.runtimeConfig ?? {}),
    isUncached: options.isUncached ?? (() => false),
    serviceClusterIpRanges: options.serviceClusterIpRanges ?? [serviceRangeDefault],
    nodePorts: portRangeOf(options.serviceNodePortRange),
    hostName: options.hostName ?? 'localhost',
    allowPrivileged: options.allowPrivileged ?? true,
    eventTtlSeconds: options.eventTtlSeconds ?? eventTtlSecondsDefault,
    advertiseAddress: options.advertiseAddress ?? '127.0.0.1',
    limits: options.limits ?? inFlightDefaults,
    enablePriorityAndFairness: options.enablePriorityAndFairness ?? true,
    requestTimeoutMs: options.requestTimeoutMs ?? requestTimeoutMsDefault,
    minRequestTimeoutMs: options.minRequestTimeoutMs ?? minRequestTimeoutMsDefault,
    corsAllowedOrigins: options.corsAllowedOrigins ?? [],
    strictTransportSecurity: options.strictTransportSecurity ?? [],
    logEveryRequest: options.logEveryRequest ?? false,
    forwarder,
    kubelets: options.kubelets ?? networkKubelets(forwarder, options.kubeletPreferredAddressTypes),
    asksExtensionEndpoints: options.asksExtensionEndpoints ?? false,
    servedHere: options.servedHere ?? new Set(),
    publishedAuthentication: options.publishedAuthentication ?? {},
    livezGraceMs: options.livezGraceMs ?? 0,
    shutdownDelayMs: options.shutdownDelayMs ?? 0,
    sendsRetryAfter: options.sendsRetryAfter ?? false,
    watchTerminationMs: options.watchTerminationMs ?? 0,
    goawayChance: options.goawayChance ?? 0,
    externalHostname: options.externalHostname ?? options.advertiseAddress ?? '127.0.0.1',
    reconcilesEndpoints: options.reconcilesEndpoints ?? true,
    kubernetesServiceNodePort: options.kubernetesServiceNodePort ?? 0,
  };
}

const authorizationOf = ({
  authorizationModes = ['AlwaysAllow'],
  connectWebhook = noWebhooks,
}: AssemblyOptions): AuthorizationSetup => ({
  authorizers: authorizationModes.map(plainAuthorizer),
  connect: connectWebhook,
});

const audiencesOf = ({ serviceAccounts }: AssemblyOptions): readonly string[] =>
  serviceAccounts?.audiences ?? serviceAccounts?.issuers.slice(0, 1) ?? [issuerDefault];

function portRangeOf(text: string | undefined): PortRange {
  if (text === undefined) return nodePortRangeDefault;
  const range = parsePortRange(text);
  if (range === undefined) throw new Error(`invalid port range ${JSON.stringify(text)}`);
  return range;
}
