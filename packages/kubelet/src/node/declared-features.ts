/** What this kubelet can do that others of its time can't: the API server and the scheduler keep pods away by it. */
export const declaredFeatures: readonly string[] = [
  'ExtendWebSocketsToKubelet',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
];
