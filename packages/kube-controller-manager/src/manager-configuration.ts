/** The manager's `/configz`: the part of its configuration that has an effect. */
import { formatGoDuration } from '@coxswain/cobra';
import type { ManagerFlags } from './flags.ts';

/** Fields have Go's names, since upstream has no JSON names here. */
export const managerConfiguration = (values: ManagerFlags): Readonly<Record<string, unknown>> => ({
  'kubecontrollermanager.config.k8s.io': {
    kind: 'KubeControllerManagerConfiguration',
    apiVersion: 'kubecontrollermanager.config.k8s.io/v1alpha1',
    Generic: {
      Address: values.bindAddress,
      ClientConnection: { kubeconfig: values.kubeconfig },
      LeaderElection: {
        leaderElect: values.leaderElect,
        leaseDuration: formatGoDuration(values.leaderElectLeaseDuration),
        renewDeadline: formatGoDuration(values.leaderElectRenewDeadline),
        retryPeriod: formatGoDuration(values.leaderElectRetryPeriod),
        resourceName: values.leaderElectResourceName,
        resourceNamespace: values.leaderElectResourceNamespace,
      },
      Controllers: values.controllers,
    },
    GarbageCollectorController: { EnableGarbageCollector: values.enableGarbageCollector },
    CSRSigningController: { ClusterSigningDuration: formatGoDuration(values.clusterSigningDuration) },
    HPAController: {
      HorizontalPodAutoscalerSyncPeriod: formatGoDuration(values.horizontalPodAutoscalerSyncPeriod),
      HorizontalPodAutoscalerDownscaleStabilizationWindow: formatGoDuration(
        values.horizontalPodAutoscalerDownscaleStabilization,
      ),
      HorizontalPodAutoscalerTolerance: values.horizontalPodAutoscalerTolerance,
    },
    NodeLifecycleController: {
      NodeEvictionRate: values.nodeEvictionRate,
      SecondaryNodeEvictionRate: values.secondaryNodeEvictionRate,
      NodeStartupGracePeriod: formatGoDuration(values.nodeStartupGracePeriod),
      NodeMonitorGracePeriod: formatGoDuration(values.nodeMonitorGracePeriod),
      LargeClusterSizeThreshold: values.largeClusterSizeThreshold,
      UnhealthyZoneThreshold: values.unhealthyZoneThreshold,
    },
    PodGCController: { TerminatedPodGCThreshold: values.terminatedPodGcThreshold },
    ResourceQuotaController: { ResourceQuotaSyncPeriod: formatGoDuration(values.resourceQuotaSyncPeriod) },
    SAController: { RootCAFile: values.rootCaFile },
  },
});
