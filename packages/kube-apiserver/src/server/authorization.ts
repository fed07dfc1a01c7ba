/** Creates the authorizers of a server, and keeps them up to date with the store and with their files. */
import {
  authorizerChain,
  type AuthorizationSetup,
  type AuthorizerChain,
} from '../authorization/authorizer-chain.ts';
import { reloadMetrics } from '../authorization/reload-metrics.ts';
import { NodeGraphFollower } from '../authorization/node/graph-follower.ts';
import { PolicyFollower } from '../rbac/policy-follower.ts';
import type { CompletedOptions } from './completed-options.ts';
import type { ServerState } from './server-state.ts';

export interface Authorization {
  readonly authorizer: AuthorizerChain;
  start(): Promise<void>;
  /** Resolves when all rules stored so far are in effect. */
  caughtUp(): Promise<void>;
  stop(): void;
}

const rbacGroup = 'rbac.authorization.k8s.io';

/** @throws Error when an authorizer can't be created */
export function authorizationOf(options: CompletedOptions, { stores, metrics }: ServerState): Authorization {
  const { storage, clock, random, features, authorization, hostName } = options;
  const policy = new PolicyFollower({ storage });
  const nodes = new NodeGraphFollower(storage);
  const parts = { clock, random, features, rules: policy.rules, graph: nodes.graph, metrics };
  const authorizer = authorizerChain(authorization, parts);
  let stopFollowing: (() => void) | undefined;
  return {
    authorizer,
    async start() {
      const rbacStore = (resource: string) => stores.of(rbacGroup, resource).main;
      await policy.start({
        roles: rbacStore('roles'),
        clusterRoles: rbacStore('clusterroles'),
        roleBindings: rbacStore('rolebindings'),
        clusterRoleBindings: rbacStore('clusterrolebindings'),
      });
      if (isAnyNode(authorization)) {
        await nodes.start((group, resource) => stores.find(group, resource)?.main);
      }
      stopFollowing = authorization.follow?.(
        (authorizers) => authorizer.exchange(authorizers),
        reloadMetrics(metrics, clock, hostName),
      );
    },
    caughtUp: () => policy.caughtUp(),
    stop() {
      policy.stop();
      nodes.stop();
      stopFollowing?.();
    },
  };
}

const isAnyNode = ({ authorizers }: AuthorizationSetup): boolean =>
  authorizers.some(({ type }) => type === 'Node');
