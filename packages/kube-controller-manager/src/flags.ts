/** The options that decide something; all others of the original are accepted. */

import { featureGateFlag } from '@coxswain/apiserver/features/feature-gate-flag.ts';
import { servingFlags } from '@coxswain/apiserver/component/serving-flags.ts';
import { versionRequest } from '@coxswain/apiserver/component/version-flag.ts';
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

/** The two files of a signer. */
const signingFiles = <Signer extends string>(signer: Signer, what: string) =>
  ({
    [`clusterSigning${signer}CertFile`]: string({ usage: `The authority that signs ${what}.` }),
    [`clusterSigning${signer}KeyFile`]: string({ usage: `The key of the authority that signs ${what}.` }),
  }) as Record<SigningFlag<Signer, 'CertFile' | 'KeyFile'>, ReturnType<typeof string>>;

export const effectiveFlags = {
  ...section('Debugging', {
    profiling: bool({ default: true, usage: 'Offer profiles of this process at /debug/pprof/.' }),
  }),
  ...section('Generic', {
    controllers: stringSlice({
      default: ['*'],
      usage: "Controllers to run: '*' for all that are on by default, 'foo' for one, '-foo' for all but one.",
    }),
    featureGates: featureGateFlag,
    useServiceAccountCredentials: bool({ usage: 'Let each controller write as its own service account.' }),
    leaderElect: bool({
      default: true,
      usage: 'Work only while holding the lease that one instance can hold.',
    }),
    leaderElectLeaseDuration: duration({
      default: 15_000,
      usage: 'How long others wait after the leader was last heard of.',
    }),
    leaderElectRenewDeadline: duration({
      default: 10_000,
      usage: 'How long the leader tries to renew before it gives up.',
    }),
    leaderElectRetryPeriod: duration({
      default: 2_000,
      usage: 'How long between two tries to get or renew the lease.',
    }),
    leaderElectResourceName: string({ default: 'kube-controller-manager', usage: 'The name of the lease.' }),
    leaderElectResourceNamespace: string({ default: 'kube-system', usage: 'The namespace of the lease.' }),
    nodeMonitorPeriod: duration({
      default: defaultSettings.nodeMonitorPeriodMs,
      usage: 'How often nodes are looked after.',
    }),
  }),
  ...servingFlags({ port: 10_257, toleratesLookupFailure: false }),
  ...section('Garbage-collector-controller', {
    enableGarbageCollector: bool({ default: true, usage: 'Delete objects whose owners are gone.' }),
  }),
  ...section('Certificatesigningrequest-signing-controller', {
    ...signingFiles('', 'certificates, where no signer has its own'),
    ...signingFiles('KubeApiserverClient', 'certificates of clients'),
    ...signingFiles('KubeletClient', 'certificates that kubelets show as clients'),
    ...signingFiles('KubeletServing', 'certificates that kubelets serve with'),
    ...signingFiles('LegacyUnknown', 'certificates of the time before there were signers'),
    clusterSigningDuration: duration({
      default: defaultSettings.signingLifetimeMs,
      usage: 'How long certificates last at most.',
    }),
  }),
  ...section('Endpointslice-mirroring-controller', {
    mirroringMaxEndpointsPerSubset: int32({
      default: defaultSettings.mirroredEndpointsMax,
      usage: 'Endpoints of one subset that are mirrored.',
    }),
  }),
  ...section('Horizontal-pod-autoscaler-controller', {
    horizontalPodAutoscalerSyncPeriod: duration({
      default: autoscaler.syncPeriodMs,
      usage: 'How often the number of pods is reconsidered.',
    }),
    horizontalPodAutoscalerDownscaleStabilization: duration({
      default: autoscaler.downscaleStabilizationMs,
      usage: 'How long fewer pods must be enough before there are fewer.',
    }),
    horizontalPodAutoscalerTolerance: float({
      default: autoscaler.tolerance,
      usage: 'Share by which a metric may miss its target without a change.',
    }),
    horizontalPodAutoscalerCpuInitializationPeriod: duration({
      default: autoscaler.cpuInitializationMs,
      usage: 'How long the processor time of a pod that starts may be left out.',
    }),
    horizontalPodAutoscalerInitialReadinessDelay: duration({
      default: autoscaler.initialReadinessMs,
      usage: 'How long changes of readiness count as the first one.',
    }),
  }),
  ...section('Legacy-serviceaccount-token-cleaner-controller', {
    legacyServiceAccountTokenCleanUpPeriod: duration({
      default: defaultSettings.legacyTokenIdleMsMax,
      usage: 'How long a token in a secret may be unused before it goes.',
    }),
  }),
  ...section('Node-ipam-controller', {
    allocateNodeCidrs: bool({ usage: 'Give each node a range of addresses for its pods.' }),
    clusterCidr: string({ usage: 'The ranges that those of nodes are taken from.' }),
    serviceClusterIpRange: string({ usage: 'The ranges of services, which no node gets.' }),
    nodeCidrMaskSize: int32({ usage: "Bits of a node's prefix; 0 for the default." }),
    nodeCidrMaskSizeIpv4: int32({
      name: 'node-cidr-mask-size-ipv4',
      usage: "Bits of a node's prefix of IPv4; 0 for 24.",
    }),
    nodeCidrMaskSizeIpv6: int32({
      name: 'node-cidr-mask-size-ipv6',
      usage: "Bits of a node's prefix of IPv6; 0 for 64.",
    }),
  }),
  ...section('Node-lifecycle-controller', {
    nodeEvictionRate: float32({
      default: defaultSettings.nodeEvictionRates.usual,
      usage: 'Nodes a second whose pods are evicted.',
    }),
    secondaryNodeEvictionRate: float32({
      default: defaultSettings.nodeEvictionRates.secondary,
      usage: 'Nodes a second of a large zone many of whose nodes are unready; none of a small one.',
    }),
    unhealthyZoneThreshold: float32({
      default: defaultSettings.nodeEvictionRates.unhealthyShare,
      usage: 'From which share of unready nodes on that is so, if there are three.',
    }),
    largeClusterSizeThreshold: int32({
      default: defaultSettings.nodeEvictionRates.largeZoneNodes,
      usage: 'How many nodes a zone has at most that is not large.',
    }),
    nodeMonitorGracePeriod: duration({
      default: defaultSettings.nodeMonitorGracePeriodMs,
      usage: 'How long a node may be silent before it counts as unhealthy.',
    }),
    nodeStartupGracePeriod: duration({
      default: defaultSettings.nodeStartupGracePeriodMs,
      usage: 'How long a new node may be silent.',
    }),
  }),
  ...section('Persistentvolume-binder-controller', {
    pvRecyclerPodTemplateFilepathHostpath: string({
      usage: 'A file with the pod that wipes directories of nodes.',
    }),
    pvRecyclerMinimumTimeoutHostpath: int32({
      default: defaultSettings.recyclers.hostPath.secondsMin,
      usage: 'Seconds that the pod gets at least to wipe a directory of a node.',
    }),
    pvRecyclerTimeoutIncrementHostpath: int32({
      default: defaultSettings.recyclers.hostPath.secondsPerGibibyte,
      usage: 'Seconds that the pod gets for each gibibyte of a directory of a node.',
    }),
    pvRecyclerPodTemplateFilepathNfs: string({ usage: 'A file with the pod that wipes NFS volumes.' }),
    pvRecyclerMinimumTimeoutNfs: int32({
      default: defaultSettings.recyclers.nfs.secondsMin,
      usage: 'Seconds that the pod gets at least to wipe an NFS volume.',
    }),
    pvRecyclerIncrementTimeoutNfs: int32({
      default: defaultSettings.recyclers.nfs.secondsPerGibibyte,
      usage: 'Seconds that the pod gets for each gibibyte of an NFS volume.',
    }),
  }),
  ...section('Pod-garbage-collector-controller', {
    terminatedPodGcThreshold: int32({
      default: defaultSettings.terminatedPodsMax,
      usage: 'Finished pods that are kept; 0 or less for all.',
    }),
  }),
  ...section('Resourcequota-controller', {
    resourceQuotaSyncPeriod: duration({
      default: defaultSettings.resourceQuotaSyncPeriodMs,
      usage: 'How often the use of every quota is counted anew.',
    }),
  }),
  ...section('Serviceaccount-controller', {
    rootCaFile: string({ usage: 'The authority that pods are to trust the API server by.' }),
    serviceAccountPrivateKeyFile: string({ usage: 'The key that tokens in secrets are signed with.' }),
  }),
  ...section('Global', {
    version: versionRequest({ usage: 'Print the version and leave; raw: all that is known of it.' }),
  }),
  ...section('Misc', {
    kubeconfig: string({ usage: 'The file that tells how to reach the API server.' }),
    master: string({ usage: "The API server's address, over what the file says." }),
  }),
};

export type ManagerFlags = FlagValues<typeof effectiveFlags>;
