/**
 * The history of feature gates, from the oldest version that can be emulated to this one. The name is followed by the
 * initial state, then by the minor version of each change with the new state: the stage, `+` if the feature is enabled
 * by default, `!` if that cannot be changed. A gate without an initial state was introduced by its first change.
 */
export const featureHistory = `
  APIResponseCompression beta+
  APIServerIdentity beta+
  APIServerTracing beta+ 34:ga+!
  APIServingWithRoutine alpha-
  AggregatedDiscoveryRemoveBetaType deprecated+ 35:deprecated+!
  AllAlpha alpha-
  AllBeta beta-
  AllowDNSOnlyNodeCSR deprecated-
  AllowInsecureKubeletCertificateSigningRequests deprecated-
  AllowOverwriteTerminationGracePeriodSeconds deprecated- 35:deprecated-!
  AllowParsingUserUIDFromCertAuth beta+
  AllowServiceExternalIPs ga+
  AllowUnsafeMalformedObjectDeletion alpha-
  AnonymousAuthConfigurableEndpoints beta+ 34:ga+!
  AnyVolumeDataSource ga+!
  AtomicFIFO 36:beta+
  AuthorizeNodeWithSelectors beta+ 34:ga+!
  AuthorizePodWebsocketUpgradeCreatePermission 35:beta+
  AuthorizeWithSelectors beta+ 34:ga+!
  BtreeWatchCache ga+!
  CBORServingAndStorage alpha-
  CPUManagerPolicyAlphaOptions alpha-
  CPUManagerPolicyBetaOptions beta+
  CPUManagerPolicyOptions ga+!
  CRDObservedGenerationTracking 35:beta- 36:beta+
  CRDValidationRatcheting ga+!
  CRIListStreaming 36:alpha-
  CSIServiceAccountTokenSecrets 35:beta+ 36:ga+!
  CSIVolumeHealth alpha-
  ChangeContainerStatusOnKubeletRestart ga+ 35:deprecated-
  ClearingNominatedNodeNameAfterBinding 34:alpha- 35:beta+
  ClientsAllowCARotation 36:beta+
  ClientsAllowCBOR alpha-
  ClientsAllowTLSCacheGC 36:beta+
  ClientsPreferCBOR alpha-
  CloudControllerManagerWatchBasedRoutesReconciliation 35:alpha-
  CloudControllerManagerWebhook alpha-
  ClusterTrustBundle beta-
  ClusterTrustBundleProjection beta-
  ComponentFlagz alpha- 36:beta+
  ComponentStatusz alpha- 36:beta+
  ConcurrentWatchObjectDecode beta-
  ConsistentListFromCache beta+ 34:ga+!
  ConstrainedImpersonation 35:alpha- 36:beta+
  ContainerCheckpoint beta+
  ContainerRestartRules 34:alpha- 35:beta+
  ContainerStopSignals alpha-
  ContextualLogging beta+
  ControllerManagerReleaseLeaderElectionLockOnExit 36:alpha-
  CoordinatedLeaderElection beta-
  CrossNamespaceVolumeDataSource alpha-
  CustomCPUCFSQuotaPeriod alpha- 36:ga+
  CustomResourceFieldSelectors ga+!
  DRAAdminAccess alpha- 34:beta+ 36:ga+!
  DRAConsumableCapacity 34:alpha- 36:beta+
  DRADeviceBindingConditions 34:alpha- 36:beta+
  DRADeviceTaintRules 35:alpha- 36:beta-
  DRADeviceTaints alpha- 36:beta+
  DRAExtendedResource 34:alpha- 36:beta+
  DRAListTypeAttributes 36:alpha-
  DRANodeAllocatableResources 36:alpha-
  DRAPartitionableDevices alpha- 36:beta+
  DRAPrioritizedList alpha- 34:beta+ 36:ga+
  DRAResourceClaimDeviceStatus beta+
  DRAResourceClaimGranularStatusAuthorization 36:beta+
  DRAResourcePoolStatus 36:alpha-
  DRASchedulerFilterTimeout 34:beta+
  DRAWorkloadResourceClaims 36:alpha-
  DeclarativeValidation beta+ 36:ga+!
  DeclarativeValidationBeta 36:beta+
  DeclarativeValidationTakeover beta- 36:deprecated-
  DeploymentReplicaSetTerminatingReplicas alpha- 35:beta+
  DetectCacheInconsistency 34:beta+
  DisableAllocatorDualWrite beta- 34:ga+ 35:ga+!
  DisableCPUQuotaWithExclusiveCPUs beta+ 36:deprecated+
  DisableNodeKubeProxyVersion deprecated+ 36:deprecated+!
  DynamicResourceAllocation beta- 34:ga+ 35:ga+!
  EnvFiles 34:alpha- 35:beta+
  EventedPLEG alpha-
  ExecProbeTimeout ga+ 35:ga+!
  ExtendWebSocketsToKubelet 36:beta+
  ExternalServiceAccountTokenSigner alpha- 34:beta+ 36:ga+!
  GangScheduling 35:alpha-
  GenericWorkload 35:alpha-
  GitRepoVolumeDriver deprecated- 36:deprecated-!
  GracefulNodeShutdown beta+
  GracefulNodeShutdownBasedOnPodPriority beta+
  HPAConfigurableTolerance alpha- 35:beta+
  HPAScaleToZero alpha-
  HostnameOverride 34:alpha- 35:beta+
  ImageMaximumGCAge beta+ 35:ga+!
  ImageVolume beta- 35:beta+ 36:ga+!
  ImageVolumeWithDigest 35:alpha-
  InOrderInformers beta+ 36:ga+!
  InOrderInformersBatchProcess 35:beta+
  InPlacePodLevelResourcesVerticalScaling 35:alpha- 36:beta+
  InPlacePodVerticalScaling beta+ 35:ga+!
  InPlacePodVerticalScalingExclusiveCPUs alpha-
  InPlacePodVerticalScalingExclusiveMemory 34:alpha-
  InPlacePodVerticalScalingInitContainers 36:beta+
  InformerResourceVersion alpha- 35:ga+
  JobBackoffLimitPerIndex ga+!
  JobManagedBy beta+ 35:ga+!
  JobPodReplacementPolicy beta+ 34:ga+!
  JobSuccessPolicy ga+!
  KMSv1 deprecated-
  KubeletCgroupDriverFromCRI beta+ 34:ga+!
  KubeletCrashLoopBackOffMax alpha- 35:beta+
  KubeletEnsureSecretPulledImages alpha- 35:beta+
  KubeletFineGrainedAuthz beta+ 36:ga+!
  KubeletInUserNamespace alpha-
  KubeletPSI alpha- 34:beta+ 36:ga+!
  KubeletPodResourcesDynamicResources alpha- 34:beta+ 36:ga+!
  KubeletPodResourcesGet alpha- 34:beta+ 36:ga+!
  KubeletPodResourcesListUseActivePods ga- 34:deprecated+
  KubeletRegistrationGetOnExistsOnly deprecated-
  KubeletSeparateDiskGC beta+
  KubeletServiceAccountTokenForCredentialProviders alpha- 34:beta+
  KubeletTracing beta+ 34:ga+!
  ListFromCacheSnapshot alpha- 34:beta+
  LocalStorageCapacityIsolationFSQuotaMonitoring beta-
  LogarithmicScaleDown ga+!
  LoggingAlphaOptions alpha-
  LoggingBetaOptions beta+
  ManifestBasedAdmissionControlConfig 36:alpha-
  MatchLabelKeysInPodAffinity ga+!
  MatchLabelKeysInPodTopologySpread beta+
  MatchLabelKeysInPodTopologySpreadSelectorMerge 34:beta+
  MaxUnavailableStatefulSet alpha- 35:beta-
  MemoryQoS alpha-
  MultiCIDRServiceAllocator ga+ 34:ga+!
  MutableCSINodeAllocatableCount alpha- 34:beta- 35:beta+ 36:ga+!
  MutablePVNodeAffinity 35:alpha-
  MutablePodResourcesForSuspendedJobs 35:alpha- 36:beta+
  MutableSchedulingDirectivesForSuspendedJobs 35:alpha- 36:beta+
  MutatingAdmissionPolicy alpha- 34:beta- 36:ga+
  NFTablesProxyMode ga+!
  NativeHistograms 36:alpha-
  NodeDeclaredFeatures 35:alpha- 36:beta+
  NodeInclusionPolicyInPodTopologySpread ga+!
  NodeLogQuery beta- 36:ga+!
  NodeSwap beta+ 34:ga+!
  NominatedNodeNameForExpectation 34:alpha- 35:beta+
  OpenAPIEnums beta+
  OpportunisticBatching 35:beta+
  OrderedNamespaceDeletion beta+ 34:ga+!
  PLEGOnDemandRelist 36:beta+
  PersistentVolumeClaimUnusedSinceTime 36:alpha-
  PodAndContainerStatsFromCRI alpha-
  PodCertificateRequest 34:alpha- 35:beta-
  PodDeletionCost beta+
  PodLevelResourceManagers 36:alpha-
  PodLevelResources alpha- 34:beta+
  PodLifecycleSleepAction beta+ 34:ga+!
  PodLifecycleSleepActionAllowZero beta+ 34:ga+!
  PodLogsQuerySplitStreams alpha-
  PodObservedGenerationTracking alpha- 34:beta+ 35:ga+!
  PodReadyToStartContainersCondition beta+
  PodSchedulingReadiness ga+!
  PodTopologyLabelsAdmission alpha- 35:beta+
  PodsAPI 36:alpha-
  PortForwardWebsockets beta+
  PreferSameTrafficDistribution alpha- 34:beta+ 35:ga+!
  PreventStaticPodAPIReferences 34:beta+
  ProcMountType beta+ 36:ga+!
  QOSReserved alpha-
  RecoverVolumeExpansionFailure beta+ 34:ga+!
  RecursiveReadOnlyMounts ga+!
  ReduceDefaultCrashLoopBackOffDecay alpha-
  RelaxedDNSSearchValidation beta+ 34:ga+!
  RelaxedEnvironmentVariableValidation beta+ 34:ga+!
  RelaxedServiceNameValidation 34:alpha- 36:beta+
  ReloadKubeletClientCAFile 36:beta+
  ReloadKubeletServerCertificateFile beta+
  RemoteRequestHeaderUID beta+
  ResilientWatchCacheInitialization beta+ 34:ga+!
  ResourceHealthStatus alpha- 36:beta+
  ResourceHealthStatusMessage 36:beta+
  RestartAllContainersOnContainerExits 35:alpha- 36:beta+
  RetryGenerateName ga+!
  RotateKubeletServerCertificate beta+
  RuntimeClassInImageCriApi alpha-
  SELinuxChangePolicy beta+ 36:ga+!
  SELinuxMount beta-
  SELinuxMountReadWriteOncePod beta+ 36:ga+!
  SchedulerAsyncAPICalls 34:beta-
  SchedulerAsyncPreemption beta+
  SchedulerPopFromBackoffQ beta+
  SchedulerQueueingHints beta+ 34:ga+!
  SeparateCacheWatchRPC deprecated- 36:deprecated-!
  SeparateTaintEvictionController beta+ 34:ga+!
  ServiceAccountNodeAudienceRestriction beta+
  ServiceAccountTokenJTI ga+!
  ServiceAccountTokenNodeBinding ga+!
  ServiceAccountTokenNodeBindingValidation ga+!
  ServiceAccountTokenPodNodeInfo ga+!
  ServiceCIDRStatusFieldWiping ga- 36:deprecated+
  ShardedListAndWatch 36:alpha-
  SidecarContainers ga+!
  SizeBasedListCostEstimate 34:beta+
  StaleControllerConsistencyDaemonSet 36:beta+
  StaleControllerConsistencyJob 36:beta+
  StaleControllerConsistencyReplicaSet 36:beta+
  StaleControllerConsistencyStatefulSet 36:beta+
  StatefulSetSemanticRevisionComparison beta+
  StorageCapacityScoring alpha-
  StorageNamespaceIndex deprecated+
  StorageVersionAPI alpha-
  StorageVersionHash beta+
  StorageVersionMigrator alpha- 35:beta-
  StreamingCollectionEncodingToJSON beta+ 34:ga+!
  StreamingCollectionEncodingToProtobuf beta+ 34:ga+!
  StrictIPCIDRValidation alpha- 36:beta+
  StructuredAuthenticationConfiguration beta+ 34:ga+!
  StructuredAuthenticationConfigurationEgressSelector 34:beta+
  StructuredAuthenticationConfigurationJWKSMetrics 35:beta+
  SupplementalGroupsPolicy beta+ 35:ga+!
  SystemdWatchdog beta+ 35:ga+!
  TaintTolerationComparisonOperators 35:alpha-
  TokenRequestServiceAccountUIDValidation 34:beta+
  TopologyAwareWorkloadScheduling 36:alpha-
  TopologyManagerPolicyAlphaOptions alpha-
  TopologyManagerPolicyBetaOptions beta+
  TopologyManagerPolicyOptions ga+!
  TranslateStreamCloseWebsocketRequests beta+
  UnauthenticatedHTTP2DOSMitigation beta+
  UnknownVersionInteroperabilityProxy alpha- 36:beta+
  UnlockWhileProcessingFIFO 36:beta+
  UserNamespacesHostNetworkSupport 35:alpha-
  UserNamespacesSupport beta+ 36:ga+!
  VolumeAttributesClass beta- 34:ga+ 36:ga+!
  VolumeLimitScaling 35:alpha-
  WatchCacheInitializationPostStartHook beta- 36:beta+
  WatchList beta- 34:beta+
  WatchListClient beta- 35:beta+
  WinDSR beta+ 34:ga+!
  WinOverlay beta+ 34:ga+!
  WindowsCPUAndMemoryAffinity alpha-
  WindowsGracefulNodeShutdown alpha- 34:beta+
  WindowsHostNetwork deprecated-
  WorkloadAwarePreemption 36:alpha-
  WorkloadWithJob 36:alpha-
`;
