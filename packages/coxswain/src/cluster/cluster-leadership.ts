/**
 * Which parts of a cluster of one process wait until it leads. On a store of its own none do: nobody else works on it, and
 * the leases only tell others who leads. On an etcd that several servers share, each part works in one of them.
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

/** What a cluster has once, whichever of its machines it runs on. */
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
  /** Serves until the API server has stopped. */
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
