/**
 * Features of this kubelet that other kubelets of supported versions may lack; the API server and the scheduler keep
 * pods that need them off other nodes.
 */
export const declaredFeatures: readonly string[] = [
  'ExtendWebSocketsToKubelet',
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];
