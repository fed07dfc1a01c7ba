/** Feature gates of this version, and whether they are on when nobody says anything. */
import type { FeatureGates } from './groups/services.ts';

/** @throws Error with the original's text for a gate that isn't known or a value that is no bool */
export function featureGates(settings: readonly string[]): FeatureGates {
  const chosen = new Map<string, boolean>();
  for (const setting of settings.flatMap((text) => text.split(',')).filter((text) => text !== '')) {
    const [name = '', value] = setting.split('=');
    if (value === undefined) throw new Error(`missing bool value for ${name}`);
    const isOn = boolOf(value);
    if (isOn === undefined)
      throw new Error(
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      );
    if (name === 'AllAlpha') for (const gate of alphaOff) chosen.set(gate, isOn);
    else if (name === 'AllBeta') for (const gate of [...betaOn, ...betaOff]) chosen.set(gate, isOn);
    else if (!defaults().has(name)) throw new Error(`unrecognized feature gate: ${name}`);
    else chosen.set(name, isOn);
  }
  // What isn't in the lists is part of every server: it has no gate any more.
  return { enabled: (gate) => chosen.get(gate) ?? defaults().get(gate) ?? true };
}

const boolOf = (text: string): boolean | undefined =>
  /^(1|t|T|TRUE|true|True)$/.test(text) ? true : /^(0|f|F|FALSE|false|False)$/.test(text) ? false : undefined;

let known: ReadonlyMap<string, boolean> | undefined;

const defaults = (): ReadonlyMap<string, boolean> =>
  (known ??= new Map([
    ...betaOn.map((name) => [name, true] as const),
    ...[...betaOff, ...alphaOff].map((name) => [name, false] as const),
  ]));

const list = (names: string): readonly string[] => names.trim().split(/\s+/);

const betaOn = list(`
  APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth AtomicFIFO
  AuthorizePodWebsocketUpgradeCreatePermission CPUManagerPolicyBetaOptions
  CRDObservedGenerationTracking ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation
  ClientsAllowTLSCacheGC ComponentFlagz ComponentStatusz ConstrainedImpersonation ContainerCheckpoint
  ContainerRestartRules ContextualLogging DRAConsumableCapacity DRADeviceBindingConditions
  DRADeviceTaints DRAExtendedResource DRAPartitionableDevices DRAResourceClaimDeviceStatus
  DRAResourceClaimGranularStatusAuthorization DRASchedulerFilterTimeout DeclarativeValidationBeta
  DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency EnvFiles ExtendWebSocketsToKubelet
  GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance
  HostnameOverride InOrderInformersBatchProcess InPlacePodLevelResourcesVerticalScaling
  InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages
  KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot
  LoggingBetaOptions MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs NodeDeclaredFeatures
  NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PLEGOnDemandRelist
  PodDeletionCost PodLevelResources PodReadyToStartContainersCondition PodTopologyLabelsAdmission
  PortForwardWebsockets PreventStaticPodAPIReferences RelaxedServiceNameValidation
  ReloadKubeletClientCAFile ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
  ResourceHealthStatus ResourceHealthStatusMessage RestartAllContainersOnContainerExits
  RotateKubeletServerCertificate SchedulerAsyncPreemption SchedulerPopFromBackoffQ
  ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet
  StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet
  StaleControllerConsistencyStatefulSet StatefulSetSemanticRevisionComparison StorageVersionHash
  StrictIPCIDRValidation StructuredAuthenticationConfigurationEgressSelector
  StructuredAuthenticationConfigurationJWKSMetrics TokenRequestServiceAccountUIDValidation
  TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests
  UnauthenticatedHTTP2DOSMitigation UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO
  WatchCacheInitializationPostStartHook WatchList WatchListClient WindowsGracefulNodeShutdown
`);

const betaOff = list(`
  AllBeta ClusterTrustBundle ClusterTrustBundleProjection ConcurrentWatchObjectDecode
  CoordinatedLeaderElection DRADeviceTaintRules LocalStorageCapacityIsolationFSQuotaMonitoring
  MaxUnavailableStatefulSet PodCertificateRequest SELinuxMount SchedulerAsyncAPICalls
  StorageVersionMigrator
`);

const alphaOff = list(`
  APIServingWithRoutine AllAlpha AllowUnsafeMalformedObjectDeletion CBORServingAndStorage
  CPUManagerPolicyAlphaOptions CRIListStreaming CSIVolumeHealth ClientsAllowCBOR ClientsPreferCBOR
  CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook
  ContainerStopSignals ControllerManagerReleaseLeaderElectionLockOnExit CrossNamespaceVolumeDataSource
  DRAListTypeAttributes DRANodeAllocatableResources DRAResourcePoolStatus DRAWorkloadResourceClaims
  EventedPLEG GangScheduling GenericWorkload HPAScaleToZero ImageVolumeWithDigest
  InPlacePodVerticalScalingExclusiveCPUs InPlacePodVerticalScalingExclusiveMemory
  KubeletInUserNamespace LoggingAlphaOptions ManifestBasedAdmissionControlConfig MemoryQoS
  MutablePVNodeAffinity NativeHistograms PersistentVolumeClaimUnusedSinceTime
  PodAndContainerStatsFromCRI PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI QOSReserved
  ReduceDefaultCrashLoopBackOffDecay RuntimeClassInImageCriApi ShardedListAndWatch
  StorageCapacityScoring StorageVersionAPI TaintTolerationComparisonOperators
  TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions UserNamespacesHostNetworkSupport
  VolumeLimitScaling WindowsCPUAndMemoryAffinity WorkloadAwarePreemption WorkloadWithJob
`);
