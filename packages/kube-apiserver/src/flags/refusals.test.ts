import { recordedIo } from '@coxswain/cobra';
import { quantityFormatError } from '@coxswain/schema/scalars/quantity.ts';
import { expect, test } from 'vitest';
import { runKubeApiServer } from '../command.ts';

/** Upstream's messages. */
const refusals: readonly (readonly [line: string, message: string])[] = [
  [
    '--advertise-address=foo',
    'invalid argument "foo" for "--advertise-address" flag: failed to parse IP: "foo"',
  ],
  ['--bind-address=bar', 'invalid argument "bar" for "--bind-address" flag: failed to parse IP: "bar"'],
  [
    '--secure-port=70000',
    '--secure-port 70000 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
  ],
  [
    '--secure-port=x',
    'invalid argument "x" for "--secure-port" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  ['--goaway-chance=0.5', '--goaway-chance can not be less than 0 or greater than 0.02'],
  [
    '--goaway-chance=x',
    'invalid argument "x" for "--goaway-chance" flag: strconv.ParseFloat: parsing "x": invalid syntax',
  ],
  ['--request-timeout=-1s', '--request-timeout can not be negative value'],
  [
    '--request-timeout=5',
    'invalid argument "5" for "--request-timeout" flag: time: missing unit in duration "5"',
  ],
  ['--livez-grace-period=-1s', '--livez-grace-period can not be a negative value'],
  ['--max-requests-inflight=-1', '--max-requests-inflight can not be negative value'],
  ['--max-mutating-requests-inflight=-1', '--max-mutating-requests-inflight can not be negative value'],
  ['--min-request-timeout=-1', '--min-request-timeout can not be negative value'],
  ['--shutdown-delay-duration=-1s', '--shutdown-delay-duration can not be negative value'],
  [
    '--shutdown-watch-termination-grace-period=-5s',
    'shutdown-watch-termination-grace-period, if provided, can not be a negative value',
  ],
  ['--storage-initialization-timeout=-1s', '--storage-initialization-timeout can not be negative value'],
  [
    '--strict-transport-security-directives=foo',
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  ],
  [
    '--strict-transport-security-directives=max-age=31536000,,preload',
    'empty value in strict-transport-security-directives',
  ],
  ['--tls-min-version=VersionSSL3', 'unknown tls version "VersionSSL3"'],
  ['--tls-cipher-suites=FOO', "Cipher suite FOO not supported or doesn't exist"],
  ['--tls-curve-preferences=99', 'curve preference 99 is not supported by the current Go version'],
  ['--tls-curve-preferences=29,29', 'duplicate curve preference 29'],
  [
    '--tls-curve-preferences=x',
    'invalid argument "x" for "--tls-curve-preferences" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  ['--tls-curve-preferences=-1', 'curve preference -1 is out of range (must be 1-65535)'],
  [
    '--tls-sni-cert-key=foo',
    'invalid argument "foo" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths',
  ],
  [
    '--tls-sni-cert-key=a,b:',
    'invalid argument "a,b:" for "--tls-sni-cert-key" flag: empty names list is not allowed',
  ],
  ['--tls-sni-cert-key=a,b', 'failed to load SNI cert and key: open a: no such file or directory'],
  [
    '--tls-cert-file=/nonexistent --tls-private-key-file=/nonexistent',
    'open /nonexistent: no such file or directory',
  ],
  ['--tls-cert-file=/nonexistent', 'missing filename for serving cert'],
  [
    '--service-account-signing-endpoint=/run/signer.sock --service-account-key-file=keys.pem',
    "can't set `--service-account-signing-key-file` and/or `--service-account-key-file` with `--service-account-signing-endpoint` (They are mutually exclusive)",
  ],
  [
    '--service-account-signing-endpoint=@a..b',
    'invalid value "@a..b" passed for `--service-account-signing-endpoint`, when prefixed with @ must be a valid abstract socket name',
  ],
  [
    '--service-account-signing-endpoint=@signer --service-account-signing-key-file=key.pem',
    'service-account-signing-key-file and service-account-signing-endpoint are mutually exclusive and cannot be set at the same time',
  ],
  [
    '--emulated-version=1.20',
    '[emulation version 1.20 is not between [1.33, 1.36.0], minCompatibilityVersion version 1.33 is not between [1.33, 1.20]]',
  ],
  [
    '--disabled-metrics=x{',
    'metrics.disabledMetrics: Invalid value: ["x{"]: must be fully qualified metric names matching "^[a-zA-Z_:][a-zA-Z0-9_:]*$", got "x{"',
  ],
  ['--feature-gates=Foo=true', 'unrecognized feature gate: Foo'],
  ['--feature-gates=Foo', 'missing bool value for Foo'],
  [
    '--feature-gates=APIServerIdentity=maybe',
    'invalid value of APIServerIdentity=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  ['--feature-gates=wardle:Foo=true', 'component not registered: wardle'],
  ['--feature-gates=kube:APIServerIdentity=true,kube:Nope=false', 'unrecognized feature gate: Nope'],
  [
    '--feature-gates=WatchList=true,Bar=1,Baz=2',
    'invalid value of Baz=2, err: strconv.ParseBool: parsing "2": invalid syntax',
  ],
  [
    '--feature-gates=APIServerTracing=false',
    'cannot set feature gate APIServerTracing to false, feature is locked to true',
  ],
  [
    '--feature-gates=SidecarContainers=false',
    'cannot set feature gate SidecarContainers to false, feature is locked to true',
  ],
  [
    '--feature-gates=AllAlpha=true,AllBeta=foo',
    'invalid value of AllBeta=foo, err: strconv.ParseBool: parsing "foo": invalid syntax',
  ],
  ['--runtime-config=foo/v1=true', 'unknown api groups foo/v1'],
  ['--runtime-config=api/all=maybe', 'invalid value api/all=maybe'],
  [
    '--runtime-config=api/ga=false',
    '--runtime-config=api/ga=false conflicts with --enable-priority-and-fairness=true',
  ],
  [
    '--enable-priority-and-fairness=true --runtime-config=flowcontrol.apiserver.k8s.io/v1=false',
    '--runtime-config=flowcontrol.apiserver.k8s.io/v1=false conflicts with --enable-priority-and-fairness=true',
  ],
  ['--service-cluster-ip-range=foo', 'service-cluster-ip-range[0] is not a valid cidr'],
  [
    '--service-cluster-ip-range=10.0.0.0/24,10.1.0.0/24',
    '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family',
  ],
  [
    '--service-cluster-ip-range=10.0.0.0/24,fd00::/112,10.1.0.0/24',
    '--service-cluster-ip-range must not contain more than two entries',
  ],
  [
    '--service-node-port-range=foo',
    'invalid argument "foo" for "--service-node-port-range" flag: strconv.Atoi: parsing "foo": invalid syntax',
  ],
  [
    '--service-node-port-range=80000-90000',
    'invalid argument "80000-90000" for "--service-node-port-range" flag: the port range cannot be greater than 65535: 80000-90000',
  ],
  ['--kubernetes-service-node-port=80', "kubernetes service node port range 30000-32767 doesn't contain 80"],
  [
    '--kubernetes-service-node-port=70000',
    "[--kubernetes-service-node-port 70000 must be between 0 and 65535, inclusive. If 0, the Kubernetes master service will be of type ClusterIP, kubernetes service node port range 30000-32767 doesn't contain 70000]",
  ],
  ['--event-ttl=foo', 'invalid argument "foo" for "--event-ttl" flag: time: invalid duration "foo"'],
  [
    '--audit-log-maxage=x',
    'invalid argument "x" for "--audit-log-maxage" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    '--coordinated-leadership-lease-duration=1s',
    '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline',
  ],
  [
    '--coordinated-leadership-renew-deadline=1s',
    '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period',
  ],
  [
    '--emulated-version=1.34 --feature-gates=GenericWorkload=true',
    'cannot set feature gate GenericWorkload to true, feature is PreAlpha at emulated version 1.34, min compatibility version 1.33',
  ],
  [
    '--emulated-version=1.34 --min-compatibility-version=1.35',
    'minCompatibilityVersion version 1.35 is not between [1.33, 1.34]',
  ],
  ['--emulated-version=foo', 'could not parse "foo" as version'],
  [
    '--emulation-forward-compatible',
    'ServerRunOptions.EmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
  ],
  [
    '--runtime-config-emulation-forward-compatible',
    'ServerRunOptions.RuntimeConfigEmulationForwardCompatible cannot be set to true if the emulation version is the same as the binary version',
  ],
  ['--min-compatibility-version=1.20', 'minCompatibilityVersion version 1.20 is not between [1.33, 1.36]'],
  ['--enable-admission-plugins=Foo', 'enable-admission-plugins plugin "Foo" is unknown'],
  ['--disable-admission-plugins=Foo', 'disable-admission-plugins plugin "Foo" is unknown'],
  [
    '--storage-backend=etcd2',
    "--storage-backend invalid, allowed values: etcd3. If not specified, it will default to 'etcd3'",
  ],
  [
    '--storage-media-type=foo',
    '--storage-media-type "foo" invalid, allowed values: application/json, application/vnd.kubernetes.protobuf, application/yaml',
  ],
  ['--watch-cache-sizes=foo', 'invalid value of watch cache size: foo'],
  [
    '--delete-collection-workers=x',
    'invalid argument "x" for "--delete-collection-workers" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  [
    '--lease-reuse-duration-seconds=x',
    'invalid argument "x" for "--lease-reuse-duration-seconds" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  ['--v=x', 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
  ['--vmodule=foo', 'invalid argument "foo" for "--vmodule" flag: "foo" does not have the pattern=N format'],
  ['--logging-format=foo', 'format: Invalid value: "foo": Unsupported log format'],
  [
    '--log-flush-frequency=x',
    'invalid argument "x" for "--log-flush-frequency" flag: time: invalid duration "x"',
  ],
  ['--nope', 'unknown flag: --nope'],
  ['--nope=1', 'unknown flag: --nope'],
  ['-x', "unknown shorthand flag: 'x' in -x"],
  [
    '--allow-privileged=maybe',
    'invalid argument "maybe" for "--allow-privileged" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
  [
    '--allow-metric-labels=foo',
    'invalid argument "foo" for "--allow-metric-labels" flag: foo must be formatted as key=value',
  ],
  ...(
    [
      ['--enable-garbage-collector=false', '--enable-garbage-collector=true'],
      ['--aggregator-reject-forwarding-redirect=false', '--aggregator-reject-forwarding-redirect=true'],
      ['--max-connection-bytes-per-sec=5', '--max-connection-bytes-per-sec=0'],
    ] as const
  ).map(
    ([line, only]) =>
      [line, `${line} is not supported by this server, only ${only.split('=')[1]} is`] as const,
  ),
  [
    '--log-json-info-buffer-size=x',
    `invalid argument "x" for "--log-json-info-buffer-size" flag: ${quantityFormatError}`,
  ],
  ['--kubelet-timeout=x', 'invalid argument "x" for "--kubelet-timeout" flag: time: invalid duration "x"'],
  [
    '--max-connection-bytes-per-sec=x',
    'invalid argument "x" for "--max-connection-bytes-per-sec" flag: strconv.ParseInt: parsing "x": invalid syntax',
  ],
  ...['--oidc-username-claim=sub', '--oidc-signing-algs=RS256', '--oidc-ca-file='].map(
    (line) =>
      [
        line,
        'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
      ] as const,
  ),
  [
    '--anonymous-auth=maybe',
    'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax',
  ],
];

test.each(refusals)('%s is refused, where the original refuses it in its words', async (line, message) => {
  const io = recordedIo();
  const args = ['--secure-port=1', '--bind-address=127.0.0.1', '--cert-dir=', ...line.split(' ')];

  const status = await runKubeApiServer(args, { ...io, signal: new AbortController().signal });

  expect([status, io.text.err.split('\n').at(-2)]).toEqual([1, `Error: ${message}`]);
});
