/** Checks for contradictory flags and invalid values; all problems are reported at once, in upstream's words. */
import { aggregateText, goQuote } from '@coxswain/apimachinery';
import { checkCipherSuites } from '@coxswain/apiserver/http/tls/cipher-suites.ts';
import { checkCurves } from '@coxswain/apiserver/http/tls/curves.ts';
import { tlsVersion } from '@coxswain/apiserver/http/tls/protocol-versions.ts';
import { ipRangeOf } from '../groups/core/service/ip-range.ts';
import { originProblem } from './allowed-origins.ts';
import type { ApiServerFlags } from './effective-flags.ts';
import { emulationProblems } from './emulated-version.ts';

/** @throws Error with a one-line message */
export function checkFlags(flags: ApiServerFlags): void {
  checkServiceRanges(flags);
  if (flags.serviceAccountSigningEndpoint !== '' && flags.serviceAccountSigningKeyFile !== '') {
    throw new Error(
      'service-account-signing-key-file and service-account-signing-endpoint are mutually exclusive and cannot be set at the same time',
    );
  }
  const problems = [
    ...negativeProblems(flags),
    ...transportSecurityProblems(flags.strictTransportSecurityDirectives),
    ...flags.corsAllowedOrigins.flatMap((origin) => originProblem(origin) ?? []),
    ...emulationProblems(flags),
    ...fairnessProblems(flags),
    ...portProblems(flags),
    ...signerProblems(flags),
    ...leadershipProblems(flags),
    ...serviceRangeProblems(flags),
    ...nodePortProblems(flags),
    ...(flags.apiserverCount <= 0
      ? [`--apiserver-count should be a positive number, but value '${flags.apiserverCount}' provided`]
      : []),
  ];
  if (problems.length > 0) throw new Error(aggregateText(problems));
  checkCipherSuites(flags.tlsCipherSuites);
  checkCurves(flags.tlsCurvePreferences);
  tlsVersion(flags.tlsMinVersion);
}

const goawayChanceMax = 0.02;

function negativeProblems(flags: ApiServerFlags): string[] {
  const rules: readonly (readonly [isWrong: boolean, problem: string])[] = [
    [flags.livezGracePeriod < 0, '--livez-grace-period can not be a negative value'],
    [flags.maxRequestsInflight < 0, '--max-requests-inflight can not be negative value'],
    [flags.maxMutatingRequestsInflight < 0, '--max-mutating-requests-inflight can not be negative value'],
    [flags.requestTimeout < 0, '--request-timeout can not be negative value'],
    [
      !(flags.goawayChance >= 0 && flags.goawayChance <= goawayChanceMax),
      `--goaway-chance can not be less than 0 or greater than ${goawayChanceMax}`,
    ],
    [flags.minRequestTimeout < 0, '--min-request-timeout can not be negative value'],
    [flags.storageInitializationTimeout < 0, '--storage-initialization-timeout can not be negative value'],
    [flags.shutdownDelayDuration < 0, '--shutdown-delay-duration can not be negative value'],
    [
      flags.shutdownWatchTerminationGracePeriod < 0,
      'shutdown-watch-termination-grace-period, if provided, can not be a negative value',
    ],
  ];
  return rules.flatMap(([isWrong, problem]) => (isWrong ? [problem] : []));
}

const transportSecurityProblems = (directives: readonly string[]): string[] =>
  directives.flatMap((directive) => {
    if (directive.trim() === '') return ['empty value in strict-transport-security-directives'];
    if (/^(includeSubDomains|preload|max-age=[^=]*)$/.test(directive)) return [];
    return [
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
    ];
  });

/** The API versions that priority and fairness requires, in upstream's order of precedence. */
const fairnessVersions = ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all'];

function fairnessProblems({ enablePriorityAndFairness, runtimeConfig }: ApiServerFlags): string[] {
  if (!enablePriorityAndFairness) return [];
  for (const version of fairnessVersions) {
    if (runtimeConfig.includes(`${version}=true`)) return [];
    if (runtimeConfig.includes(`${version}=false`)) {
      return [`--runtime-config=${version}=false conflicts with --enable-priority-and-fairness=true`];
    }
  }
  return [];
}

const portMax = 65_535;

const portProblems = ({ securePort }: ApiServerFlags): string[] =>
  securePort < 0 || securePort > portMax
    ? [
        `--secure-port ${securePort} must be between 1 and ${portMax}, inclusive. It cannot be turned off with 0`,
      ]
    : [];

const abstractSocket = /^@([a-zA-Z0-9_-]+\.)*[a-zA-Z0-9_-]+$/;

function signerProblems(flags: ApiServerFlags): string[] {
  const endpoint = flags.serviceAccountSigningEndpoint;
  if (endpoint === '') return [];
  return [
    ...(flags.serviceAccountKeyFile.length > 0
      ? [
          "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
        ]
      : []),
    ...(endpoint.startsWith('@') && !abstractSocket.test(endpoint)
      ? [
          `invalid value ${goQuote(endpoint)} passed for \`--service-account-signing-endpoint\`, when prefixed with @ must be a valid abstract socket name`,
        ]
      : []),
  ];
}

function leadershipProblems(flags: ApiServerFlags): string[] {
  const lease = flags.coordinatedLeadershipLeaseDuration;
  const renew = flags.coordinatedLeadershipRenewDeadline;
  const retry = flags.coordinatedLeadershipRetryPeriod;
  const longer = (one: string, other: string) =>
    `--coordinated-leadership-${one} must be greater than --coordinated-leadership-${other}`;
  return [
    ...(lease <= renew ? [longer('lease-duration', 'renew-deadline')] : []),
    ...(renew <= retry ? [longer('renew-deadline', 'retry-period')] : []),
  ];
}

/** An invalid range is reported before everything else. */
function checkServiceRanges({ serviceClusterIpRange }: ApiServerFlags): void {
  const [first, second] = serviceClusterIpRange.split(',').map((range) => range.trim());
  if (first && ipRangeOf(first) === undefined) {
    throw new Error('service-cluster-ip-range[0] is not a valid cidr');
  }
  if (second && ipRangeOf(second) === undefined) {
    throw new Error('service-cluster-ip-range[1] is not an ip net');
  }
}

function serviceRangeProblems({ serviceClusterIpRange }: ApiServerFlags): string[] {
  const ranges = serviceClusterIpRange.split(',');
  const isIpv6 = (range: string) => range.includes(':');
  if (ranges.length > 2) return ['--service-cluster-ip-range must not contain more than two entries'];
  if (ranges.length === 2 && isIpv6(ranges[0]!) === isIpv6(ranges[1]!)) {
    return ['--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family'];
  }
  return [];
}

function nodePortProblems({
  kubernetesServiceNodePort: port,
  serviceNodePortRange,
}: ApiServerFlags): string[] {
  const [first = 0, last = 0] = serviceNodePortRange.split('-').map(Number);
  return [
    ...(port < 0 || port > portMax
      ? [
          `--kubernetes-service-node-port ${port} must be between 0 and ${portMax}, inclusive. If 0, the Kubernetes master service will be of type ClusterIP`,
        ]
      : []),
    ...(port > 0 && (port < first || port > last)
      ? [`kubernetes service node port range ${serviceNodePortRange} doesn't contain ${port}`]
      : []),
  ];
}
