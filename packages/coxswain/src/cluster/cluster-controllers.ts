/** The controllers of a single-process cluster, each a component of its own. */
import {
  controllers,
  enabledControllers,
  startControllers,
  type ControllerSettings,
} from '@coxswain/kube-controller-manager';
import { defaultSettings } from '@coxswain/kube-controller-manager/settings.ts';
import { certificateSettings } from '#machine';
import { serviceClusterIpRange } from '../components/cluster-addresses.ts';
import { chosenFeatures } from './cluster-features.ts';
import type { ClusterOptions, JoinableOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';
import { controllerManagerUser, serviceAccountUser } from '../components/component-users.ts';
import type { Component } from '../components/components.ts';

/** @throws Error with upstream's message for an unknown controller */
export function controllerNames(options: ClusterOptions): readonly string[] {
  const wanted = [...(options.controllers ?? ['*']), ...(options.joinable ? joiningControllers : [])];
  return enabledControllers(wanted, controllerSettings(options).isFeatureOn).map(({ name }) => name);
}

/** @param names as returned by {@link controllerNames} */
export function controllerComponents(
  names: readonly string[],
  options: ClusterOptions,
  parts: ClusterParts,
): readonly Component[] {
  const settings = controllerSettings(options);
  return names.map((name) => ({
    name,
    work: controllers.find((controller) => controller.name === name)?.start,
    start(until) {
      const { synced, stopped } = startControllers({
        ...parts.shared(until),
        client: parts.client(controllerManagerUser, until),
        clientFor: (account) => parts.client(serviceAccountUser(account), until),
        controllers: [name],
        settings,
        onError: (error, controller, key) =>
          parts.onError(key === undefined ? controller : `${controller} ${key}`, until)(error),
      });
      return { ready: synced, stopped };
    },
  }));
}

const controllerSettings = (options: ClusterOptions): Partial<ControllerSettings> => ({
  ...(options.joinable && nodeRangeSettings(options.joinable)),
  ...(options.certificates && certificateSettings(options.certificates)),
  ...chosenFeatures(options),
  ...options.controllerSettings,
});

/** Turned off where no machine can join. */
const joiningControllers: readonly string[] = ['bootstrap-signer-controller', 'token-cleaner-controller'];

const nodeRangeSettings = ({ podRange }: JoinableOptions): Partial<ControllerSettings> => ({
  allocatesNodeRanges: true,
  nodeRanges: {
    ...defaultSettings.nodeRanges,
    clusterRanges: [podRange],
    serviceRanges: [serviceClusterIpRange],
  },
});
