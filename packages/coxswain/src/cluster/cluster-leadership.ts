/**
 * Which parts of a single-process cluster wait for leadership. With a store of its own, none do: no other process works
 * on it, and the leases only announce the leader. With an etcd shared by several servers, each part runs in one of
 * them.
 */
import { newUid } from '@coxswain/apimachinery';
import type { UserInfo } from '@coxswain/apiserver';
import type { KubeClient } from '@coxswain/client';
import type { Component, Components } from '../components/components.ts';
import { leaderLeases, type LeaseName } from '../components/leader-leases.ts';
import type { ClusterOptions } from './cluster-options.ts';
import type { ClusterParts } from './cluster-parts.ts';

/** Names of components, by the lease that they wait for. */
export type ElectedParts = Readonly<Partial<Record<LeaseName, readonly string[]>>>;

/** Components that run once per cluster, on whichever of its machines leads. */
const onceInCluster = ['kubelets', 'stages', 'dns', 'load-balancers', 'addons'] as const;

export const electedParts = (controllers: readonly string[], { etcd }: ClusterOptions): ElectedParts =>
  etcd === undefined
    ? {}
    : {
        'kube-controller-manager': controllers,
        'kube-scheduler': ['scheduler'],
        coxswain: onceInCluster,
      };

export const leaderComponents = (
  options: ClusterOptions,
  parts: ClusterParts,
  /** Works until the API server has stopped. */
  client: (user: UserInfo) => KubeClient,
  { elected, components }: { readonly elected: ElectedParts; readonly components: () => Components },
): readonly Component[] =>
  options.leaderElection !== true && options.etcd === undefined
    ? []
    : [
        leaderLeases({
          ...parts,
          client,
          newUid: options.newUid ?? newUid,
          elected,
          components,
          onError: parts.onError('leader election'),
        }),
      ];
