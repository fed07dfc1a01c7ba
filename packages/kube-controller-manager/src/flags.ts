/** The options that have an effect; all other upstream options are accepted and ignored. */

import { leaderElectionFlags } from '@coxswain/component-base/leader-election/leader-election-flags.ts';
import { featureGateFlag } from '@coxswain/component-base/features/feature-gate-flag.ts';
import { servingFlags } from '@coxswain/apiserver/component/serving-flags.ts';
import { emulatedVersionFlag, minCompatibilityVersionFlag } from '@coxswain/component-base/version-flags.ts';
import { versionRequest } from '@coxswain/component-base/version-flag.ts';
import {
  bool,
  duration,
  float,
  float32,
  int32,
  section,
  string,
  stringSlice,
  type FlagValues,
} from '@coxswain/cobra';
import { defaultSettings } from './settings.ts';

const { autoscaler } = defaultSettings;

type SigningFlag<Signer extends string, File extends string> = `clusterSigning${Signer}${File}`;

/** The certificate and key files of a signer. */
const signingFiles = <Signer extends string>(signer: Signer, what: string) =>
  ({
    [`clusterSigning${signer}CertFile`]: string({ usage: `The CA certificate file for signing ${what}.` }),
    [`clusterSigning${signer}KeyFile`]: string({ usage: `The CA private key file for signing ${what}.` }),
  }) as Record<SigningFlag<Signer, 'CertFile' | 'KeyFile'>, ReturnType<typeof string>>;

export const effectiveFlags = {
  ...section('Debugging', {
    profiling: bool({ default: true, usage: 'Serve profiles of this process at /debug/pprof/.' }),
  }),
  ...section('Generic', {
    controllers: stringSlice({
      default: ['*'],
      usage:
        "Controllers to run. '*' enables all that are on by default, 'foo' enables the controller named foo, '-foo' disables it.",
    }),
    emulatedVersion: emulatedVersionFlag,
    featureGates: featureGateFlag,
    minCompatibilityVersion: minCompatibilityVersionFlag,
    useServiceAccountCredentials: bool({ usage: 'Run each controller with its own service account.' }),
    ...leaderElectionFlags,
    leaderElectResourceName: string({ default: 'kube-controller-manager', usage: 'The name of the lease.' }),
    leaderElectResourceNamespace: string({ default: 'kube-system', usage: 'The namespace of the lease.' }),
    nodeMonitorPeriod: duration({
      default: defaultSettings.nodeMonitorPeriodMs,
      usage: 'How often the status of nodes is checked.',
    }),
  }),
  ...servingFlags({ port: 10_257, toleratesLookupFailure: false }),
  ...section('Garbage-collector-controller', {
    enableGarbageCollector: bool({
      default: true,
      usage: 'Enable the garbage collector, which deletes objects whose owners are gone.',
    }),
  }),
  ...section('Certificatesigningrequest-signing-controller', {
    ...signingFiles('', 'certificates of signers without a CA of their own'),
    ...signingFiles(
      'KubeApiserverClient',
      'client certificates for the API server (kubernetes.io/kube-apiserver-client)',
    ),
    ...signingFiles(
      'KubeletClient',
      'client certificates of kubelets (kubernetes.io/kube-apiserver-client-kubelet)',
    ),
    ...signingFiles('KubeletServing', 'serving certificates of kubelets (kubernetes.io/kubelet-serving)'),
    ...signingFiles('LegacyUnknown', 'legacy certificates (kubernetes.io/legacy-unknown)'),
    clusterSigningDuration: duration({
      default: defaultSettings.signingLifetimeMs,
      usage: 'The maximum lifetime of signed certificates.',
    }),
  }),
  ...section('Endpointslice-mirroring-controller', {
    mirroringMaxEndpointsPerSubset: int32({
      default: defaultSettings.mirroredEndpointsMax,
      usage: 'The maximum number of endpoints of a subset to mirror.',
    }),
  }),
  ...section('Horizontal-pod-autoscaler-controller', {
    horizontalPodAutoscalerSyncPeriod: duration({
      default: autoscaler.syncPeriodMs,
      usage: 'How often autoscalers are evaluated.',
    }),
    horizontalPodAutoscalerDownscaleStabilization: duration({
      default: autoscaler.downscaleStabilizationMs,
      usage: 'How long a lower number of pods must be recommended before scaling down.',
    }),
    horizontalPodAutoscalerTolerance: float({
      default: autoscaler.tolerance,
      usage: 'The relative deviation of a metric from its target that does not trigger scaling.',
    }),
    horizontalPodAutoscalerCpuInitializationPeriod: duration({
      default: autoscaler.cpuInitializationMs,
      usage: 'How long after the start of a pod its CPU samples may be ignored.',
    }),
    horizontalPodAutoscalerInitialReadinessDelay: duration({
      default: autoscaler.initialReadinessMs,
      usage: 'How long after the start of a pod readiness changes count as initial readiness.',
    }),
  }),
  ...section('Legacy-serviceaccount-token-cleaner-controller', {
    legacyServiceAccountTokenCleanUpPeriod: duration({
      default: defaultSettings.legacyTokenIdleMsMax,
      usage: 'How long a token stored in a Secret may be unused before it is removed.',
    }),
  }),
  ...section('Node-ipam-controller', {
    allocateNodeCidrs: bool({ usage: 'Allocate a pod address range to each node.' }),
    clusterCidr: string({ usage: 'The pod address ranges of the cluster.' }),
    serviceClusterIpRange: string({
      usage: 'The address ranges of services, which are not allocated to nodes.',
    }),
    nodeCidrMaskSize: int32({
      usage: "The prefix length of a node's pod address range. 0 means the default.",
    }),
    nodeCidrMaskSizeIpv4: int32({
      name: 'node-cidr-mask-size-ipv4',
      usage: "The prefix length of a node's IPv4 pod address range. 0 means 24.",
    }),
    nodeCidrMaskSizeIpv6: int32({
      name: 'node-cidr-mask-size-ipv6',
      usage: "The prefix length of a node's IPv6 pod address range. 0 means 64.",
    }),
  }),
  ...section('Node-lifecycle-controller', {
    nodeEvictionRate: float32({
      default: defaultSettings.nodeEvictionRates.usual,
      usage: 'The number of nodes per second whose pods are evicted.',
    }),
    secondaryNodeEvictionRate: float32({
      default: defaultSettings.nodeEvictionRates.secondary,
      usage:
        'The number of nodes per second whose pods are evicted in a large zone that is unhealthy. In small unhealthy zones, none are.',
    }),
    unhealthyZoneThreshold: float32({
      default: defaultSettings.nodeEvictionRates.unhealthyShare,
      usage:
        'The fraction of nodes, at least three, that must be not ready for a zone to count as unhealthy.',
    }),
    largeClusterSizeThreshold: int32({
      default: defaultSettings.nodeEvictionRates.largeZoneNodes,
      usage: 'The number of nodes above which a zone counts as large.',
    }),
    nodeMonitorGracePeriod: duration({
      default: defaultSettings.nodeMonitorGracePeriodMs,
      usage: 'How long a node may be unresponsive before it counts as unhealthy.',
    }),
    nodeStartupGracePeriod: duration({
      default: defaultSettings.nodeStartupGracePeriodMs,
      usage: 'How long a new node may be unresponsive before it counts as unhealthy.',
    }),
  }),
  ...section('Persistentvolume-binder-controller', {
    pvRecyclerPodTemplateFilepathHostpath: string({
      usage: 'The pod template file for recycling HostPath volumes.',
    }),
    pvRecyclerMinimumTimeoutHostpath: int32({
      default: defaultSettings.recyclers.hostPath.secondsMin,
      usage: 'The minimum number of seconds for recycling a HostPath volume.',
    }),
    pvRecyclerTimeoutIncrementHostpath: int32({
      default: defaultSettings.recyclers.hostPath.secondsPerGibibyte,
      usage: 'The number of seconds per GiB for recycling a HostPath volume.',
    }),
    pvRecyclerPodTemplateFilepathNfs: string({ usage: 'The pod template file for recycling NFS volumes.' }),
    pvRecyclerMinimumTimeoutNfs: int32({
      default: defaultSettings.recyclers.nfs.secondsMin,
      usage: 'The minimum number of seconds for recycling an NFS volume.',
    }),
    pvRecyclerIncrementTimeoutNfs: int32({
      default: defaultSettings.recyclers.nfs.secondsPerGibibyte,
      usage: 'The number of seconds per GiB for recycling an NFS volume.',
    }),
  }),
  ...section('Pod-garbage-collector-controller', {
    terminatedPodGcThreshold: int32({
      default: defaultSettings.terminatedPodsMax,
      usage: 'The number of terminated pods to keep. 0 or less keeps all.',
    }),
  }),
  ...section('Resourcequota-controller', {
    resourceQuotaSyncPeriod: duration({
      default: defaultSettings.resourceQuotaSyncPeriodMs,
      usage: 'How often the usage of every quota is recalculated.',
    }),
  }),
  ...section('Serviceaccount-controller', {
    rootCaFile: string({
      usage: 'The CA certificate file that is published to pods for verifying the API server.',
    }),
    serviceAccountPrivateKeyFile: string({
      usage: 'The private key file to sign tokens stored in Secrets with.',
    }),
  }),
  ...section('Global', {
    version: versionRequest({
      usage: 'Print the version and exit; --version=raw prints all version information.',
    }),
  }),
  ...section('Misc', {
    kubeconfig: string({
      usage: 'The kubeconfig file with the address of the API server and the credentials for it.',
    }),
    master: string({ usage: 'The address of the API server. Overrides the one in the kubeconfig.' }),
  }),
};

export type ManagerFlags = FlagValues<typeof effectiveFlags>;
